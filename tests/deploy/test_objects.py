"""What holds for every object of every overlay: restricted, probed, limited, and names that agree."""

from __future__ import annotations

import json
import re
import tomllib
from copy import deepcopy
from functools import cache
from typing import Any

import jsonschema
import kubernetes_validate
import pytest

from servito_timers.adapters.health import SWEEPING
from tests.deploy import custom
from tests.deploy.manifests import (
    DASHBOARD,
    NAME,
    OVERLAYS,
    PRODUCTION,
    ROOT,
    SERVICES,
    Object,
    container,
    deployment,
    labels,
    matches,
    objects,
    pod,
    ports,
    strings,
    variables,
    workloads,
)

VERSIONS = ("1.30", "1.34", "1.37")
"""Of Kubernetes: 1.30 is the first with a preStop sleep."""
MARGIN_SECONDS = 5
EVERY = [pytest.param(overlay, id=overlay) for overlay in OVERLAYS]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_it_is_what_kubernetes_understands(overlay: str) -> None:
    """By the strict schemas of several versions, and those of operators: no unknown field, no wrong type."""
    for each in objects(overlay):
        metadata = {**each["metadata"], "namespace": "any"}  # read once for all overlays
        _understood(json.dumps({**each, "metadata": metadata}))


@cache
def _understood(text: str) -> None:
    one = json.loads(text)
    if one["kind"] in custom.KINDS:
        custom.check(one)
    else:
        for version in VERSIONS:
            kubernetes_validate.validate(one, version, strict=True)


def test_what_kubernetes_does_not_understand_is_found() -> None:
    """A misspelt field, a number that is a text: the check that passes above can fail."""
    broken = deepcopy(deployment("dev", "table"))
    container(broken)["readynessProbe"] = container(broken).pop("readinessProbe")
    with pytest.raises(kubernetes_validate.ValidationError, match="readynessProbe"):
        kubernetes_validate.validate(broken, VERSIONS[-1], strict=True)
    broken = deepcopy(deployment("dev", "table"))
    broken["spec"]["minReadySeconds"] = "ten"
    with pytest.raises(kubernetes_validate.ValidationError, match="ten"):
        kubernetes_validate.validate(broken, VERSIONS[-1], strict=True)


def test_what_an_operator_does_not_understand_is_found() -> None:
    """Of each kind of another's making: a field that is misspelt at its place deep inside."""
    for kind, path, field in (
        ("ServiceMonitor", ("endpoints", 0), "interval"),
        ("ScaledObject", ("triggers", 0), "metadata"),
        ("PrometheusRule", ("groups", 0, "rules", 0), "expr"),
    ):
        broken = deepcopy(objects("own", kind)[0])
        part = broken["spec"]
        for step in path:
            part = part[step]
        part[f"{field}s"] = part.pop(field)
        with pytest.raises(jsonschema.ValidationError, match=field):
            custom.check(broken)


