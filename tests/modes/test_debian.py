"""The scripts on Debian's Redis 7.0, older than the embedded Valkey; `make test-modes` runs more there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.modes.programs import needs_debian

SCRIPTS = (
    "tests/platform/test_deadlines.py",
    "tests/table/test_commit_script.py",
    "tests/table/test_index.py",
    "tests/dealer/test_vault.py",
)


@needs_debian
@pytest.mark.skipif(
    os.environ.get("STATE_SERVER", "valkey") != "valkey", reason="this run is on Debian's Redis as a whole"
)
def test_the_scripts_do_the_same_on_redis_7() -> None:
    """Commit, claim, index and vault: their own tests pass there as well."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SCRIPTS]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(
        command,
        env=environment | {"STATE_SERVER": "redis"},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]
    assert " passed" in run.stdout
