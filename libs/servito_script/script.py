"""The format hand-script/1 as values: read from JSON, every field checked (`tests/cases/README.md`).

Nothing is played here. A script that cannot be read gives `ScriptError`, which says where and what is
allowed. Texts of cards and amounts of a step are kept as written, because a script may hold unreadable
ones on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from servito_core.rules import InvalidRules, RuleSet
from servito_script.fields import (
    ScriptError,
    as_object,
    cards,
    chips_by_name,
    chips_of,
    list_of,
    names_of,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from servito_core.cards import Card

FORMAT = "hand-script/1"
CASE_FIELDS = {"format", "id", "title", "source", "rules", "seats", "deals"}
DEAL_FIELDS = {"button", "opening", "hands", "stock", "reshuffles", "steps", "result"}
STEP_FIELDS = {
    "seat",
    "do",
    "to",
    "discard",
    "drawn",
    "word",
    "expect",
    "pot_after",
    "refused",
    "event",
    "amount",
    "cards",
}
LEGAL_FIELDS = {
    "pass",
    "open",
    "check",
    "bet",
    "call",
    "raise",
    "fold",
    "draw",
    "blind",
    "counter_blind",
    "over_blind",
    "cover",
    "decline",
}
RESULT_FIELDS = {"outcome", "pots", "show_order", "stacks", "carried_pot"}
POT_FIELDS = {"amount", "eligible", "winners", "shares"}


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: who holds what, what lies below, what happens, what comes out. Seats are names here."""

    button: str
    opening: str
    hands: Mapping[str, tuple[Card, ...]]
    stock: tuple[Card, ...]
    reshuffles: tuple[tuple[int, tuple[Card, ...]], ...]
    steps: tuple[Mapping[str, Any], ...]
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script. `stacks` by the name of the seat, clockwise."""

    name: str
    title: str
    rules: RuleSet
    stacks: Mapping[str, int]
    deals: tuple[Deal, ...]


def read_script(data: Any) -> Script:
    """The script in parsed JSON, or `ScriptError`."""
    case = as_object(data, "the script", CASE_FIELDS)
    if case.get("format") != FORMAT:
        raise ScriptError(f"format: must be {FORMAT!r}, not {case.get('format')!r}")
    seats = [as_object(seat, "seats", {"name", "stack"}) for seat in list_of(case, "seats")]
    stacks = {text_of(seat, "name"): chips_of(seat, "stack") for seat in seats}
    if not 2 <= len(stacks) <= 10 or len(stacks) < len(seats):
        raise ScriptError("seats: two to ten of them, with different names")
    try:
        rules = RuleSet.from_options(as_object(case.get("rules", {}), "rules", None))
    except InvalidRules as error:
        raise ScriptError(f"rules: {error}") from error
    deals = tuple(
        _at(f"deal {number}", _deal, deal, stacks) for number, deal in enumerate(list_of(case, "deals"), 1)
    )
    if not deals:
        raise ScriptError("deals: at least one, or nothing is played")
    return Script(text_of(case, "id"), str(case.get("title", "")), rules, stacks, deals)


def _deal(data: Any, stacks: Mapping[str, int]) -> Deal:
    deal = as_object(data, "a deal", DEAL_FIELDS)
    hands = as_object(deal.get("hands"), "hands", stacks)
    return Deal(
        button=text_of(deal, "button"),
        opening=text_of(deal, "opening"),
        hands={name: cards(held) for name, held in hands.items()},
        stock=cards(deal.get("stock", "")),
        reshuffles=tuple(_refill(refill) for refill in list_of({"reshuffles": []} | deal, "reshuffles")),
        steps=tuple(
            _at(f"step {n}", _step, step, stacks) for n, step in enumerate(list_of(deal, "steps"), 1)
        ),
        result=_at("result", _result, deal.get("result", {}), stacks),
    )


def _refill(data: Any) -> tuple[int, tuple[Card, ...]]:
    refill = as_object(data, "reshuffles", {"pool_size", "order"})
    return chips_of(refill, "pool_size"), cards(refill.get("order"))


def _step(data: Any, stacks: Mapping[str, int]) -> Mapping[str, Any]:
    """`to`, `discard`, `word` stay as written and a verb may be unknown: refusing them is the engine's."""
    step = as_object(data, "a step", STEP_FIELDS)
    if ("do" in step) == ("event" in step):
        raise ScriptError('a step has either "do" or "event"')
    if text_of(step, "seat") not in stacks:
        raise ScriptError(f"seat: must be one of {', '.join(stacks)}, not {step['seat']!r}")
    for key in {"do", "event", "drawn", "refused", "cards"} & step.keys():
        text_of(step, key)
    for key in {"pot_after", "amount"} & step.keys():
        chips_of(step, key)
    if "expect" in step:
        expected = as_object(step["expect"], "expect", {"to_call", "legal"})
        as_object(expected.get("legal", {}), "legal", LEGAL_FIELDS)
    return step


def _result(data: Any, stacks: Mapping[str, int]) -> Mapping[str, Any]:
    result = as_object(data, "the result", RESULT_FIELDS)
    if "outcome" in result:
        text_of(result, "outcome")
    if "carried_pot" in result:
        chips_of(result, "carried_pot")
    if "show_order" in result:
        names_of(result, "show_order", stacks)
    if "stacks" in result:
        chips_by_name(result, "stacks", stacks)
    for pot in list_of({"pots": []} | result, "pots"):
        _pot(as_object(pot, "pots", POT_FIELDS), stacks)
    return result


def _pot(pot: Mapping[str, Any], stacks: Mapping[str, int]) -> None:
    if "amount" in pot:
        chips_of(pot, "amount")
    for key in {"eligible", "winners"} & pot.keys():
        names_of(pot, key, stacks)
    if "shares" in pot:
        chips_by_name(pot, "shares", stacks)


def _at(
    where: str, read: Callable[[Any, Mapping[str, int]], Any], data: Any, stacks: Mapping[str, int]
) -> Any:
    """Whatever `read` makes of the data; its error says `where` first."""
    try:
        return read(data, stacks)
    except ScriptError as error:
        raise ScriptError(f"{where}: {error}") from error
