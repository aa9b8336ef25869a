"""The project's source as trees, for tests that read it instead of running it."""

from __future__ import annotations

import ast
import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def tree_of(source: Path | str) -> ast.Module:
    """What a file or a text says; SyntaxError as of `ast.parse`.

    CPython 3.11 counts the depth of the trees that it makes in one place for all. When garbage is collected
    in the middle of one, a finalizer may parse something too, as every traceback does that is put into words:
    then the first one ends with SystemError, "recursion depth mismatch" (CPython's issue 106905). So none is
    collected meanwhile.
    """
    text = source if isinstance(source, str) else source.read_text(encoding="utf-8")
    with _no_collection():
        return ast.parse(text)


@contextmanager
def _no_collection() -> Iterator[None]:
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
