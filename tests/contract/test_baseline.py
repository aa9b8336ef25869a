"""`make lint-protos` guards the wire: it fails on what breaks clients, or stored state, of the baseline."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.contract.promises import PROTOS

BUF: Final = Path(sys.executable).with_name("buf")
BASELINE: Final = PROTOS / "baseline.binpb"


def buf(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As the Makefile calls it."""
    return subprocess.run([BUF, *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def protos(tmp_path: Path) -> Path:
    """A copy of the protos with an image of them."""
    copy = tmp_path / "protos"
    shutil.copytree(PROTOS, copy)
    taken = buf(copy, "build", "--exclude-source-info", "-o", "baseline.binpb")
    assert taken.returncode == 0, taken.stderr
    return copy


def change(protos: Path, file: str, before: str, after: str) -> subprocess.CompletedProcess[str]:
    """Change a proto and ask what that breaks."""
    path = protos / "servito" / file
    text = path.read_text()
    assert before in text, before
    path.write_text(text.replace(before, after, 1))
    return buf(protos, "breaking", "--against", "baseline.binpb")


@pytest.mark.parametrize(
    ("file", "before", "after", "said"),
    [
        ("table/v1/table.proto", "  rpc Stand(StandRequest) returns (StandResponse);\n", "", "Stand"),
        ("table/v1/table.proto", "string next_page_token = 2;", "string next_page_token = 9;", "ListTables"),
        ("table/v1/table.proto", "string next_page_token = 2;", "uint64 next_page_token = 2;", "type"),
        ("table/v1/refusal.proto", "  REFUSAL_REASON_SEAT_TAKEN = 10;\n", "", "RefusalReason"),
        ("table/v1/store.proto", "uint64 turn = ", "uint64 turned = ", "turn"),
        ("dealer/v1/dealer.proto", "uint32 draw_max = 4;", "", "draw_max"),
        ("evaluator/v1/evaluator.proto", "repeated WinnerSet winner_sets = 1;", "", "winner_sets"),
    ],
)
def test_what_breaks_is_refused(protos: Path, file: str, before: str, after: str, said: str) -> None:
    """What goes, or changes its number, type or name, in any proto; the stored ones are read by N+1, too."""
    broken = change(protos, file, before, after)
    assert broken.returncode != 0
    assert said in broken.stdout


def test_what_is_added_is_not(protos: Path) -> None:
    """A new field and a new rpc break nobody."""
    rpc = "rpc Stand(StandRequest) returns (StandResponse);"
    more = f"{rpc}\n  rpc StandBy(StandRequest) returns (StandResponse);"
    added = change(protos, "table/v1/table.proto", rpc, more)
    assert (added.returncode, added.stdout) == (0, "")


@pytest.mark.skipif(not BASELINE.exists(), reason="protos/baseline.binpb was not taken yet: make baseline")
def test_the_protos_break_nothing() -> None:
    """Against the image that is committed."""
    found = buf(PROTOS, "breaking", "--against", "baseline.binpb")
    assert found.returncode == 0, found.stdout
