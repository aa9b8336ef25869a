"""Frozen records that are cheap to make: what commands, events and answers are.

`@record` is `dataclass(frozen=True, slots=True)` with an `__init__` that writes the slots directly instead
of asking `object.__setattr__` for each: half the cost, and several are made with every action. Nothing
else differs; defaults may be plain values or factories.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make a class of annotated fields a frozen record."""
    made: Any = dataclass(frozen=True, slots=True)(cls)
    names: dict[str, Any] = {}
    arguments, body = ["self"], []
    for field in fields(made):
        name = field.name
        names[f"_set_{name}"] = getattr(made, name).__set__
        value = name
        if field.default is not MISSING:
            names[f"_default_{name}"] = field.default
            arguments.append(f"{name}=_default_{name}")
        elif field.default_factory is not MISSING:
            names[f"_make_{name}"], names["_missing"] = field.default_factory, MISSING
            arguments.append(f"{name}=_missing")
            value = f"_make_{name}() if {name} is _missing else {name}"
        else:
            arguments.append(name)
        body.append(f"    _set_{name}(self, {value})")
    code = "\n".join([f"def __init__({', '.join(arguments)}):", *(body or ["    pass"])])
    exec(code, names)  # noqa: S102 - made of field names only, as dataclasses makes it
    made.__init__ = names["__init__"]
    made.__init__.__qualname__ = f"{made.__qualname__}.__init__"
    return made  # type: ignore[no-any-return] # the class that came in, with slots
