"""What the table service is told besides what every service is (`servito_platform.settings`). Times are
seconds.
"""

from __future__ import annotations

from pydantic import Field, SecretStr

from servito_platform.outage import OutageSettings


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

    table_linger_seconds: float = Field(default=30.0, ge=0, le=3_600)
    """How long a template has had an empty table too many before that is closed."""

    table_token: SecretStr = SecretStr("dev:service:table")
    """What the table shows the dealer to be let in."""
