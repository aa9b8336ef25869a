"""What manifests and Compose tell the services is what these can be told, and lets them start."""

from __future__ import annotations

import base64
import re
import secrets
from dataclasses import fields
from pathlib import Path

import pytest

from servito_platform.audit_seal import new_auditor_key
from servito_platform.safety.settings import judge_settings
from servito_platform.settings import load_settings_from
from servito_table.adapters.schema import NEWEST
from tests.deploy.compose import environment, services
from tests.deploy.manifests import OVERLAYS, PRODUCTION, ROOT, SERVICES, container, deployment, pod, variables
from tests.deploy.services import SETTINGS, USES, known_variables

SECRETS = {
    "SERVITO_BROKER_URL": "rediss://:password@broker.example:6379/0",
    "SERVITO_HISTORY_URL": "postgresql://servito:password@history.example:5432/servito",
    "SERVITO_DEALER_SEAL_KEYS": f"k1:{base64.b64encode(secrets.token_bytes(32)).decode()}",
    "SERVITO_TABLE_SEAL_KEYS": f"k1:{base64.b64encode(secrets.token_bytes(32)).decode()}",
    "SERVITO_TABLE_AUDITOR_KEY": f"a1:{base64.b64encode(new_auditor_key()[1]).decode()}",
}
"""What a Secret may hold; of the state it depends on the overlay."""
STATE = {
    "dev": "redis://servito-state:6379/0",
    **dict.fromkeys(("prod", "own"), "rediss://:password@state.example:6379/0"),
    "redis-sentinel": "rediss+sentinel://:password@sentinel-1.example:26379,sentinel-2.example:26379/servito",
    "redis-cluster": "rediss+cluster://:password@node-1.example:6379,node-2.example:6379",
}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_variable_of_a_manifest_is_a_setting(overlay: str) -> None:
    """Of the very service that is told it: pydantic ignores what it does not know."""
    for service in SERVICES:
        assert not set(variables(overlay, deployment(overlay, service))) - known_variables(service)


@pytest.mark.parametrize("service", SERVICES)
def test_every_variable_of_compose_is_a_setting(service: str) -> None:
    """The same for its env files and what stands beside them."""
    told = [environment(name) for name in services() if name.rstrip("-12") == service]
    assert len(told) == (2 if service in ("table", "timers") else 1)
    for each in told:
        assert not set(each) - known_variables(service)


@pytest.mark.parametrize("overlay", OVERLAYS)
@pytest.mark.parametrize("service", SERVICES)
def test_a_service_may_start_with_what_it_is_told(
    overlay: str, service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment of a manifest, with Secrets filled in, is complete, and in production nothing is unsafe
    but what it says that it accepts.
    """
    for name in known_variables(service):
        monkeypatch.delenv(name, raising=False)
    given = {"SERVITO_STATE_URL": STATE[overlay], **SECRETS}
    told: dict[str, str] = {}
    for name, value in variables(overlay, deployment(overlay, service)).items():
        told[name] = given[name] if value is None else value
        if name.endswith("_FILE"):
            told[name] = str(tmp_path / Path(told[name]).name)
            Path(told[name]).write_text("token")
    settings = load_settings_from(SETTINGS[service], told)
    assert settings.mode == ("production" if overlay in PRODUCTION else "development")
    if overlay in PRODUCTION:
        found = {each.risk for each in judge_settings(settings, USES[service])}
        assert found == settings.risks == {"open-metrics"}


@pytest.mark.parametrize("overlay", PRODUCTION)
def test_what_is_new_begins_in_the_newest_form(overlay: str) -> None:
    """Tables are sealed and archived: no release before is there that could not read them."""
    assert variables(overlay, deployment(overlay, "table"))["SERVITO_TABLE_SCHEMA"] == str(NEWEST)


@pytest.mark.parametrize("overlay", PRODUCTION)
def test_files_that_are_named_are_mounted(overlay: str) -> None:
    """Each `_FILE` lies in the folder of a Secret that is mounted read-only, by its own reference."""
    for service in SERVICES:
        workload = deployment(overlay, service)
        secret = {each["name"]: each["secret"]["secretName"] for each in pod(workload)["volumes"]}
        mounted = {each["mountPath"]: each for each in container(workload)["volumeMounts"]}
        files = {n: v or "" for n, v in variables(overlay, workload).items() if n.endswith("_FILE")}
        assert {str(Path(file).parent) for file in files.values()} == set(mounted)
        for name, file in files.items():
            mount = mounted[str(Path(file).parent)]
            assert mount["readOnly"] is True
            own = secret[mount["name"]]
            assert own == "servito-jwks" if "JWKS" in name else own.startswith(f"servito-{service}-")


def test_uses_are_those_of_the_mains() -> None:
    """What decides which settings would be unsafe is said in each main; here the same is said."""
    for service in SERVICES:
        main = (ROOT / f"services/servito_{service}/main.py").read_text()
        said = re.search(r"Uses\(.+?\)", main)
        assert (said[0] if said else "Uses()") == _written(service)


def _written(service: str) -> str:
    uses = USES[service]
    default = type(uses)()
    named = {each.name: getattr(uses, each.name) for each in fields(uses)}
    other = [f"{name}={value}" for name, value in named.items() if value != getattr(default, name)]
    return f"Uses({', '.join(other)})"
