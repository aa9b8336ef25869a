"""The use cases: open a hand, deal it, draw. Each is decided on the record and true once the vault has it.

An entry is carried out on the record that this process knows and then appended on the condition that the
store still holds that same record; if not, it is decided again on what the store holds. Recent records are
kept in memory only to spare a read: every answer, also to a repeated request, and every refusal has been
checked against the store.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, cast

from servito_dealer.app.ports import Mark
from servito_dealer.app.record import replay
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import FIRST_CARDS, DealEntry

if TYPE_CHECKING:
    from servito_dealer.app.ports import Entropy, Monitor, Stored, Vault
    from servito_dealer.app.record import Record
    from servito_dealer.app.requests import Answer, Dealt, DrawEntry, Drawn, Entry, Opening

ATTEMPTS = 5
"""How often an entry is decided anew because somebody else wrote to the record in between."""

Known = tuple["Record", Mark]


class Dealing:
    """The dealer. Any replica may serve any request; each keeps its last `recent_hands` records in memory."""

    def __init__(self, vault: Vault, entropy: Entropy, monitor: Monitor, recent_hands: int) -> None:
        self._vault = vault
        self._entropy = entropy
        self._monitor = monitor
        self._limit = recent_hands
        self._recent: OrderedDict[str, Known] = OrderedDict()

    async def open_hand(self, opening: Opening) -> Record:
        """The hand under a fresh seed, or as it was opened first. Refused: HAND_DIFFERS, UNAVAILABLE."""
        seed = self._entropy.seed()
        stored = await self._vault.open(opening, seed)
        if stored.opening != opening:
            raise Refused(
                Reason.HAND_DIFFERS,
                f"opened with lowest_rank {stored.opening.lowest_rank}, slots {stored.opening.slots}, "
                f"draw_max {stored.opening.draw_max}, draws {stored.opening.draws}; repeat that or take "
                "another hand_id",
            )
        if stored.seed == seed:
            self._monitor.hand_opened()
        return self._learn(stored, opening.hand)[0]

    async def deal(self, hand: str) -> Dealt:
        """Entry 0. Refused: UNKNOWN_HAND, UNAVAILABLE."""
        return cast("Dealt", await self._enter(hand, DealEntry()))

    async def draw(self, hand: str, order: DrawEntry) -> Drawn:
        """A later entry. Refused: as `Record.enter`, UNKNOWN_HAND, UNAVAILABLE."""
        return cast("Drawn", await self._enter(hand, order))

    async def _enter(self, hand: str, entry: Entry) -> Answer:
        known, checked = self._recent.get(hand), False
        for _ in range(ATTEMPTS):
            if known is None:
                known, checked = self._learn(await self._vault.load(hand), hand), True
            record, mark = known
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
                    return self._recorded(after, written, entry)
                known, checked = self._learn(written, hand), True
            elif checked:
                return record.answers[entry.number]
            else:
                known = None
        raise Refused(Reason.UNAVAILABLE, "others are writing to the record of this hand; ask again")

    def _recorded(self, after: Record, mark: Mark, entry: Entry) -> Answer:
        self._keep(after, mark)
        if isinstance(entry, DealEntry):
            self._monitor.entry_recorded("deal", after.opening.slots * FIRST_CARDS)
        else:
            self._monitor.entry_recorded("draw", entry.count)
        return after.answers[entry.number]

    def _learn(self, stored: Stored | None, hand: str) -> Known:
        if stored is None:
            self._recent.pop(hand, None)
            raise Refused(Reason.UNKNOWN_HAND, "no such hand is open, or it has expired; open it first")
        return self._keep(replay(stored.seed, stored.opening, stored.entries), stored.mark)

    def _keep(self, record: Record, mark: Mark) -> Known:
        hand = record.opening.hand
        self._recent[hand] = record, mark
        self._recent.move_to_end(hand)
        if len(self._recent) > self._limit:
            self._recent.popitem(last=False)
        return record, mark
