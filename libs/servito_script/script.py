"""The format hand-script/1 as values: read from JSON, every field checked (`tests/cases/README.md`).

Nothing is played here. A script that cannot be read gives `ScriptError`, which says where and what is
allowed. Texts of cards and amounts of a step are kept as written, because a script may hold unreadable
ones on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from servito_core.cards import Card, CardError, parse_cards
from servito_core.rules import InvalidRules, RuleSet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
RESULT_FIELDS = {"outcome", "pots", "show_order", "stacks", "carried_pot"}
POT_FIELDS = {"amount", "eligible", "winners", "shares"}


class ScriptError(ValueError):
    """A script that is not hand-script/1; the message says where and what is expected there."""


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
    case = _object(data, "the script", CASE_FIELDS)
    if case.get("format") != FORMAT:
        raise ScriptError(f"format: must be {FORMAT!r}, not {case.get('format')!r}")
    seats = [_object(seat, "seats", {"name", "stack"}) for seat in _list(case, "seats")]
    stacks = {_text(seat, "name"): _chips(seat, "stack") for seat in seats}
    if len(stacks) < 2 or len(stacks) < len(seats):
        raise ScriptError("seats: two to ten of them, with different names")
    try:
        rules = RuleSet.from_options(_object(case.get("rules", {}), "rules", None))
    except InvalidRules as error:
        raise ScriptError(f"rules: {error}") from error
    deals = tuple(
        _at(f"deal {number}", _deal, deal, stacks) for number, deal in enumerate(_list(case, "deals"), 1)
    )
    return Script(_text(case, "id"), str(case.get("title", "")), rules, stacks, deals)


def _deal(data: Any, stacks: Mapping[str, int]) -> Deal:
    deal = _object(data, "a deal", DEAL_FIELDS)
    hands = {name: _cards(cards) for name, cards in _object(deal.get("hands"), "hands", set(stacks)).items()}
    reshuffles = [
        _object(refill, "reshuffles", {"pool_size", "order"}) for refill in deal.get("reshuffles", [])
    ]
    result = _object(deal.get("result", {}), "result", RESULT_FIELDS)
    for pot in result.get("pots", []):
        _object(pot, "pots", POT_FIELDS)
    return Deal(
        button=_text(deal, "button"),
        opening=_text(deal, "opening"),
        hands=hands,
        stock=_cards(deal.get("stock", "")),
        reshuffles=tuple((_chips(refill, "pool_size"), _cards(refill.get("order"))) for refill in reshuffles),
        steps=tuple(_at(f"step {n}", _step, step, stacks) for n, step in enumerate(_list(deal, "steps"), 1)),
        result=result,
    )


def _step(data: Any, stacks: Mapping[str, int]) -> Mapping[str, Any]:
    step = _object(data, "a step", STEP_FIELDS)
    if ("do" in step) == ("event" in step):
        raise ScriptError('a step has either "do" or "event"')
    if step.get("seat") not in stacks:
        raise ScriptError(f"seat: must be one of {', '.join(stacks)}, not {step.get('seat')!r}")
    return step


def _at(
    where: str, read: Callable[[Any, Mapping[str, int]], Any], data: Any, stacks: Mapping[str, int]
) -> Any:
    """Whatever `read` makes of the data; its error says `where` first."""
    try:
        return read(data, stacks)
    except ScriptError as error:
        raise ScriptError(f"{where}: {error}") from error


def _object(data: Any, what: str, fields: set[str] | None) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ScriptError(f"{what}: must be an object")
    for key in data:
        if fields is not None and key not in fields:
            raise ScriptError(f"{what}: there is no field {key!r}; known are {', '.join(sorted(fields))}")
    return data


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise ScriptError(f"{key}: must be a list")
    return value


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise ScriptError(f"{key}: must be a text, not {value!r}")
    return value


def _chips(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    if type(value) is not int or value < 0:
        raise ScriptError(f"{key}: must be a whole number, not {value!r}")
    return value


def _cards(text: Any) -> tuple[Card, ...]:
    if not isinstance(text, str):
        raise ScriptError(f"cards are a text like 'Ah Kd', not {text!r}")
    try:
        return parse_cards(text)
    except CardError as error:
        raise ScriptError(str(error)) from error
