"""What is wrong with a configuration: every defect at once, each with its key and what is allowed.

Contradictions are the table `CONTRADICTIONS` (`RULES.md B9`) plus what each option itself declares
(`only_with`, `needs`, `excludes`), which binds only while that option is not at its default.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from servito_core.rules.option import written
from servito_core.rules.presets import PRESETS
from servito_core.rules.ruleset import OPTIONS, RuleSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from servito_core.rules.option import Binding, Option, Value

BY_KEY = {option.key: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing wrong with a configuration: the option at fault and a sentence saying what is allowed."""

    key: str
    message: str


class InvalidRules(ValueError):  # noqa: N818  # named for what it says, like every refusal here
    """A configuration that cannot be played; `defects` lists everything wrong with it."""

    def __init__(self, defects: tuple[Defect, ...]) -> None:
        super().__init__("; ".join(f"{defect.key}: {defect.message}" for defect in defects))
        self.defects = defects


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Options that cannot stand together: the keys involved (the first is blamed), when, and why."""

    keys: tuple[str, ...]
    holds: Callable[[RuleSet], bool]
    message: str


def _hands(rules: RuleSet) -> int:
    """The most hands dealt at once."""
    return 9 if rules.players_max == 10 and rules.players_ten == "dealer_sits_out" else rules.players_max


def _deck_too_small(rules: RuleSet) -> bool:
    """Only a fixed deck can be: the others are for those who play; the deck of a first deal (`deck.players`)
    leaves out who does not fit.
    """
    return (
        rules.deck == "fixed"
        and rules.deck_lowest is not None
        and 4 * (15 - int(rules.deck_lowest)) < 5 * _hands(rules)
    )


CONTRADICTIONS = (
    Contradiction(
        ("deck", "deck.lowest"),
        lambda r: r.deck == "fixed" and r.deck_lowest is None,
        "fixed needs deck.lowest, one of 2..9",
    ),
    Contradiction(
        ("deck.lowest", "deck", "players.max", "players.ten"),
        _deck_too_small,
        "the deck is too small for five cards to each of players.max",
    ),
    Contradiction(
        ("bet.limit", "bet.fixed"),
        lambda r: r.bet_limit == "fixed" and r.bet_fixed is None,
        "fixed needs bet.fixed, the size of every bet",
    ),
    Contradiction(
        ("bet.fixed", "bet.min", "ante"),
        lambda r: r.bet_fixed is not None and r.bet_fixed < r.minimum_bet,
        "must be at least bet.min, which is the ante unless set",
    ),
    Contradiction(
        ("blind.depth", "players.max"),
        lambda r: r.blind_depth == 3 and r.players_max < 4,
        "3 needs players.max of at least 4: the over-blind needs four players dealt in",
    ),
    Contradiction(
        ("flush_tiebreak", "suit_tiebreak"),
        lambda r: r.flush_tiebreak == "suit_first" and r.suit_tiebreak == "none",
        "suit_first needs suits: suit_tiebreak must not be none",
    ),
    Contradiction(
        ("sf_media_tie", "suit_tiebreak"),
        lambda r: r.sf_media_tie == "suit_only" and r.suit_tiebreak == "none",
        "suit_only needs suits: suit_tiebreak must not be none",
    ),
    Contradiction(
        ("sf_media_tie", "sf_cycle"),
        lambda r: r.sf_media_tie == "suit_only" and not r.sf_cycle,
        "suit_only needs sf_cycle true: without the circle there is no media",
    ),
    Contradiction(
        ("ante.scheme", "players.ten", "players.max"),
        lambda r: (
            r.ante_scheme == "dealer_only" and r.players_ten == "dealer_sits_out" and r.players_max == 10
        ),
        "dealer_only cannot go with players.ten dealer_sits_out and ten seats: nobody would ante",
    ),
    Contradiction(
        ("parola.next_requirement", "open.requirement"),
        lambda r: r.parola_next_requirement == "KK" and r.open_requirement in ("none", "AA"),
        "KK needs open.requirement to be one of JJ, QQ, KK",
    ),
)


def checked_rules(options: Mapping[str, object]) -> RuleSet:
    """See `RuleSet.from_options`."""
    values, defects = _read(options)
    readable = _rules_of(values)
    blamed = {defect.key for defect in defects}
    defects += [defect for defect, keys in _contradictions(readable) if not blamed.intersection(keys)]
    if defects:
        raise InvalidRules(tuple(defects))
    return readable


def defects_of(rules: RuleSet) -> tuple[Defect, ...]:
    """Everything wrong with a rule set that was put together by hand; empty if it may be played."""
    try:
        checked_rules(rules.to_options())
    except InvalidRules as invalid:
        return invalid.defects
    return ()


def _read(options: Mapping[str, object]) -> tuple[dict[str, Value], list[Defect]]:
    """The acceptable values by key, on top of the preset, and a defect for each of the others."""
    name = options.get("preset", "italiana")
    defects: list[Defect] = []
    values: dict[str, Value] = {}
    if isinstance(name, str) and name in PRESETS:
        values.update(PRESETS[name])
    else:
        defects.append(Defect("preset", f"{written(name)} is no preset: one of {', '.join(PRESETS)}"))
    for key, value in options.items():
        option = BY_KEY.get(key)
        if option is None:
            if key != "preset":
                defects.append(Defect(key, "there is no option of this name"))
        elif option.accepts(value):
            values[key] = value  # type: ignore[assignment]  # accepts() has just shown that it is a Value
        else:
            defects.append(Defect(key, f"{written(value)} is not allowed: {option.allowed}"))
    return values, defects


def _rules_of(values: Mapping[str, Value]) -> RuleSet:
    fields: dict[str, object] = {BY_KEY[key].field: value for key, value in values.items()}
    return RuleSet(**fields)  # type: ignore[arg-type]  # every value was accepted by the option of its field


def _contradictions(rules: RuleSet) -> Iterator[tuple[Defect, tuple[str, ...]]]:
    """Each contradiction with the keys that take part in it."""
    for option in OPTIONS:
        if getattr(rules, option.field) != option.default:
            yield from _broken_bindings(rules, option)
    for contradiction in CONTRADICTIONS:
        if contradiction.holds(rules):
            yield Defect(contradiction.keys[0], contradiction.message), contradiction.keys


def _broken_bindings(rules: RuleSet, option: Option) -> Iterator[tuple[Defect, tuple[str, ...]]]:
    mine = written(getattr(rules, option.field))

    def broken(bindings: Binding, wanted: bool) -> Iterator[tuple[Defect, tuple[str, ...]]]:
        for key, values in bindings.items():
            other = getattr(rules, BY_KEY[key].field)
            if (other in values) is not wanted:
                must = "must be" if wanted else "must not be"
                named = " or ".join(written(value) for value in values)
                yield (
                    Defect(option.key, f"{mine}: {key} {must} {named}, not {written(other)}"),
                    (option.key, key),
                )

    yield from broken(option.only_with, True)
    yield from broken(option.needs, True)
    yield from broken(option.excludes, False)
