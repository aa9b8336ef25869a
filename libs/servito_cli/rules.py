"""`servito rules ...`: what may be typed about rules. Printing is in rules_shown.py, the words in core."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

rules = typer.Typer(help="The rules of each preset, in Italian and English.", no_args_is_help=True)

Preset = Annotated[str, typer.Argument(metavar="PRESET", help="A name that `servito rules list` shows.")]
Lang = Annotated[
    Literal["it", "en"] | None, typer.Option(help="Only this language.", show_default="both languages")
]


@rules.command("list")
def rules_list(lang: Lang = None) -> None:
    """Name the presets, each with a sentence."""
    from servito_cli.rules_shown import show_list

    raise typer.Exit(show_list(lang))


@rules.command("show")
def rules_show(preset: Preset, lang: Lang = None) -> None:
    """Tell every rule of a preset; `*` marks what differs from the base rules."""
    from servito_cli.rules_shown import show_rules

    raise typer.Exit(show_rules(preset, lang))


@rules.command("diff")
def rules_diff(one: Preset, other: Preset, lang: Lang = None) -> None:
    """Tell the rules in which two presets differ."""
    from servito_cli.rules_shown import show_difference

    raise typer.Exit(show_difference(one, other, lang))
