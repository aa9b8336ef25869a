"""One service alone: it serves, and nothing of it is left."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from servito_local.one_service import one_service
from servito_local.part import PartFailed


async def test_it_serves_until_the_context_is_left(tmp_path: Path) -> None:
    """Healthy at the address given, gone afterwards, with its log kept."""
    async with one_service("evaluator", tmp_path) as target, grpc.aio.insecure_channel(target) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)  # its type says nothing of its methods
        answer = await health.Check(health_pb2.HealthCheckRequest(), wait_for_ready=True, timeout=10)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    host, _, port = target.rpartition(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=5).close()
    assert "ready" in (tmp_path / "evaluator.log").read_text()


async def test_a_service_that_needs_others_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dealer does not start without a key; the failure ends with its log."""
    monkeypatch.delenv("SERVITO_DEALER_SEAL_KEYS", raising=False)
    with pytest.raises(PartFailed, match="dealer ended with code"):
        async with one_service("dealer", tmp_path):
            raise AssertionError("it started")
