"""Where the command writes: text for people on standard output, what went wrong on standard error.

One place, so that every command looks alike and a narrow or plain terminal is asked only here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NoReturn

from rich.console import Console

from servito_cli.words import letters, suit_signs

UNUSABLE = 2
"""Exit code for input that cannot be used at all."""
FAILED = 1
"""Exit code for work that was done and found something wrong."""
READER_GONE = 141
"""Exit code where whoever read standard output has gone (`| head`): as of a program that SIGPIPE ended."""


def output() -> Console:
    """Standard output; nothing is coloured or broken into lines but on request."""
    return _Written(highlight=False, soft_wrap=True)


def complain(text: str) -> None:
    """One sentence on standard error."""
    _Written(stderr=True, highlight=False, soft_wrap=True).print(text, style="red", markup=False)


def end_unread() -> NoReturn:
    """End without a word where nobody reads any more; what is still to be written goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(READER_GONE)


class _Written(Console):
    def on_broken_pipe(self) -> None:
        end_unread()


def card_text(console: Console) -> Callable[[int], str]:
    """How cards are written there: with signs for the suits where the terminal has them."""
    return suit_signs if console.encoding.startswith("utf") else letters
