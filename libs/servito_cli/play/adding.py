"""Adding chips by keys: an amount is typed, and how many there may be is shown beside it.

Pure: keys in, prompts and at last the amount out. The limits shown are those of the moment; the table has the
last word, and says what it allows."""

from __future__ import annotations

from typing import Final

from servito_cli.play.keys import BACKSPACE, ENTER
from servito_cli.texts.form.play import PlayTexts
from servito_client.messages import SeatView, TableConfig

DIGITS: Final = 12
GREATEST: Final = "m"


class Adding:
    """An amount that is being typed, for the seat `own` of a table of this `config`."""

    def __init__(self, config: TableConfig, own: SeatView, texts: PlayTexts) -> None:
        self._least = max(1, config.min_buy_in - own.top_up) if not own.stack else 1
        self._greatest = config.max_buy_in - own.stack - own.top_up
        self._texts = texts
        self._typed = ""
        self.message = ""

    @property
    def possible(self) -> bool:
        """Whether anything may be added at all."""
        return self._least <= self._greatest

    @property
    def prompts(self) -> list[str]:
        """The line, and what may be typed."""
        limits = {"least": self._least, "greatest": self._greatest}
        return [
            self._texts.top_up_line.format(typed=self._typed),
            self._texts.amount_keys.format(**limits),
        ]

    def key(self, key: str) -> int | None:
        """Takes in a key; the amount, once Enter is pressed on one that is allowed."""
        self.message = ""
        if key == BACKSPACE:
            self._typed = self._typed[:-1]
        elif key == GREATEST:
            self._typed = str(self._greatest)
        elif key.isascii() and key.isdecimal():
            self._typed = (self._typed + key)[:DIGITS]
        elif key == ENTER:
            amount = int(self._typed or self._least)
            if self._least <= amount <= self._greatest:
                return amount
            self.message = self._texts.amount_wrong.format(least=self._least, greatest=self._greatest)
            self._typed = ""
        return None
