"""The commands about the archive: what may be typed, and where it goes. Joined to `commands.py`.

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
        help="The archive: sqlite:////FILE or postgresql://...; else SERVITO_HISTORY_URL, else that of a "
        "`servito up` here.",
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


@audit.command("verify")
def audit_verify(
    table: Annotated[str | None, typer.Option(metavar="TABLE", help="Only this table, by its id.")] = None,
    history: History = None,
    heads: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What `servito audit heads` printed earlier, to be compared."),
    ] = None,
    state: Annotated[
        bool, typer.Option(help="Compare with the state server too, where one is known.")
    ] = True,
    lang: Lang = "en",
) -> None:
    """Compute every hash of the archive anew, and name each place that does not fit.

    Exits with 0 when all is whole, 1 when something is broken, 2 when the archive cannot be read.
    """
    from servito_cli.audit.verify import run_verify
    from servito_cli.texts import Language

    raise typer.Exit(run_verify(history, table, heads, Language(lang), state=state))


@audit.command("heads")
def audit_heads(history: History = None, lang: Lang = "en") -> None:
    """Print the last hash of each chain, a line of JSON each, to be kept where nobody writes the archive."""
    from servito_cli.audit.verify import run_heads
    from servito_cli.texts import Language

    raise typer.Exit(run_heads(history, Language(lang)))


@audit.command("record")
def audit_record(
    hand_id: Annotated[str, typer.Argument(metavar="HAND", help="Its id, TABLE-NUMBER.")],
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write it; else HAND.record.json here.")
    ] = None,
    history: History = None,
    lang: Lang = "en",
) -> None:
    """Write what the dealer recorded of a hand, as it was sealed, into a file for the dealer's own audit
    (`python -m servito_dealer.audit HAND --record FILE`), which has the keys.
    """
    from servito_cli.audit.keeping import run_record
    from servito_cli.texts import Language

    raise typer.Exit(run_record(history, hand_id, file, Language(lang)))


@audit.command("migrate")
def audit_migrate(
    history: History = None,
    writer: Annotated[
        str | None,
        typer.Option(metavar="ROLE", help="Of PostgreSQL: gets the right to add rows, and no other."),
    ] = None,
    lang: Lang = "en",
) -> None:
    """Make an archive, or bring it to the form of this release; the timers do so too if they may."""
    from servito_cli.audit.keeping import run_migrate
    from servito_cli.texts import Language

    raise typer.Exit(run_migrate(history, writer, Language(lang)))


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
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Where to write it; else standard output."),
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
