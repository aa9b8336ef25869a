"""A kind of table as it is typed: the options that `servito table create` and `servito templates put` share.

Here: names, options and their help, once for both commands. Not here: what they mean (config.py)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any

import typer

Overrides = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="A rule that differs from the preset: ante=5 ..."),
]
"""What every command takes whose tables may have rules of their own."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What was typed; each field is an argument or an option of a command."""

    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Shown to players; a template adds a number to it.")
    ]
    preset: Annotated[str, typer.Option(help="Rules to play; `servito rules list` names them.")] = "italiana"
    option: Overrides = None
    seats: Annotated[int, typer.Option(min=2, max=10, help="Seats at the table.")] = 6
    buy_in: Annotated[str, typer.Option(metavar="LEAST..MOST", help="Chips to sit down with.")] = "50..200"
    turn: Annotated[float, typer.Option(min=1, max=600, help="Seconds that a seat may think.")] = 20.0
    pause: Annotated[float, typer.Option(min=0, max=60, help="Seconds between two hands.")] = 3.0
    no_spectators: Annotated[bool, typer.Option("--no-spectators", help="Only who sits there may look.")] = (
        False
    )
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=NUMBER", help="Another field of TableConfig: time_banks=3 ..."),
    ] = None


def of_a_kind(command: Callable[..., None]) -> Callable[..., None]:
    """`command` as typer reads it: the fields of `Kind` in place of its parameter `kind`."""
    fields = inspect.signature(Kind, eval_str=True).parameters

    @wraps(command)
    def typed(**values: Any) -> None:
        kind = Kind(**{name: values.pop(name) for name in fields})
        command(kind=kind, **values)

    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        parameters += fields.values() if name == "kind" else [parameter]
    by_name = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    typed.__signature__ = inspect.Signature(by_name)  # type: ignore[attr-defined]  # read by inspect.signature
    return typed
