"""What one viewer was told of stored commits: through the core's gate, as it went to him then.

A viewer is a player by his name, or None: everybody. In each hand a player sees by the seat that he was dealt
in on; who that was says the commit that began it. What of the table is told to one seat alone goes to whoever
sits there. Changes with the table service's `messages.views`, which a test compares with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from servito.table.v1 import table_pb2 as pb
from servito_core.view import event_for
from servito_replay.as_json import to_json
from servito_replay.lines import PLAYER, lines_with
from servito_wire.events import TABLE_EVENTS, event_from_proto
from servito_wire.hand import OUTCOME_NUMBERS
from servito_wire.views import event_view_to_bytes, hand_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from servito.table.v1.store_pb2 import StoredCommit, StoredEvent
    from servito_core.events import Event
    from servito_replay.entries import Commit
    from servito_replay.folding import Step

PRIVATE: Final = frozenset({"pre_action_set", "pre_action_ended", "entropy_set"})
"""Fields of events of the table that their own seat alone is told of."""


class PlayerLines:
    """What a player was told as JSON lines, commit after commit in their order; each has to be whole."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._seat: int | None = None
        """Where he was dealt in."""
        self._own: int | None = None
        """Where he sits, as far as it is known."""

    def of(self, commit: Commit) -> Iterator[dict[str, Any]]:
        """The lines of a commit. ValueError: the whole of it is not known."""
        if commit.whole is None:
            raise ValueError("what a player was told takes the auditor's key")
        if _begins(commit.public):
            self._seat = seat_of(commit.public, self._player)
            self._own = self._own if self._seat is None else self._seat
        events = {
            place: event_from_proto(stored)
            for place, stored in enumerate(commit.whole.events)
            if _is_of_a_hand(stored)
        }
        told = shown(commit, commit.whole, events, self._seat, self._own)
        self._moved(commit.public)
        found = [None if each is None else _kind_and_data(each) for each in told]
        return lines_with(commit, PLAYER, found, player=self._player)

    def _moved(self, public: StoredCommit) -> None:
        for event in public.events:
            if event.HasField("player_sat") and event.player_sat.player == self._player:
                self._own = event.player_sat.seat
            if event.HasField("player_stood") and event.player_stood.player == self._player:
                self._own = None


def seat_of(begins: StoredCommit, player: str | None) -> int | None:
    """The seat that the player was dealt in on, by the commit that begins a hand."""
    started = next(event.hand_started for event in begins.events if event.HasField("hand_started"))
    dealt = zip(started.seats, begins.players, strict=False)
    return next((seat for seat, name in dealt if name == player), None)


def shown(
    commit: Commit, told: StoredCommit, events: Mapping[int, Event], seat: int | None, own: int | None
) -> list[pb.TableEvent | None]:
    """Event by event, what the one sees who was dealt in on `seat` and sits on `own`; None for what he does
    not learn of.

    `events`: those of the hand by their places.
    """
    table = commit.entry.table_id
    return [
        pb.TableEvent.FromString(event_view_to_bytes(event_for(events[place], seat), table))
        if place in events
        else _of_the_table(stored, own)
        for place, stored in enumerate(told.events)
    ]


def record(steps: Sequence[Step], player: str | None) -> pb.HandRecord:
    """A hand that was folded, as the viewer may see it; for a player it has to be whole."""
    first, last = steps[0], steps[-1]
    begins, began, hand = first.commit.public, first.commit.entry.at, first.hand
    seat = None if player is None else seat_of(begins, player)
    sent = pb.HandRecord(
        hand_id=hand_id(first.commit.entry.table_id, hand.number),
        number=hand.number,
        config=begins.config,
        players=[
            pb.HandPlayer(seat=own.seat, player=name)
            for own, name in zip(hand.players, begins.players, strict=True)
        ],
        button=hand.button,
        outcome=OUTCOME_NUMBERS[last.hand.outcome],
        finished=last.hand.outcome is not None,
        complete=True,
        own_seat=seat,
    )
    for step in steps:
        commit, events = step.commit, dict(zip(step.places, step.events, strict=True))
        ms = max(0, commit.entry.at - began)
        for seen in shown(commit, commit.whole or commit.public, events, seat, seat):
            if seen is not None:
                sent.events.add(ms=ms, version=commit.entry.version, event=seen)
            if seen is not None and seen.HasField("hand_ended"):
                return sent
    return sent


def _of_the_table(stored: StoredEvent, seat: int | None) -> pb.TableEvent | None:
    kind = stored.WhichOneof("event")
    if kind == "hidden" or kind is None:
        return None
    message: Any = getattr(stored, kind)
    if kind in PRIVATE and message.seat != seat:
        return None
    if kind == "pre_action_set":
        wish = pb.PreAction(kind=message.pre_action.kind, amount=message.pre_action.amount)
        message = pb.PreActionSet(seat=message.seat, pre_action=wish)
    return pb.TableEvent(**{kind: message})


def _is_of_a_hand(stored: StoredEvent) -> bool:
    kind = stored.WhichOneof("event")
    return kind is not None and kind not in TABLE_EVENTS


def _begins(public: StoredCommit) -> bool:
    return any(event.HasField("hand_started") for event in public.events)


def _kind_and_data(event: pb.TableEvent) -> tuple[str, dict[str, Any]]:
    kind = event.WhichOneof("event") or ""
    return kind, to_json(getattr(event, kind))
