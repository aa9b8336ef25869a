"""Reserved ports."""

from __future__ import annotations

import asyncio
import socket

import pytest

from servito_local.layout import SERVERS, SERVICES, Layout
from servito_local.ports import HOST, PortTaken, Reservations


async def test_reserved_port_is_free_for_our_server_only() -> None:
    """A server that reuses addresses, as all of ours do, can listen on a reserved port; an ordinary bind
    cannot.
    """
    with Reservations() as reservations:
        port = reservations.reserve()
        with socket.socket() as stranger, pytest.raises(OSError, match="in use"):
            stranger.bind((HOST, port))
        for _ in range(2):  # again after the server has gone
            server = await asyncio.start_server(lambda _reader, writer: writer.close(), HOST, port)
            _, writer = await asyncio.open_connection(HOST, port)
            writer.close()
            server.close()
            await server.wait_closed()


def test_port_in_use_is_refused() -> None:
    """A port that somebody listens on is refused by its number."""
    with socket.create_server((HOST, 0)) as server, Reservations() as reservations:
        port = server.getsockname()[1]
        with pytest.raises(PortTaken, match=str(port)):
            reservations.reserve(port)


def test_free_ports_differ() -> None:
    """Reserved ports are all different, without listening."""
    with Reservations() as reservations:
        ports = [reservations.reserve() for _ in range(50)]
    assert len(set(ports)) == 50


def test_layout_names_its_parts_and_ports() -> None:
    """A service with several replicas has numbered parts, and every part two ports of its own."""
    with Reservations() as reservations:
        layout = Layout.of({"table": 2, "timers": 0}, {}, reservations.reserve)
    assert layout.parts["table"] == ("table-1", "table-2")
    assert layout.parts["dealer"] == ("dealer",)
    assert layout.parts["timers"] == ()
    assert set(layout.ports) == {
        *SERVERS,
        *(
            name
            for part in ("table-1", "table-2", "dealer", "evaluator")
            for name in (part, f"{part}-metrics")
        ),
    }


@pytest.mark.parametrize(
    ("replicas", "ports", "message"),
    [
        ({"tables": 1}, {}, f"no such service: tables; there are {', '.join(SERVICES)}"),
        ({"table": 0}, {}, "table cannot have 0 replicas"),
        ({"timers": -1}, {}, "timers cannot have -1 replicas"),
        ({"table": 1000}, {}, "table cannot have 1000 replicas; 1..16 are allowed"),
        ({"table": 2}, {"table": 1}, "no such port: table; there are state, broker"),
        ({}, {"table": 65_536}, "table cannot have port 65536; 1..65535 are allowed"),
        ({}, {"table": 50_600, "state": 50_600}, "table and state cannot both have port 50600"),
    ],
)
def test_what_no_layout_has_is_refused(replicas: dict[str, int], ports: dict[str, int], message: str) -> None:
    """A service, number of replicas or port that cannot be is refused with what can."""
    with Reservations() as reservations, pytest.raises(ValueError, match=message):
        Layout.of(replicas, ports, reservations.reserve)
