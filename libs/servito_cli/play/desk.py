"""What a person at a table sees and may do now: the table, his cards, the menu, and what he was told.

Pure: messages of the stream and keys in, wishes out; the session carries them out and says what came of them.
Not here: the menu itself (choice.py), what is drawn below the table (below.py), sending (session.py)."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from rich.console import RenderableType
from rich.text import Text

from servito_cli.play.adding import Adding
from servito_cli.play.aside import Aside
from servito_cli.play.below import Below
from servito_cli.play.choice import Choice
from servito_cli.play.keys import ESCAPE
from servito_cli.play.presence import Presence, dealt_in, is_broke, own_seat
from servito_cli.play.proposing import Proposing
from servito_cli.play.wishes import Act, Beforehand, BuyIn, Leave, Propose, TopUp, Wish
from servito_cli.table.log import Followed
from servito_cli.table.picture import Picture
from servito_cli.table.seats import Style
from servito_cli.texts import TEXTS, Language
from servito_cli.words import CardText
from servito_client.bots.own_cards import OwnCards, OwnCardsReader
from servito_client.messages import (
    ClockRestored,
    Event,
    Offer,
    Phase,
    PlayerStood,
    PreActionEnd,
    PreActionEnded,
    StandReason,
    TimeBankUsed,
    ToppedUp,
    TurnExpired,
)
from servito_client.table_rules import rule_of
from servito_client.updates import Snapshot, Told, Warned


class Desk:
    """One person's side of one table. `player` is his id; `now` a clock in seconds."""

    def __init__(
        self,
        player: str,
        language: Language,
        card_text: CardText,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._texts = TEXTS[language].play
        self._language = language
        self._style = Style(TEXTS[language].table, card_text)
        self._reader = OwnCardsReader()
        self._own: dict[int, OwnCards] = {}
        self._followed = Followed(TEXTS[language].story, card_text, player=player, own=self._own, now=now)
        self._choice: Choice | None = None
        self._aside = Aside(self._texts)
        self._below = Below(self._followed, self._aside, self._texts, card_text)
        self._presence = Presence(player, self._texts)
        self._typing: Proposing | Adding | None = None
        self._sure = False
        """He is asked whether he means it."""
        self.busy = False
        """A wish is being carried out; keys have to wait."""
        self.message = ""
        self.stood: int | None = None
        """The chips that he took with him, once his seat is free."""
        self.why_stood: StandReason.ValueType = StandReason.STAND_REASON_UNSPECIFIED
        """Whether the table took his seat back, because it closes or he did not play."""
        self.added = 0
        """Chips that came to him while he sat there."""

    @property
    def seat(self) -> int | None:
        """His seat, while he has one."""
        view = self._followed.view
        return view.own_seat if view.HasField("own_seat") else None

    @property
    def waits(self) -> bool:
        """He is in the waiting list."""
        return self._presence.waiting(self._followed.view) is not None

    @property
    def is_offered_a_seat(self) -> bool:
        """One is held for him."""
        waiting = self._presence.waiting(self._followed.view)
        return waiting is not None and waiting.HasField("seat")

    def told(self, told: Told) -> None:
        """Takes in one message of his stream."""
        if isinstance(told, Snapshot):
            own = told.table.own_seat if told.table.HasField("own_seat") else None
            self._reader.snapshot(told.table, own)
        else:
            own = self.seat
            for event in told.events:
                self._happened(event, own)
        self._own.clear()
        if own is not None:
            self._own[own] = self._reader.hand
        self._followed.take(told)
        if isinstance(told, Warned):
            self.message = self._texts.hurry.format(seconds=round(told.remaining_ms / 1000))
        else:
            self._offered(told.offer)

    def _happened(self, event: Event, seat: int | None) -> None:
        self._reader.event(event, seat)
        if isinstance(event, PlayerStood) and event.seat == seat:
            self.stood = event.cashed_out
            self.why_stood = event.reason
        match event:
            case ToppedUp() if event.seat == seat:
                self.added += event.amount
            case TurnExpired() if event.seat == seat:
                self.message = self._texts.time_is_up
            case TimeBankUsed() if event.seat == seat:
                self.message = self._texts.more_time.format(seconds=round(event.ms / 1000), left=event.left)
            case ClockRestored() if event.seat == seat:
                self.message = self._texts.time_again.format(seconds=round(event.ms / 1000))
            case PreActionEnded() if event.reason == PreActionEnd.PRE_ACTION_END_DROPPED:
                self.message = self._texts.dropped

    def key(self, key: str) -> Wish | None:
        """Takes in a key; what he wants, once that is clear."""
        if self._sure:
            self._sure = False
            return Leave() if key == self._texts.yes else None
        if self._typing is not None:
            return self._typed(self._typing, key)
        if key == self._texts.leave:
            self._sure = True
            return None
        return None if self.busy else self._pressed(key)

    def _pressed(self, key: str) -> Wish | None:
        """What the key means where he is asked nothing else."""
        if is_broke(self._followed.view) and key == self._texts.rebuy:
            return BuyIn()
        view, own = self._followed.view, own_seat(self._followed.view)
        if key == self._texts.propose and own is not None:
            self._typing = Proposing(view.config, self._texts)
            return None
        if key == self._texts.top_up and own is not None:
            adding = Adding(view.config, own, self._texts)
            self._typing, self.message = (adding, "") if adding.possible else (None, self._texts.full_stack)
            return None
        return self._presence.key(view, key) or self._aside.key(view, key) or self._chosen(key)

    def still(self, wish: Beforehand) -> Beforehand | None:
        """The same wish in the moment of now, if it means the same."""
        return self._aside.still(self._followed.view, wish)

    def _chosen(self, key: str) -> Wish | None:
        """What the key means in the menu of his turn."""
        if self._choice is None:
            return None
        self.message = ""
        action = self._choice.key(key)
        return None if action is None else Act(self._choice.offer, action)

    def _typed(self, typing: Proposing | Adding, key: str) -> Wish | None:
        """What the key means while he types a proposal or an amount."""
        if key == ESCAPE:
            self._typing = None
            return None
        typed = typing.key(key)
        self.message = typing.message
        if typed is None:
            return None
        self._typing = None
        return TopUp(typed) if isinstance(typed, int) else Propose(typed)

    def picture(self) -> RenderableType:
        """The table and everything below it."""
        view = self._followed.view
        if not view.table_id:
            return Text(self._style.texts.connecting)
        message = (self._choice and self._choice.message) or self.message
        below = self._below.lines(self._choice, self._prompts(), message, busy=self.busy)
        return Picture(view, self._style, self._language, self._followed.seconds, self._followed.lines, below)

    def _offered(self, offer: Offer | None) -> None:
        if offer is None:
            self._choice = None
        elif self._choice is None or self._choice.offer.turn_id != offer.turn_id:
            view, dealt = self._followed.view, dealt_in(self._followed.view)
            words = (
                rule_of(view.config, "parola.mode") == "carry_over_if_all_parola"
                and view.hand.phase == Phase.PHASE_SECOND_ROUND
            )
            cards = sorted(dealt.cards, reverse=True) if dealt is not None else []
            self._choice = Choice(offer, cards, dealt.stack if dealt is not None else 0, self._texts, words)

    def _prompts(self) -> list[str]:
        if self._sure:
            return [self._texts.sure.format(yes=self._texts.yes)]
        if self._typing is not None:
            return self._typing.prompts
        if is_broke(self._followed.view):
            return [self._texts.broke.format(rebuy=self._texts.rebuy)]
        if self._choice is None or self.busy:
            out = self._presence.line(self._followed.view)
            return [out or self._texts.wait, self._aside.beforehand_line(self._followed.view)]
        return self._choice.prompts
