"""One person's side of a table: what he sees, what his keys mean, and when nothing is to be pressed."""

from __future__ import annotations

import io

from rich.console import Console

from servito.table.v1 import table_pb2 as pb
from servito_cli.play.desk import Desk
from servito_cli.play.keys import BACKSPACE, ENTER, ESCAPE
from servito_cli.play.wishes import Act, BuyIn, Leave, SitIn, SitOut, TopUp
from servito_cli.texts import Language
from servito_cli.words import suit_signs
from servito_client import actions
from servito_client.messages import (
    ActionKind,
    CardsDealt,
    CardsDrawn,
    Event,
    HandEnded,
    HandStarted,
    LegalAction,
    Offer,
    OpenersFound,
    Phase,
    PhaseBegan,
    PlayerStood,
    PotAwarded,
    SatIn,
    SatOut,
    SeatActed,
    SeatOffered,
    SeatView,
    SitOutReason,
    TableConfig,
    TableView,
    ToppedUp,
    TopUpAsked,
    TurnExpired,
    WaitingLeft,
)
from servito_client.updates import Snapshot, Update

CARDS = [51, 47, 20, 21, 30]
DRAW = LegalAction(kind=ActionKind.ACTION_KIND_DRAW, least=0, greatest=4)
PASS = LegalAction(kind=ActionKind.ACTION_KIND_PASS)
CHECK = LegalAction(kind=ActionKind.ACTION_KIND_CHECK)


class Table:
    """A desk at a table of two, and the messages that reach it."""

    def __init__(
        self, options: dict[str, str] | None = None, time_banks: int = 0, max_buy_in: int = 100
    ) -> None:
        self.clock = 100.0
        self.desk = Desk("anna", Language.EN, suit_signs, lambda: self.clock)
        config = TableConfig(name="Sala", preset="italiana", seats=2, options=options, time_bank_ms=20_000)
        config.min_buy_in, config.max_buy_in = 20, max_buy_in
        own = SeatView(seat=1, player="anna", stack=50, time_banks=time_banks)
        seats = [SeatView(seat=0, player="bruno", stack=50), own]
        self.version = 1
        self.desk.told(Snapshot(TableView(table_id="t1", version=1, config=config, seats=seats, own_seat=1)))

    def told(self, *events: Event, offer: Offer | None = None, to_act: int | None = None) -> None:
        """One commit."""
        self.version += 1
        to_act = 1 if offer is not None else to_act
        self.desk.told(Update(self.version, events, to_act, self.version, 30_000, offer))

    def offered(self, *legal: LegalAction) -> Offer:
        """An offer of the turn of the next commit."""
        return Offer(turn_id=self.version + 1, actions=legal)

    def facing(self, bet: int) -> None:
        """A hand where the other seat has bet, and is to act: the desk waits."""
        self.dealt(PASS)
        self.told(SeatActed(seat=0, kind=ActionKind.ACTION_KIND_OPEN, to=bet), to_act=0)

    def dealt(self, *legal: LegalAction) -> None:
        """A hand begins, and it is the desk's turn."""
        self.told(
            HandStarted(
                hand_id="t1-1", number=1, seats=[0, 1], stacks=[50, 50], lowest_rank=9, requirement="JJ"
            )
        )
        self.told(CardsDealt(cards=CARDS, positions=range(5)), OpenersFound(may_open=True, cards=CARDS[:2]))
        self.told(offer=self.offered(*legal))

    @property
    def text(self) -> str:
        """What is on the screen."""
        console = Console(file=io.StringIO(), width=100, height=30, record=True)
        console.print(self.desk.picture(), height=30)
        return console.export_text()


def test_before_anything_came_the_screen_says_that_it_waits() -> None:
    """And no key does anything but leaving."""
    desk = Desk("anna", Language.IT, suit_signs)
    assert desk.key("p") is None
    assert "In attesa" in str(desk.picture())


