"""`servito hand run` and `servito compare`: cases with a known outcome, run against the rules.

Here: files in, a line for each case out, the exit code. What a case is and how it is run is `servito_script`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from servito_cli.console import FAILED, UNUSABLE, complain, output
from servito_script import comparisons
from servito_script.case_result import CaseResult, closing_count
from servito_script.handscript import run_text


def run_scripts(files: Iterable[Path]) -> int:
    """Plays every script; the exit code. A file that cannot be read is a case that failed."""
    return _show([_run_script(file) for file in files], "hand scripts")


def run_comparisons(file: Path) -> int:
    """Judges every case of `file`; the exit code."""
    try:
        results = comparisons.run_comparisons(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, comparisons.UnreadableError) as error:
        complain(f"{file}: {error}")
        return UNUSABLE
    return _show(results, "comparisons")


def _run_script(file: Path) -> CaseResult:
    try:
        return run_text(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        return CaseResult(str(file), f"cannot be read: {error}", "")


def _show(results: list[CaseResult], what: str) -> int:
    console = output()
    for result in results:
        console.print(result.line, style=None if result.passed else "red", markup=False)
    console.print(closing_count(results, what))
    return 0 if results and all(result.passed for result in results) else FAILED
