"""What players ask for and may ask for: commands and offers come back, the unreadable reaches the core."""

from __future__ import annotations

from typing import get_args

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_core import commands as core
from servito_core.cards import Card
from servito_core.events import Blind
from servito_core.hand import decide, legal_actions
from servito_core.refusals import Reason, Refused
from servito_core.state import Offer, Phase
from servito_wire.actions import READERS, command_of
from servito_wire.offers import offer_to_bytes
from tests.wire.play import RULES, moments
from tests.wire.way_back import WRITERS, TurnOffer, action_of, offer_from_proto

SEAT = 4

COMMANDS: list[core.PlayerCommand] = [
    core.Pass(SEAT),
    core.Open(SEAT, 5),
    core.Check(SEAT),
    core.Check(SEAT, "parola"),
    core.Check(SEAT, "cip"),
    core.Bet(SEAT, 2**40),
    core.Call(SEAT),
    core.RaiseTo(SEAT, 0),
    core.RaiseTo(SEAT, None),
    core.Fold(SEAT),
    core.Draw(SEAT),
    core.Draw(SEAT, (Card(0), Card(51))),
    core.PostBlind(SEAT, Blind.COUNTER_BLIND, 8),
    core.CoverBlind(SEAT),
    core.DeclineBlind(SEAT),
    core.TableHand(SEAT),
    core.Concede(SEAT),
]


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_commands_come_back(command: core.PlayerCommand) -> None:
    """What a client asks for is what the core is asked."""
    sent = pb.Action.FromString(action_of(command).SerializeToString())
    assert command_of(sent, SEAT) == command


def test_every_kind_is_mapped() -> None:
    """Every kind of action and every command of a player has its other side."""
    kinds = {value.number for value in pb.ActionKind.DESCRIPTOR.values} - {pb.ACTION_KIND_UNSPECIFIED}
    commands = set(get_args(core.PlayerCommand)) - {core.Unreadable}
    assert set(READERS) == kinds
    assert set(WRITERS) == commands == {type(command) for command in COMMANDS}
    assert {action_of(command).kind for command in COMMANDS} == kinds


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (pb.Action(), "action.kind must be one of PASS, OPEN"),
        (pb.Action(kind=pb.ActionKind.ValueType(77), to=3), "not 77"),
        (pb.Action(kind=pb.ACTION_KIND_CALL, to=0), "CALL takes no to"),
        (pb.Action(kind=pb.ACTION_KIND_FOLD, discards=[1]), "FOLD takes no discards"),
        (pb.Action(kind=pb.ACTION_KIND_BET, to=4, word=pb.CHECK_WORD_CIP), "BET takes no word"),
        (pb.Action(kind=pb.ACTION_KIND_OPEN, to=4, blind=pb.BLIND_KIND_BLIND), "OPEN takes no blind"),
        (pb.Action(kind=pb.ACTION_KIND_POST_BLIND, to=4), "action.blind must be BLIND"),
    ],
)
def test_what_names_no_action_is_unreadable(action: pb.Action, said: str) -> None:
    """The core gets it, to refuse it in its turn; the text names the field and what is allowed."""
    command = command_of(action, SEAT)
    assert isinstance(command, core.Unreadable)
    assert said in command.what
    assert command.seat == SEAT


@pytest.mark.parametrize(
    ("action", "command"),
    [
        (pb.Action(kind=pb.ACTION_KIND_OPEN), core.Open(SEAT, None)),
        (pb.Action(kind=pb.ACTION_KIND_BET, to=-3), core.Bet(SEAT, -3)),
        (
            pb.Action(kind=pb.ACTION_KIND_DRAW, discards=[52, 2**32 - 1]),
            core.Draw(SEAT, (Card(52), Card(2**32 - 1))),
        ),
        (pb.Action(kind=pb.ACTION_KIND_CHECK, word=pb.CheckWord.ValueType(9)), core.Check(SEAT, "9")),
    ],
)
def test_odd_content_is_left_to_the_core(action: pb.Action, command: core.PlayerCommand) -> None:
    """An amount, a card or a word that makes no sense is passed on as it came."""
    assert command_of(action, SEAT) == command


def test_the_core_refuses_in_the_order_of_the_contract() -> None:
    """Turn, verb, openers, amount: whatever else is wrong, the first of these is what a player is told."""
    cannot_open = next(
        moment.hand
        for moment in moments(RULES["italiana"], 3, seed=1, deals=30)
        if moment.hand.phase is Phase.OPENING
        and moment.hand.to_act is not None
        and not moment.hand.players[moment.hand.to_act].may_open
    )
    acting = cannot_open.players[cannot_open.to_act or 0].seat
    unknown, no_amount = pb.Action(), pb.Action(kind=pb.ACTION_KIND_OPEN)

    def reason(action: pb.Action, seat: int) -> Reason:
        with pytest.raises(Refused) as refused:
            decide(cannot_open, command_of(action, seat))
        return refused.value.reason

    assert reason(unknown, (acting + 1) % 3) is Reason.NOT_YOUR_TURN
    assert reason(unknown, acting) is Reason.MALFORMED
    assert reason(no_amount, acting) is Reason.OPENERS_REQUIRED


def test_a_missing_amount_is_malformed_where_the_action_is_legal() -> None:
    """An opener who names no amount is told so."""
    can_open, seat = next(
        (moment.hand, moment.hand.players[moment.hand.to_act].seat)
        for moment in moments(RULES["italiana"], 3, seed=1, deals=30)
        if moment.hand.phase is Phase.OPENING
        and moment.hand.to_act is not None
        and moment.hand.players[moment.hand.to_act].may_open
    )
    with pytest.raises(Refused) as refused:
        decide(can_open, command_of(pb.Action(kind=pb.ACTION_KIND_OPEN), seat))
    assert refused.value.reason is Reason.MALFORMED


def test_an_offer_with_everything_comes_back() -> None:
    """No part of an offer is lost or exchanged."""
    offer = Offer(SEAT, 1, True, True, True, (2, 3), (4, 5), 6, (7, 8), (0, 9), (Blind.OVER_BLIND, 10), 11)
    offer.can_decline = offer.can_table = offer.can_concede = True
    sent = pb.Offer.FromString(offer_to_bytes(offer, 2**40, 12))
    assert offer_from_proto(sent, SEAT) == TurnOffer(2**40, 12, offer)
    assert {action.kind for action in sent.actions} == set(READERS)


@pytest.mark.parametrize("rules", RULES)
def test_every_offer_of_play_comes_back(rules: str) -> None:
    """Random play: each offer that is made."""
    phases = set()
    for moment in moments(RULES[rules], 5, seed=3, deals=30):
        if moment.hand.to_act is None:
            continue
        seat = moment.hand.players[moment.hand.to_act].seat
        offer = legal_actions(moment.hand, seat)
        assert offer is not None
        sent = pb.Offer.FromString(offer_to_bytes(offer, 1, 2))
        assert offer_from_proto(sent, seat) == TurnOffer(1, 2, offer)
        phases.add(moment.hand.phase)
    assert phases >= {Phase.OPENING, Phase.FIRST_ROUND, Phase.DRAW, Phase.SECOND_ROUND}
