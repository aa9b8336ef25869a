"""Settings about traces: the fields, and what each may be. Not here: making spans (tracer.py)."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, FilePath
from pydantic_settings import BaseSettings

from servito_platform.certificates import check_authority


def _endpoint(url: str) -> str:
    parts = urlsplit(url)
    try:
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port
    except ValueError:  # the port is no number, or too great
        good = False
    if not good or parts.path not in ("", "/") or parts.query or parts.username:
        raise ValueError("must be http://HOST:PORT, or https://HOST:PORT for TLS, of an OTLP receiver (gRPC)")
    if not _installed():
        raise ValueError(
            "traces need packages that are not installed here: pip install 'servito[traces]', or unset this"
        )
    return url


def _authority(file: FilePath) -> FilePath:
    check_authority(file)
    return file


def _installed() -> bool:
    try:
        return all(map(find_spec, ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.grpc")))
    except ModuleNotFoundError:  # not even what these are in
        return False


class TraceSettings(BaseSettings):
    """See the module."""

    traces_endpoint: Annotated[str, AfterValidator(_endpoint)] | None = None
    """Where spans are sent (OpenTelemetry, OTLP over gRPC): http://HOST:4317, or https:// for TLS. Unset:
    none are made.
    """
    traces_ratio: float = Field(default=0.05, ge=0, le=1)
    """Of the traces that begin in a process, the part that is recorded. Who is trusted and comes with a trace
    has decided already. At 0 nothing is sent, and lines of the log have trace ids all the same.
    """
    traces_follow_players: bool | None = None
    """Whether calls of players go on with the trace that they come with, recorded if they say so; otherwise
    they begin one that is linked to it. Unset: in development only.
    """
    traces_ca_file: Annotated[FilePath, AfterValidator(_authority)] | None = None
    """What the receiver's certificate is checked against, instead of the system's certificates."""
