"""Who may speak to whom, as NetworkPolicies say it: a graph over the pods of an overlay and what is outside.

A connection between two pods takes an egress rule at the one and an ingress rule at the other. Pods are
called by their name without `servito-`, what is outside by how it is chosen: `10.64.0.0/24`,
`servito/players=true`, `kube-system/kube-dns`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.deploy.manifests import NAME, Object, labels, matches, objects, ports, workloads


class Edge(NamedTuple):
    """May connect to a port; both by the names of the module."""

    client: str
    server: str
    port: int


def allowed(overlay: str) -> set[Edge]:
    """Every connection that the policies of an overlay let through."""
    pods = {labels(each)[NAME].removeprefix("servito-"): each for each in workloads(overlay)}
    outgoing = set(_rules(overlay, pods, "egress"))
    incoming = set(_rules(overlay, pods, "ingress"))
    inside = {edge for edge in outgoing & incoming if edge.client in pods and edge.server in pods}
    return (
        inside
        | {edge for edge in outgoing if edge.server not in pods}
        | {edge for edge in incoming if edge.client not in pods}
    )


def one_sided(overlay: str) -> set[Edge]:
    """Rules of one end that the other end does not have: they allow nothing, so somebody forgot something."""
    pods = {labels(each)[NAME].removeprefix("servito-"): each for each in workloads(overlay)}
    both = [set(_rules(overlay, pods, direction)) for direction in ("egress", "ingress")]
    return {edge for edge in both[0] ^ both[1] if edge.client in pods and edge.server in pods}


def denied(overlay: str) -> set[str]:
    """Directions in which whatever no rule allows is refused to every pod."""
    return {
        direction
        for policy in objects(overlay, "NetworkPolicy")
        if policy["spec"]["podSelector"] == {}
        for direction in policy["spec"]["policyTypes"]
    }


def _rules(overlay: str, pods: dict[str, Object], direction: str) -> Iterator[Edge]:
    for policy in objects(overlay, "NetworkPolicy"):
        chosen = [name for name, each in pods.items() if matches(policy["spec"]["podSelector"], labels(each))]
        assert chosen, f"{policy['metadata']['name']} chooses nobody"
        for rule in policy["spec"].get(direction, []):
            assert rule.get("ports"), f"{policy['metadata']['name']} opens every port"
            peers = rule.get("to" if direction == "egress" else "from", [])
            assert peers, f"{policy['metadata']['name']} lets everybody in or out"
            for own in chosen:
                for peer in (name for each in peers for name in _peers(each, pods)):
                    client, server = (own, peer) if direction == "egress" else (peer, own)
                    yield from _edges(client, server, rule["ports"], pods)


def _edges(client: str, server: str, opened: list[Any], pods: dict[str, Object]) -> Iterator[Edge]:
    for port in opened:
        number = port["port"]
        if isinstance(number, str):
            number = ports(pods[server])[number]
        yield Edge(client, server, number)


def _peers(peer: Object, pods: dict[str, Object]) -> list[str]:
    if "ipBlock" in peer:
        return [peer["ipBlock"]["cidr"]]
    if "namespaceSelector" not in peer:
        found = [name for name, each in pods.items() if matches(peer["podSelector"], labels(each))]
        assert found, f"{peer} is nobody"
        return found
    ((key, value),) = peer["namespaceSelector"]["matchLabels"].items()
    if "podSelector" not in peer:
        return [f"{key}={value}"]
    (who,) = peer["podSelector"]["matchLabels"].values()
    return [f"{value}/{who}"]
