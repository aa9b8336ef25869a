"""What the table service is told besides what every service is (`servito_platform.settings`). Times are
seconds.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, FilePath, SecretStr, model_validator

from servito_platform.outage import OutageSettings
from servito_platform.own_token import OwnToken
from servito_platform.security_settings import given_once


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

    table_schema: int | None = Field(default=None, ge=1, le=2)
    """The form in which tables are stored (adapters/schema.py): 1, which the release before reads, or 2.
    Unset: 1 in production, where both may run side by side, and 2 in development.
    """

    table_linger_seconds: float = Field(default=30.0, ge=0, le=3_600)
    """How long a template has had an empty table too many before that is closed."""

    table_creators: Literal["players", "operators"] | None = None
    """Who may create tables and templates; unset: in production operators, in development everybody."""

    table_token: SecretStr = SecretStr("dev:service:table")
    """What the table shows dealer and evaluator to be let in."""
    table_token_file: FilePath | None = None
    """The same in a file that is renewed in time, instead."""

    @property
    def only_operators_create(self) -> bool:
        """Whether players may not."""
        chosen = self.table_creators or ("players" if self.development else "operators")
        return chosen == "operators"

    def own_token(self) -> OwnToken:
        """What the table shows. OSError or ValueError: its file cannot be used."""
        return OwnToken(self.table_token.get_secret_value(), self.table_token_file)

    def shown_tokens(self) -> dict[str, SecretStr]:
        """See SecuritySettings."""
        return {} if self.table_token_file else {"SERVITO_TABLE_TOKEN": self.table_token}

    @model_validator(mode="after")
    def _one_token(self) -> Self:
        given_once(self, "table_token", "table_token_file")
        return self