def test_own_cards_menu_and_clock_are_shown_on_the_own_turn_only() -> None:
    """The cards are known from the deal on; the menu comes with the offer and goes with it."""
    table = Table()
    table.dealt(PASS)
    table.clock += 3.2
    for shown in ("A♥  K♥  9♦  7♣  7♠", "[p] pass", "Your turn: 27 s", "You may open.", "▶ 27 s"):
        assert shown in table.text
    table.told(SeatActed(seat=1, kind=ActionKind.ACTION_KIND_PASS), to_act=0)
    assert "[p] pass" not in table.text
    assert "The others are to act." in table.text
    assert table.desk.key("p") is None


def test_a_key_of_the_menu_acts_on_the_turn_that_was_offered() -> None:
    """While that is carried out further keys wait; a refusal is told and the menu comes back."""
    table = Table()
    table.dealt(PASS)
    wish = table.desk.key("p")
    assert isinstance(wish, Act)
    assert (wish.offer.turn_id, wish.action) == (table.version, actions.pass_())
    table.desk.busy = True
    assert table.desk.key("p") is None
    assert "[p] pass" not in table.text
    table.desk.busy, table.desk.message = False, "Refused: for a reason"
    assert "Refused: for a reason" in table.text
    assert isinstance(table.desk.key("p"), Act)


def test_cards_to_throw_away_are_chosen_by_their_numbers_and_the_new_ones_are_shown() -> None:
    """The numbers are those on the screen, best card first."""
    table = Table()
    table.dealt(DRAW)
    assert "1:A♥  2:K♥  3:9♦  4:7♣  5:7♠" in table.text
    assert [table.desk.key(key) for key in "345"] == [None] * 3
    assert "Enter: change 3" in table.text
    wish = table.desk.key(ENTER)
    assert isinstance(wish, Act)
    assert sorted(wish.action.discards) == [20, 21, 30]
    thrown = SeatActed(seat=1, kind=ActionKind.ACTION_KIND_DRAW, discarded=3, discards=[20, 21, 30])
    table.told(thrown, CardsDrawn(seat=1, count=3, cards=[50, 46, 42], positions=[10, 11, 12]))
    assert "anna throws 9♦ 7♣ 7♠" in table.text
    assert "anna gets A♦ K♦ Q♦" in table.text
    assert "A♥  A♦  K♥  K♦  Q♦" in table.text


def test_the_word_of_a_check_is_asked_for_where_the_rules_tell_them_apart() -> None:
    """In the second round of a table with `carry_over_if_all_parola`."""
    table = Table({"parola.mode": "carry_over_if_all_parola"})
    table.dealt(CHECK)
    assert "[c] check" in table.text
    table.told(PhaseBegan(phase=Phase.PHASE_SECOND_ROUND), offer=table.offered(CHECK))
    assert "[p] parola   [c] cip" in table.text


def test_leaving_is_asked_twice() -> None:
    """Any other key than yes goes back to the table."""
    table = Table()
    table.dealt(PASS)
    assert table.desk.key("q") is None
    assert "Leave the table?" in table.text
    assert table.desk.key("p") is None
    assert "[p] pass" in table.text
    table.desk.key("q")
    assert isinstance(table.desk.key("y"), Leave)
    table.told(PlayerStood(seat=1, player="anna", cashed_out=49))
    assert (table.desk.stood, table.desk.seat) == (49, None)


def test_a_seat_that_the_table_takes_back_ends_the_session() -> None:
    """It closes, or he did not play for too long: the desk knows why."""
    table = Table()
    table.told(PlayerStood(seat=1, player="anna", cashed_out=0))
    assert table.desk.why_stood == pb.STAND_REASON_UNSPECIFIED
    table = Table()
    table.told(PlayerStood(seat=1, player="anna", cashed_out=50, reason=pb.STAND_REASON_CLOSED))
    assert (table.desk.why_stood, table.desk.stood, table.desk.seat) == (pb.STAND_REASON_CLOSED, 50, None)


def test_who_has_no_chips_may_buy_in_again_between_hands() -> None:
    """Not while he is all-in; afterwards, if he lost."""
    table = Table()
    table.dealt(PASS)
    assert "You have no chips" not in table.text
    all_in = SeatActed(seat=1, kind=ActionKind.ACTION_KIND_OPEN, to=50)
    table.told(all_in)
    assert "You have no chips" not in table.text
    table.told(
        PotAwarded(amount=50, shares=[pb.Share(seat=0, amount=50)]),
        HandEnded(outcome=pb.OUTCOME_SHOWDOWN),
    )
    assert "You have no chips: a buys in again." in table.text
    assert isinstance(table.desk.key("a"), BuyIn)


