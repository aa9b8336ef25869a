"""Choosing one of the offered actions by keys: the menu, an amount, the cards to throw away.

Pure: keys in, prompts and at last an action out. It offers what the offer contains and sends nothing outside
of its ranges, but it knows no rule: what is legal is the table's to say. Keys and words are those of a
language (`PlayTexts`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from servito_cli.play.keys import BACKSPACE, ENTER, ESCAPE
from servito_cli.texts.form.play import PlayTexts
from servito_client import actions
from servito_client.messages import Action, ActionKind, CheckWord, LegalAction, Offer

AMOUNTS: Final = frozenset(
    {ActionKind.ACTION_KIND_OPEN, ActionKind.ACTION_KIND_BET, ActionKind.ACTION_KIND_RAISE}
)
"""Kinds whose amount the player names; of a blind there is one only."""
DIGITS: Final = 12
GREATEST: Final = "m"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that may be done: the key that does it, and what it is called."""

    key: str
    words: str
    legal: LegalAction
    word: CheckWord.ValueType = CheckWord.CHECK_WORD_UNSPECIFIED

    def action(self, to: int | None = None) -> Action:
        """The action; the least amount where none is named."""
        kind = self.legal.kind
        if kind in AMOUNTS or kind == ActionKind.ACTION_KIND_POST_BLIND:
            return Action(kind=kind, to=self.legal.least if to is None else to, blind=self.legal.blind)
        return Action(kind=kind, word=self.word)


@dataclass(slots=True)
class Choice:
    """The choice of one turn. `cards` are the player's own, best first; `stack` is what he can still bet.

    `words`: the rules of this round tell "parola" from "cip". `chosen` are indexes of cards to go."""

    offer: Offer
    cards: Sequence[int]
    stack: int
    texts: PlayTexts
    words: bool = False
    chosen: set[int] = field(default_factory=set)
    message: str = ""
    _amount: Item | None = None
    _typed: str = ""

    @property
    def draw(self) -> LegalAction | None:
        """The draw, where it is that which is offered."""
        legal = self.offer.actions
        return next((one for one in legal if one.kind == ActionKind.ACTION_KIND_DRAW), None)

    @property
    def items(self) -> list[Item]:
        """The menu, in the order of the offer."""
        return [item for legal in self.offer.actions for item in self._items(legal)]

    @property
    def prompts(self) -> list[str]:
        """What to show: the menu, or what is asked for now."""
        if (draw := self.draw) is not None:
            enter = self.texts.chosen if self.chosen else self.texts.none_chosen
            discards = self.texts.discards.format(greatest=draw.greatest)
            return [discards, enter.format(count=len(self.chosen))]
        if self._amount is not None:
            legal = self._amount.legal
            asked = self.texts.amount.format(words=self._amount.words, typed=self._typed)
            return [asked, self.texts.amount_keys.format(least=legal.least, greatest=legal.greatest)]
        return ["   ".join(f"[{item.key}] {item.words}" for item in self.items)]

    def key(self, key: str) -> Action | None:
        """Takes in a key; the action, once one is chosen."""
        self.message = ""
        if (draw := self.draw) is not None:
            return self._discard(key, draw)
        if self._amount is not None:
            return self._type(key, self._amount)
        item = next((item for item in self.items if item.key == key), None)
        if item is None:
            return None
        if item.legal.kind in AMOUNTS and item.legal.least < item.legal.greatest:
            self._amount, self._typed = item, ""
            return None
        return item.action()

    def _items(self, legal: LegalAction) -> list[Item]:
        if legal.kind == ActionKind.ACTION_KIND_CHECK and self.words:
            return [Item(key, words, legal, word) for word, (key, words) in self.texts.words.items()]
        key, words = self.texts.actions[legal.kind]
        if legal.kind == ActionKind.ACTION_KIND_POST_BLIND:
            words = self.texts.blinds[legal.blind]
        if legal.kind == ActionKind.ACTION_KIND_CALL and legal.greatest == self.stack:
            words = self.texts.all_in_call
        amounts = {"amount": legal.greatest, "least": legal.least, "greatest": legal.greatest}
        return [Item(key, words.format(**amounts), legal)]

    def _type(self, key: str, item: Item) -> Action | None:
        least, greatest = item.legal.least, item.legal.greatest
        if key == ESCAPE:
            self._amount = None
        elif key == BACKSPACE:
            self._typed = self._typed[:-1]
        elif key == GREATEST:
            self._typed = str(greatest)
        elif key.isascii() and key.isdecimal():
            self._typed = (self._typed + key)[:DIGITS]
        elif key == ENTER:
            amount = int(self._typed or least)
            if least <= amount <= greatest:
                return item.action(amount)
            self.message = self.texts.amount_wrong.format(least=least, greatest=greatest)
            self._typed = ""
        return None

    def _discard(self, key: str, draw: LegalAction) -> Action | None:
        if key == ENTER and len(self.chosen) >= draw.least:
            return actions.draw(self.cards[index] for index in sorted(self.chosen))
        if key == ESCAPE:
            self.chosen.clear()
        if not (key.isascii() and key.isdecimal() and 1 <= int(key) <= len(self.cards)):
            return None
        index = int(key) - 1
        if index in self.chosen:
            self.chosen.remove(index)
        elif len(self.chosen) < draw.greatest:
            self.chosen.add(index)
        else:
            self.message = self.texts.too_many.format(greatest=draw.greatest)
        return None
