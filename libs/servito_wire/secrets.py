"""What of a commit is hidden from somebody at the table, apart from what everybody may know.

    public, secrets = parted(commit)      # secrets: None where nothing is hidden
    joined(public, secrets) == commit

What stands in the place of a hiding event says what others are told of it (`servito_core.view`): who was
dealt in, how many cards were thrown away and drawn; of a decision beforehand, or of entropy, nothing at all.
It is written by naming that, of an event that is to be stored (`STANDS`) and of one that was (`parted`).
Changes with store.proto, and with the core's `PROJECTIONS` and the table's private events, which a test
compares with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from servito.table.v1.store_pb2 import (
    CommitSecrets,
    StoredCardsDealt,
    StoredCardsDrawn,
    StoredCommit,
    StoredDealt,
    StoredEvent,
)
from servito_core import events as core
from servito_wire.fields import Block, Values, record
from servito_wire.moves import discarded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def parted(commit: StoredCommit) -> tuple[StoredCommit, CommitSecrets | None]:
    """What everybody may know, and what not; `commit` itself where that is all."""
    hiding = [place for place, event in enumerate(commit.events) if hides(event)]
    if not hiding:
        return commit, None
    public = StoredCommit()
    public.CopyFrom(commit)
    secrets = CommitSecrets(places=bytes(hiding), events=[commit.events[place] for place in hiding])
    for place in hiding:
        field = commit.events[place].WhichOneof("event") or ""
        stand = _OF_STORED[field](getattr(commit.events[place], field))
        public.events[place].CopyFrom(StoredEvent.FromString(stand))
    return public, secrets


def joined(public: StoredCommit, secrets: CommitSecrets) -> StoredCommit:
    """The commit as it was. ValueError where the two do not belong together."""
    if len(secrets.places) != len(secrets.events) or max(secrets.places, default=-1) >= len(public.events):
        raise ValueError("the hidden part of a commit names events that its public part does not have")
    whole = StoredCommit()
    whole.CopyFrom(public)
    for place, event in zip(secrets.places, secrets.events, strict=True):
        whole.events[place].CopyFrom(event)
    return whole


def hides(event: StoredEvent) -> bool:
    """Whether there is something in it that not everybody may know."""
    field = event.WhichOneof("event") or ""
    return field in HIDING and (field != "seat_acted" or bool(event.seat_acted.discards))


NOTHING: Final = Block(StoredEvent, "hidden")(b"")
"""The StoredEvent for an event of which others learn nothing."""
_DEALT: Final = Block(StoredEvent, "cards_dealt")
_HANDS: Final = Block(StoredCardsDealt, "hands")
_SEAT: Final = Values(StoredDealt, "seat")
_OPENERS: Final = Block(StoredEvent, "openers_found")(b"")
_ACTED: Final = Block(StoredEvent, "seat_acted")
_DRAWN: Final = Block(StoredEvent, "cards_drawn")
_DRAW: Final = record(StoredCardsDrawn, "seat entry deferred shuffled")
_COUNT: Final = Values(StoredCardsDrawn, "count")


def _dealt(seats: Iterable[int]) -> bytes:
    return _DEALT(b"".join([_HANDS(_SEAT[seat]) for seat in seats]))


def _acted(seat: int, count: int) -> bytes:
    return _ACTED(discarded(seat, count))


def _drawn(draw: core.CardsDrawn | StoredCardsDrawn) -> bytes:
    return _DRAWN(_DRAW(draw) + _COUNT[len(draw.cards)])


STANDS: Final[dict[type[Any], Callable[[Any], bytes]]] = {
    core.CardsDealt: lambda event: _dealt(event.seats),
    core.OpenersFound: lambda _: _OPENERS,
    core.Discarded: lambda event: _acted(event.seat, len(event.cards)) if event.cards else b"",
    core.CardsDrawn: _drawn,
}
"""By type of event of a hand: the StoredEvent that stands in its place; b"" where nothing is hidden."""
_OF_STORED: Final[dict[str, Callable[[Any], bytes]]] = {
    "cards_dealt": lambda stored: _dealt(hand.seat for hand in stored.hands),
    "openers_found": lambda _: _OPENERS,
    "seat_acted": lambda stored: _acted(stored.seat, len(stored.discards)),
    "cards_drawn": _drawn,
    **dict.fromkeys(("pre_action_set", "pre_action_ended", "entropy_set"), lambda _: NOTHING),
}
"""By field of StoredEvent."""
HIDING: Final = frozenset(_OF_STORED)
"""Those fields; of `seat_acted` a change of cards alone."""
