"""How a case ended, as lines that a command prints: the same for hand scripts and comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How one case ended; `difference` is empty if it passed."""

    name: str
    difference: str
    title: str

    @property
    def passed(self) -> bool:
        """Whether everything was as the case says."""
        return not self.difference

    @property
    def line(self) -> str:
        """The case in one line: name, verdict, and its title or where it first differs.

        What a file put into them can neither end the line nor be unprintable.
        """
        verdict = f"ok      {self.title}" if self.passed else f"FAILED  {self.difference}"
        return "".join(map(_printable, f"{self.name}  {verdict}"))


def closing_count(results: Sequence[CaseResult], what: str) -> str:
    """The last line: how many of the cases, called `what`, passed and failed."""
    failed = sum(not result.passed for result in results)
    return f"{len(results)} {what}: {len(results) - failed} passed, {failed} failed"


def _printable(character: str) -> str:
    return character if character.isprintable() else ascii(character)[1:-1]
