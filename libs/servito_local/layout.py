"""Which parts a local system has, in which order they stop, and at which ports they are found.

Data only. A part's name is that of its service, with a number where there are several: `table`, or
`table-1`, `table-2`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

SERVERS: Final = ("state", "broker")
SERVICES: Final = ("dealer", "evaluator", "table", "timers")

RANKS: Final[Mapping[str, int]] = MappingProxyType(
    {"timers": 0, "table": 1, "dealer": 2, "evaluator": 2, "state": 3, "broker": 3}
)
"""Lower ranks stop first: nobody loses a part that he still needs for his last answers."""

MOST_REPLICAS: Final = 16
"""Of one service: a slip of the finger must not fill the machine with processes."""


@dataclass(frozen=True)
class Layout:
    """Ports by name: `<server>`, `<part>` for gRPC, `<part>-metrics`."""

    parts: Mapping[str, tuple[str, ...]]
    """Names of the parts of each service."""
    ports: Mapping[str, int]

    @classmethod
    def of(
        cls, replicas: Mapping[str, int], wanted: Mapping[str, int], reserve: Callable[[int], int]
    ) -> Layout:
        """Reserve every port; `wanted` names some, the others are any free ones. ValueError: no such name,
        or a number that cannot be.
        """
        _known(replicas, SERVICES, "service")
        parts = {service: tuple(_names(service, replicas.get(service, 1))) for service in SERVICES}
        names = [
            *SERVERS,
            *(name for own in parts.values() for part in own for name in (part, f"{part}-metrics")),
        ]
        _known(wanted, tuple(names), "port")
        _usable(wanted)
        return cls(parts, {name: reserve(wanted.get(name, 0)) for name in names})

    def grpc_ports(self, service: str) -> list[int]:
        """Ports of all replicas of a service."""
        return [self.ports[part] for part in self.parts[service]]


def _names(service: str, replicas: int) -> Iterator[str]:
    # Without timers the table still plays, without an end to any wait.
    least = 0 if service == "timers" else 1
    if not least <= replicas <= MOST_REPLICAS:
        raise ValueError(f"{service} cannot have {replicas} replicas; {least}..{MOST_REPLICAS} are allowed")
    if replicas == 1:
        yield service
    else:
        yield from (f"{service}-{number}" for number in range(1, replicas + 1))


def _known(given: Mapping[str, int], allowed: tuple[str, ...], what: str) -> None:
    if unknown := sorted(set(given) - set(allowed)):
        raise ValueError(f"no such {what}: {', '.join(unknown)}; there are {', '.join(allowed)}")


def _usable(wanted: Mapping[str, int]) -> None:
    owners: dict[int, str] = {}
    for name, port in wanted.items():
        if not 0 <= port <= 65_535:
            raise ValueError(f"{name} cannot have port {port}; 1..65535 are allowed, and 0 for any free one")
        if port and owners.setdefault(port, name) != name:
            raise ValueError(f"{owners[port]} and {name} cannot both have port {port}")
