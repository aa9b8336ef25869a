"""Whom each service asks, as its code says it: the addresses of its settings that it uses."""

from __future__ import annotations

import ast
from typing import Final

from tests.deploy.manifests import ROOT, SERVICES
from tests.source import tree_of

_ADDRESSES: Final = {
    "state": "state",
    "broker": "broker",
    "history": "history",
    "dealer_target": "dealer",
    "evaluator_target": "evaluator",
    "table_target": "table",
}
"""What is read of settings, and who is found there."""
_CLIENTS: Final = {"blocking_state_client": "state"}
"""Functions of the platform that are given whole settings, and whom they connect to."""


def asked_by(service: str) -> set[str]:
    """Names of those whom a service connects to."""
    found: set[str] = set()
    for file in (ROOT / "services" / f"servito_{service}").rglob("*.py"):
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.value.id == "settings" and node.attr in _ADDRESSES:
                    found.add(_ADDRESSES[node.attr])
            elif isinstance(node, ast.Name) and node.id in _CLIENTS:
                found.add(_CLIENTS[node.id])
    return found


ASKED: Final = {service: asked_by(service) for service in SERVICES}
"""By each service."""
