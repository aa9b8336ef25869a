"""How a deal of a hand script ended, against what the script says that it comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from servito_core.events import HandEnded, HandShown, PotAwarded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from servito_core.events import Event
    from servito_core.state import HandState


class DifferenceError(Exception):
    """The engine did something else than the script says; the message tells both."""


def check_equal(what: str, played: Any, scripted: Any) -> None:
    """Raise `DifferenceError` unless the engine's value is the script's."""
    if played != scripted:
        raise DifferenceError(f"{what}: played {_told(played)}, script says {_told(scripted)}")


def check_result(
    result: Mapping[str, Any], hand: HandState, events: Sequence[Event], names: Mapping[int, str]
) -> None:
    """Compare what a deal came to with the keys that the script gives."""
    ended = next(event for event in reversed(events) if isinstance(event, HandEnded))
    if "outcome" in result:
        check_equal("outcome", ended.outcome.value, result["outcome"])
    if "pots" in result:
        awarded = [event for event in events if isinstance(event, PotAwarded)]
        check_equal("number of pots", len(awarded), len(result["pots"]))
        for pot, scripted in zip(awarded, result["pots"], strict=True):
            _check_pot(pot, scripted, names)
    if "show_order" in result:
        shown = [names[event.seat] for event in events if isinstance(event, HandShown)]
        check_equal("show order", shown, result["show_order"])
    if "stacks" in result:
        _check_stacks(result["stacks"], hand, names)
    if "carried_pot" in result:
        check_equal("carried pot", ended.carried, result["carried_pot"])


def _check_pot(pot: PotAwarded, scripted: Mapping[str, Any], names: Mapping[int, str]) -> None:
    played: dict[str, Callable[[], Any]] = {
        "amount": lambda: pot.amount,
        "eligible": lambda: {names[seat] for seat in pot.eligible},
        "winners": lambda: {names[seat] for seat in pot.winners},
        "shares": lambda: {names[seat]: share for seat, share in pot.shares.items()},
    }
    for key, value in scripted.items():
        expected = set(value) if key in ("eligible", "winners") else value
        check_equal(f"pot {pot.index} {key}", played[key](), expected)


def _check_stacks(scripted: Mapping[str, int], hand: HandState, names: Mapping[int, str]) -> None:
    """Seats that left are not checked, seats that were not dealt in are the caller's."""
    for player in hand.players:
        name = names[player.seat]
        if name in scripted and not player.left:
            check_equal(f"stack of {name}", player.stack, scripted[name])


def _told(value: Any) -> str:
    return " and ".join(sorted(value)) if isinstance(value, set) else str(value)
