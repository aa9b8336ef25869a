"""What the timers are told besides what every service is (`servito_platform.settings`). Times are seconds."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AfterValidator, Field, SecretStr, model_validator

from servito_history.address import HistoryPlace, read_history_url
from servito_platform.outage import OutageSettings
from servito_platform.own_token import OwnToken, TokenFile
from servito_platform.safety.names import Risk, Unsafe
from servito_platform.security_settings import given_once


def _history_url(url: SecretStr) -> SecretStr:
    read_history_url(url.get_secret_value())
    return url


HistoryUrl = Annotated[SecretStr, AfterValidator(_history_url)]
"""An address that read_history_url understands; secret, because it carries a password."""


class TimersSettings(OutageSettings):
    """Settings of the timers."""

    timers_sweep_seconds: float = Field(default=0.1, ge=0.01, le=1)
    """The longest pause between two sweeps: how late a deadline may be seen that was set meanwhile."""

    timers_lease_seconds: float = Field(default=1.0, ge=0.1, le=30)
    """How long a claim keeps its deadlines from others; what came to nothing is claimed again after it."""

    timers_claims: int = Field(default=4, ge=1, le=64)
    """Claims of a worker that may be under way at a time, and tasks that it carries out at a time."""

    timers_claim_members: int = Field(default=256, ge=1, le=256)
    """Deadlines in a claim at the most; there are fewer where the table service takes long for each."""

    timers_call_seconds: float = Field(default=5.0, ge=0.1, le=30)
    """Deadline of a call to the table service."""

    timers_broker_seconds: float = Field(default=0.5, ge=0.05, le=10)
    """How long the broker may take for one message before it counts as away."""

    timers_deaf_seconds: float = Field(default=8.0, ge=2, le=600)
    """How long messages that the broker takes may go unheard before the worker ends, to be started anew."""

    timers_stale_seconds: float = Field(default=15.0, ge=2, le=600)
    """The worker counts as dead when its last sweep is older than this."""

    timers_look_seconds: float = Field(default=60.0, ge=1, le=3600)
    """How long one worker takes to go through all tables, count their chips and see who stands still."""

    history_url: HistoryUrl | None = None
    """Where the archive is. Unset: nothing is archived, and what waits for that is thrown away in time."""
    history_seconds: float = Field(default=10.0, ge=1, le=60)
    """How long the archive may take to connect, for a statement, or for a lock, before it counts as away."""
    history_connections: int = Field(default=2, ge=1, le=20)
    """Connections of a worker to the archive, at the most; it drains over one."""
    history_pause_seconds: float = Field(default=1.0, ge=0.05, le=60)
    """The pause between two looks at what is to be archived."""
    history_batch: int = Field(default=2048, ge=16, le=8192)
    """Entries that are archived in one transaction, about."""
    history_lease_seconds: float = Field(default=30.0, ge=1, le=300)
    """How long a worker keeps partitions from the others that it drains, at the most."""

    timers_token: SecretStr = SecretStr("dev:service:timers")
    """What the worker shows the table service to be let in."""
    timers_token_file: TokenFile | None = None
    """The same in a file that is renewed in time, instead."""

    @property
    def history(self) -> HistoryPlace | None:
        """The archive, if there is one."""
        return None if self.history_url is None else read_history_url(self.history_url.get_secret_value())

    def own_risks(self) -> list[Unsafe]:
        """See SecuritySettings."""
        place = self.history
        if place is None:
            return [Unsafe(Risk.NO_HISTORY)]
        if place.embedded:
            return [Unsafe(Risk.LOCAL_HISTORY)]
        return [] if place.has_password else [Unsafe(Risk.NO_PASSWORD, "SERVITO_HISTORY_URL")]

    def own_token(self) -> OwnToken:
        """What the worker shows. OSError or ValueError: its file cannot be used."""
        return OwnToken(self.timers_token.get_secret_value(), self.timers_token_file)

    def shown_tokens(self) -> dict[str, SecretStr]:
        """See SecuritySettings."""
        return {} if self.timers_token_file else {"SERVITO_TIMERS_TOKEN": self.timers_token}

    @model_validator(mode="after")
    def _one_token(self) -> Self:
        given_once(self, "timers_token", "timers_token_file")
        return self
