"""A seed gives the same faults in the same order, every kind of the mode comes, and none that cannot be."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from servito_platform.place import Mode
from tests.chaos.faults import KINDS
from tests.chaos.schedule import schedule


@pytest.mark.parametrize("mode", Mode)
def test_a_seed_is_a_schedule(mode: Mode) -> None:
    """Names, generators and pauses are the same again; another seed has another order."""

    def planned(seed: int) -> list[tuple[tuple[str, float], ...]]:
        plan = schedule(KINDS.values(), seed=seed, mode=mode, short=False)
        return [tuple((kind.name, rng.random()) for kind, rng in each.kinds) for each in islice(plan, 60)]

    assert planned(7) == planned(7)
    assert planned(7) != planned(8)


@pytest.mark.parametrize("mode", Mode)
def test_every_kind_of_the_mode_comes_in_a_round(mode: Mode) -> None:
    """Each once in the first round, alone; long ones never again; what needs the other servers is alone."""
    possible = {kind.name for kind in KINDS.values() if mode in kind.modes}
    plan = list(islice(schedule(KINDS.values(), seed=3, mode=mode, short=False), 4 * len(possible)))
    first = plan[: len(possible)]
    assert {each.kinds[0][0].name for each in first} == possible
    assert all(len(each.kinds) == 1 for each in first)
    times = Counter(kind.name for each in plan for kind, _ in each.kinds)
    assert all(times[kind.name] == 1 for kind in KINDS.values() if kind.once and mode in kind.modes)
    together = [each for each in plan if len(each.kinds) > 1]
    assert together
    assert not any(kind.alone for each in together for kind, _ in each.kinds)


def test_the_short_form_is_one_round_of_the_important_kinds() -> None:
    """Services, servers, ways and deliveries are in it."""
    names = [each.kinds[0][0].name for each in schedule(KINDS.values(), seed=1, mode=Mode.SINGLE, short=True)]
    assert len(names) == len(set(names))
    for part in ("kill one table", "kill every timers", "kill the state server", "answers lost", "again"):
        assert any(part in name for name in names), part
