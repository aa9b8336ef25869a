"""What a load run reads from the system itself: metrics pages, and the cost of its processes.

Everything is a difference between two readings. Changes with the metrics of table and timers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from servito_cli.load.figures import Cost, Lateness
from servito_local.usage import Usage
from servito_platform.metrics_page import Buckets, Page, read_page

LATENESS: Final = {
    "deadline to commit (table)": "servito_table_deadline_lateness_seconds",
    "deadline to claim (timers)": "servito_deadline_claim_lateness_seconds",
}
REFUSALS: Final = "servito_table_refusals_total"
MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Reading:
    """All pages at one moment, added up."""

    lateness: Mapping[str, Buckets]
    refusals: Counter[str]

    @classmethod
    def now(cls, pages: Sequence[str]) -> Reading:
        """Reads the pages at these addresses; OSError when one cannot be read. Blocking."""
        read = [read_page(address) for address in pages]
        lateness = {what: _added(read, name) for what, name in LATENESS.items()}
        refusals: Counter[str] = Counter()
        for page in read:
            refusals.update({reason: round(n) for reason, n in page.by_label(REFUSALS, "reason").items()})
        return cls(lateness, refusals)

    def since(self, before: Reading) -> tuple[dict[str, Lateness], dict[str, int]]:
        """Lateness and refusals of the time between two readings."""
        late = {what: Lateness.of(now.since(before.lateness[what])) for what, now in self.lateness.items()}
        return late, dict(self.refusals - before.refusals)


def costs(before: Mapping[str, Usage], after: Mapping[str, Usage]) -> dict[str, Cost]:
    """By process; one that was started again in between counts from its start."""
    found = {}
    for name, now in after.items():
        spent = now.cpu_seconds - (before[name].cpu_seconds if name in before else 0.0)
        cpu = spent if spent >= 0 else now.cpu_seconds
        found[name] = Cost(round(cpu, 2), round(now.resident_bytes / MIB, 1))
    return found


def _added(pages: Sequence[Page], name: str) -> Buckets:
    total = Buckets()
    for page in pages:
        total += page.buckets(name)
    return total
