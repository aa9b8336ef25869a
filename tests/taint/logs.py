"""Everything that the system logs in this process: its own lines in their real form, and what libraries
write, at the most talkative level of both.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from servito_platform.logs import configure_logs
from servito_platform.settings import ServiceSettings

_TIME = re.compile(r'"timestamp": "[^"]*"')


class Lines(io.TextIOBase):
    """A file that keeps its lines, without the time that each begins or ends with."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._begun = ""

    def write(self, text: str) -> int:
        """As of every file."""
        *whole, self._begun = (self._begun + text).split("\n")
        self.lines += [_without_time(line) for line in whole]
        return len(text)


@contextmanager
def captured() -> Iterator[list[str]]:
    """The lines that are logged meanwhile."""
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = list(root.handlers), root.level
    file = Lines()
    configure_logs("taint", ServiceSettings(log_level="debug"))
    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(file),  # type: ignore[arg-type]  # all that it needs of a file
        cache_logger_on_first_use=False,
    )
    for handler in root.handlers:
        if isinstance(handler, logging.StreamHandler):
            handler.setStream(file)
    root.setLevel(logging.DEBUG)
    try:
        yield file.lines
    finally:
        structlog.configure(**before)
        root.handlers[:] = handlers
        root.setLevel(level)


def _without_time(line: str) -> str:
    return _TIME.sub('"timestamp": ""', line)
