"""What a person says beside his acts: what he does at his turn, other rules; and how much time he has."""

from __future__ import annotations

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_cli.play.keys import BACKSPACE, ENTER, ESCAPE
from servito_cli.play.proposing import Proposing
from servito_cli.play.wishes import Act, Answer, Beforehand, Propose
from servito_cli.texts import TEXTS, Language
from servito_client.messages import (
    ActionKind,
    PreActionEnd,
    PreActionEnded,
    PreActionSet,
    RuleChange,
    RulesAccepted,
    RulesAgreed,
    RulesProposed,
    SeatActed,
    TableConfig,
    TimeBankUsed,
)
from servito_client.pre_actions import call_exactly, check_or_fold
from servito_client.updates import Warned
from tests.cli.test_desk import PASS, Table

CHANGE = RuleChange(option="ante", before="1", after="2")


def test_what_to_do_at_the_next_turn_is_chosen_by_key_while_others_act() -> None:
    """With the hand and the turn of now; the choice is marked, and the same key takes it back."""
    table = Table()
    table.facing(6)
    assert "Beforehand: [f] check or fold   [c] call 6" in table.text
    wish = table.desk.key("c")
    assert isinstance(wish, Beforehand)
    assert wish.wanted == call_exactly(6)
    assert (wish.moment.table_id, wish.moment.hand.hand_id) == ("t1", "t1-1")
    assert wish.moment.hand.turn_id == table.version
    table.told(PreActionSet(seat=1, pre_action=call_exactly(6)), to_act=0)
    assert "[c] call 6 (chosen; again: take back)" in table.text
    wish = table.desk.key("f")
    assert isinstance(wish, Beforehand)
    assert wish.wanted == check_or_fold()
    wish = table.desk.key("c")
    assert isinstance(wish, Beforehand)
    assert wish.wanted is None


def test_a_choice_that_came_too_late_is_said_again_if_it_means_the_same() -> None:
    """Somebody acted meanwhile: hand and price are the same, or it is not repeated."""
    table = Table()
    table.facing(6)
    call, fold = table.desk.key("c"), table.desk.key("f")
    assert isinstance(call, Beforehand)
    assert isinstance(fold, Beforehand)
    table.told(to_act=0)
    again = table.desk.still(call)
    assert again is not None
    assert (again.wanted, again.moment.hand.turn_id) == (call.wanted, table.version)
    table.told(SeatActed(seat=0, kind=ActionKind.ACTION_KIND_RAISE, to=9), to_act=0)
    assert table.desk.still(call) is None
    assert table.desk.still(fold) is not None
    table.told(offer=table.offered(PASS))
    assert table.desk.still(fold) is None


def test_at_the_own_turn_the_keys_are_those_of_the_menu() -> None:
    """Nothing is said beforehand then."""
    table = Table()
    table.dealt(PASS)
    assert "Beforehand" not in table.text
    assert isinstance(table.desk.key("p"), Act)


def test_a_choice_that_does_not_fit_any_more_is_told() -> None:
    """So that nobody waits for a call that will not be made."""
    table = Table()
    table.facing(6)
    table.told(PreActionEnded(seat=1, reason=PreActionEnd.PRE_ACTION_END_DROPPED), to_act=0)
    assert "What you had chosen does not fit any more." in table.text


def test_the_clock_shows_what_it_may_be_prolonged_by() -> None:
    """At the cards and at the seat; a warning and more time are told, and the menu stays."""
    table = Table(time_banks=2)
    table.dealt(PASS)
    assert "Your turn: 30 s   (then 2 x 20 s)" in table.text
    assert "▶ 30 s, then +2" in table.text
    table.desk.told(Warned(table.version, table.version, 5_000))
    assert "Hurry: 5 seconds are left." in table.text
    assert "Your turn: 5 s" in table.text
    table.told(TimeBankUsed(seat=1, left=1, ms=20_000), offer=table.offered(PASS))
    assert "You get 20 s more; after that 1 more times." in table.text
    assert isinstance(table.desk.key("p"), Act)


