"""The ordered record of a hand: which entry may come next, and what each one answers.

A record is (seed, opening, scheme, entries) and nothing else; decks, commitments and answers are recomputed
from these by `replay`, in the process that answered first as in any other. There is no deck before entry 0,
which brings the players' entropy: the order depends on it. The same entry asked again has the same answer;
nothing is answered out of order or beyond what is due. Where the record is kept: `ports.Vault`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from servito_dealer.app.deck import Deck, fresh_deck
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DealEntry, Proofs
from servito_dealer.app.source import COMMITTED, Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_dealer.app.requests import Answer, DrawEntry, Entry, Opening


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """A hand with the entries accepted so far, `answers[n]` being the answer to `entries[n]`."""

    source: Source
    """Without the players' contributions until they come with entry 0."""
    deck: Deck | None = None
    entries: tuple[Entry, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def opening(self) -> Opening:
        """How the hand was declared."""
        return self.source.opening

    @property
    def seed_hash(self) -> bytes:
        """What the dealer is bound to before it hears of the players' entropy."""
        return self.source.seed_hash

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
        if isinstance(entry, DealEntry):
            return self._dealt(entry)
        if self.deck is None:
            raise ValueError("a draw follows the deal")
        self._check_due(entry)
        answer, deck = self.deck.draw(entry)
        return Record(self.source, deck, (*self.entries, entry), (*self.answers, answer))

    def _dealt(self, entry: DealEntry) -> Record:
        slots = self.opening.slots
        if entry.contributions and len(entry.contributions) != slots:
            problem = f"{len(entry.contributions)} contributions: one for each of {slots} slots, or none"
            raise Refused(Reason.MALFORMED, problem)
        source = self.source
        if entry.contributions:
            source = replace(source, contributions=entry.contributions)
        answer, deck = fresh_deck(source).deal(slots)
        return Record(source, deck, (entry,), (answer,))

    def prove(self, positions: Iterable[int]) -> Proofs:
        """What the hand is bound to, and what opens these positions. Refused: NOT_DUE for one that was not
        dealt, UNKNOWN_HAND for a hand that nothing was committed to.
        """
        if self.source.scheme != COMMITTED:
            raise Refused(Reason.UNKNOWN_HAND, "the release that opened this hand knew no commitments")
        deck, asked = self.deck, list(positions)
        if deck is None:
            if asked:
                raise Refused(Reason.NOT_DUE, "nothing was dealt yet")
            return Proofs(self.seed_hash, b"", (), ())
        return Proofs(self.seed_hash, self.source.entropy_digest, deck.shuffles, deck.prove(asked))

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


def replay(seed: bytes, opening: Opening, entries: Iterable[Entry] = (), scheme: int = COMMITTED) -> Record:
    """The record that these make; ValueError if none can have: it was damaged."""
    try:
        return reduce(Record.enter, entries, Record(Source(seed, opening, scheme)))
    except Refused as error:
        raise ValueError(f"a stored entry cannot be carried out: {error.reason}") from error
