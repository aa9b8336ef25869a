"""How a mutant gets into modules that are loaded already: the function's code, or the constant, is exchanged.

Whoever imported the function or the constant by name has the fault as well. It is never taken back: the
process that carries it ends.
"""

from __future__ import annotations

import functools
import gc
import sys
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.mutation.mutants import Mutant

CACHES = type(functools.cache(len))


def graft(module: ModuleType, mutant: Mutant) -> None:
    """Make `mutant`, of this module, run from now on; `LookupError` if there is no such function."""
    if mutant.code.co_name == "<module>":
        _exchange_constant(module, mutant)
        return
    functions = [
        found
        for found in gc.get_objects()
        if isinstance(found, FunctionType)
        and found.__module__ == module.__name__
        and found.__qualname__ == mutant.owner
    ]
    if not functions:
        raise LookupError(f"{module.__name__} has no function {mutant.owner} in use")
    for function in functions:
        function.__code__ = mutant.code


def forget() -> None:
    """Empty the caches of our functions, which remember what code said before a fault."""
    for found in gc.get_objects():
        if isinstance(found, CACHES) and found.__module__.startswith("servito_"):
            found.cache_clear()


def _exchange_constant(module: ModuleType, mutant: Mutant) -> None:
    before = getattr(module, mutant.owner)
    exec(mutant.code, vars(module))  # noqa: S102 - our own source with one fault in it
    after = getattr(module, mutant.owner)
    for other in list(sys.modules.values()):
        if vars(other).get(mutant.owner) is before:
            setattr(other, mutant.owner, after)
