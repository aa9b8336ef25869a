"""`python -m servito_platform.probe [SERVICE]`: asks the process beside it for its health; 0: SERVING.

For engines that know no gRPC probe (Compose; Kubernetes asks by itself). It runs in every container each few
seconds, and importing grpc alone takes ten times as long as the whole of this, so it speaks as much HTTP/2 as
one call of grpc.health.v1.Health/Check takes, by the standard library. Without SERVICE it asks for liveness,
with the full name of a gRPC service for readiness (health.py). It asks SERVITO_HEALTH_BIND, or
SERVITO_GRPC_BIND where that is not set, in plain text.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from typing import Final

_PATIENCE: Final = 2.0
_DATA, _HEADERS, _RESET, _SETTINGS, _PING, _GOAWAY = 0, 1, 3, 4, 6, 7
_END_STREAM, _ACK, _END_HEADERS = 1, 1, 4
_STREAM: Final = 1
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_STATUSES: Final = {
    b"": "UNKNOWN",
    b"\x08\x01": "SERVING",
    b"\x08\x02": "NOT_SERVING",
    b"\x08\x03": "UNKNOWN",
}
"""HealthCheckResponse as it is on the wire."""


class NoAnswer(Exception):  # noqa: N818 - the word for it
    """Nobody there, or nobody who tells this service's health."""


def ask(address: tuple[str, int], service: str = "") -> str:
    """The status of a service at `address`: SERVING, NOT_SERVING or UNKNOWN. NoAnswer."""
    try:
        with socket.create_connection(address, timeout=_PATIENCE) as connection:
            connection.sendall(_call(service.encode()))
            return _status(connection)
    except OSError as error:
        raise NoAnswer(f"{address[0]}:{address[1]}: {error}") from error


def _call(service: bytes) -> bytes:
    """A whole call: connection preface, settings, headers (HPACK: RFC 7541, table A), message."""
    path = b"/grpc.health.v1.Health/Check"
    headers = b"".join(
        (
            b"\x83\x86",  # :method POST, :scheme http
            b"\x04" + _text(path),
            b"\x01" + _text(b"localhost"),
            b"\x0f\x10" + _text(b"application/grpc"),  # content-type
            b"\x00" + _text(b"te") + _text(b"trailers"),
        )
    )
    message = b"\x0a" + _text(service) if service else b""
    body = b"\x00" + len(message).to_bytes(4, "big") + message
    return b"".join(
        (
            _PREFACE,
            _frame(_SETTINGS, 0, 0, b""),
            _frame(_HEADERS, _END_HEADERS, _STREAM, headers),
            _frame(_DATA, _END_STREAM, _STREAM, body),
        )
    )


def _text(text: bytes) -> bytes:
    if len(text) > 126:
        raise ValueError("a name of at most 126 letters")
    return bytes((len(text),)) + text


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def _status(connection: socket.socket) -> str:
    said = b""
    for kind, flags, payload in _frames(connection):
        if kind == _DATA:
            said += payload
        elif kind in (_SETTINGS, _PING) and not flags & _ACK:
            connection.sendall(_frame(kind, _ACK, 0, payload if kind == _PING else b""))
        elif kind in (_RESET, _GOAWAY):
            break
        if kind in (_DATA, _HEADERS) and flags & _END_STREAM:
            break
    status = _STATUSES.get(said[5:]) if len(said) >= 5 else None
    if status is None:
        raise NoAnswer("no health is told there of such a service")
    return status


def _frames(connection: socket.socket) -> Iterator[tuple[int, int, bytes]]:
    """Kind, flags and payload of what comes, until the other side ends."""
    with connection.makefile("rb") as stream:
        while len(head := stream.read(9)) == 9:
            yield head[3], head[4], stream.read(int.from_bytes(head[:3], "big"))


def main() -> None:
    """Ask, say it, and leave with 0 or 1."""
    bind = os.environ.get("SERVITO_HEALTH_BIND") or os.environ.get("SERVITO_GRPC_BIND", "")
    service = sys.argv[1] if len(sys.argv) > 1 else ""
    try:
        port = int(bind.rpartition(":")[2])
        status = ask(("127.0.0.1", port), service)
    except ValueError:
        sys.exit("SERVITO_GRPC_BIND names no port to ask")
    except NoAnswer as error:
        sys.exit(str(error))
    sys.stdout.write(f"{status}\n")
    sys.exit(0 if status == "SERVING" else 1)


if __name__ == "__main__":
    main()
