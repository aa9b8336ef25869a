"""`servito token`: what may be typed, and where it goes. Joined to `commands.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from servito_platform.identity import Role

token = typer.Typer(help="Keys and signed tokens, as production mode wants them.", no_args_is_help=True)


@token.command("key")
def token_key(
    file: Annotated[Path, typer.Argument(help="Where the secret key goes; must not be there yet.")],
    kid: Annotated[str, typer.Option(help="Its id, by which tokens name it.")] = "k1",
    role: Annotated[
        list[Role] | None,
        typer.Option(help="Whom it may sign in; players and operators if left out. For services their own."),
    ] = None,
) -> None:
    """Make a key, and print its public part: a JWKS for SERVITO_AUTH_JWKS_FILE."""
    from servito_cli.tokens import run_key

    raise typer.Exit(run_key(file, kid, role or []))


@token.command("sign")
def token_sign(
    key: Annotated[Path, typer.Argument(help="The secret key.")],
    name: Annotated[str, typer.Option(help="Who shows it: a player's id, or table, timers.")],
    issuer: Annotated[str, typer.Option(help="As SERVITO_AUTH_ISSUER of the services.")],
    role: Annotated[Role, typer.Option(help="What that is to us.")] = Role.PLAYER,
    audience: Annotated[str, typer.Option(help="As SERVITO_AUTH_AUDIENCE.")] = "servito",
    hours: Annotated[float, typer.Option(min=0.01, max=24 * 366, help="How long it is good.")] = 12.0,
    out: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="Put it into this file, in one step; else it is printed."),
    ] = None,
) -> None:
    """Sign a token: for a service (SERVITO_TABLE_TOKEN_FILE, SERVITO_TIMERS_TOKEN_FILE), or to try things."""
    from servito_cli.tokens import run_sign

    raise typer.Exit(run_sign(key, name, role, issuer, audience, hours, out))
