"""The commands about hands: what may be typed, and where it goes. Joined to `commands.py`.

Here: names, options and their help. Not here: work and printing; each command imports what it needs when it
is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from servito_cli.main_audit import AuditorKey, History
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


@hand.command("export")
def hand_export(
    hand_id: Annotated[str, typer.Argument(metavar="HAND", help="Its id, as `servito hand list` gives it.")],
    player: Player = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write it; else HAND.json here.")
    ] = None,
    target: Target = None,
    lang: Lang = "en",
) -> None:
    """Write what you were told of a recent hand, and what opens your cards, into a file for `servito
    verify`.
    """
    from servito_cli.hands.proof import run_export
    from servito_cli.texts import Language

    raise typer.Exit(run_export(hand_id, player, file, target, Language(lang)))


@hand.command("replay")
def hand_replay(
    hand_id: Annotated[str, typer.Argument(metavar="HAND", help="Its id: TABLE-NUMBER.")],
    player: Player = None,
    auditor_key: AuditorKey = None,
    history: History = None,
    lines: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read what `servito audit export` wrote instead of the archive."),
    ] = None,
    dealer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Compare with what `python -m servito_dealer.audit HAND` wrote of it."
        ),
    ] = None,
    lang: Lang = "en",
) -> None:
    """Fold an archived hand again by the rules, and name the first state that is not as it was noted.

    Exits with 1 at a difference.
    """
    from servito_cli.history.replay import Asked, run_replay
    from servito_cli.texts import Language

    asked = Asked(hand_id, player, history, auditor_key, lines, dealer)
    raise typer.Exit(run_replay(asked, Language(lang)))


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `servito hand export` wrote.")],
    lang: Lang = "en",
) -> None:
    """Check that your cards lay where the dealer was bound to have them before the first one came.

    Exits with 1 and names what does not fit, if something does not.
    """
    from servito_cli.hands.proof import run_verify
    from servito_cli.texts import Language

    raise typer.Exit(run_verify(file, Language(lang)))


def entropy(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its id or its name; you sit there.")],
    player: Annotated[str, typer.Option(metavar="NAME", help="Who you are.")],
    text: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="Up to 32 bytes, '' for nothing; else 32 random ones of this machine."
        ),
    ] = None,
    target: Target = None,
    lang: Lang = "en",
) -> None:
    """Contribute something of your own to the order of the cards, in every hand from the next one on."""
    from secrets import token_bytes

    from servito_cli.hands.proof import run_entropy
    from servito_cli.texts import Language

    given = token_bytes(32) if text is None else text.encode()
    raise typer.Exit(run_entropy(table, player, given, target, Language(lang)))


def register(app: typer.Typer) -> None:
    """Adds the commands about proofs to `app`."""
    for command in (verify, entropy):
        app.command()(command)


@hand.command("run")
def hand_run(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scripts, format hand-script/1.")],
) -> None:
    """Play hand scripts against the rules: a line for each, the first difference of a failing one."""
    from servito_cli.checks import run_scripts

    raise typer.Exit(run_scripts(files))
