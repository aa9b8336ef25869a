"""The commands about hands: what may be typed, and where it goes. Joined to `main.py`.

Here: names, options and their help. Not here: work and printing; each command imports what it needs when it
is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from servito_cli.main_tables import Lang, Target

hand = typer.Typer(help="Recent hands of a table, and hands written as scripts.", no_args_is_help=True)

Player = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="As this player sees it, with his own cards; else as everybody does."),
]


@hand.command("list")
def hand_list(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its id or its name.")],
    player: Player = None,
    target: Target = None,
    lang: Lang = "en",
) -> None:
    """List the latest hands of a table of a running system, the newest first."""
    from servito_cli.hands.command import run_list
    from servito_cli.texts import Language

    raise typer.Exit(run_list(table, player, target, Language(lang)))


@hand.command("show")
def hand_show(
    hand_id: Annotated[str, typer.Argument(metavar="HAND", help="Its id, as `servito hand list` gives it.")],
    player: Player = None,
    target: Target = None,
    lang: Lang = "en",
) -> None:
    """Tell a recent hand of a running system, line by line, with the seconds since it began."""
    from servito_cli.hands.command import run_show
    from servito_cli.texts import Language

    raise typer.Exit(run_show(hand_id, player, target, Language(lang)))


@hand.command("run")
def hand_run(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scripts, format hand-script/1.")],
) -> None:
    """Play hand scripts against the rules: a line for each, the first difference of a failing one."""
    from servito_cli.checks import run_scripts

    raise typer.Exit(run_scripts(files))
