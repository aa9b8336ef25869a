"""The commands for people at tables: what may be typed, and where it goes. Joined to `commands.py`.

Here: names, options and their help. Not here: work and printing; each command imports what it needs when it
is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from servito_cli.operate.kind import Overrides


def target_typed(target: str | None) -> str | None:
    """The same; one that no channel can use is refused, which would else be silence."""
    from servito_platform.settings import check_target

    try:
        return check_target(target) if target else target
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong)) from wrong


Target = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        callback=target_typed,
        help="The table service; else SERVITO_TABLE_TARGET, or the `servito up` of here.",
    ),
]
Lang = Annotated[Literal["en", "it"], typer.Option(help="Language.")]


def register(app: typer.Typer) -> None:
    """Adds the commands to `app`."""
    for command in (tables, watch, play, load):
        app.command()(command)


def tables(  # noqa: PLR0913, PLR0917 - one for each option of the command
    preset: Annotated[str | None, typer.Option(help="Of this preset.")] = None,
    name: Annotated[str | None, typer.Option(help="With this in their name.")] = None,
    status: Annotated[
        Literal["open", "paused", "closing", "closed"] | None,
        typer.Option(help="In this state; else all that are not closed."),
    ] = None,
    free: Annotated[bool, typer.Option("--free", help="With a free seat.")] = False,
    template: Annotated[str | None, typer.Option(metavar="TEMPLATE", help="Of this template.")] = None,
    ante: Annotated[str, typer.Option(metavar="LEAST..MOST", help="With such an ante.")] = "0..",
    buy_in: Annotated[
        str, typer.Option(metavar="LEAST..MOST", help="Where one may sit down with so many chips.")
    ] = "0..",
    target: Target = None,
    lang: Lang = "en",
) -> None:
    """List the tables of a running system, or those of them that are asked for."""
    from servito_cli.table.listing import Asked, run_tables
    from servito_cli.texts import Language

    asked = Asked(preset, name, status, free, template, ante, buy_in)
    try:
        code = run_tables(asked, target, Language(lang))
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong)) from wrong
    raise typer.Exit(code)


def watch(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its id or its name.")],
    target: Target = None,
    lang: Lang = "en",
    hands: Annotated[int | None, typer.Option(min=1, help="Stop after so many hands.")] = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="As this player, who owns a table without spectators, or sits there."
        ),
    ] = None,
) -> None:
    """Draw a table and keep it current until Ctrl-C; told line by line where the output is no terminal."""
    from servito_cli.table.reaching import who
    from servito_cli.table.running import SPECTATOR
    from servito_cli.table.watching import run_watch
    from servito_cli.texts import Language

    raise typer.Exit(run_watch(table, target, Language(lang), hands, who(player, SPECTATOR)))


def play(  # noqa: PLR0913, PLR0917 - one for each option of the command
    table: Annotated[
        str,
        typer.Argument(metavar="[TABLE]", help="With --target its id or name; else what yours is called."),
    ] = "Casa",
    target: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            callback=target_typed,
            help="The table service; else a system of your own starts.",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(help="Who you are; else whom your token names, or your name on this machine."),
    ] = None,
    buy_in: Annotated[int, typer.Option(min=1, help="Chips that you sit down with.")] = 100,
    bots: Annotated[int, typer.Option(min=1, max=8, help="Opponents at a table of your own.")] = 3,
    preset: Annotated[str, typer.Option(help="Rules of a table of your own.")] = "italiana",
    option: Overrides = None,
    pace: Annotated[float, typer.Option(min=0, max=10, help="Seconds that a bot thinks.")] = 1.0,
    lang: Lang = "en",
) -> None:
    """Play at a table, by keys: against bots on a system of your own, or at a table of a running one."""
    from servito_cli.play.command import Guest, play_at, play_at_home
    from servito_cli.play.house import GREATEST_BUY_IN, House
    from servito_cli.rules_given import rules_for
    from servito_cli.table.reaching import person, who
    from servito_cli.texts import Language

    guest = Guest(who(player, person()), buy_in, Language(lang))
    if target is not None:
        raise typer.Exit(play_at(target, table, guest))
    try:
        rules = rules_for(preset, option or [], bots + 1, max(GREATEST_BUY_IN, buy_in))
        house = House(table, rules, bots, buy_in, pace)
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong)) from wrong
    raise typer.Exit(play_at_home(house, guest))


def load(  # noqa: PLR0913, PLR0917 - one for each option of the command
    tables: Annotated[int, typer.Option(min=1, max=500, help="Tables at once.")] = 20,
    players: Annotated[int, typer.Option(min=2, max=10, help="Players at each table.")] = 5,
    duration: Annotated[float, typer.Option(min=1, max=3600, help="Seconds after the ramp-up.")] = 30.0,
    pace: Annotated[Literal["human", "fast"], typer.Option(help="How players think.")] = "human",
    ramp_up: Annotated[float, typer.Option(min=0, max=600, help="Seconds in which the tables open.")] = 2.0,
    processes: Annotated[int, typer.Option(min=1, max=16, help="Processes of players.")] = 2,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            callback=target_typed,
            help="The table service; else a local system starts.",
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None, typer.Option(metavar="HOST:PORT", help="Pages of its table and timers, each.")
    ] = None,
    state_url: Annotated[
        str | None, typer.Option(metavar="redis://...", help="Its state server, to count the chips.")
    ] = None,
    preset: Annotated[str, typer.Option(help="Rules that are played.")] = "italiana",
    seed: Annotated[int, typer.Option(help="What the players do.")] = 1,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file.")] = None,
) -> None:
    """Let many players play, measure what they wait for, and count the chips.

    Exits with another code than 0 if a promise is broken: chips, errors beyond retries, a table that stands
    still.
    """
    from servito_cli.load.command import Place, run_load
    from servito_cli.rules_given import rules_for
    from servito_client.load.plan import BUY_IN, LoadPlan, Pace

    try:
        rules = rules_for(preset, [], players, BUY_IN)
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong)) from wrong
    place = None if target is None else Place(target, metrics or [], state_url)
    plan = LoadPlan(
        target or "", tables, players, duration, Pace(pace), ramp_up, rules.preset, rules.options, seed=seed
    )
    raise typer.Exit(run_load(plan, min(processes, tables), place, json))
