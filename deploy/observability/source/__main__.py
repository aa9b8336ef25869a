"""Write all dashboards anew, and remove those that there are no more."""

from __future__ import annotations

from deploy.observability.source.boards import BOARDS, FOLDER, text

FOLDER.mkdir(exist_ok=True)
for path in FOLDER.glob("*.json"):
    if path.stem not in BOARDS:
        path.unlink()
for name, board in BOARDS.items():
    (FOLDER / f"{name}.json").write_text(text(board), encoding="utf-8")
