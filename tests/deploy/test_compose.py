"""The Compose file: whole, hardened, with time to drain, and without secrets. tests/containers runs it."""

from __future__ import annotations

import re
import subprocess
import tomllib

import pytest

from servito_history.address import read_history_url
from servito_platform.place import Mode, read_place
from servito_platform.safety.settings import is_example
from servito_platform.seal_keys import parse_seal_keys
from tests.deploy.addresses import ASKED
from tests.deploy.compose import PROFILES, composed, environment, services
from tests.deploy.manifests import ROOT, SERVICES

MARGIN_SECONDS = 5
SERVERS = ("state", "broker")
OTHERS = (*SERVERS, "history")
"""Containers of others' images."""


def kind(name: str) -> str:
    """The service of which a container is a replica."""
    return name.rstrip("-12")


def test_it_is_the_whole_system() -> None:
    """State server, broker, archive, dealer, evaluator, two tables, two timers."""
    assert sorted(services()) == sorted(
        [*OTHERS, "dealer", "evaluator", "table-1", "table-2", "timers-1", "timers-2"]
    )


def test_every_profile_is_known() -> None:
    """What is started without a profile and with each of them is everything."""
    assert set(composed()["services"]) == {*services(), *services(*PROFILES)}
    assert set(services("observability")) == {"prometheus", "grafana", "redis-exporter"}


@pytest.mark.parametrize("name", composed()["services"])
def test_every_container_is_hardened_and_started_again(name: str) -> None:
    """No file can be written, no right is left, memory is bounded, health is asked."""
    container = composed()["services"][name]
    assert (container["read_only"], container["cap_drop"], container["init"]) == (True, ["ALL"], True)
    assert container["security_opt"] == ["no-new-privileges:true"]
    assert container["restart"] == "unless-stopped"
    assert re.fullmatch(r"\d+m", container["mem_limit"])
    assert container["healthcheck"]["test"][0] == "CMD"


@pytest.mark.parametrize("name", [name for name in services() if name not in OTHERS])
def test_a_container_has_time_to_drain(name: str) -> None:
    """Compose kills later than the process ends by itself."""
    grace = int(services()[name]["stop_grace_period"].removesuffix("s"))
    assert grace >= float(environment(name)["SERVITO_DRAIN_SECONDS"]) + MARGIN_SECONDS


@pytest.mark.parametrize("service", SERVICES)
def test_targets_are_containers(service: str) -> None:
    """Whoever is asked is found: by the name of a container, or by one that replicas share."""
    names = {name: name for name in services()}
    for name, container in services().items():
        for alias in container.get("networks", {}).get("default", {}).get("aliases", []):
            names[alias] = name
    for replica in (name for name in services() if kind(name) == service):
        told = environment(replica)
        for asked in ASKED[service] - {"history"}:  # told by the file that is made
            variable = f"SERVITO_{asked.upper()}_{'URL' if asked in SERVERS else 'TARGET'}"
            expected = f"redis://{asked}:6379/0" if asked in SERVERS else f"dns:///{asked}:50051"
            assert told[variable] == expected
            assert asked in names


def test_what_is_needed_first_is_waited_for() -> None:
    """Nobody starts before the servers that he uses answer."""
    for name, container in services().items():
        needs = set(OTHERS) & ASKED.get(kind(name), set())
        healthy = {"condition": "service_healthy"}
        assert all(container["depends_on"][each] == healthy for each in needs)


def test_ports_are_open_to_this_machine_alone() -> None:
    """Development mode believes everybody."""
    opened = [port for container in composed()["services"].values() for port in container.get("ports", [])]
    assert opened
    assert all(port.startswith("127.0.0.1:") for port in opened)


def test_the_state_is_kept_and_never_evicted() -> None:
    """An append-only file on a volume; the broker's messages may be lost, but not evicted either."""
    said = {name: " ".join(services()[name]["command"]) for name in SERVERS}
    assert "--appendonly yes --appendfsync everysec" in said["state"]
    assert services()["state"]["volumes"] == ["state:/data"]
    assert "state" in composed()["volumes"]
    assert all("--maxmemory-policy noeviction" in each for each in said.values())
    assert all(read_place(f"redis://{each}:6379/0").mode is Mode.SINGLE for each in SERVERS)


def test_images_are_of_this_release() -> None:
    """By default: SERVITO_VERSION names another one."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for name, container in services().items():
        if name not in OTHERS:
            assert container["image"] == f"servito/{kind(name)}:${{SERVITO_VERSION:-{version}}}"


def test_keys_are_made_and_never_committed() -> None:
    """The command draws another key each time; git ignores the file that it is written to."""
    drawn = [subprocess.check_output([ROOT / "deploy/tools/dev-secrets"], text=True) for _ in range(2)]
    assert drawn[0] != drawn[1]
    for line in drawn:
        name, _, value = line.strip().partition("=")
        assert name == "SERVITO_DEALER_SEAL_KEYS"
        assert not any(is_example(key) for key in parse_seal_keys(value).values())
    assert "deploy/compose/secrets.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_the_archive_and_its_clients_are_told_the_same() -> None:
    """The file that both get names its password, a new one each time, and where it is; git ignores it."""
    program = [str(ROOT / "deploy/tools/dev-secrets"), "history"]
    drawn = [subprocess.check_output(program, text=True) for _ in range(2)]
    assert drawn[0] != drawn[1]
    told = dict(line.split("=", 1) for line in drawn[0].splitlines())
    url = read_history_url(told["SERVITO_HISTORY_URL"]).url
    made = services()["history"]["environment"]
    assert (url.host, url.username, url.database) == ("history", made["POSTGRES_USER"], made["POSTGRES_DB"])
    assert url.password == told["POSTGRES_PASSWORD"]
    who = {name for name, each in services().items() if "history.env" in each.get("env_file", [])}
    assert {kind(name) for name in who} == {"history", "timers"}
    assert services()["history"]["volumes"] == ["history:/var/lib/postgresql/data"]
    assert "deploy/compose/history.env" in (ROOT / ".gitignore").read_text().splitlines()
