"""Where the system is that a command speaks to, and which table is meant.

A target is named on the command line, by the setting that services use (SERVITO_TABLE_TARGET), or found where
`servito up` says that it serves."""

from __future__ import annotations

import json
import os
import re
from base64 import urlsafe_b64decode
from getpass import getuser
from pathlib import Path
from typing import Final

import stamina

from servito_client.client import Servito
from servito_client.errors import Refusal
from servito_client.retries import RetryPolicy
from servito_local.addresses import read_addresses
from servito_platform.keys import is_id
from servito_platform.own_token import OwnToken
from servito_platform.settings import ServiceSettings, SettingsError, load_settings
from servito_platform.trust import channel_credentials

VARIABLE: Final = "SERVITO_TABLE_TARGET"
TOKEN_FILE: Final = "SERVITO_TOKEN_FILE"  # noqa: S105 - the name of a variable
"""Of whoever types the command: his signed token. Without it he is a development identity."""
USUAL_DATA: Final = Path(".servito")
PATIENCE: Final = RetryPolicy(give_up_after=10.0)
"""A person waits no longer for a table that does not answer."""


def target_of(given: str | None, data: Path = USUAL_DATA) -> str:
    """The target to connect to; ValueError with what to do where none is known."""
    if found := given or os.environ.get(VARIABLE):
        return found
    try:
        addresses = read_addresses(data)
    except FileNotFoundError:
        raise ValueError(
            f"no system is known: name one with --target HOST:PORT or {VARIABLE}, or run `servito up` here"
        ) from None
    tables = [where["grpc"] for part, where in addresses.items() if part.split("-")[0] == "table"]
    return f"ipv4:{','.join(tables)}"


class Unusable(Exception):  # noqa: N818 - what it is
    """A token or a certificate that the environment names cannot be used; the text is for people."""


def connect(target: str, player: str | None) -> Servito:
    """A client for `player`, with the token and the certificates that the environment names
    (SERVITO_TOKEN_FILE, SERVITO_TLS_CA_FILE ...); Unusable.
    """
    try:
        credentials = channel_credentials(load_settings(ServiceSettings))
    except SettingsError as wrong:
        raise Unusable(str(wrong)) from wrong
    try:
        token = OwnToken(file=Path(os.environ[TOKEN_FILE])).text if TOKEN_FILE in os.environ else None
    except (OSError, ValueError) as wrong:
        raise Unusable(f"{TOKEN_FILE}: {wrong}") from wrong
    return Servito(target, player=player, policy=PATIENCE, token=token, credentials=credentials)


def who(player: str | None, otherwise: str) -> str:
    """Who asks: as told, else whom the token names, which is whom the table service will believe, else
    `otherwise`.
    """
    return player or _subject() or otherwise


def _subject() -> str:
    """`sub` of the token that is shown; "" without one that can be read, which connecting says. Whether it is
    true is for the table service to find out.
    """
    try:
        payload = Path(os.environ[TOKEN_FILE]).read_text(encoding="ascii").strip().split(".")[1]
        told = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return told["sub"] if is_id(told["sub"]) else ""
    except (OSError, ValueError, LookupError, TypeError):
        return ""


def quiet_retries() -> None:
    """Retries are counted by the SDK; a line for each would tear whatever is drawn apart."""
    stamina.instrumentation.set_on_retry_hooks([])


def person() -> str:
    """Who sits at this terminal, as a player's id."""
    try:
        name = re.sub(r"[^A-Za-z0-9_.-]", "", getuser())[:64]
    except OSError:  # a user without a name
        name = ""
    return name or "guest"


async def find_table(servito: Servito, word: str) -> str:
    """The id of the table of this id or name; `Refusal` UNKNOWN_TABLE where there is none."""
    try:
        return (await servito.table(word)).table_id
    except Refusal as refusal:
        if refusal.reason == "NOT_PERMITTED":  # it is there, and shown to those who sit there
            return word
        if refusal.reason not in ("UNKNOWN_TABLE", "MALFORMED"):
            raise
        async for table in servito.list_tables():
            if table.config.name == word:
                return table.table_id
        raise
