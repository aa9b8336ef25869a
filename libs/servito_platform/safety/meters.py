"""What a running process tells of how it was configured, on its metrics page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Gauge

if TYPE_CHECKING:
    from servito_platform.safety.names import Unsafe

BUILD: Final = "servito_build_info"
UNSAFE: Final = "servito_unsafe_configuration"


def tell_configuration(registry: CollectorRegistry, mode: str, found: Sequence[Unsafe]) -> None:
    """Registers release and mode, always 1, and a 1 for each risk that the process was started with."""
    Gauge(BUILD, "Always 1: release and mode of the process.", ("version", "mode"), registry=registry).labels(
        version("servito"), mode
    ).set(1)
    unsafe = Gauge(UNSAFE, "1 for each risk that the process was started with.", ("risk",), registry=registry)
    for each in found:
        unsafe.labels(each.risk.value).set(1)
