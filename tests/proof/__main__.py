"""Writes the vectors: `python -m tests.proof`, if the scheme or the form was changed on purpose."""

from __future__ import annotations

import json
from pathlib import Path

from tests.proof.hands import examples
from tests.proof.tampering import changes

FOLDER = Path(__file__).parents[2] / "deploy" / "verifier" / "vectors"


def written() -> dict[str, str]:
    """The content of each file of the vectors, by name."""
    files = {name: played.file() for name, played in examples().items()}
    texts = {f"{name}.json": json.dumps(file, indent=1) + "\n" for name, file in files.items()}
    lines = ",\n ".join(json.dumps(change) for change in changes(files))
    return {**texts, "changes.json": f"[\n {lines}\n]\n"}


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in written().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
