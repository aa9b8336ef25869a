"""The services as their code describes them: settings, what they use, what they import."""

from __future__ import annotations

import sys
from functools import cache
from typing import Final

import grimp

from servito_dealer.settings import DealerSettings
from servito_platform.safety.settings import STORES, Uses
from servito_platform.settings import ServiceSettings
from servito_table.settings import TableSettings
from servito_timers.settings import TimersSettings
from tests.deploy.manifests import ROOT

SETTINGS: Final[dict[str, type[ServiceSettings]]] = {
    "dealer": DealerSettings,
    "evaluator": ServiceSettings,
    "table": TableSettings,
    "timers": TimersSettings,
}
USES: Final = {
    "dealer": STORES,
    "evaluator": Uses(stores=False),
    "table": Uses(calls=True, wakes=True),
    "timers": Uses(serves=False, calls=True, queues=True),
}
"""As its main says it; tests/deploy/test_settings.py compares them."""

_OURS: Final = sorted(
    each.name
    for each in [*(ROOT / "libs").glob("servito_*"), *(ROOT / "services").glob("servito_*")]
    if each.name != "servito_protos"
)


def known_variables(service: str) -> set[str]:
    """Names that may stand in its environment."""
    return {f"SERVITO_{field.upper()}" for field in SETTINGS[service].model_fields}


def imported(service: str) -> set[str]:
    """Packages of others that a service imports, itself or through libraries of ours."""
    return _needed(service)[0]


def libraries(service: str) -> set[str]:
    """Libraries of ours that it imports, and itself, without `servito_`; protocols are in every image."""
    return _needed(service)[1]


def _needed(service: str) -> tuple[set[str], set[str]]:
    graph = _graph()
    start = f"servito_{service}"
    seen = {each for each in graph.modules if each == start or each.startswith(f"{start}.")}
    todo = list(seen)
    while todo:
        module = todo.pop()
        if not graph.is_module_squashed(module):
            new = graph.find_modules_directly_imported_by(module) - seen
            seen |= new
            todo.extend(new)
    others = {each for each in seen if graph.is_module_squashed(each)}
    ours = {each.split(".")[0] for each in seen - others}
    return others - set(sys.stdlib_module_names) - {"servito"}, {
        each.removeprefix("servito_") for each in ours
    }


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph(*_OURS, include_external_packages=True, cache_dir=None)
