"""What is stored in which form, and under which key.

An operator who changes forms or keys has to know when nothing needs the old one any more. Ids of keys stand
in front of every seal (servito_platform.seals); no seal is opened. Changes with the table service's
adapters/schema.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from servito_local.doctor.findings import Finding, Kind, error, note
from servito_platform.seals import key_of

if TYPE_CHECKING:
    from servito.table.v1 import store_pb2

_STEPS: Final[Mapping[int, int]] = {3: 2}
"""Form 2 was never a release's: whoever reads 3 reads 1. Any other form is a step of its own."""


@dataclass
class Sealed:
    """What was read so far."""

    forms: Counter[int] = field(default_factory=Counter)
    keys: Counter[str] = field(default_factory=Counter)

    def take(self, state: store_pb2.StoredTable) -> None:
        """A table."""
        self.forms[state.schema] += 1
        if state.sealed:
            self.keys[key_of(state.sealed) or "?"] += 1

    def of_chips(self) -> Iterator[Finding]:
        """About forms and keys."""
        steps = [_STEPS.get(form, form) for form in self.forms]
        if steps and max(steps) - min(steps) > 1:
            yield error(Kind.SCHEMAS_APART, schemas=", ".join(map(str, sorted(self.forms))))
        elif len(self.forms) > 1:
            yield note(Kind.FORMS, forms=_counted(self.forms))
        if len(self.keys) > 1:
            yield note(Kind.SEAL_KEYS, keys=_counted(self.keys))


def _counted(tables: Counter[int] | Counter[str]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in sorted(tables.items()))
