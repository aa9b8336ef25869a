"""Each broken twin of the protocol is caught: a model that lets them pass would prove nothing.

With MODEL_EXAMPLES in the environment (`make model`) every twin is searched for its fault; else those whose
search takes long are led there.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.laws import Broken
from tests.model.machine import Protocol
from tests.model.twins import TWINS

if TYPE_CHECKING:
    from collections.abc import Callable

LONG: Final = "MODEL_EXAMPLES" in os.environ
LED: Final = [name for name, twin in TWINS.items() if twin.path is not None]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", TWINS if LONG else [name for name in TWINS if name not in LED])
def test_a_twin_is_found(name: str, model_url: str) -> None:
    """What is left out matters, and the model finds an order of events in which it does."""
    twin = TWINS[name]
    with pytest.raises(Broken) as caught:
        run_state_machine_as_test(
            twin.machine(model_url),
            settings=settings(
                max_examples=3_000,
                stateful_step_count=20,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )
    assert caught.value.law in twin.laws, caught.value


@pytest.mark.parametrize("name", LED)
def test_a_twin_is_led_to_its_fault(name: str, model_url: str) -> None:
    """A short way to it: the twin breaks its law there, and the protocol as it is breaks none."""
    twin = TWINS[name]
    assert twin.path is not None
    with pytest.raises(Broken) as caught:
        led(twin.machine(model_url, narrow=False)(), twin.path)
    assert caught.value.law in twin.laws, caught.value
    led(type("Whole", (Protocol,), {"url": model_url})(), twin.path)


def led(table: Protocol, path: Callable[[Protocol], None]) -> None:
    """Go that way to its end."""
    try:
        path(table)
        table.a_quiet_moment(choices=[], process=0)
    except Broken:
        table.close()
        raise
    table.teardown()
