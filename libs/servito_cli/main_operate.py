"""The commands for whoever runs tables: what may be typed, and where it goes. Joined to `main.py`.

Here: names, options and their help. Not here: work and printing (`servito_cli.operate`); each command imports
what it needs when it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from servito_cli.main_tables import Target

if TYPE_CHECKING:
    from servito_cli.operate.kind import Kind

table = typer.Typer(help="One table: create, pause, resume or close it.", no_args_is_help=True)
templates = typer.Typer(help="Templates, which keep a number of tables of a kind open.", no_args_is_help=True)

Player = Annotated[
    str | None, typer.Option(help="Who you are, as its owner; else your name on this machine.")
]
Named = Annotated[str, typer.Argument(metavar="TABLE", help="Its id or its name.")]
Preset = Annotated[str, typer.Option(help="Rules to play; `servito rules list` names them.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="A rule that differs from the preset: ante=5 ..."),
]
Seats = Annotated[int, typer.Option(min=2, max=10, help="Seats at the table.")]
BuyIn = Annotated[str, typer.Option(metavar="LEAST..MOST", help="Chips to sit down with.")]
Turn = Annotated[float, typer.Option(min=1, max=600, help="Seconds that a seat may think.")]
Pause = Annotated[float, typer.Option(min=0, max=60, help="Seconds between two hands.")]
Private = Annotated[bool, typer.Option("--no-spectators", help="Only who sits there may look.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=NUMBER", help="Another field of TableConfig: time_banks=3 ..."),
]


def register(app: typer.Typer) -> None:
    """Adds the commands to `app`."""
    app.add_typer(table, name="table")
    app.add_typer(templates, name="templates")


@table.command("create")
def table_create(  # noqa: PLR0913, PLR0917 - one for each option of the command
    name: Annotated[str, typer.Argument(metavar="NAME", help="Shown to players.")],
    preset: Preset = "italiana",
    option: Options = None,
    seats: Seats = 6,
    buy_in: BuyIn = "50..200",
    turn: Turn = 20.0,
    pause: Pause = 3.0,
    no_spectators: Private = False,
    settings: Settings = None,
    target: Target = None,
    player: Player = None,
) -> None:
    """Create a table of yours, and print its id."""
    from servito_cli.operate.tables import run_create

    kind = _kind(name, preset, option, seats, buy_in, turn, pause, no_spectators, settings)
    _exit(lambda: run_create(kind, target, player))


def _step(
    step: Literal["pause", "resume", "close"], named: str, target: str | None, player: str | None
) -> None:
    from servito_cli.operate.tables import run_step

    raise typer.Exit(run_step(step, named, target, player))


@table.command("pause")
def table_pause(named: Named, target: Target = None, player: Player = None) -> None:
    """Let no new hand begin at a table of yours; one that runs is played to its end."""
    _step("pause", named, target, player)


@table.command("resume")
def table_resume(named: Named, target: Target = None, player: Player = None) -> None:
    """Let hands begin again."""
    _step("resume", named, target, player)


@table.command("close")
def table_close(named: Named, target: Target = None, player: Player = None) -> None:
    """Close a table of yours for good, after the hand that runs; everybody is cashed out."""
    _step("close", named, target, player)


@templates.command("list")
def templates_list(target: Target = None) -> None:
    """List the templates of a running system."""
    from servito_cli.operate.templates import run_list

    raise typer.Exit(run_list(target))


@templates.command("put")
def templates_put(  # noqa: PLR0913, PLR0917 - one for each option of the command
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="Its id: letters, digits, '_.-'.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of its tables; a number is added.")],
    open_tables: Annotated[
        int, typer.Option("--open", min=0, max=100, help="How many tables are to take new players.")
    ] = 1,
    preset: Preset = "italiana",
    option: Options = None,
    seats: Seats = 6,
    buy_in: BuyIn = "50..200",
    turn: Turn = 20.0,
    pause: Pause = 3.0,
    no_spectators: Private = False,
    settings: Settings = None,
    target: Target = None,
    player: Player = None,
) -> None:
    """Keep a number of tables of a kind open, in place of what the template said before."""
    from servito_cli.operate.templates import run_put

    kind = _kind(name, preset, option, seats, buy_in, turn, pause, no_spectators, settings)
    _exit(lambda: run_put(template, kind, open_tables, target, player))


@templates.command("delete")
def templates_delete(
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="Its id.")],
    target: Target = None,
    player: Player = None,
) -> None:
    """Keep no table of the kind open any more."""
    from servito_cli.operate.templates import run_delete

    raise typer.Exit(run_delete(template, target, player))


def _kind(  # noqa: PLR0913, PLR0917 - one for each option of the commands
    name: str,
    preset: str,
    option: list[str] | None,
    seats: int,
    buy_in: str,
    turn: float,
    pause: float,
    no_spectators: bool,
    settings: list[str] | None,
) -> Kind:
    from servito_cli.operate.kind import Kind
    from servito_cli.rules_given import rules_given

    try:
        rules = rules_given(preset, option or [])
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong)) from wrong
    return Kind(name, rules, seats, buy_in, turn, pause, no_spectators, settings or [])


def _exit(run: Callable[[], int]) -> None:
    try:
        code = run()
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong)) from wrong
    raise typer.Exit(code)
