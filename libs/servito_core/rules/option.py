"""How an option is declared: a dataclass field whose metadata holds its published key and its limits.

The declared fields are the one source of truth for names, values and defaults; the catalogue is read back
from them, so a value cannot be in the type and missing in the validation. Nothing here knows a particular
option.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Kind = Literal["int", "enum", "chips", "bool", "chips_or_ante", "int_or_none"]
Value = int | str | bool | None
Binding = Mapping[str, tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its key in configuration, the field that holds it, and what may be written.

    `values` is empty where any whole number from `minimum` to `maximum` will do. `only_with` and `needs`
    list the values that other options must have, `excludes` those that they must not have, while this one
    is not at its default.
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
        return (self.minimum or value) <= value <= (self.maximum or value)

    @property
    def allowed(self) -> str:
        """The allowed values in words, for a message to whoever wrote another one."""
        if self.values:
            return "one of " + ", ".join(written(value) for value in self.values)
        limits = f"at least {self.minimum}" if self.maximum is None else f"{self.minimum}..{self.maximum}"
        number = "a whole number of chips" if self.kind.startswith("chips") else "a whole number"
        other = "" if isinstance(self.default, int) else f", or {written(self.default)}"
        return f"{number}, {limits}{other}"


def written(value: object) -> str:
    """A value as a configuration file writes it: true, false, null, 4, JJ."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def option(
    key: str,
    kind: Kind | None = None,
    *,
    minimum: int | None = None,
    maximum: int | None = None,
    only_with: Binding | None = None,
    needs: Binding | None = None,
    excludes: Binding | None = None,
) -> dict[str, Any]:
    """Metadata that make a field the option `key`; without a `kind` it follows from the type of the field."""
    return {
        "key": key,
        "kind": kind,
        "minimum": minimum,
        "maximum": maximum,
        "only_with": only_with or {},
        "needs": needs or {},
        "excludes": excludes or {},
    }


def options_of(cls: type[Any]) -> tuple[Option, ...]:
    """Every option declared by a dataclass, in the order of its fields; what it derives from them is none."""
    hints = get_type_hints(cls)
    found = []
    for field in fields(cls):
        if not field.init:
            continue
        declared = {"default": field.default, **field.metadata}
        kind = declared.pop("kind") or _kind_of(hints[field.name])
        values = () if kind == "chips_or_ante" else _values_of(hints[field.name])
        found.append(Option(field=field.name, kind=kind, values=values, **declared))
    return tuple(found)


def _kind_of(hint: Any) -> Kind:
    if hint is bool:
        return "bool"
    return "enum" if any(isinstance(value, str) for value in _values_of(hint)) else "int"


def _values_of(hint: Any) -> tuple[Value, ...]:
    """The values that a type lists: those of a Literal, also inside a union; none for plain numbers."""
    if hint is bool:
        return (True, False)
    if get_origin(hint) is Literal:
        return get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(value for part in get_args(hint) for value in _values_of(part))
    return ()
