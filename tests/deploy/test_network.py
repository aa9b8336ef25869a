"""The network lets through the edges of the architecture and nothing else.

The edges come from the code (addresses.py), what is let through from the manifests (policies.py).
"""

from __future__ import annotations

import pytest

from tests.deploy.addresses import ASKED
from tests.deploy.manifests import OVERLAYS, SERVICES, deployment, variables
from tests.deploy.policies import Edge, allowed, denied, one_sided

GRPC, METRICS, REDIS, SENTINEL, POSTGRES, OTLP, DNS = 50051, 9100, 6379, 26379, 5432, 4317, 53
MANAGED = {
    "state": ("10.64.0.0/24", {REDIS}),
    "broker": ("10.64.1.0/24", {REDIS}),
    "history": ("10.64.2.0/24", {POSTGRES}),
}
BESIDE = ("servito-servers/servito-history", {POSTGRES})
OUTSIDE = {
    "dev": {"state": ("state", {REDIS}), "broker": ("broker", {REDIS})},
    "prod": MANAGED,
    "own": MANAGED,
    "redis-sentinel": {
        "state": ("servito-servers/servito-state", {REDIS, SENTINEL}),
        "broker": ("servito-servers/servito-broker", {REDIS, SENTINEL}),
        "history": BESIDE,
    },
    "redis-cluster": {
        "state": ("servito-servers/servito-state", {REDIS}),
        "broker": ("servito-servers/servito-broker", {REDIS}),
        "history": BESIDE,
    },
}
"""Where an overlay has its servers; that of development has no archive."""


def test_the_code_has_the_edges_of_the_architecture() -> None:
    """The table asks dealer, evaluator and state; timers ask table and all servers; the evaluator nobody."""
    assert dict(ASKED) == {
        "dealer": {"state"},
        "evaluator": set(),
        "table": {"dealer", "evaluator", "state"},
        "timers": {"table", "state", "broker", "history"},
    }


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_each_edge_of_the_code_is_let_through_and_no_other(overlay: str) -> None:
    """Besides: names for who asks somebody, metrics for Prometheus, the table for gateways, and the collector
    of traces for who is told of one.
    """
    expected = {Edge("servito/players=true", "table", GRPC)}
    for service in SERVICES:
        expected.add(Edge("servito/metrics=true", service, METRICS))
        traced = "SERVITO_TRACES_ENDPOINT" in variables(overlay, deployment(overlay, service))
        assert traced is (overlay == "own")
        if traced:
            expected.add(Edge(service, "servito/traces=true", OTLP))
        if ASKED[service] or traced:
            expected.add(Edge(service, "kube-system/kube-dns", DNS))
        for asked in ASKED[service] - ({"history"} - OUTSIDE[overlay].keys()):
            server, numbers = OUTSIDE[overlay].get(asked, (asked, {GRPC}))
            expected |= {Edge(service, server, number) for number in numbers}
    assert allowed(overlay) == expected


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_what_no_rule_allows_is_refused(overlay: str) -> None:
    """In both directions, to every pod; and no rule stands at one end alone."""
    assert denied(overlay) == {"Ingress", "Egress"}
    assert one_sided(overlay) == set()
