"""The configuration that a typed kind of table says.

Only the form is checked here; whether such a table can be played is for the table service to say.
"""

from __future__ import annotations

from typing import Final

from google.protobuf.descriptor import FieldDescriptor

from servito_cli.operate.kind import Kind
from servito_cli.rules_given import rules_given
from servito_cli.spans import span
from servito_client.messages import TableConfig

_NUMBERS: Final = {
    field.name
    for field in TableConfig.DESCRIPTOR.fields
    if field.cpp_type in (FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_INT64)
}


def config_of(kind: Kind) -> TableConfig:
    """As a message; ValueError saying what cannot be read."""
    rules = rules_given(kind.preset, kind.option or [])
    least, most = span(kind.buy_in)
    if not (least and most):
        raise ValueError(f"--buy-in {kind.buy_in!r} must have both ends, such as 50..200")
    config = TableConfig(
        name=kind.name,
        preset=rules.preset,
        options=rules.options,
        seats=kind.seats,
        min_buy_in=least,
        max_buy_in=most,
        turn_ms=round(kind.turn * 1000),
        pause_ms=round(kind.pause * 1000),
        no_spectators=kind.no_spectators,
    )
    for word in kind.settings or []:
        _set(config, word)
    return config


def _set(config: TableConfig, word: str) -> None:
    name, equals, value = word.partition("=")
    if name not in _NUMBERS or not equals or not value.isascii() or not value.isdecimal():
        fields = ", ".join(sorted(_NUMBERS))
        raise ValueError(f"--set {word!r} must be FIELD=NUMBER, a field of {fields}")
    try:
        setattr(config, name, int(value))
    except ValueError:
        raise ValueError(f"--set {word!r}: the number is too great") from None
