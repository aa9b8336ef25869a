"""What the doctor says: a text for everything that it may find, and the same for programs."""

from __future__ import annotations

import ast
import inspect
import json
from string import Formatter

import pytest

from servito_cli.doctor.show import as_json
from servito_cli.texts import TEXTS, Language
from servito_local.doctor import findings
from servito_local.doctor.findings import Kind, Report, Result
from servito_platform.safety.names import Risk
from tests.cli.doctor import FACTS, GOLDEN, everything, told, well
from tests.source import tree_of


@pytest.mark.parametrize("language", Language)
def test_everything_that_may_be_found_is_put_into_words(language: Language) -> None:
    """The golden texts: of each what is wrong, what follows, what to do; of a note what it is."""
    for name, report in (("everything", everything()), ("well", well())):
        golden = GOLDEN / f"{name}.{language}.txt"
        assert told(report, language) == golden.read_text(encoding="utf-8"), "python -m tests.cli.doctor"


def _facts() -> dict[str, set[str]]:
    """The facts that stand below each kind in findings.py."""
    [kinds] = [
        node
        for node in tree_of(inspect.getsource(findings)).body
        if isinstance(node, ast.ClassDef) and node.name == "Kind"
    ]
    found = {}
    for value, below in zip(kinds.body, kinds.body[1:], strict=False):
        if isinstance(value, ast.Assign) and isinstance(below, ast.Expr):
            assert isinstance(value.targets[0], ast.Name)
            assert isinstance(below.value, ast.Constant)
            found[value.targets[0].id] = {fact.strip() for fact in str(below.value.value).split(",")}
    return found


def test_texts_use_the_facts_that_findings_have() -> None:
    """The facts named with each kind are those of the example and all that its sentences ask for."""
    named = _facts()
    assert named.keys() == {kind.name for kind in Kind}
    assert FACTS.keys() == set(Kind) - {Kind.UNSAFE}
    for language in Language:
        for kind, said in TEXTS[language].doctor.kinds.items():
            asked = {
                field
                for text in (said.what, said.follows, said.do)
                for _, field, _, _ in Formatter().parse(text)
                if field
            }
            assert asked <= named[kind.name] == set(FACTS[kind]), kind


def test_kinds_and_risks_all_have_words() -> None:
    """In both languages."""
    for language in Language:
        texts = TEXTS[language].doctor
        assert texts.kinds.keys() == set(Kind) - {Kind.UNSAFE}
        assert texts.risks.keys() == set(Risk)


def test_a_report_for_programs_has_kinds_and_facts() -> None:
    """Kinds, severities and facts are those of the findings; the sentences stand beside them."""
    report = everything()
    read = json.loads(as_json(report, TEXTS[Language.EN].doctor))
    assert read["worst"] == "error"
    flat = [finding for check in read["checks"] for finding in check["findings"]]
    assert [(each["kind"], each["facts"]) for each in flat] == [
        (each.kind.value, dict(each.facts)) for each in report.findings
    ]
    assert all(each["what"] and each["follows"] and each["do"] for each in flat)
    [unseen] = [check for check in read["checks"] if check["looked_at"] is None]
    assert unseen["check"] == "state"
    assert json.loads(as_json(well(), TEXTS[Language.IT].doctor))["worst"] == "none"


def test_names_from_outside_are_no_markup() -> None:
    """What an error or a variable is called is printed as it is."""
    odd = findings.warning(Kind.SETTING_UNKNOWN, variable="SERVITO_[red]X[/red]")
    assert "SERVITO_[red]X[/red]" in told(Report((Result(findings.Check.SETTINGS, (odd,), 1),)), Language.EN)
