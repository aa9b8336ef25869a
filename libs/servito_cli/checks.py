"""`servito hand run` and `servito compare`: cases with a known outcome, run against the rules.

Here: files in, a line for each case out, the exit code. What a case is and how it is run is `servito_script`.
"""

from __future__ import annotations

from pathlib import Path

from servito_cli.console import FAILED, UNUSABLE, complain, output
from servito_script import comparisons
from servito_script.case_result import closing_count


def run_comparisons(file: Path) -> int:
    """Judges every case of `file`; the exit code."""
    console = output()
    try:
        results = comparisons.run_comparisons(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, comparisons.UnreadableError) as error:
        complain(f"{file}: {error}")
        return UNUSABLE
    for result in results:
        console.print(result.line, style=None if result.passed else "red", markup=False)
    console.print(closing_count(results, "comparisons"))
    return 0 if results and all(result.passed for result in results) else FAILED
