"""Players over the wire: one stream each, or one call after the other, doing what they are offered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from servito.table.v1 import table_pb2 as pb
from tests.table.caller import Caller, fresh

MILD = (
    pb.ACTION_KIND_OPEN,
    pb.ACTION_KIND_PASS,
    pb.ACTION_KIND_CHECK,
    pb.ACTION_KIND_CALL,
    pb.ACTION_KIND_FOLD,
)
"""What a player does of what is offered: stays in as long as it is cheap."""


def mild_action(offer: pb.Offer, cards: list[int]) -> pb.Action:
    """One of the actions offered."""
    legal = {action.kind: action for action in offer.actions}
    if pb.ACTION_KIND_DRAW in legal:
        return pb.Action(kind=pb.ACTION_KIND_DRAW, discards=cards[:3])
    kind = next(kind for kind in MILD if kind in legal)
    return pb.Action(kind=kind, to=legal[kind].least if kind == pb.ACTION_KIND_OPEN else None)


def own_cards(table: pb.TableView) -> list[int]:
    """The caller's own cards in a view."""
    seats = [seat for seat in table.hand.seats if seat.seat == table.own_seat and table.HasField("own_seat")]
    return [card for seat in seats for card in seat.cards]


async def play_by_calls(table_id: str, players: list[Caller], hands: int) -> pb.TableView:
    """Let all play by unary calls until so many hands are over; the last view."""
    async with asyncio.timeout(30):
        while True:
            table = await players[0].table(table_id)
            if table.hand.number > hands:
                return table
            for player in players:
                own = await player.table(table_id)
                if own.hand.HasField("offer"):
                    offer = own.hand.offer
                    await player.act(table_id, offer.turn_id, mild_action(offer, own_cards(own)))


async def turn_at(caller: Caller, table_id: str) -> pb.TableView:
    """The table once somebody is to act, looked at again and again."""
    for _ in range(1000):
        table = await caller.table(table_id)
        if table.hand.HasField("to_act"):
            return table
        await asyncio.sleep(0.02)
    raise TimeoutError("nobody came to act")


@dataclass
class StreamPlayer:
    """A player on a Play stream: acts on every offer, remembers every message."""

    caller: Caller
    table_id: str
    messages: list[pb.PlayResponse] = field(default_factory=list)
    requests: asyncio.Queue[pb.PlayRequest | None] = field(default_factory=asyncio.Queue)
    cards: list[int] = field(default_factory=list)
    acted: dict[str, pb.ActAnswer] = field(default_factory=dict)

    async def run(self, hands: int) -> None:
        """Play until so many hands are over."""
        await self.requests.put(pb.PlayRequest(join=pb.WatchRequest(table_id=self.table_id)))
        stream = self.caller.stub.Play(self._asked(), metadata=self.caller.metadata)
        async for message in stream:
            self.messages.append(message)
            self.acted |= {answer.request_id: answer for answer in message.answers}
            for event in (event for update in message.updates for event in update.events):
                self._learn(event)
                if event.HasField("hand_ended"):
                    hands -= 1
            if hands <= 0:
                break
            if message.updates and message.updates[-1].HasField("offer"):
                self._act(message.updates[-1].offer)
            if message.snapshot.hand.HasField("offer"):
                self.cards = own_cards(message.snapshot)
                self._act(message.snapshot.hand.offer)
        stream.cancel()

    @property
    def versions(self) -> list[int]:
        """The versions of the updates, in the order in which they came."""
        return [update.version for message in self.messages for update in message.updates]

    @property
    def events(self) -> list[pb.TableEvent]:
        """All events that came."""
        return [event for message in self.messages for update in message.updates for event in update.events]

    def _act(self, offer: pb.Offer) -> None:
        action = mild_action(offer, self.cards)
        if action.kind == pb.ACTION_KIND_DRAW:
            self.cards = [card for card in self.cards if card not in action.discards]
        act = pb.ActRequest(request_id=fresh(), turn_id=offer.turn_id, hand_id=offer.hand_id, action=action)
        self.requests.put_nowait(pb.PlayRequest(act=act))

    def _learn(self, event: pb.TableEvent) -> None:
        if event.HasField("cards_dealt"):
            self.cards = list(event.cards_dealt.cards)
        if event.HasField("cards_drawn"):
            self.cards += event.cards_drawn.cards

    async def _asked(self) -> AsyncIterator[pb.PlayRequest]:
        while (request := await self.requests.get()) is not None:
            yield request
