"""Keys of a real pseudo terminal: each once, without echo, and the terminal as it was afterwards."""

from __future__ import annotations

import asyncio
import os
import termios

import pytest

from servito_cli.play.keys import BACKSPACE, ENTER, ESCAPE, Keys, keys_of
from tests.local.parts import until


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("aB7", ["a", "b", "7"]),
        ("\r\n", [ENTER, ENTER]),
        ("\x7f\x08", [BACKSPACE, BACKSPACE]),
        ("\x1b", [ESCAPE]),
        ("\x1b[A\x1b[1;5Cx\x1bOP", ["x"]),
        ("\x01\x02è", ["è"]),
    ],
)
def test_what_a_terminal_sends_is_read_as_keys(sent: str, keys: list[str]) -> None:
    """Letters in lower case, the named keys, no control characters, no sequences of arrows."""
    assert keys_of(sent) == keys


async def test_keys_are_told_one_by_one_and_the_terminal_is_put_back() -> None:
    """No Enter is needed, nothing is echoed; a terminal that is gone is told as None."""
    person, terminal = os.openpty()
    before = termios.tcgetattr(terminal)
    pressed: list[str | None] = []
    with Keys(terminal, pressed.append):
        assert not termios.tcgetattr(terminal)[3] & (termios.ECHO | termios.ICANON)
        os.write(person, "à1".encode()[:1])
        await asyncio.sleep(0.02)
        os.write(person, "à1".encode()[1:])
        await until(lambda: len(pressed) == 2, 20)
        assert pressed == ["à", "1"]
    assert termios.tcgetattr(terminal) == before
    with Keys(terminal, pressed.append):
        os.close(person)
        await until(lambda: pressed[-1] is None, 20)
    os.close(terminal)
