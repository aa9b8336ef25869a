"""Keys of a terminal, one at a time, without echo.

Here: cbreak mode and its undoing, and what a key is called. Ctrl-C stays a signal. Sequences such as those
of arrows are one key that nothing listens to."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import termios
import tty
from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Self

ENTER: Final = "enter"
BACKSPACE: Final = "backspace"
ESCAPE: Final = "escape"
_NAMES: Final = {"\r": ENTER, "\n": ENTER, "\x7f": BACKSPACE, "\x08": BACKSPACE, "\x1b": ESCAPE}
_SEQUENCE: Final = re.compile(r"\x1b[\[O][0-9;?]*[ -/]*[@-~]|\x1b[ -~]")


def keys_of(text: str) -> list[str]:
    """The keys in what a terminal sent at once: letters in lower case, and named ones."""
    return [
        _NAMES.get(key, key.lower()) for key in _SEQUENCE.sub("", text) if key in _NAMES or key.isprintable()
    ]


class Keys:
    """Calls `pressed` with each key while it is entered, and with None when the terminal is gone.

    To be used inside one event loop; `descriptor` is a terminal."""

    def __init__(self, descriptor: int, pressed: Callable[[str | None], None]) -> None:
        self._descriptor, self._pressed = descriptor, pressed
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._descriptor)
        tty.setcbreak(self._descriptor)
        loop = asyncio.get_running_loop()
        loop.add_reader(self._descriptor, self._read)
        loop.add_signal_handler(signal.SIGHUP, self._pressed, None)
        return self

    def __exit__(self, *_: object) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_signal_handler(signal.SIGHUP)
        loop.remove_reader(self._descriptor)
        with suppress(termios.error):  # a terminal that is gone has nothing to be put back
            # TCSANOW: one that does not drain must not keep the command from ending.
            termios.tcsetattr(self._descriptor, termios.TCSANOW, self._before)

    def _read(self) -> None:
        try:
            sent = os.read(self._descriptor, 1024)
        except OSError:  # the other side of a pseudo terminal is gone
            sent = b""
        if not sent:
            asyncio.get_running_loop().remove_reader(self._descriptor)
            self._pressed(None)
        for key in keys_of(self._decoder.decode(sent)):
            self._pressed(key)
