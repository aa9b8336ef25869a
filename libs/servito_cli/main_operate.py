"""The commands for whoever runs tables: what may be typed, and where it goes. Joined to `commands.py`.

Here: names, options and their help; those of a kind of table are in `operate/kind.py`. Not here: work and
printing (`servito_cli.operate`); each command imports what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from servito_cli.main_tables import Lang, Target
from servito_cli.operate.kind import Kind, of_a_kind

if TYPE_CHECKING:
    from servito_client.messages import TableConfig

table = typer.Typer(help="One table: create, pause, resume or close it.", no_args_is_help=True)
templates = typer.Typer(help="Templates, which keep a number of tables of a kind open.", no_args_is_help=True)

maintenance = typer.Typer(
    help="Maintenance of the whole system: hands are finished, and no new one is dealt.", no_args_is_help=True
)

Player = Annotated[
    str | None,
    typer.Option(help="Who you are, as its owner; else whom your token names, or your name on this machine."),
]
Operator = Annotated[
    str | None, typer.Option(help="Who you are, where no signed token says so; else your name here.")
]
Named = Annotated[str, typer.Argument(metavar="TABLE", help="Its id or its name.")]


def directory(text: str | Path) -> Path:
    """A directory that was named: nothing would mean the one where the command runs, which nobody meant."""
    if not str(text).strip():
        raise typer.BadParameter("it must name a directory, such as .servito")
    return Path(text)


def register(app: typer.Typer) -> None:
    """Adds the commands to `app`."""
    app.add_typer(table, name="table")
    app.add_typer(templates, name="templates")
    app.add_typer(maintenance, name="maintenance")
    app.command()(doctor)


@table.command("create")
@of_a_kind
def table_create(kind: Kind, target: Target = None, player: Player = None) -> None:
    """Create a table of yours, and print its id."""
    from servito_cli.operate.tables import run_create

    raise typer.Exit(run_create(_config(kind), target, player))


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


@maintenance.command("on")
def maintenance_on(
    why: Annotated[str, typer.Option(help="For those who look later; not shown to players.")] = "",
    wait: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Wait so long until no hand runs; else exit 1.")
    ] = 0.0,
    target: Target = None,
    player: Operator = None,
) -> None:
    """Let hands that run be finished and deal no new one, at every table, until it is turned off."""
    from servito_cli.operate.maintenance import run_set

    raise typer.Exit(run_set(True, why, wait, target, player))


@maintenance.command("off")
def maintenance_off(
    why: Annotated[str, typer.Option(help="For those who look later; not shown to players.")] = "",
    wait: Annotated[
        float,
        typer.Option(min=0, metavar="SECONDS", help="Wait so long until every table goes on; else exit 1."),
    ] = 0.0,
    target: Target = None,
    player: Operator = None,
) -> None:
    """Let hands begin again; they do so by themselves within seconds."""
    from servito_cli.operate.maintenance import run_set

    raise typer.Exit(run_set(False, why, wait, target, player))


@maintenance.command("status")
def maintenance_status(target: Target = None, player: Operator = None) -> None:
    """Say whether it is on, who changed it, how many tables follow, and where a hand still runs."""
    from servito_cli.operate.maintenance import run_status

    raise typer.Exit(run_status(target, player))


@templates.command("list")
def templates_list(target: Target = None) -> None:
    """List the templates of a running system."""
    from servito_cli.operate.templates import run_list

    raise typer.Exit(run_list(target))


@templates.command("put")
@of_a_kind
def templates_put(
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="Its id: letters, digits, '_.-'.")],
    kind: Kind,
    open_tables: Annotated[
        int, typer.Option("--open", min=0, max=100, help="How many tables are to take new players.")
    ] = 1,
    target: Target = None,
    player: Player = None,
) -> None:
    """Keep a number of tables of a kind open, in place of what the template said before."""
    from servito_cli.operate.templates import run_put

    raise typer.Exit(run_put(template, _config(kind), open_tables, target, player))


@templates.command("delete")
def templates_delete(
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="Its id.")],
    target: Target = None,
    player: Player = None,
) -> None:
    """Keep no table of the kind open any more."""
    from servito_cli.operate.templates import run_delete

    raise typer.Exit(run_delete(template, target, player))


def doctor(
    data: Annotated[
        Path,
        typer.Option(help="Of a `servito up`, where the environment names no system.", parser=directory),
    ] = Path(".servito"),
    service: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=HOST:PORT", help="A process to ask for its health: timers=10.0.0.7:50054 ..."
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=HOST:PORT", help="Its metrics page: table=10.0.0.6:9100 ..."),
    ] = None,
    patience: Annotated[
        float, typer.Option(min=1, max=3600, help="Seconds after which a table that stands still is stuck.")
    ] = 10.0,
    json: Annotated[bool, typer.Option("--json", help="For programs: kinds, facts and sentences.")] = False,
    lang: Lang = "en",
) -> None:
    """Look at a running system, and say what is wrong and what to do. Only reads, and shows no card.

    The system is the one that the environment names (SERVITO_STATE_URL, SERVITO_TABLE_TARGET ..., as its
    services have them), else the `servito up` of this folder.

    Exit code: 0 all is well, 1 something is to be looked at, 2 something is wrong, 3 nothing was looked at.
    """
    from servito_cli.doctor.command import run_doctor
    from servito_cli.texts import Language

    code = run_doctor(data, service or [], metrics or [], patience, Language(lang), json=json)
    raise typer.Exit(code)


def _step(
    step: Literal["pause", "resume", "close"], named: str, target: str | None, player: str | None
) -> None:
    from servito_cli.operate.tables import run_step

    raise typer.Exit(run_step(step, named, target, player))


def _config(kind: Kind) -> TableConfig:
    from servito_cli.operate.config import config_of

    try:
        return config_of(kind)
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong)) from wrong
