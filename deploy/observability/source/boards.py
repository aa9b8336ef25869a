"""All dashboards by their names, and where they are written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from deploy.observability.source import conservation, deadlines, history, latency, servers, tables
from deploy.observability.source.form import board_json
from deploy.observability.source.parts import Board

FOLDER: Final = Path("deploy/observability/dashboards")
BOARDS: Final[dict[str, Board]] = {
    "tables": tables.BOARD,
    "latency": latency.BOARD,
    "deadlines": deadlines.BOARD,
    "servers": servers.BOARD,
    "conservation": conservation.BOARD,
    "history": history.BOARD,
}


def text(board: Board) -> str:
    """What the file of a dashboard holds."""
    name = next(name for name, each in BOARDS.items() if each is board)
    return json.dumps(board_json(name, board), indent=2, ensure_ascii=False) + "\n"