def test_a_proposal_is_answered_by_key() -> None:
    """Also at the own turn; who agreed may still refuse, and what is accepted only comes."""
    table = Table()
    table.dealt(PASS)
    assert table.desk.key("g") is None
    table.told(
        RulesProposed(proposal_id=3, seat=0, player="bruno", changes=[CHANGE], open_ms=9_000),
        offer=table.offered(PASS),
    )
    assert "[g] agree   [j] refuse   bruno proposes: ante 1 -> 2" in table.text
    assert table.desk.key("g") == Answer(3, agree=True)
    assert table.desk.key("j") == Answer(3, agree=False)
    table.told(RulesAgreed(proposal_id=3, seat=1), offer=table.offered(PASS))
    assert "[j] refuse after all" in table.text
    assert table.desk.key("g") is None
    assert table.desk.key("j") == Answer(3, agree=False)
    table.told(RulesAccepted(proposal_id=3), offer=table.offered(PASS))
    assert "Agreed, with the next hand that has no carried pot: ante 1 -> 2" in table.text
    assert table.desk.key("j") is None


def test_other_rules_are_typed_and_proposed() -> None:
    """Every key goes into the line until Enter or Esc; the turn can be played afterwards."""
    table = Table()
    table.dealt(PASS)
    assert table.desk.key("h") is None
    for key in "ante=2 q":
        assert table.desk.key(key) is None
    assert "Other rules: ante=2 q_" in table.text
    assert table.desk.key(ENTER) is None
    assert "q: no such rule" in table.text
    table.desk.key(BACKSPACE)
    wish = table.desk.key(ENTER)
    assert wish == Propose({"ante": "2"})
    assert isinstance(table.desk.key("p"), Act)
    table.desk.key("h")
    table.desk.key(ESCAPE)
    assert "[p] pass" in table.text


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ("ante=5", {"ante": "5"}),
        ("  bet.limit=none   ante=5 ", {"bet.limit": "none", "ante": "5"}),
        ("open.requirement=kk", {"open.requirement": "KK"}),
        ("sf_cycle=false", {"sf_cycle": "false"}),
        ("ante=0", None),
        ("ante", None),
        ("ante=x", None),
        ("bet.limit=5", None),
        ("no.such=1", None),
        ("", None),
    ],
)
def test_only_what_an_option_may_have_is_proposed(typed: str, changes: dict[str, str] | None) -> None:
    """In small letters, as keys come; what cannot be read is named."""
    proposing = Proposing(TableConfig(preset="italiana"), TEXTS[Language.EN].play)
    for key in typed:
        assert proposing.key(key) is None
    assert proposing.key(ENTER) == changes
    assert bool(proposing.message) is (changes is None and bool(typed))


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("", "KEY=VALUE"),
        ("bet.", "bet.limit  bet.fixed  bet.pot_base"),
        ("zzz", "KEY=VALUE"),
        ("ante=2 bet.limit=", "bet.limit: pot | pot_open_only | none | fixed   (= pot)"),
        ("ante=", "ante: 1..   (= 7)"),
        ("ante=2 ", "KEY=VALUE"),
    ],
)
def test_what_may_be_written_is_shown_beside_the_line(typed: str, hint: str) -> None:
    """Names that begin so, then the values of the one, and what is played now."""
    config = TableConfig(preset="italiana", options={"ante": "7"})
    proposing = Proposing(config, TEXTS[Language.IT].play if not typed else TEXTS[Language.EN].play)
    for key in typed:
        proposing.key(key)
    line, shown = proposing.prompts
    assert line.endswith(f"{typed}_")
    assert hint.replace("KEY=VALUE", "CHIAVE=VALORE" if not typed else "KEY=VALUE") in shown


def test_who_only_looks_on_is_asked_nothing() -> None:
    """Without a seat there is no turn to come and nothing to agree to."""
    table = Table()
    table.told(pb.PlayerStood(seat=1, player="anna", cashed_out=50))
    table.told(RulesProposed(proposal_id=3, seat=0, player="bruno", changes=[CHANGE]))
    assert "[g] agree" not in table.text
    assert [table.desk.key(key) for key in "gjfch"] == [None] * 5
    assert "Other rules" not in table.text
