"""The page of settings is what the code says, and says something of every setting."""

from __future__ import annotations

import pytest

from servito_platform.safety.names import WORDS
from servito_platform.safety.settings import Uses, judge_settings
from servito_platform.settings import load_settings_from
from tests.deploy.services import known_variables
from tests.docs.settings import DOCUMENT, KINDS, RISKS, SERVERS, document, meanings, rows

UNSAFE = {
    "SERVITO_MODE": "production",
    "SERVITO_STATE_URL": "redis+sentinel://10.0.0.1:26379/main",
    "SERVITO_BROKER_URL": "redis://10.0.0.2:6379/0",
    "SERVITO_METRICS_BIND": "0.0.0.0:9100",
    "SERVITO_STATE_REPLICAS_STRICT": "false",
    "SERVITO_DEALER_SEAL_KEYS": "a:" + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=",
    "SERVITO_TABLE_SEAL_KEYS": "a:" + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=",
    "SERVITO_TABLE_AUDITOR_KEY": "a:" + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=",
}


def test_the_page_is_current() -> None:
    """Otherwise: make docs."""
    assert DOCUMENT.read_text(encoding="utf-8") == document()


@pytest.mark.parametrize("service", KINDS)
def test_every_setting_is_there_with_its_meaning(service: str) -> None:
    """In a sentence below the field; an operator reads nothing else."""
    said = meanings(KINDS[service])
    missing = {name for name in KINDS[service].model_fields if not said.get(name, "").endswith((".", ":"))}
    assert missing == set()
    assert {row[0].strip("`") for row in rows()} >= {
        f"SERVITO_{name.upper()}" for name in KINDS[service].model_fields
    }


@pytest.mark.parametrize("service", KINDS)
def test_the_services_read_these_classes(service: str) -> None:
    """The page is about what the programs read: each says so itself."""
    assert known_variables(service) == {f"SERVITO_{name.upper()}" for name in KINDS[service].model_fields}


def test_every_risk_is_at_the_setting_that_it_is_about() -> None:
    """What the start of a service judges by settings alone is named by one; the rest are about servers."""
    fields = {name for kind in KINDS.values() for name in kind.model_fields}
    assert RISKS.keys() <= fields
    named = {risk for risks in RISKS.values() for risk in risks}
    assert named | set(SERVERS) == set(WORDS)
    assert not named & set(SERVERS)


@pytest.mark.parametrize("replicas", ["0", "1"])
def test_what_a_start_refuses_is_on_the_page(replicas: str) -> None:
    """An environment with everything wrong."""
    found = set()
    for kind in KINDS.values():
        settings = load_settings_from(kind, UNSAFE | {"SERVITO_STATE_REPLICAS": replicas})
        found |= {each.risk for each in judge_settings(settings, Uses(calls=True, queues=True, wakes=True))}
    assert len(found) > 4
    assert found <= {risk for risks in RISKS.values() for risk in risks}
