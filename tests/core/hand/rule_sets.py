"""Random valid rule sets, for properties that hold under any rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.rules import OPTIONS, InvalidRules, RuleSet

if TYPE_CHECKING:
    import random

    from servito_core.rules import Option

CHIPS = {
    "ante": (1, 2, 5),
    "bet.fixed": (5, 7, 12),
    "bet.min": ("ante", 1, 4, 5),
    "raise.max_count": (None, 1, 3),
}


def random_rules(rng: random.Random, players: int) -> RuleSet:
    """Rules for so many players, valid together, about a third of the options away from their default."""
    options: dict[str, object] = {"players.max": max(players, 4)}
    wanted = [option for option in OPTIONS if option.key not in options and rng.random() < 0.4]
    rng.shuffle(wanted)
    for option in wanted:
        _try(options, option.key, rng.choice(_values(option)))
    if rng.random() < 0.1:
        options |= {"deck": "fixed", "deck.lowest": "2"}
    return RuleSet.from_options(options)


def _values(option: Option) -> tuple[object, ...]:
    return CHIPS.get(option.key) or option.values


def _try(options: dict[str, object], key: str, value: object) -> None:
    """Take a value, with what it needs, if the rules stay valid."""
    trial = options | {key: value}
    if (key, value) == ("bet.limit", "fixed"):
        trial["bet.fixed"] = 12
    if (key, value) == ("ante.live", True):
        trial |= {"open.requirement": "none", "blind.depth": 0}
    try:
        RuleSet.from_options(trial)
    except InvalidRules:
        return
    options.update(trial)
