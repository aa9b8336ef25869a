"""The catalogue of metrics is what the services register."""

from __future__ import annotations

import re

from tests.metrics.catalogue import CALLS, DOCUMENT, LABELS, PROCESS, SERVICES, STATE, document

OURS = [*STATE, *(family for families in SERVICES.values() for family in families)]


def test_the_document_is_up_to_date() -> None:
    """`python -m tests.metrics` writes it anew when a metric came, went or changed."""
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_metrics_are_named_alike() -> None:
    """A prefix of ours, a base unit, `_total` for counters and for nothing else; each says what it is; none
    is told twice.
    """
    for family in [*OURS, *CALLS]:
        assert re.fullmatch(r"(servito|grpc_server)_[a-z_]+", family.name), family
        assert family.name.endswith("_total") is (family.kind == "counter"), family
        assert family.name.endswith("_seconds") or family.kind != "histogram", family
        assert re.fullmatch(r"[A-Z1].*\.", family.about), family
    names = [family.name for family in [*OURS, *CALLS, *PROCESS]]
    assert len(set(names)) == len(names)


def test_every_label_has_a_closed_set() -> None:
    """No label without its values, and no values of a label that there is not."""
    calls = {("grpc_server_*", label) for family in CALLS for label in family.labels}
    configured = [family for family in PROCESS if family.name.startswith("servito_")]
    ours = {(family.name, label) for family in [*OURS, *configured] for label in family.labels}
    assert LABELS.keys() == calls | ours