@pytest.mark.parametrize("overlay", EVERY)
def test_every_container_is_restricted(overlay: str) -> None:
    """As Pod Security `restricted` asks, which the namespace enforces; and no file can be written."""
    (namespace,) = objects(overlay, "Namespace")
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    for workload in workloads(overlay):
        assert pod(workload)["securityContext"]["runAsNonRoot"] is True
        assert pod(workload)["securityContext"]["runAsUser"] > 0
        assert pod(workload)["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod(workload)["automountServiceAccountToken"] is False
        assert pod(workload)["enableServiceLinks"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC"} & pod(workload).keys()
        assert container(workload)["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert not any("hostPath" in volume for volume in pod(workload).get("volumes", []))
        assert not any("hostPort" in port for port in container(workload)["ports"])


@pytest.mark.parametrize("overlay", EVERY)
def test_every_container_is_limited(overlay: str) -> None:
    """What it needs is reserved, its memory bounded; its processor is not, which would only make it late."""
    for workload in workloads(overlay):
        resources = container(workload)["resources"]
        assert resources["requests"].keys() == {"cpu", "memory"}
        assert resources["limits"].keys() == {"memory"}


@pytest.mark.parametrize("overlay", EVERY)
def test_every_container_is_probed(overlay: str) -> None:
    """Start, readiness, liveness; readiness asks for the gRPC service, liveness for the process."""
    for workload in workloads(overlay):
        assert {"startupProbe", "readinessProbe", "livenessProbe"} <= container(workload).keys()
    for service in SERVICES:
        workload = deployment(overlay, service)
        probes = container(workload)
        alive = {"port": ports(workload)["health"]}
        assert probes["livenessProbe"]["grpc"].items() >= alive.items()
        assert not probes["livenessProbe"]["grpc"].get("service")
        ready = probes["readinessProbe"]["grpc"]
        assert ready["port"] == ports(workload)["health"]
        if service == "timers":  # nobody is sent to a worker, which serves nothing
            assert ready["service"] == SWEEPING
        else:
            assert f"package servito.{service}.v1;" in _proto(service)
            assert ready["service"] == f"servito.{service}.v1.{service.capitalize()}Service"
            assert f"service {service.capitalize()}Service " in _proto(service)


def _proto(service: str) -> str:
    return (ROOT / f"protos/servito/{service}/v1/{service}.proto").read_text()


@pytest.mark.parametrize("overlay", EVERY)
def test_a_pod_has_time_to_drain(overlay: str) -> None:
    """Longer than the sleep before SIGTERM, the drain, and a margin: else players' streams are cut."""
    for service in SERVICES:
        workload = deployment(overlay, service)
        sleep = container(workload)["lifecycle"]["preStop"]["sleep"]["seconds"]
        drain = float(variables(overlay, workload)["SERVITO_DRAIN_SECONDS"] or 0)
        assert sleep >= 10  # less was too short for lists of addresses to be renewed
        assert drain > 0
        assert pod(workload)["terminationGracePeriodSeconds"] >= sleep + drain + MARGIN_SECONDS


@pytest.mark.parametrize("overlay", EVERY)
def test_a_rollout_and_an_eviction_take_one_at_a_time(overlay: str) -> None:
    """A new pod is ready before an old one goes; no budget forbids every eviction; replicas are spread."""
    budgets = objects(overlay, "PodDisruptionBudget")
    for service in SERVICES:
        workload = deployment(overlay, service)
        assert workload["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
        assert workload["spec"]["minReadySeconds"] >= 10
        (budget,) = [each["spec"] for each in budgets if matches(each["spec"]["selector"], labels(workload))]
        assert (budget["maxUnavailable"], budget["unhealthyPodEvictionPolicy"]) == (1, "AlwaysAllow")
        spread = pod(workload)["topologySpreadConstraints"]
        assert {each["topologyKey"]: each["whenUnsatisfiable"] for each in spread} == {
            "topology.kubernetes.io/zone": "ScheduleAnyway",
            "kubernetes.io/hostname": "DoNotSchedule",
        }
        for each in spread:
            assert each["matchLabelKeys"] == ["pod-template-hash"]
            assert matches(each["labelSelector"], labels(workload))


@pytest.mark.parametrize("overlay", PRODUCTION)
def test_production_always_has_two(overlay: str) -> None:
    """Of each service: by its autoscaler, which then alone says how many there are, or by number."""
    scalers = {each["spec"]["scaleTargetRef"]["name"]: each for each in objects(overlay, *SCALERS)}
    assert len(scalers) == len(objects(overlay, *SCALERS)), "two of them would fight"
    for service in SERVICES:
        workload, scaler = deployment(overlay, service), scalers.pop(f"servito-{service}", None)
        if scaler is None:
            assert workload["spec"]["replicas"] >= 2
        else:
            assert "replicas" not in workload["spec"]
            least, most, pace = _bounds(scaler)
            assert 2 <= least < most
            assert pace["scaleDown"]["stabilizationWindowSeconds"] >= 300
    assert not scalers


SCALERS = ("HorizontalPodAutoscaler", "ScaledObject")


def _bounds(scaler: Object) -> tuple[int, int, Object]:
    spec = scaler["spec"]
    if scaler["kind"] == "ScaledObject":
        pace: Object = spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]
        return spec["minReplicaCount"], spec["maxReplicaCount"], pace
    return spec["minReplicas"], spec["maxReplicas"], spec["behavior"]


def test_keda_scales_as_the_autoscalers_do() -> None:
    """The same bounds and pace, for whom there is one of the base; and timers besides."""
    by_us = {_target(each): _bounds(each) for each in objects("prod", SCALERS[0])}
    by_keda = {_target(each): _bounds(each) for each in objects("own", SCALERS[1])}
    assert by_keda.keys() - by_us.keys() == {"servito-timers"}
    assert {name: by_keda[name] for name in by_us} == by_us


def _target(scaler: Object) -> str:
    name: str = scaler["spec"]["scaleTargetRef"]["name"]
    return name


@pytest.mark.parametrize("overlay", EVERY)
def test_services_and_monitors_find_their_pods(overlay: str) -> None:
    """Each is headless, chooses the pods of one workload, and names ports that these have."""
    for service in objects(overlay, "Service"):
        spec = service["spec"]
        assert spec["clusterIP"] == "None"
        (workload,) = [
            each for each in workloads(overlay) if matches({"matchLabels": spec["selector"]}, labels(each))
        ]
        for port in spec["ports"]:
            assert ports(workload)[port["targetPort"]] == port["port"], service["metadata"]["name"]
    monitors = objects(overlay, "ServiceMonitor")
    assert len(monitors) == (0 if overlay == "dev" else len(SERVICES))
    for monitor in monitors:
        (service,) = [
            each
            for each in objects(overlay, "Service")
            if matches(monitor["spec"]["selector"], _selectable(each))
        ]
        assert monitor["spec"]["endpoints"] == [{"port": "metrics", "interval": "15s"}]
        assert "metrics" in {port["name"] for port in service["spec"]["ports"]}


def _selectable(service: Object) -> dict[str, str]:
    found: dict[str, str] = service["metadata"].get("labels", {})
    return found


@pytest.mark.parametrize("overlay", EVERY)
def test_a_service_listens_where_its_ports_say(overlay: str) -> None:
    """The binds of its environment are its container ports, on all addresses of the pod."""
    for service in SERVICES:
        workload = deployment(overlay, service)
        found = variables(overlay, workload)
        names = {
            "health": "SERVITO_HEALTH_BIND",
            "grpc": "SERVITO_GRPC_BIND",
            "metrics": "SERVITO_METRICS_BIND",
        }
        if service == "timers":
            names = {"health": "SERVITO_GRPC_BIND", "metrics": "SERVITO_METRICS_BIND"}
        binds = {name: f"0.0.0.0:{ports(workload)[name]}" for name in ports(workload)}
        assert {name: found[variable] for name, variable in names.items()} == binds


@pytest.mark.parametrize("overlay", EVERY)
def test_targets_are_services_with_that_port(overlay: str) -> None:
    """`dns:///name:port` names a headless Service and its gRPC port; whoever balances needs the former."""
    services: dict[str, Any] = {
        each["metadata"]["name"]: each["spec"] for each in objects(overlay, "Service")
    }
    for service in SERVICES:
        for name, value in variables(overlay, deployment(overlay, service)).items():
            if name.endswith("_TARGET"):
                found = re.fullmatch(r"dns:///([a-z-]+):(\d+)", value or "")
                assert found, f"{name}={value}"
                assert {"grpc": int(found[2])}.items() <= _numbers(services[found[1]]).items()


def _numbers(spec: Object) -> dict[str, int]:
    return {port["name"]: port["port"] for port in spec["ports"]}


@pytest.mark.parametrize("overlay", EVERY)
def test_images_are_of_this_release(overlay: str) -> None:
    """Each service runs its own image, tagged with the version of pyproject.toml; nothing is `latest`."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for service in SERVICES:
        assert container(deployment(overlay, service))["image"] == f"servito/{service}:{version}"
    for workload in workloads(overlay):
        assert re.search(r":[\w.]+$", container(workload)["image"])
        assert not container(workload)["image"].endswith(":latest")


@pytest.mark.parametrize("overlay", EVERY)
def test_everything_has_one_namespace_and_belongs_to_servito(overlay: str) -> None:
    """And selectors choose what they stand beside."""
    (namespace,) = objects(overlay, "Namespace")
    for each in objects(overlay):
        assert each["metadata"]["labels"]["app.kubernetes.io/part-of"] == "servito"
        if each["kind"] != "Namespace":
            assert each["metadata"]["namespace"] == namespace["metadata"]["name"]
    for workload in workloads(overlay):
        assert matches(workload["spec"]["selector"], labels(workload))
        assert labels(workload)[NAME] == workload["metadata"]["name"]


@pytest.mark.parametrize("overlay", EVERY)
def test_no_secret_is_in_a_manifest(overlay: str) -> None:
    """Secrets are referred to by name; settings have a hash in theirs, so that a change is a rollout."""
    assert not objects(overlay, "Secret")
    assert not [
        text for each in objects(overlay) for text in strings(each) if re.search(r"redis\S*://", text)
    ]
    for settings in objects(overlay, "ConfigMap"):
        if DASHBOARD not in settings["metadata"].get("labels", {}):  # read anew while it is shown
            assert re.search(r"-[a-z0-9]{10}$", settings["metadata"]["name"])
