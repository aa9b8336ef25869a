"""A report for people and for programs. Every word comes from the texts, every number from the report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from rich.console import Console

from servito_cli.texts.form.doctor import DoctorTexts, Said
from servito_local.doctor.findings import Fact, Finding, Kind, Report, Result, Severity
from servito_platform.safety.names import Risk

_STYLES: Final = {Severity.NOTE: None, Severity.WARNING: "yellow", Severity.ERROR: "red"}
_INDENT: Final = 10


def show(report: Report, texts: DoctorTexts, console: Console) -> None:
    """A line for each check, below it what was found: what is wrong, what follows, what to do. Of a note only
    what it is.
    """
    for result in report.results:
        mark = _mark(result, texts)
        name = texts.checks[result.check].format(number=result.looked_at or 0)
        told = name if result.looked_at is not None else f"{name}: {texts.not_made}"
        console.print(f"{mark:<{_INDENT}}{told}", style=_STYLES[result.worst], markup=False)
        for line in _lines(result, texts):
            console.print(f"{'':<{_INDENT}}{line}", markup=False)
    counts = {each: sum(found.severity is each for found in report.findings) for each in Severity}
    if report.worst is Severity.NOTE:
        console.print(f"\n{texts.all_well}", style="green", markup=False)
    else:
        told = texts.sum_up.format(wrong=counts[Severity.ERROR], warnings=counts[Severity.WARNING])
        console.print(f"\n{told}", style=_STYLES[report.worst], markup=False)


def as_json(report: Report, texts: DoctorTexts) -> str:
    """The same for programs: kinds and facts are stable, the sentences are for people."""
    return json.dumps(
        {
            "worst": report.worst.name.lower() if report.findings else "none",
            "checks": [
                {
                    "check": result.check.value,
                    "looked_at": result.looked_at,
                    "findings": [_object(finding, texts) for finding in result.findings],
                }
                for result in report.results
            ],
        },
        indent=2,
        ensure_ascii=False,
    )


def _object(finding: Finding, texts: DoctorTexts) -> dict[str, object]:
    said = words(finding, texts)
    return {
        "kind": finding.kind.value,
        "severity": finding.severity.name.lower(),
        "facts": dict(finding.facts),
        "what": said.what,
        "follows": said.follows,
        "do": said.do,
    }


def words(finding: Finding, texts: DoctorTexts) -> Said:
    """What is said of a finding, with its facts."""
    facts = {name: _spoken(fact, texts) for name, fact in finding.facts.items()}
    unsafe = finding.kind is Kind.UNSAFE
    form = texts.risks[Risk(str(facts["risk"]))] if unsafe else texts.kinds[finding.kind]
    told = (part.format(**facts) for part in (form.what, form.follows, form.do))
    return Said(*(_sentence(part) if unsafe else part[0].upper() + part[1:] for part in told))


def _spoken(fact: Fact, texts: DoctorTexts) -> Fact:
    if isinstance(fact, str):
        for phrase, words in texts.phrases.items():
            if fact.startswith(phrase):
                return words + fact.removeprefix(phrase)
    return fact


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _mark(result: Result, texts: DoctorTexts) -> str:
    if not result.findings:
        return texts.well if result.looked_at is not None else "-"
    return {Severity.NOTE: texts.note, Severity.WARNING: texts.warning, Severity.ERROR: texts.wrong}[
        result.worst
    ]


def _lines(result: Result, texts: DoctorTexts) -> Iterator[str]:
    for finding in sorted(result.findings, key=lambda each: -each.severity):
        said = words(finding, texts)
        yield said.what
        if finding.severity is not Severity.NOTE:
            yield f"  {said.follows}"
            yield f"  {said.do}"
