"""What the timers are told besides what every service is (`servito_platform.settings`). Times are seconds."""

from __future__ import annotations

from typing import Self

from pydantic import Field, FilePath, SecretStr, model_validator

from servito_platform.outage import OutageSettings
from servito_platform.own_token import OwnToken
from servito_platform.security_settings import given_once


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

    timers_token: SecretStr = SecretStr("dev:service:timers")
    """What the worker shows the table service to be let in."""
    timers_token_file: FilePath | None = None
    """The same in a file that is renewed in time, instead."""

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
