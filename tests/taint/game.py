"""Hands that are played by index, never by card: what a seat does follows from a seed, from what it is
offered and from how many cards it holds. So a hand can be played again with other cards, and all do
the same.

While it is played everybody asks for everything that can be asked, and tries what is refused.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from servito.table.v1 import table_pb2 as pb
from servito_core.hand import legal_actions
from servito_table.app.waits import WaitKind, wait_of
from servito_wire.offers import offer_to_bytes
from tests.taint.audience import Viewer
from tests.taint.house import TIMERS
from tests.taint.truth import Truth

if TYPE_CHECKING:
    from servito_table.app.commits import Known
    from tests.taint.house import House

CHIPS = 400
KEPT = 150
"""Versions that the stream of a table keeps."""
WEIGHTS = {
    pb.ACTION_KIND_FOLD: 1,
    pb.ACTION_KIND_OPEN: 8,
    pb.ACTION_KIND_RAISE: 1,
    pb.ACTION_KIND_BET: 2,
    pb.ACTION_KIND_CALL: 6,
    pb.ACTION_KIND_CHECK: 6,
    pb.ACTION_KIND_CONCEDE: 3,
    pb.ACTION_KIND_TABLE_HAND: 3,
}


@dataclass
class Game:
    """A table, its players and everybody else who gets something from it."""

    house: House
    seed: str
    players: int
    options: dict[str, str]
    probes: tuple[int, ...] = ()
    """Cards that everybody tries to throw away in every hand who does not hold them."""
    quiet: str = ""
    """A player who tries nothing: he would be refused for another reason if he held another card."""
    steps: int = 0
    offers: list[tuple[int, list[int]]] = field(default_factory=list)
    """Whose turn it was and what he was offered."""
    truth: Truth = field(init=False)

    async def open(self) -> None:
        """Create the table, let everybody come."""
        config = pb.TableConfig(
            name="Tavolo", preset="italiana", seats=9, min_buy_in=10, max_buy_in=CHIPS, turn_ms=15_000,
            pause_ms=2_000, options=self.options,
        )  # fmt: skip
        owner = Viewer(self.house, "", "owner")
        created = await owner.ask("CreateTable", pb.CreateTableRequest(request_id=self.seed, config=config))
        assert created, owner.receipts[-1].text
        self.table_id = pb.CreateTableResponse.FromString(created).table_id
        self.truth = Truth(self.house, self.table_id)
        names = [f"player.{number}" for number in range(self.players)]
        self.seated = [Viewer(self.house, self.table_id, name) for name in names]
        self.spectator, self.outsider = (
            Viewer(self.house, self.table_id, name) for name in (None, "outsider")
        )
        self.timers = Viewer(self.house, self.table_id, TIMERS)
        self.audience = [*self.seated, self.spectator, self.outsider]
        for viewer in self.audience:
            await viewer.subscribe()
        for viewer in self.seated:
            sit = pb.SitRequest(table_id=self.table_id, request_id=viewer.request_id(), buy_in=CHIPS)
            await viewer.ask("Sit", sit)
        await self.settle()

    async def close(self) -> None:
        """Everybody goes."""
        for viewer in self.audience:
            await viewer.leave()

    @property
    def everybody(self) -> list[Viewer]:
        """Who receives anything."""
        return [*self.audience, self.timers]

    @property
    def known(self) -> Known:
        """The table as it is."""
        return self.house.known(self.table_id)

    async def settle(self) -> None:
        """Until all that follows by itself has happened and was told."""
        await self.house.play.tasks.drain()
        for _ in range(6):
            await asyncio.sleep(0)
        self.truth.look()

    async def play_hand(self) -> bool:
        """Until the next hand is over; False: there are not enough players with chips."""
        if wait_of(self.known.state).kind is not WaitKind.PAUSE:
            return False
        await self._expire()
        number = self.truth.hand.number
        while (running := self.known.state.running) is not None and running.number == number:
            self.house.store.now += 300
            await self._step(random.Random(f"{self.seed}/{number}/{self.steps}"))
            self.steps += 1
        await self.look_around(number)
        return True

    async def _step(self, chance: random.Random) -> None:
        hand = self.known.state.running
        assert hand is not None
        wait = wait_of(self.known.state)
        assert wait.kind is WaitKind.SEAT, wait
        assert wait.seat is not None
        viewer = self._at(wait.seat)
        held = next(player.cards for player in hand.players if player.seat == wait.seat)
        offer = legal_actions(hand, wait.seat)
        assert offer is not None
        actions = list(pb.Offer.FromString(offer_to_bytes(offer, 0, 0)).actions)
        self.offers.append((viewer.asked, [action.kind for action in actions]))
        if chance.random() < 0.1:
            await self._bother(chance, hand.number)
        if chance.random() < 0.03:
            await self._expire()
            return
        weights = [WEIGHTS.get(action.kind, 4) for action in actions]
        chosen = chance.choices(actions, weights)[0]
        action = _action(chosen, list(held), chance)
        act = pb.ActRequest(
            table_id=self.table_id,
            request_id=viewer.request_id(),
            turn_id=self.known.state.turn,
            action=action,
        )
        if chance.random() < 0.5:
            viewer.say(act)
            await self.settle()
        else:
            await viewer.ask("Act", act)
        await self.settle()

    async def _expire(self) -> None:
        """Let the deadline pass."""
        self.house.store.now = max(self.house.store.now, self.known.deadline)
        member = f"{self.table_id}:{self.known.state.turn}"
        await self.timers.ask("ExpireDeadlines", pb.ExpireDeadlinesRequest(members=[member]))
        await self.settle()

    def _at(self, seat: int | None) -> Viewer:
        name = next(own.player for own in self.known.state.seats if own.seat == seat)
        return next(viewer for viewer in self.seated if viewer.name == name)

    async def _bother(self, chance: random.Random, number: int) -> None:
        """In the middle of a hand: what is refused, what is only a wish, and looking around."""
        for viewer in chance.sample(self.audience, 2):
            for card in self._not_held(viewer, (*self.probes, chance.randrange(52))):
                await viewer.ask(
                    "Act", self._act(viewer, pb.Action(kind=pb.ACTION_KIND_DRAW, discards=[card]))
                )
            await viewer.ask("Act", self._act(viewer, pb.Action(kind=pb.ACTION_KIND_RAISE, to=10**6)))
            wish = pb.PreAction(kind=pb.PRE_ACTION_KIND_CHECK_OR_FOLD)
            asked = pb.SetPreActionRequest(
                table_id=self.table_id,
                request_id=viewer.request_id(),
                hand_id=f"{self.table_id}-{number}",
                turn_id=self.known.state.turn,
                pre_action=wish if chance.random() < 0.4 else None,
            )
            await viewer.ask("SetPreAction", asked)
            if chance.random() < 0.3:
                entropy = pb.SetEntropyRequest(table_id=self.table_id, request_id=viewer.request_id())
                entropy.entropy = chance.randbytes(32)
                await viewer.ask("SetEntropy", entropy)
            await viewer.ask("GetHand", b"\xff\xff")
        await self._look_around(chance.sample(self.audience, 3), chance, number)

    def _not_held(self, viewer: Viewer, cards: tuple[int, ...]) -> list[int]:
        """Those that he does not hold: throwing away one that he holds is no attempt but an action."""
        seat = self.truth.hand.of(viewer.name)
        held = [] if seat is None else self.truth.hand.held.get(seat, [])
        return [] if viewer.name == self.quiet else [card for card in cards if card not in held]

    def _act(self, viewer: Viewer, action: pb.Action) -> pb.ActRequest:
        turn = self.known.state.turn
        return pb.ActRequest(
            table_id=self.table_id, request_id=viewer.request_id(), turn_id=turn, action=action
        )

    async def look_around(self, number: int) -> None:
        """Everybody asks everything about a hand."""
        await self._look_around(self.audience, random.Random(f"{self.seed}/{number}"), number)

    async def _look_around(self, viewers: list[Viewer], chance: random.Random, number: int) -> None:
        """They ask everything; somebody comes back to a stream that he has left."""
        self.house.hands.kept_from = self.known.version - KEPT
        for viewer in viewers:
            about = max(1, number - chance.choice((0, 0, 1, 2)))
            hand_id = f"{self.table_id}-{about}"
            await viewer.ask("GetTable", pb.GetTableRequest(table_id=self.table_id))
            await viewer.ask("GetHand", pb.GetHandRequest(hand_id=hand_id), about)
            if chance.random() < 0.5:
                await viewer.ask("GetProofs", pb.GetProofsRequest(hand_id=hand_id), about)
            await viewer.ask("ListHands", pb.ListHandsRequest(table_id=self.table_id, page_size=3))
        back = chance.choice(viewers)
        after = pb.WatchRequest(table_id=self.table_id, after_version=max(1, self.known.version - 12))
        await back.subscribe(after)
        await self.settle()
        await back.streams.pop().close()


def _action(offered: Any, held: list[int], chance: random.Random) -> pb.Action:
    if offered.kind == pb.ACTION_KIND_DRAW:
        count = chance.randint(offered.least, offered.greatest)
        places = chance.sample(range(len(held)), count)
        return pb.Action(kind=offered.kind, discards=[held[place] for place in places])
    action = pb.Action(kind=offered.kind, blind=offered.blind)
    if offered.kind in (
        pb.ACTION_KIND_OPEN, pb.ACTION_KIND_BET, pb.ACTION_KIND_RAISE, pb.ACTION_KIND_POST_BLIND,
    ):  # fmt: skip
        action.to = min(offered.greatest, offered.least + chance.choice((0, 0, 0, 1, 5)))
    return action
