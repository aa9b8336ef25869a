"""What of a commit is hidden from somebody at the table, apart from what everybody may know.

    public, secrets = parted(commit)      # secrets: None where nothing is hidden
    joined(public, secrets) == commit

What stands in the place of a hiding event says what others are told of it (`servito_core.view`): who was
dealt in, how many cards were thrown away and drawn; of a decision beforehand, or of entropy, nothing at all.
Changes with store.proto, and with the core's `PROJECTIONS` and the table's private events, which a test
compares with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1.store_pb2 import (
    CommitSecrets,
    StoredCommit,
    StoredDealt,
    StoredEvent,
    StoredHidden,
    StoredOpenersFound,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def parted(commit: StoredCommit) -> tuple[StoredCommit, CommitSecrets | None]:
    """What everybody may know, and what not; `commit` itself where that is all."""
    hiding = [place for place, event in enumerate(commit.events) if hides(event)]
    if not hiding:
        return commit, None
    public = StoredCommit()
    public.CopyFrom(commit)
    secrets = CommitSecrets(places=bytes(hiding), events=[commit.events[place] for place in hiding])
    for place in hiding:
        whole = commit.events[place]
        public.events[place].CopyFrom(_STANDS[whole.WhichOneof("event") or ""](whole))
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
    return field in _STANDS and (field != "seat_acted" or bool(event.seat_acted.discards))


def _dealt(whole: StoredEvent) -> StoredEvent:
    stand = StoredEvent()
    stand.cards_dealt.hands.extend(StoredDealt(seat=hand.seat) for hand in whole.cards_dealt.hands)
    stand.cards_dealt.SetInParent()
    return stand


def _openers(_whole: StoredEvent) -> StoredEvent:
    return StoredEvent(openers_found=StoredOpenersFound())


def _acted(whole: StoredEvent) -> StoredEvent:
    stand = StoredEvent(seat_acted=whole.seat_acted)
    stand.seat_acted.ClearField("discards")
    return stand


def _drawn(whole: StoredEvent) -> StoredEvent:
    stand = StoredEvent(cards_drawn=whole.cards_drawn)
    stand.cards_drawn.count = len(whole.cards_drawn.cards)
    stand.cards_drawn.ClearField("cards")
    stand.cards_drawn.ClearField("positions")
    return stand


def _nothing(_whole: StoredEvent) -> StoredEvent:
    return StoredEvent(hidden=StoredHidden())


_STANDS: Final[dict[str, Callable[[StoredEvent], StoredEvent]]] = {
    "cards_dealt": _dealt,
    "openers_found": _openers,
    "seat_acted": _acted,
    "cards_drawn": _drawn,
    "pre_action_set": _nothing,
    "pre_action_ended": _nothing,
    "entropy_set": _nothing,
}
"""By field of StoredEvent: what stands in its place."""
HIDING: Final = frozenset(_STANDS)
"""Those fields; of `seat_acted` a change of cards alone."""
