"""What the table service is told besides what every service is (`servito_platform.settings`). Times are
seconds.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, SecretStr, model_validator

from servito_platform.outage import OutageSettings
from servito_platform.own_token import OwnToken, TokenFile
from servito_platform.safety.names import Risk, Unsafe
from servito_platform.seal_keys import DEVELOPMENT_KEYS, parse_seal_keys
from servito_platform.security_settings import given_once
from servito_table.adapters.schema import FIRST, NEWEST, OLDEST, SEALED, WRITABLE


def _keys(secret: SecretStr) -> SecretStr:
    parse_seal_keys(secret.get_secret_value())
    return secret


def _writable(schema: int | None) -> int | None:
    if schema not in (None, *WRITABLE):
        raise ValueError(f"must be {' or '.join(map(str, WRITABLE))}")
    return schema


def _auditor(text: str) -> str:
    if text and len(parse_seal_keys(text)) != 1:
        raise ValueError("write one id:base64; an older key needs to be known to the auditor only")
    return text


_NEEDED: Final = {
    "table_seal_keys": "id:base64 by `openssl rand -base64 32`, for the table service alone",
    "table_auditor_key": "the public key that `python -m servito_platform.auditor_key FILE ID` prints",
}
"""What has no default in production, and where it comes from. The doctor knows these sentences."""


class TableSettings(OutageSettings):
    """Settings of the table service."""

    table_remembered: int = Field(default=4096, ge=1, le=1_000_000)
    """Decoded tables that a process keeps in memory to spare reads; about 10 kB each."""

    table_call_seconds: float = Field(default=2.0, gt=0, le=30)
    """How long the dealer or the evaluator may take for one answer."""

    table_pace_ms: int = Field(default=200, ge=0, le=1_000)
    """For so long what happens at a table is gathered for those who only look on, if they were told something
    just before; 0: never. Who is to act is told at once, and who has drawn.
    """

    table_schema: Annotated[int | None, AfterValidator(_writable)] = None
    """The form in which tables are stored (adapters/schema.py): 1, which the release before reads, or 3, in
    which what is hidden is sealed and commits go to the archive. Unset: 1 in production, where both may run
    side by side, and 3 in development.
    """
    table_oldest_schema: int = Field(default=OLDEST, ge=OLDEST, le=NEWEST)
    """The oldest form that is read. 3 once every table is stored in it (`servito doctor` names the forms):
    from then on nothing is believed that is not sealed.
    """

    table_seal_keys: Annotated[SecretStr, AfterValidator(_keys)] = SecretStr(DEVELOPMENT_KEYS)
    """`id:base64,id:base64`, for the table service alone. The first one seals, every one opens. To change it:
    give the new one to every process behind the old one, then in front of it; take the old one away when
    every table has been committed to since (a week after the last closed one, or when the doctor finds none
    sealed under it).
    """

    table_auditor_key: Annotated[str, AfterValidator(_auditor)] = ""
    """`id:base64`: the auditor's public key (`python -m servito_platform.auditor_key`). Without it nothing
    hidden goes into the audit stream; production needs it.
    """

    table_audit_backlog: int = Field(default=100_000, ge=0, le=1_000_000_000)
    """With so many entries in the audit stream of its partition a table begins no hand until they are
    archived; 0: tables never wait for the archive.
    """

    table_linger_seconds: float = Field(default=30.0, ge=0, le=3_600)
    """How long a template has had an empty table too many before that is closed."""

    table_creators: Literal["players", "operators"] | None = None
    """Who may create tables and templates, and as many as they like (there is no quota for each of them);
    unset: in production operators, in development everybody.
    """

    table_token: SecretStr = SecretStr("dev:service:table")
    """What the table shows dealer and evaluator to be let in."""
    table_token_file: TokenFile | None = None
    """The same in a file that is renewed in time, instead."""

    @property
    def only_operators_create(self) -> bool:
        """Whether players may not."""
        chosen = self.table_creators or ("players" if self.development else "operators")
        return chosen == "operators"

    def seal_keys(self) -> dict[str, bytes]:
        """The keys by id, the one that seals first."""
        return parse_seal_keys(self.table_seal_keys.get_secret_value())

    def sealing_keys(self) -> dict[str, bytes]:
        """See SecuritySettings."""
        return {f"SERVITO_TABLE_SEAL_KEYS {name}": key for name, key in self.seal_keys().items()}

    def auditor_key(self) -> tuple[str, bytes] | None:
        """Id and public key of the auditor."""
        return next(iter(parse_seal_keys(self.table_auditor_key).items())) if self.table_auditor_key else None

    def own_risks(self) -> list[Unsafe]:
        """See SecuritySettings."""
        return [] if self.written_schema >= SEALED else [Unsafe(Risk.CARDS_IN_CLEAR)]

    @property
    def written_schema(self) -> int:
        """The form in which tables are stored."""
        return self.table_schema or (NEWEST if self.development else FIRST)

    def own_token(self) -> OwnToken:
        """What the table shows. OSError or ValueError: its file cannot be used."""
        return OwnToken(self.table_token.get_secret_value(), self.table_token_file)

    def shown_tokens(self) -> dict[str, SecretStr]:
        """See SecuritySettings."""
        return {} if self.table_token_file else {"SERVITO_TABLE_TOKEN": self.table_token}

    @model_validator(mode="after")
    def _keys_given(self) -> Self:
        if not self.development:
            needed = [
                f"SERVITO_{field.upper()} is needed in production mode: {what}"
                for field, what in _NEEDED.items()
                if field not in self.model_fields_set or not getattr(self, field)
            ]
            if needed:
                raise ValueError("; ".join(needed))
        if self.table_oldest_schema > self.written_schema:
            raise ValueError(
                f"SERVITO_TABLE_OLDEST_SCHEMA={self.table_oldest_schema}, but tables are written in form "
                f"{self.written_schema} (SERVITO_TABLE_SCHEMA): this server would not read them"
            )
        return self

    @model_validator(mode="after")
    def _one_token(self) -> Self:
        given_once(self, "table_token", "table_token_file")
        return self