def test_a_turn_that_the_clock_ended_is_told() -> None:
    """So that nobody wonders who passed for him; the next key clears it."""
    table = Table()
    table.dealt(PASS)
    table.told(TurnExpired(seat=1), SeatActed(seat=1, kind=ActionKind.ACTION_KIND_PASS), to_act=0)
    assert "Your time is up" in table.text
    table.told(offer=table.offered(CHECK))
    table.desk.key("x")
    assert "Your time is up" not in table.text


def test_a_snapshot_in_the_middle_gives_back_cards_and_menu() -> None:
    """After a lost connection the person goes on where he was."""
    table = Table()
    table.dealt(PASS)
    view = TableView()
    view.CopyFrom(table.desk._followed.view)
    view.version = 9
    view.hand.offer.CopyFrom(Offer(turn_id=9, actions=[DRAW]))
    again = Desk("anna", Language.EN, suit_signs)
    again.told(Snapshot(view))
    table.desk = again
    assert "1:A♥  2:K♥" in table.text


def test_a_key_sits_out_and_in_again() -> None:
    """Also in the middle of a hand; who was taken to be away is told why he is not dealt in."""
    table = Table()
    assert isinstance(table.desk.key("w"), SitOut)
    table.told(SatOut(seat=1, reason=SitOutReason.SIT_OUT_REASON_ASKED))
    assert "You sit out; w: be dealt in again." in table.text
    assert isinstance(table.desk.key("w"), SitIn)
    table.told(SatOut(seat=1, reason=SitOutReason.SIT_OUT_REASON_AWAY))
    assert "Your turns ran out" in table.text
    table.told(SatIn(seat=1))
    assert isinstance(table.desk.key("w"), SitOut)
    assert "sit out; w" not in table.text


def test_chips_are_added_by_typing_how_many() -> None:
    """Within what the table allows beside the stack and what is noted; they are counted when they come."""
    table = Table(max_buy_in=90)
    assert table.desk.key("t") is None
    assert "Add chips: _" in table.text
    for key in ("9", "9", ENTER):
        assert table.desk.key(key) is None
    assert "It has to be 1..40." in table.text
    for key in ("3", "1", BACKSPACE, "0"):
        table.desk.key(key)
    wish = table.desk.key(ENTER)
    assert isinstance(wish, TopUp)
    assert wish.amount == 30
    table.told(TopUpAsked(seat=1, amount=30))
    table.desk.key("t")
    assert "m: 10" in table.text
    table.desk.key(ESCAPE)
    table.told(ToppedUp(seat=1, player="anna", amount=25), ToppedUp(seat=0, player="bruno", amount=9))
    assert table.desk.added == 25
    table.told(ToppedUp(seat=1, player="anna", amount=15))
    assert table.desk.key("t") is None
    assert "as many chips as the table allows" in table.text


def test_who_waits_for_a_seat_sees_his_place() -> None:
    """Nothing but leaving is to be pressed; an offer is noticed, and so is that he is not in the list."""
    desk = Desk("zoe", Language.EN, suit_signs)
    config = TableConfig(name="Sala", preset="italiana", seats=2)
    view = TableView(table_id="t1", version=1, config=config, seats=[SeatView(seat=0, player="bruno")])
    for name in ("ugo", "zoe"):
        view.waiting.add(player=name)
    desk.told(Snapshot(view))
    assert desk.waits
    assert not desk.is_offered_a_seat
    assert [desk.key(key) for key in "wthp"] == [None] * 4
    console = Console(file=io.StringIO(), width=100, height=30, record=True)
    console.print(desk.picture(), height=30)
    assert "You wait for one, at place 2." in console.export_text()
    desk.told(Update(2, (SeatOffered(seat=1, player="zoe", open_ms=9_000),), None, 1, 0, None))
    assert desk.is_offered_a_seat
    desk.told(Update(3, (WaitingLeft(player="zoe"),), None, 1, 0, None))
    assert not desk.waits
