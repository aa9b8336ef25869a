"""Both verifiers, each as its users run it, and what they say of a file in a word."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from servito_client.proof.check import check
from servito_client.proof.told import Wrong

ALONE = Path(__file__).parents[2] / "deploy" / "verifier" / "verify_hand.py"


def by_the_sdk(file: Any) -> str:
    """What does not fit, in a word; OK if all does."""
    try:
        check(file)
    except Wrong as wrong:
        return wrong.word
    return "OK"


def alone(file: Any, folder: Path) -> str:
    """The same by the script that needs nothing of ours: a process of its own, without our packages."""
    path = folder / "hand.json"
    path.write_text(json.dumps(file))
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(ALONE), str(path)],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        timeout=60,
    )
    if done.returncode == 0:
        assert done.stdout.startswith("OK: "), done.stdout
        return "OK"
    said = re.match(r"WRONG (\w+): ", done.stderr)
    assert said is not None, done.stderr
    return said[1]
