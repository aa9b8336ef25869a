"""How long each stage of a start took, to be told to whoever waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Stage:
    """A finished stage."""

    name: str
    seconds: float


@dataclass
class Stages:
    """The finished stages in order. `tell`, where given, is called with each as soon as it is finished."""

    tell: Callable[[Stage], None] | None = None
    finished: list[Stage] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside; a stage that fails is not recorded."""
        begun = time.monotonic()
        yield
        stage = Stage(name, time.monotonic() - begun)
        self.finished.append(stage)
        if self.tell is not None:
            self.tell(stage)
