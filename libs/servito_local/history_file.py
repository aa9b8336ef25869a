"""The archive of a local system: a file in its data directory, which the timers write.

Changes with SERVITO_HISTORY_URL of the timers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

HISTORY: Final = "history.sqlite"


def history_url(data: Path) -> str:
    """Its address."""
    return f"sqlite:///{(data / HISTORY).absolute()}"
