"""Settings from the environment, prefix SERVITO_, checked before anything starts.

Here: the fields that several services share and the one readable error when they are wrong. A service
extends ServiceSettings with its own fields. Not here: a default that is only right for one service, a key
in clear text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import SettingsConfigDict

from servito_platform.partitions import MAX_PARTITIONS
from servito_platform.place import FORMS, Mode, Place, read_place
from servito_platform.replicas import Replicas
from servito_platform.security_settings import SecuritySettings
from servito_platform.tls import check_files
from servito_platform.trace_settings import TraceSettings

_TARGETS: Final = ("dns", "ipv4", "ipv6")
"""Ways of naming servers that gRPC knows and we use."""


class SettingsError(Exception):
    """The environment describes no service that can run; the text names each variable and what is allowed."""


def split_address(address: str) -> tuple[str, int]:
    """Host and port of an Address."""
    host, _, port = address.rpartition(":")
    return host, int(port)


def _state_url(url: SecretStr) -> SecretStr:
    check_files(read_place(url.get_secret_value()).tls)
    return url


def _broker_url(url: SecretStr) -> SecretStr:
    place = read_place(url.get_secret_value())
    if place.mode is Mode.CLUSTER:
        raise ValueError(
            f"a Cluster cannot be the broker, Celery does not speak to one; it must be {FORMS['single']}; "
            f"{FORMS['sentinel']}"
        )
    check_files(place.tls)
    return url


def _address(address: str) -> str:
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdigit() and int(port) <= 65535):
        raise ValueError("must be HOST:PORT with a port from 0 (any free one) to 65535")
    return address


def check_target(target: str) -> str:
    """The same text; ValueError: a channel to it would find nobody, and say so only by silence."""
    scheme, colon, rest = target.partition(":")
    hosts = [target]
    if colon and scheme in _TARGETS:
        hosts = [rest.rpartition("/")[2]] if scheme == "dns" else rest.split(",")
    for host in hosts:
        name, _, port = host.rpartition(":")
        if not (name and "/" not in name and port.isascii() and port.isdigit() and 0 < int(port) <= 65535):
            raise ValueError(
                "must be HOST:PORT with a port from 1 to 65535, dns:///NAME:PORT, or ipv4:HOST:PORT,HOST:PORT"
            )
    return target


StateUrl = Annotated[SecretStr, AfterValidator(_state_url)]
"""An address that read_place understands; secret, because it may carry a password."""

BrokerUrl = Annotated[SecretStr, AfterValidator(_broker_url)]
"""The same, but of no Cluster."""

Address = Annotated[str, AfterValidator(_address)]
"""HOST:PORT to listen on; port 0 asks for a free one."""


Target = Annotated[str, AfterValidator(check_target)]
"""Where gRPC connects to."""


class ServiceSettings(TraceSettings, SecuritySettings):
    """What every service is told. Times are seconds. What is about trust is in SecuritySettings, what is
    about traces in TraceSettings.
    """

    model_config = SettingsConfigDict(
        env_prefix="SERVITO_", extra="ignore", frozen=True, hide_input_in_errors=True
    )

    mode: Literal["development", "production"] = "development"
    """`production` starts nothing unsafe, and says what is."""

    state_url: StateUrl = SecretStr("redis://127.0.0.1:6379/0")
    """Where tables, deadlines and money are: `redis://`, `redis+sentinel://`, `redis+cluster://`, with TLS
    `rediss`; user and password belong into it.
    """
    broker_url: BrokerUrl = SecretStr("redis://127.0.0.1:6380/0")
    """Where Celery's messages are: another server, single or under Sentinel, no Cluster."""
    partitions: int = Field(default=64, ge=1, le=MAX_PARTITIONS)
    """Fixed for the life of the stored state: another number looks for every table in another place."""
    state_timeout: float = Field(default=0.3, gt=0, le=30)
    """How long one command to the state server may take before its outcome counts as unknown."""

    state_connections: int = Field(default=32, ge=1, le=1000)
    """Most connections of the timers and of tools to the state server, a process; the others hold two."""
    state_replicas: int | None = Field(default=None, ge=0, le=10)
    """How many replicas must have money and seals before these count as done: all that may take over.
    Unset: one under Sentinel and on a Cluster, none of a single server.
    """
    state_replicas_seconds: float = Field(default=0.2, gt=0, le=10)
    """How long they may take to say so."""
    state_replicas_strict: bool | None = None
    """Whether one of them must have it even while none is connected to the primary, so that nobody seems able
    to take over; one that was cut off a moment ago, or is being filled, may be chosen all the same. Unset: in
    production under Sentinel and on a Cluster. It wants two replicas or more, so that one may fail.
    """

    grpc_bind: Address = "127.0.0.1:0"
    """HOST:PORT where the service is served; port 0: any free one, which the ready line tells."""
    metrics_bind: Address = "127.0.0.1:0"
    """HOST:PORT of the page for Prometheus; private addresses only."""
    health_bind: Address | None = None
    """Where health is told in plain text besides; for probes, which speak no TLS."""
    dealer_target: Target = "127.0.0.1:50051"
    """Where the table finds the dealer: HOST:PORT, `dns:///NAME:PORT` for all replicas behind a name, or
    `ipv4:HOST:PORT,HOST:PORT`.
    """
    evaluator_target: Target = "127.0.0.1:50052"
    """Where the table finds the evaluator, likewise."""
    table_target: Target = "127.0.0.1:50053"
    """Where the timers and the `servito` command find the table service, likewise."""
    reflection: bool | None = None
    """Whether the server describes its protocols to tools; unset: in development only."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least that is logged. Libraries are heard from warnings on, whatever is said here."""
    log_format: Literal["json", "console"] = "json"
    """One JSON object a line, or lines for a person."""
    connection_age_seconds: float = Field(default=300.0, ge=1, le=86_400)
    """After so long a server gives up a connection, and streams somewhat earlier (ages.py): how long a new
    replica waits at most for its share of the work.
    """
    drain_seconds: float = Field(default=10.0, gt=0, le=300)
    """How long after SIGTERM a process is gone, whatever its peers do; four fifths are for running calls."""

    @property
    def state(self) -> Place:
        """Where the state is."""
        return read_place(self.state_url.get_secret_value())

    @property
    def replicas(self) -> Replicas:
        """Who must have money and seals before they count as done."""
        wanted, strict, single = (
            self.state_replicas,
            self.state_replicas_strict,
            self.state.mode is Mode.SINGLE,
        )
        if wanted is None:
            wanted = 0 if single else 1
        if strict is None:
            strict = not self.development and not single
        return Replicas(wanted, self.state_replicas_seconds, strict)

    @property
    def broker(self) -> Place:
        """Where Celery's messages are."""
        return read_place(self.broker_url.get_secret_value())

    @property
    def development(self) -> bool:
        """What trusts everybody is on: `dev:` tokens and reflection."""
        return self.mode == "development"

    @property
    def reflects(self) -> bool:
        """Whether the server describes its protocols to tools."""
        return self.development if self.reflection is None else self.reflection

    @property
    def follows_players(self) -> bool:
        """Whether calls of players go on with the trace that they come with."""
        return self.development if self.traces_follow_players is None else self.traces_follow_players

    @model_validator(mode="after")
    def _servers_apart(self) -> Self:
        if self.mode == "production" and self.state_url == self.broker_url:
            raise ValueError("state_url and broker_url must be different servers in production mode")
        return self


SettingsT = TypeVar("SettingsT", bound=ServiceSettings)


def load_settings(kind: type[SettingsT]) -> SettingsT:
    """Read `kind` from the environment; SettingsError tells every defect, one a line, without the values."""
    try:
        return kind()
    except ValidationError as error:
        raise SettingsError("\n".join(_defects(error))) from None


def load_settings_from(kind: type[SettingsT], environment: Mapping[str, str]) -> SettingsT:
    """As load_settings; what `environment` says goes before the environment of this process."""
    prefix = ServiceSettings.model_config["env_prefix"]
    fields = {f"{prefix}{field}".upper(): field for field in kind.model_fields}
    given: dict[str, Any] = {
        fields[name.upper()]: value for name, value in environment.items() if name.upper() in fields
    }
    try:
        return kind(**given)
    except ValidationError as error:
        raise SettingsError("\n".join(_defects(error))) from None


def _defects(error: ValidationError) -> list[str]:
    prefix = ServiceSettings.model_config["env_prefix"]
    return [
        f"{prefix}{'_'.join(map(str, defect['loc'])).upper()}: {defect['msg']}"
        if defect["loc"]
        else defect["msg"]
        for defect in error.errors(include_url=False, include_input=False, include_context=False)
    ]
