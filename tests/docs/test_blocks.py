"""Every code block of every document is executed, or says why it cannot be; and what it names exists."""

from __future__ import annotations

import logging
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.docs.blocks import Block, all_blocks, blocks, documents
from tests.docs.checks import defects

if TYPE_CHECKING:
    from tests.docs.conftest import Shell

GUIDE: Final = "docs/operations/"
TYPED: Final = sorted({block.file for block in all_blocks() if block.mark == "run" and not block.told})
_LINK: Final = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
_TEST: Final = re.compile(r"tests/[\w/.]*\w")
_log = logging.getLogger(__name__)


def test_every_block_runs_or_says_why_not() -> None:
    """In a fence, with a mark above it; the reasons are counted, so that they do not become a habit."""
    without = [str(block) for block in all_blocks() if not block.mark]
    assert without == [], (
        "write <!-- run -->, <!-- run: tests/... --> or <!-- not run: why --> above the fence"
    )
    unreasoned = [str(block) for block in all_blocks() if block.mark == "not run" and len(block.told) < 10]
    assert unreasoned == []
    named = {name for block in all_blocks() for name in _TEST.findall(block.told)}
    assert {name for name in named if not Path(name).exists()} == set()
    counts = Counter("run" if block.mark == "run" else block.told for block in all_blocks())
    _log.info("blocks: %d, executed: %d", sum(counts.values()), counts.pop("run"))
    for reason, number in counts.most_common():
        _log.info("%4d not run: %s", number, reason)


@pytest.mark.parametrize("block", [block for block in all_blocks() if block.shell], ids=str)
def test_what_a_block_names_exists(block: Block) -> None:
    """Commands, options, targets, modules, settings, paths; and bash can read it."""
    assert list(defects(block)) == []


@pytest.mark.parametrize(
    "block", [block for block in all_blocks() if block.mark == "run" and block.told], ids=str
)
def test_a_test_that_is_named_reads_the_document(block: Block) -> None:
    """It is there, and takes the block from the document instead of having a copy."""
    test = Path(block.told)
    assert test.name.startswith("test_")
    assert Path(block.file).name in test.read_text(encoding="utf-8")


@pytest.mark.system
@pytest.mark.timeout(300)
@pytest.mark.parametrize("file", TYPED)
def test_the_commands_of_a_document(file: str, shell: Shell) -> None:
    """Typed one block after the other at a system where hands were played."""
    typed = [block for block in blocks(file) if block.mark == "run" and not block.told]
    if shutil.which("redis-cli") is None and any("redis-cli" in block.code for block in typed):
        pytest.skip("redis-cli is not installed")
    for block in typed:
        done = shell(block.code)
        assert done.returncode == 0, f"{block}\n{block.code}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("file", documents())
def test_links_lead_somewhere(file: str) -> None:
    """Those within the repository."""
    text = Path(file).read_text(encoding="utf-8")
    targets = [target for target, _ in _LINK.findall(text) if "://" not in target]
    missing = [target for target in targets if not (Path(file).parent / target).exists()]
    assert missing == []


def test_the_guide_is_found_from_its_index() -> None:
    """Every page of it, and the index from the README."""
    index = Path(GUIDE + "README.md").read_text(encoding="utf-8")
    pages = {Path(file).name for file in documents() if Path(file).parent == Path(GUIDE)} - {"README.md"}
    assert {page for page in pages if f"({page})" not in index} == set()
    assert f"({GUIDE}README.md)" in Path("README.md").read_text(encoding="utf-8")


SAMPLE: Final = """
<!-- run -->
```bash
servito tables
```

- an item

    of a list

```bash
servito dance --with NOBODY
make coffee
SERVITO_COLOUR=red python -m servito_nothing | frobnicate deploy/nowhere
```

    indented
"""


def test_what_is_wrong_is_found() -> None:
    """The checks themselves: a block without a mark, an indented one, and names that are none."""
    good, bad, indented = blocks("SAMPLE.md", SAMPLE)
    assert (good.mark, bad.mark, indented.language) == ("run", "", "indented")
    assert list(defects(good)) == []
    assert list(defects(bad)) == [
        "there is no setting SERVITO_COLOUR",
        "there is no deploy/nowhere",
        "there is no command servito dance",
        "make has no target coffee",
        "there is no module servito_nothing",
        "frobnicate is no tool that tests/docs/checks.py knows",
    ]
    broken = Block("SAMPLE.md", 1, "bash", "if true; then")
    assert [each.partition(":")[0] for each in defects(broken)] == ["bash cannot read it"]
    option = Block("SAMPLE.md", 1, "bash", "servito tables --colour red")
    assert list(defects(option)) == ["servito tables has no option --colour"]
