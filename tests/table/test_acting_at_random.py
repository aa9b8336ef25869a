"""Random play with everything that acting knows: acts, pre-actions, clocks that run out and are prolonged."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from servito_core.events import Called, Checked, Folded, Passed
from servito_table.app.acting_events import (
    PreAction,
    PreActionEnd,
    PreActionEnded,
    PreActionKind,
    PreActionSet,
    TimeBankUsed,
)
from servito_table.app.commands import SetPreAction
from servito_table.app.evolve import evolve
from servito_table.app.pre_actions import BETTING_ROUNDS
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import TableConfig, TableState, hand_id
from servito_table.app.waits import WaitKind
from tests.table.room import CONFIG, Room

CONFIGS = (
    replace(CONFIG, pause_ms=0, time_banks=2, time_bank_ms=10_000, time_bank_hands=4, away_after=100),
    replace(CONFIG, pause_ms=0, away_after=100, options={"open.requirement": "none"}),
)
NOT_NOW = {
    TableReason.NOT_IN_HAND,
    TableReason.ACTION_NOT_AVAILABLE,
    TableReason.NOTHING_TO_CHANGE,
    TableReason.BELOW_MINIMUM,
    TableReason.ABOVE_MAXIMUM,
}
ACTS: dict[PreActionKind, tuple[type, ...]] = {
    PreActionKind.CHECK_OR_FOLD: (Checked, Passed, Folded),
    PreActionKind.CALL: (Called,),
}


async def want_something(room: Room, style: random.Random) -> None:
    """Some player wants something beforehand: mostly what fits, sometimes not."""
    own, hand = style.choice(room.state.seats), room.state.running
    if hand is None:
        return
    dealt = room.state.in_hand(own.seat)
    price = 0 if dealt is None else min(hand.high_bet - dealt.bet, dealt.stack)
    kind = style.choice((PreActionKind.CHECK_OR_FOLD, PreActionKind.CALL, None))
    amount = max(1, price + style.choice((0, 0, 0, 1, -1))) if kind is PreActionKind.CALL else 0
    command = SetPreAction(own.player, hand_id(room.table_id, hand.number), room.state.turn, kind, amount)
    try:
        await room.run(command, room.request(own.player))
    except TableRefused as refused:
        assert refused.reason in NOT_NOW  # noqa: PT017 - which of them depends on the dice


def followed(began: TableState, room: Room) -> Counter[str]:
    """Every commit again, event by event: intents are carried out where they belong; what happened."""
    state, seen = began, Counter[str]()
    intents: dict[int, PreAction] = {}
    for commit in room.store.commits[1:]:
        done: int | None = None
        for event in commit.events:
            if done is not None:
                assert isinstance(event, (Checked, Passed, Folded, Called))
                assert isinstance(event, ACTS[intents[done].kind])
                assert event.seat == done
                del intents[done]
                done = None
            if isinstance(event, PreActionSet):
                intents[event.seat] = event.pre_action
            elif isinstance(event, PreActionEnded):
                seen[event.reason] += 1
                if event.reason is PreActionEnd.DONE:
                    done, hand = event.seat, state.running
                    assert hand is not None
                    intent = intents[event.seat]
                    assert (intent.hand, intent.betting_round) == (hand.number, BETTING_ROUNDS[hand.phase])
                else:
                    del intents[event.seat]
            seen["prolonged"] += isinstance(event, TimeBankUsed)
            state = evolve(state, event)
        assert done is None
        assert {own.seat: own.pre_action for own in commit.state.seats if own.pre_action} == intents
        assert intents == {} or commit.state.running is not None
    return seen


@pytest.mark.parametrize("config", CONFIGS, ids=["time banks", "anybody opens"])
@pytest.mark.parametrize("seed", range(6))
async def test_random_play(seed: int, config: TableConfig) -> None:
    """Chips stay, no hand is stuck, and no intent is carried out in another hand or betting round."""
    style, room = random.Random(seed), Room()
    room.dealer.random.seed(seed)
    await room.open(config)
    await room.sit(*"abcde"[: 3 + seed % 3])
    chips, began = room.state.chips, room.store.commits[0].state
    for _ in range(250):
        if room.wait.kind is WaitKind.PLAYERS:
            break
        assert room.known.deadline > 0
        what = style.random()
        if what < 0.45:
            await want_something(room, style)
        elif what < 0.9 and room.wait.kind is WaitKind.SEAT:
            await room.play_on(style)
        else:
            await room.due()
        assert room.state.chips == chips
    seen = followed(began, room)
    assert seen[PreActionEnd.DONE] > 0
    assert seen[PreActionEnd.OVER] > 0
    assert (seen["prolonged"] > 0) is (config is CONFIGS[0])
    assert not [count for count in room.tally.counts if count[0] == "stalled"]
