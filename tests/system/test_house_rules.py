"""House rules in the running system: the next hand is played by what was agreed, and the clock works."""

from __future__ import annotations

import asyncio

import pytest

from servito_client.client import Servito
from servito_client.messages import (
    ActionKind,
    HandStarted,
    LapseReason,
    RulesAccepted,
    RulesChanged,
    RulesLapsed,
    TableConfig,
)
from servito_client.updates import Snapshot, Update
from servito_local.system import LocalSystem

pytestmark = pytest.mark.system

CONFIG = TableConfig(
    name="Casa",
    preset="italiana",
    options={"open.requirement": "none"},
    seats=3,
    min_buy_in=80,
    max_buy_in=80,
    turn_ms=10_000,
    pause_ms=1_500,
    proposal_ms=1_000,
)
PLAYERS = ("anna", "bruno", "carla")
WAGERS = (ActionKind.ACTION_KIND_OPEN, ActionKind.ACTION_KIND_BET)


async def seated(servito: Servito) -> tuple[str, list[Servito]]:
    """A table with three players before its first hand; they come in the order of their seats."""
    table_id = await servito.create_table(CONFIG)
    players = [servito.acting_as(f"{name}-{table_id[:12]}") for name in PLAYERS]
    for number, player in enumerate(players):
        await player.sit(table_id, buy_in=80, seat=number)
    return table_id, players


async def test_the_next_hand_is_played_by_what_everybody_agreed_to(system: LocalSystem) -> None:
    """Without a limit the first to speak may bet all his chips, and is offered that in the next hand."""
    async with Servito(system.target("table"), player="casa") as servito, asyncio.timeout(40):
        table_id, players = await seated(servito)
        number = await players[0].propose_rules(table_id, {"bet.limit": "none"})
        for player in players[1:]:
            await player.answer_proposal(table_id, number, agree=True)
        kinds, to_act = [], None
        async for told in servito.watch(table_id, after_version=1):
            assert isinstance(told, Update)
            kinds += [type(event) for event in told.events]
            to_act = told.to_act
            if to_act is not None:
                break
        assert to_act is not None
        changed = kinds.index(RulesChanged)
        assert kinds.index(RulesAccepted) < changed == kinds.index(HandStarted) - 1
        own = await players[to_act].table(table_id)
        assert own.config.options["bet.limit"] == "none"
        stack = next(seat.stack for seat in own.hand.seats if seat.seat == to_act)
        assert stack > own.hand.pot
        assert [legal.greatest for legal in own.hand.offer.actions if legal.kind in WAGERS] == [stack]


async def test_an_unanswered_proposal_lapses_by_the_timers(system: LocalSystem) -> None:
    """Nobody but the clock ends it, soon after its time, while the table goes on."""
    async with Servito(system.target("table"), player="casa") as servito, asyncio.timeout(40):
        table_id, players = await seated(servito)
        number = await players[0].propose_rules(table_id, {"ante": "2"})
        lapsed: list[RulesLapsed] = []
        async for told in servito.watch(table_id):
            if isinstance(told, Snapshot):
                assert told.table.proposal.proposal_id == number
                continue
            lapsed += [event for event in told.events if isinstance(event, RulesLapsed)]
            if lapsed:
                break
        assert lapsed == [RulesLapsed(proposal_id=number, reason=LapseReason.LAPSE_REASON_EXPIRED)]
        assert not (await servito.table(table_id)).HasField("proposal")
