"""The commands about the archive: what may be typed, and where it goes. Joined to `main.py`.

Here: names, options and their help. Not here: work and printing; each command imports what it needs when it
is called."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from servito_cli.main_tables import Lang

audit = typer.Typer(help="What was played, as the archive has it.", no_args_is_help=True)

History = Annotated[
    str | None,
    typer.Option(
        "--history",
        metavar="URL",
        help="The archive: sqlite:////FILE or postgresql://...; else SERVITO_HISTORY_URL.",
    ),
]
AuditorKey = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The auditor's private keys, one `id:base64` a line."),
]
_FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]
Moment = Annotated[
    datetime | None,
    typer.Option(
        metavar="TIME", help="UTC, such as 2026-11-30T12:00:00.", formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]
    ),
]


@audit.command("export")
def audit_export(  # noqa: PLR0913, PLR0917 - one for each option of the command
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="[TABLE]...", help="Ids of tables; else all.")
    ] = None,
    hand: Annotated[str | None, typer.Option(metavar="HAND", help="This hand alone: TABLE-NUMBER.")] = None,
    since: Moment = None,
    until: Moment = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="As this player was told it; takes the auditor's key."),
    ] = None,
    auditor_key: AuditorKey = None,
    history: History = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write it; else standard output.")
    ] = None,
    lost: Annotated[
        bool, typer.Option("--lost", help="Also what a failover lost after it was archived.")
    ] = False,
    lang: Lang = "en",
) -> None:
    """Write archived events as JSON lines: what everybody may know, or with the auditor's key everything.

    Exits with 1 if something in the archive cannot be read.
    """
    from servito_cli.history.export import Wanted, run_export
    from servito_cli.texts import Language

    wanted = Wanted(tables or [], hand, player, history, auditor_key, file, _ms(since), _ms(until), lost)
    raise typer.Exit(run_export(wanted, Language(lang)))


def _ms(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.replace(tzinfo=UTC).timestamp() * 1000)
