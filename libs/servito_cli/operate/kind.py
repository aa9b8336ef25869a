"""A kind of table as it is typed: the options of `servito table create` and `servito templates put`.

Only the form is checked here; whether such a table can be played is for the table service to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from google.protobuf.descriptor import FieldDescriptor

from servito_cli.rules_given import Rules
from servito_cli.spans import span
from servito_client.messages import TableConfig

_NUMBERS: Final = {
    field.name
    for field in TableConfig.DESCRIPTOR.fields
    if field.cpp_type in (FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_INT64)
}


@dataclass(frozen=True, slots=True)
class Kind:
    """What was typed. `buy_in` is a range, times are seconds; `settings` are FIELD=NUMBER, the others of the
    message TableConfig.
    """

    name: str
    rules: Rules
    seats: int
    buy_in: str
    turn: float
    pause: float
    no_spectators: bool = False
    settings: Iterable[str] = ()

    def config(self) -> TableConfig:
        """As a message; ValueError saying what cannot be read."""
        least, most = span(self.buy_in)
        if not (least and most):
            raise ValueError(f"--buy-in {self.buy_in!r} must have both ends, such as 50..200")
        config = TableConfig(
            name=self.name,
            preset=self.rules.preset,
            options=self.rules.options,
            seats=self.seats,
            min_buy_in=least,
            max_buy_in=most,
            turn_ms=round(self.turn * 1000),
            pause_ms=round(self.pause * 1000),
            no_spectators=self.no_spectators,
        )
        for word in self.settings:
            name, equals, value = word.partition("=")
            if name not in _NUMBERS or not equals or not value.isascii() or not value.isdecimal():
                fields = ", ".join(sorted(_NUMBERS))
                raise ValueError(f"--set {word!r} must be FIELD=NUMBER, a field of {fields}")
            try:
                setattr(config, name, int(value))
            except ValueError:
                raise ValueError(f"--set {word!r}: the number is too great") from None
        return config
