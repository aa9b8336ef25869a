"""The example of the README plays a hand as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from servito_local.system import LocalSystem
from tests.system.demo import SERVITO

pytestmark = pytest.mark.system
README = Path("README.md").read_text(encoding="utf-8")


def test_the_example_of_the_sdk_plays_a_hand(system: LocalSystem) -> None:
    """Word for word, against the running system, several times: whatever the cards, the hand ends. It is read
    in one look: thirty lines.
    """
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(example.splitlines()) <= 30
    for _ in range(3):
        command = [sys.executable, "-c", example, system.target("table")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == "the hand is over"


def test_every_command_that_the_readme_names_is_there() -> None:
    """Each has a help of its own."""
    named = set(re.findall(r"^\| `servito (\w+)", README, re.MULTILINE))
    assert {"up", "demo", "tables", "watch", "play", "load", "hand"} <= named
    shown = subprocess.run([SERVITO, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(f" {command} " in shown for command in named)
