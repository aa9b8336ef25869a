"""How an option is declared: a dataclass field that carries its published key and its limits.

The declared fields are the one source of truth for names, values and defaults; the catalogue is read back from them,
so a value cannot be in the type and missing in the validation. Nothing here knows a particular option.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Kind = Literal["int", "enum", "chips", "bool", "chips_or_ante", "int_or_none"]
Value = int | str | bool | None
Binding = Mapping[str, tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its key in configuration, the field that holds it, and what may be written.

    `values` is empty where any whole number from `minimum` to `maximum` will do. `only_with` and `needs` list the values
    that other options must have, `excludes` those that they must not have, while this one is not at its default.
    """

    key: str
    field: str
    kind: Kind
    default: Value
    values: tuple[Value, ...]
    minimum: int | None
    maximum: int | None
    only_with: Binding
    needs: Binding
    excludes: Binding

    def accepts(self, value: object) -> bool:
        """Whether this option may have that value; `1` is not `true`, and `true` is no number of chips."""
        if value == self.default and type(value) is type(self.default):
            return True
        if self.values:
            return any(value == allowed and type(value) is type(allowed) for allowed in self.values)
        if type(value) is not int:
            return False
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)

    @property
    def allowed(self) -> str:
        """The allowed values in words, for a message to whoever wrote another one."""
        if self.values:
            return "one of " + ", ".join(written(value) for value in self.values)
        range_ = f"{self.minimum}..{self.maximum}" if self.maximum is not None else f"at least {self.minimum}"
        number = f"a whole number of chips, {range_}" if self.kind.startswith("chips") else f"a whole number, {range_}"
        return number if isinstance(self.default, int) else f"{number}, or {written(self.default)}"


def written(value: object) -> str:
    """A value as a configuration file writes it: true, false, null, 4, JJ."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def declare(
    key: str,
    kind: Kind,
    default: Any,
    *,
    minimum: int | None = None,
    maximum: int | None = None,
    only_with: Binding | None = None,
    needs: Binding | None = None,
    excludes: Binding | None = None,
) -> Any:
    """A dataclass field for the option `key`; a field of a Literal type takes its allowed values from the type."""
    limits = {"minimum": minimum, "maximum": maximum}
    bindings = {"only_with": only_with or {}, "needs": needs or {}, "excludes": excludes or {}}
    return field(default=default, metadata={"key": key, "kind": kind, **limits, **bindings})


def options_of(cls: type[Any]) -> tuple[Option, ...]:
    """Every option declared by a dataclass, in the order of its fields."""
    hints = get_type_hints(cls)
    return tuple(
        Option(field=f.name, default=f.default, values=_values_of(hints[f.name], f.metadata["kind"]), **f.metadata)
        for f in fields(cls)
    )


def _values_of(hint: Any, kind: Kind) -> tuple[Value, ...]:
    if kind == "bool":
        return (True, False)
    if kind == "chips_or_ante":
        return ()
    if get_origin(hint) is Literal:
        return get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(value for part in get_args(hint) for value in _values_of(part, kind))
    return ()
