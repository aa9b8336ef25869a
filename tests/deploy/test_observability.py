"""What watches the system, in Compose and in a cluster: the same rules and dashboards, names that agree."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from typing import Any

import pytest
import yaml

from tests.deploy.compose import FOLDER, composed, services
from tests.deploy.manifests import DASHBOARD, PRODUCTION, ROOT, SERVICES, Object, labels, objects, workloads

METRICS = 9100
MOST_APPLIED = 250_000
"""`kubectl apply` keeps what it applied as an annotation, of 256 KiB at most."""


@cache
def scraped() -> dict[str, Object]:
    """What Prometheus reads in Compose, by the name of the job."""
    settings = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    return {each["job_name"]: each for each in settings["scrape_configs"]}


def names() -> set[str]:
    """Under which containers of Compose are found."""
    found = set(composed()["services"])
    for container in composed()["services"].values():
        found |= set(container.get("networks", {}).get("default", {}).get("aliases", []))
    return found


@pytest.mark.parametrize("service", SERVICES)
def test_every_replica_in_compose_is_read(service: str) -> None:
    """By a name that all replicas share, at the port of their pages; the job is called as in a cluster."""
    (found,) = scraped()[f"servito-{service}"]["dns_sd_configs"]
    assert (found["names"], found["type"], found["port"]) == ([service], "A", METRICS)
    replicas = [name for name in services() if re.fullmatch(rf"{service}(-\d)?", name)]
    shared = {
        name
        for name in replicas
        if name == service
        or service in composed()["services"][name].get("networks", {}).get("default", {}).get("aliases", [])
    }
    assert shared == set(replicas)


def test_both_servers_are_asked_through_the_exporter() -> None:
    """State and broker, each with a label that says which one; the exporter is a container."""
    job = scraped()["servito-servers"]
    asked = {each["labels"]["server"]: each["targets"] for each in job["static_configs"]}
    assert asked == {name: [f"redis://{name}:6379"] for name in ("state", "broker")}
    address = next(each for each in job["relabel_configs"] if each["target_label"] == "__address__")
    assert address["replacement"].split(":")[0] in names()


def test_jobs_are_those_of_a_cluster() -> None:
    """There a job is called as the Service whose pods are read."""
    jobs = set(scraped()) - {"servito-servers"}
    for overlay in PRODUCTION:
        read = [each["spec"]["selector"] for each in objects(overlay, "ServiceMonitor")]
        assert {each["matchLabels"]["app.kubernetes.io/name"] for each in read} == jobs
        assert jobs == {labels(each)["app.kubernetes.io/name"] for each in workloads(overlay)}


def test_grafana_looks_where_prometheus_is() -> None:
    """Its source is that container, under the uid that dashboards name; dashboards come from their folder."""
    folder = FOLDER / "grafana/provisioning"
    (source,) = yaml.safe_load((folder / "datasources/prometheus.yml").read_text())["datasources"]
    assert (source["uid"], source["url"]) == ("prometheus", "http://prometheus:9090")
    (provider,) = yaml.safe_load((folder / "dashboards/servito.yml").read_text())["providers"]
    mounted = _mounts("grafana")
    assert mounted[provider["options"]["path"]] == "../observability/dashboards"
    assert mounted["/etc/grafana/provisioning"] == "./grafana/provisioning"


def test_prometheus_finds_its_settings_and_rules() -> None:
    """Both are mounted where they are looked for."""
    settings = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    mounted = _mounts("prometheus")
    (pattern,) = settings["rule_files"]
    assert mounted[pattern.removesuffix("/*.yml")] == "../observability/rules"
    (told,) = [each for each in services("observability")["prometheus"]["command"] if "config.file" in each]
    assert mounted[told.partition("=")[2]] == "./prometheus.yml"


def test_a_cluster_has_the_same_rules() -> None:
    """`make manifests` writes them; each file of rules is an object of Prometheus' operator."""
    made = subprocess.check_output([sys.executable, str(ROOT / "deploy/tools/prometheus-rules")], text=True)
    assert (ROOT / "deploy/k8s/components/observability/rules.yaml").read_text() == made
    files = sorted((ROOT / "deploy/observability/rules").glob("*.yml"))
    for overlay in PRODUCTION:
        given = {each["metadata"]["name"]: each["spec"] for each in objects(overlay, "PrometheusRule")}
        assert given == {f"servito-{file.stem}": yaml.safe_load(file.read_text()) for file in files}


def test_a_cluster_has_the_same_dashboards() -> None:
    """Each file is in a ConfigMap that Grafana finds, small enough to be applied; the source has the uid."""
    files = {
        each.name: each.read_text() for each in (ROOT / "deploy/observability/dashboards").glob("*.json")
    }
    for overlay in PRODUCTION:
        maps = [each for each in objects(overlay, "ConfigMap") if DASHBOARD in each["metadata"]["labels"]]
        assert {name: text for each in maps for name, text in each["data"].items()} == files
    assert max(map(len, files.values())) < MOST_APPLIED
    used = {
        uid
        for text in files.values()
        for uid in re.findall(r'"datasource".*?"uid": "([^"]+)"', text, re.DOTALL)
    }
    assert used <= {"prometheus", "-- Grafana --"}


def _mounts(name: str) -> dict[str, Any]:
    """What is mounted read-only, by where."""
    lines = [each.split(":") for each in services("observability")[name]["volumes"]]
    return {line[1]: line[0] for line in lines if line[2:] == ["ro"]}
