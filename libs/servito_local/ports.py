"""Ports of the local system: chosen once and kept, so that a part comes back at the address it had.

A reservation is a socket that is bound and never listens. It lets a server of ours bind the same port (both
set SO_REUSEADDR) and keeps everybody else out: other searchers for a free port, and outgoing connections,
which the kernel gives source ports from the same range. Elsewhere than on Linux a bound socket would keep
our servers out too; there the port is let go at once and a stranger may take it.
"""

from __future__ import annotations

import socket
import sys
from contextlib import ExitStack
from typing import Self

HOST = "127.0.0.1"
"""The local system is for this machine alone."""


class PortTaken(Exception):  # noqa: N818 - the word for it
    """A port that was asked for is in use by another program."""


class Reservations:
    """Ports reserved until `close`."""

    def __init__(self) -> None:
        self._sockets = ExitStack()

    def reserve(self, port: int = 0) -> int:
        """Reserve `port`, or any free one for 0; returns its number. PortTaken: somebody listens there."""
        reservation = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if port:
                # A port that was named may still carry dying connections of an earlier run, which do not
                # matter.
                reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            reservation.bind((HOST, port))
        except OSError as error:
            reservation.close()
            raise PortTaken(f"port {port} of {HOST} cannot be used: {error.strerror}") from None
        reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        number: int = reservation.getsockname()[1]
        if sys.platform == "linux":
            self._sockets.enter_context(reservation)
        else:
            reservation.close()
        return number

    def close(self) -> None:
        """Give every port back."""
        self._sockets.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
