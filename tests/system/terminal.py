"""A person at a pseudo terminal: types keys, reads the screen. The command under test is a real process."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.system.demo import SERVITO

ROWS, COLUMNS = 34, 100
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[=>78]|\r")
_HOME = "\x1b[H"


class Person:
    """Sits at `servito WORDS...`, as a context that leaves no process."""

    def __init__(self, *words: str, folder: Path) -> None:
        self._words, self._folder = words, folder
        self._seen = ""
        self._news = threading.Lock()
        self._over = threading.Event()

    def __enter__(self) -> Person:
        self._own, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "TMPDIR": str(self._folder)}
        self.process = subprocess.Popen(
            [SERVITO, *self._words],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            start_new_session=True,
            cwd=self._folder,
        )
        os.close(terminal)
        self._reader = threading.Thread(target=self._read, name="terminal", daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            self._over.set()
            self._reader.join(10)
            os.close(self._own)

    def types(self, keys: str) -> None:
        """Presses keys."""
        os.write(self._own, keys.encode())

    @property
    def screen(self) -> str:
        """The text of the last whole picture, or of all that was printed where none was drawn."""
        with self._news:
            pictures = self._seen.split(_HOME)
        return _CONTROL.sub("", pictures[-2] if len(pictures) > 2 else self._seen)

    @property
    def everything(self) -> str:
        """All text that ever stood there."""
        with self._news:
            return _CONTROL.sub("", self._seen)

    def sees(self, true: Callable[[str], object], seconds: float = 30.0) -> str:
        """Waits until the screen is as wanted; the screen."""
        until = time.monotonic() + seconds
        while not true(screen := self.screen):
            assert time.monotonic() < until, screen
            time.sleep(0.05)
        return screen

    def _read(self) -> None:
        while not self._over.is_set():
            if not select.select([self._own], [], [], 0.2)[0]:
                continue
            try:
                sent = os.read(self._own, 65536)
            except OSError:  # the command has ended
                return
            with self._news:
                self._seen += sent.decode(errors="replace")
