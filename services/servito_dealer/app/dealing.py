"""The use cases: open a hand, deal it, draw. Each is decided on the record and true once the vault has it.

An entry is carried out on the record that this process knows and then appended on the condition that the
store still holds that same record; if not, it is decided again on what the store holds. Recent records are
kept in memory only to spare a read: every answer, also to a repeated request, and every refusal has been
checked against the store.

No first card leaves before the seal of its hand is safe: a failover that lost a seal would bring other cards
for those that somebody has seen.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple, cast

from servito_dealer.app.ports import Mark
from servito_dealer.app.record import replay
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import FIRST_CARDS, DealEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_dealer.app.ports import Entropy, Monitor, Stored, Vault
    from servito_dealer.app.record import Record
    from servito_dealer.app.requests import Answer, Dealt, DrawEntry, Drawn, Entry, Opening, Proofs

ATTEMPTS = 5
"""How often an entry is decided anew because somebody else wrote to the record in between."""

_UNSAFE = "the seal of this hand is stored, but not yet safe: no replica has acknowledged it; ask again"


class Known(NamedTuple):
    """A record, where it ended in the store, and whether this process knows that its seed is safe."""

    record: Record
    mark: Mark
    safe: bool


class Dealing:
    """The dealer. Any replica may serve any request; each keeps its last `recent_hands` records in memory."""

    def __init__(self, vault: Vault, entropy: Entropy, monitor: Monitor, recent_hands: int) -> None:
        self._vault = vault
        self._entropy = entropy
        self._monitor = monitor
        self._limit = recent_hands
        self._recent: OrderedDict[str, Known] = OrderedDict()

    async def open_hand(self, opening: Opening) -> Record:
        """The hand under a fresh seed, or as it was opened first. Refused: HAND_DIFFERS, UNAVAILABLE (also as
        long as the seal is not safe; it stays, and a repeat asks for no other).
        """
        record, _ = await self._open(opening)
        return record

    async def open_and_deal(self, opening: Opening) -> tuple[Record, Dealt]:
        """The hand, and its deal to which nobody contributes: seed and entry 0 are stored together.
        Refused: as `open_hand` and `deal`.
        """
        record, fresh = await self._open(opening, DealEntry())
        if not fresh:  # it was opened before, dealt or not
            return record, await self.deal(opening.hand)
        return record, cast("Dealt", record.answers[0])

    async def _open(self, opening: Opening, *first: DealEntry) -> tuple[Record, bool]:
        """The hand, and whether it was opened now."""
        seed = self._entropy.seed()
        stored = await self._vault.open(opening, seed, *first)
        if stored.opening != opening:
            was = stored.opening
            others = "" if was.holders == opening.holders else ", other holders"
            raise Refused(
                Reason.HAND_DIFFERS,
                f"opened with lowest_rank {was.lowest_rank}, slots {was.slots}, draw_max "
                f"{was.draw_max}, draws {was.draws}{others}; repeat that or take another hand_id",
            )
        fresh = stored.seed == seed
        if fresh:
            self._monitor.hand_opened()
            for entry in first:
                self._count(opening, entry)
        known = self._learn(stored, opening.hand)
        if not known.safe:
            raise Refused(Reason.UNAVAILABLE, _UNSAFE)
        return known.record, fresh

    async def deal(self, hand: str, contributions: tuple[bytes, ...] = ()) -> Dealt:
        """Entry 0. Refused: UNKNOWN_HAND, ENTRY_DIFFERS, MALFORMED, UNAVAILABLE (also as long as the seal is
        not safe).
        """
        dealt = cast("Dealt", await self._enter(hand, DealEntry(contributions)))
        await self._assure(hand)
        return dealt

    async def draw(self, hand: str, order: DrawEntry) -> Drawn:
        """A later entry. Refused: as `Record.enter`, UNKNOWN_HAND, UNAVAILABLE."""
        return cast("Drawn", await self._enter(hand, order))

    async def prove(self, hand: str, positions: Iterable[int]) -> Proofs:
        """What the record as it is stored is bound to, and what opens these positions of it. No entry: it
        says nothing that was not answered before. Refused: UNKNOWN_HAND, NOT_DUE, UNAVAILABLE.
        """
        proofs = self._learn(await self._vault.load(hand), hand).record.prove(positions)
        await self._assure(hand)
        return proofs

    async def _assure(self, hand: str) -> None:
        """Refused: UNAVAILABLE, as long as a failover could lose the seal."""
        known = self._recent.get(hand)
        if known is None or not known.safe:
            if not await self._vault.safe(hand):
                raise Refused(Reason.UNAVAILABLE, _UNSAFE)
            if known is not None:
                self._keep(known._replace(safe=True))

    async def _enter(self, hand: str, entry: Entry) -> Answer:
        known, checked = self._recent.get(hand), False
        for _ in range(ATTEMPTS):
            if known is None:
                known, checked = self._learn(await self._vault.load(hand), hand), True
            record, mark, _ = known
            try:
                after = record.enter(entry)
            except Refused:
                if checked:
                    raise
                known = None  # what this process remembers may be behind the store, which alone can refuse
                continue
            if after is not record:
                written = await self._vault.append(hand, mark, entry)
                if isinstance(written, Mark):
                    return self._recorded(Known(after, written, known.safe), entry)
                known, checked = self._learn(written, hand), True
            elif checked:
                return record.answers[entry.number]
            else:
                known = None
        raise Refused(Reason.UNAVAILABLE, "others are writing to the record of this hand; ask again")

    def _recorded(self, after: Known, entry: Entry) -> Answer:
        self._keep(after)
        self._count(after.record.opening, entry)
        return after.record.answers[entry.number]

    def _count(self, opening: Opening, entry: Entry) -> None:
        if isinstance(entry, DealEntry):
            self._monitor.entry_recorded("deal", opening.slots * FIRST_CARDS)
        else:
            self._monitor.entry_recorded("draw", entry.count)

    def _learn(self, stored: Stored | None, hand: str) -> Known:
        if stored is None:
            self._recent.pop(hand, None)
            raise Refused(Reason.UNKNOWN_HAND, "no such hand is open, or it has expired; open it first")
        record = replay(stored.seed, stored.opening, stored.entries, stored.scheme)
        return self._keep(Known(record, stored.mark, stored.safe))

    def _keep(self, known: Known) -> Known:
        hand = known.record.opening.hand
        self._recent[hand] = known
        self._recent.move_to_end(hand)
        if len(self._recent) > self._limit:
            self._recent.popitem(last=False)
        return known
