"""What is drawn below the table of a person who plays: his cards, the menu, a message, which keys he has."""

from __future__ import annotations

from rich.text import Text

from servito_cli.play.aside import Aside
from servito_cli.play.choice import Choice
from servito_cli.play.presence import dealt_in, own_seat
from servito_cli.table.cards import card
from servito_cli.table.log import Followed
from servito_cli.texts.form.play import PlayTexts
from servito_cli.words import CardText
from servito_client.messages import Phase

PROMPTS = 2


class Below:
    """Always as many lines, so that the table above does not jump."""

    def __init__(self, followed: Followed, aside: Aside, texts: PlayTexts, card_text: CardText) -> None:
        self._followed, self._aside, self._texts, self._card_text = followed, aside, texts, card_text

    def lines(self, choice: Choice | None, prompts: list[str], message: str, *, busy: bool) -> list[Text]:
        """`prompts`: what he is asked, two at most; `message`: what went wrong last. No keys are named while
        none of them counts, because he is `busy`.
        """
        lines = [
            self._cards(choice),
            *(Text(prompt, style="bold") for prompt in prompts),
            *([Text("")] * (PROMPTS - len(prompts))),
            Text(message, style="red"),
            Text("") if busy else self._help(),
        ]
        for line in lines:
            line.no_wrap, line.overflow = True, "ellipsis"
        return lines

    def _help(self) -> Text:
        if proposal := self._aside.proposal_line(self._followed.view):
            return Text(proposal, style="bold magenta")
        texts = self._texts
        keys = {
            "leave": texts.leave,
            "propose": texts.propose,
            "sit_out": texts.sit_out,
            "top_up": texts.top_up,
        }
        return Text(texts.help.format(**keys), style="dim")

    def _cards(self, choice: Choice | None) -> Text:
        """His cards; those that are to go are struck through, and in a draw each has its key."""
        view, seconds = self._followed.view, self._followed.seconds
        dealt = dealt_in(view)
        line = Text()
        if dealt is None or not dealt.cards:
            return line
        drawing = choice is not None and choice.draw is not None
        for index, number in enumerate(sorted(dealt.cards, reverse=True)):
            if drawing:
                line.append(f"{index + 1}:", style="dim")
            shown = card(number, self._card_text)
            if choice is not None and index in choice.chosen:
                shown.stylize("reverse strike")
            line.append_text(shown)
            line.append("  ")
        if choice is not None and seconds is not None:
            line.append(self._texts.your_turn.format(seconds=seconds), style="bold yellow")
            line.append(self._extra_times(), style="yellow")
        if view.hand.own.may_open and view.hand.phase == Phase.PHASE_OPENING:
            line.append(f"   {self._texts.may_open}", style="green")
        return line

    def _extra_times(self) -> str:
        """How often his clock may still be prolonged, and by how much."""
        own = own_seat(self._followed.view)
        if own is None or not own.time_banks:
            return ""
        seconds = round(self._followed.view.config.time_bank_ms / 1000)
        return self._texts.extra_times.format(left=own.time_banks, seconds=seconds)
