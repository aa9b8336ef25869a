"""A state server for the model alone: it holds the clock, and nobody else's sweep may come in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from servito_platform.place import Mode
from tests.modes.servers import served

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def model_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its address."""
    with served(Mode.SINGLE, tmp_path_factory.mktemp("model")) as url:
        yield url
