"""One local system for the tests that only use it. Those that kill or stop something start their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from servito_local.system import LocalSystem
from tests.system.background import Background


@pytest.fixture(scope="session")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSystem]:
    """The running system; leave its parts alone."""
    with Background(LocalSystem(tmp_path_factory.mktemp("system"))) as background:
        yield background.system
