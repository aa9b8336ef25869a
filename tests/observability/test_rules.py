"""Rules are what Prometheus reads, each alert is proven to fire and not to fire, and says where to look."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
import yaml

from tests.observability.expressions import FOLDER, RULE_TESTS, RULES, rules
from tests.observability.programs import PROMTOOL, needs_promtool

URL = "https://runbooks.example.com/servito/{name}.md"
"""Where README.md says that the pages are to be put; whoever runs this sets his own address."""
ALERTS = rules("alert")


def promtool(*arguments: object) -> None:
    """Run it; AssertionError with what it says when it finds fault."""
    done = subprocess.run(
        [str(PROMTOOL), *map(str, arguments)], capture_output=True, text=True, check=False, cwd=FOLDER
    )
    assert done.returncode == 0, done.stdout + done.stderr


@needs_promtool
def test_prometheus_reads_the_rules() -> None:
    """By promtool, lint included."""
    promtool("check", "rules", "--lint=all", "--lint-fatal", *RULES)


@needs_promtool
@pytest.mark.parametrize("path", RULE_TESTS, ids=lambda path: path.stem)
def test_alerts_fire_when_they_should(path: Any) -> None:
    """By promtool's unit tests in deploy/observability/rules_tests, one file for each file of rules."""
    promtool("test", "rules", path)


@needs_promtool
def test_a_wrong_expectation_is_found(tmp_path: Any) -> None:
    """The check above can fail: with another number of chips in a text it does."""
    wrong = (
        (FOLDER / "rules_tests/conservation.yml").read_text(encoding="utf-8").replace(" 1 chips", " 2 chips")
    )
    path = tmp_path / "wrong.yml"
    path.write_text(wrong.replace("../rules", str(FOLDER / "rules")), encoding="utf-8")
    with pytest.raises(AssertionError, match="ServitoChipsDiffer"):
        promtool("test", "rules", path)


def test_each_alert_is_proven() -> None:
    """By a test in which it fires, with each severity that it has, and by one in which it does not."""
    fires: set[tuple[str, str]] = set()
    silent: set[str] = set()
    for path in RULE_TESTS:
        for test in yaml.safe_load(path.read_text(encoding="utf-8"))["tests"]:
            for each in test.get("alert_rule_test", []):
                silent |= set() if each["exp_alerts"] else {each["alertname"]}
                fires |= {(each["alertname"], one["exp_labels"]["severity"]) for one in each["exp_alerts"]}
    assert fires == {(rule["alert"], rule["labels"]["severity"]) for rule in ALERTS}
    assert silent == {rule["alert"] for rule in ALERTS}


@pytest.mark.parametrize("rule", ALERTS, ids=lambda rule: f"{rule['alert']}-{rule['labels']['severity']}")
def test_an_alert_says_what_is_the_matter(rule: dict[str, Any]) -> None:
    """How bad it is, in a sentence what, and the page with what to do."""
    assert rule["alert"].startswith("Servito")
    assert rule["labels"]["severity"] in ("critical", "warning")
    told = rule["annotations"]
    assert told.keys() == {"summary", "description", "runbook_url"}
    assert told["summary"].endswith(".")
    assert told["description"].endswith(".")
    assert told["runbook_url"] == URL.format(name=rule["alert"])


def test_recorded_names_say_what_they_are() -> None:
    """`servito:WHAT:HOW`, each once."""
    names = [rule["record"] for rule in rules("record")]
    assert len(set(names)) == len(names)
    assert all(name.startswith("servito:") and name.count(":") == 2 for name in names)
