"""The ordered record of a hand: which entry may come next, and what each one answers.

A record is (seed, opening, entries) and nothing else; decks and answers are recomputed from these three by
`replay`, in the process that answered first as in any other. The same entry asked again has the same answer;
nothing is answered out of order or beyond what is due. Where the record is kept: `ports.Vault`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from servito_dealer.app.deck import Deck, fresh_deck
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DealEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_dealer.app.requests import Answer, DrawEntry, Entry, Opening


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """A hand with the entries accepted so far, `answers[n]` being the answer to `entries[n]`."""

    opening: Opening
    deck: Deck
    entries: tuple[Entry, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return 4 * (15 - self.opening.lowest_rank)

    @property
    def seed_hash(self) -> bytes:
        """SHA-256 of the seed's 32 bytes: what the dealer is bound to before any card leaves."""
        return hashlib.sha256(self.deck.seed).digest()

    def enter(self, entry: Entry) -> Record:
        """The record with `entry` carried out, answer in `answers[entry.number]`; `self` if it already is.

        Refused: ENTRY_DIFFERS, ENTRY_OUT_OF_ORDER, MALFORMED, NOT_DUE, POSITION_NOT_DEAD, STOCK_EXHAUSTED.
        """
        upcoming = len(self.entries)
        if entry.number > upcoming:
            raise Refused(
                Reason.ENTRY_OUT_OF_ORDER, f"entry {entry.number} asked, the next one is {upcoming}"
            )
        if entry.number == upcoming:
            return self._append(entry)
        if self.entries[entry.number] != entry:
            raise Refused(
                Reason.ENTRY_DIFFERS,
                f"entry {entry.number} was recorded with other content; repeat it unchanged or ask for entry "
                f"{upcoming}",
            )
        return self

    def _append(self, entry: Entry) -> Record:
        answer: Answer
        if isinstance(entry, DealEntry):
            answer, deck = self.deck.deal(self.opening.slots)
        else:
            self._check_due(entry)
            answer, deck = self.deck.draw(entry)
        return replace(self, deck=deck, entries=(*self.entries, entry), answers=(*self.answers, answer))

    def _check_due(self, order: DrawEntry) -> None:
        slots, most = self.opening.slots, self.opening.draw_max
        if order.slot >= slots:
            raise Refused(Reason.MALFORMED, f"slot {order.slot}: this hand has slots 0..{slots - 1}")
        if order.draw > self.opening.draws:
            raise Refused(Reason.NOT_DUE, f"draw {order.draw}: this hand has {self.opening.draws}")
        draws = [entry for entry in self.entries if not isinstance(entry, DealEntry)]
        if draws and order.draw < draws[-1].draw:
            raise Refused(Reason.NOT_DUE, f"draw {order.draw} is over, draw {draws[-1].draw} has begun")
        had = sum(entry.count for entry in draws if (entry.draw, entry.slot) == (order.draw, order.slot))
        if had + order.count > most:
            raise Refused(
                Reason.NOT_DUE,
                f"slot {order.slot} has had {had} cards in draw {order.draw} and may get {most} in all, "
                f"{order.count} asked",
            )


def replay(seed: bytes, opening: Opening, entries: Iterable[Entry] = ()) -> Record:
    """The record that these three make; ValueError if none can have: it was damaged."""
    start = Record(opening, fresh_deck(seed, opening.hand, opening.lowest_rank))
    try:
        return reduce(Record.enter, entries, start)
    except Refused as error:
        raise ValueError(f"a stored entry cannot be carried out: {error.reason}") from error
