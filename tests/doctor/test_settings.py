"""The doctor looks at settings: it asks the services' own programs, and knows what none of them knows."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from servito_local.doctor.findings import Finding, Kind, Result, Severity
from servito_local.doctor.settings import Asking
from servito_local.doctor.where import Whereabouts
from servito_platform.settings import SettingsError, load_settings
from servito_table.settings import TableSettings
from tests.platform.signing import Issuer, jwks

Asked = Callable[..., Result]


@pytest.fixture
def asked() -> Asked:
    """What is found of these variables."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SERVITO_")}

    def asked(**variables: str) -> Result:
        given = {f"SERVITO_{name.upper()}": value for name, value in variables.items()}
        return Asking(Whereabouts({**clean, **given}, {}, {})).result()

    return asked


def by_kind(result: Result, kind: Kind) -> list[Finding]:
    """Those of one kind."""
    return [finding for finding in result.findings if finding.kind is kind]


def test_wrong_and_unknown_settings_are_found(asked: Asked) -> None:
    """A value that cannot be is told once though four services see it; a variable of one service is known; a
    slip of the pen is told with what was meant. Secrets are in no finding, however wrong they are.
    """
    result = asked(
        state_timeout="soon",
        state_url="redis://:hunter2@h:port",
        dealer_seal_keys="k:hunter2",
        table_token="hunter2",
        auth_jwks='{"hunter2": 1}',
        auth_issuer="i",
        table_pace_ms="100",
        timers_sweep_second="0.1",
        flavour="bitter",
    )
    assert result.looked_at == 4
    wrong = [str(each.facts["told"]).partition(": ")[0] for each in by_kind(result, Kind.SETTING_WRONG)]
    assert sorted(wrong) == ["SERVITO_DEALER_SEAL_KEYS", "SERVITO_STATE_TIMEOUT", "SERVITO_STATE_URL"]
    assert [each.facts for each in by_kind(result, Kind.SETTING_MISSPELT)] == [
        {"variable": "SERVITO_TIMERS_SWEEP_SECOND", "meant": "SERVITO_TIMERS_SWEEP_SECONDS"}
    ]
    assert [each.facts for each in by_kind(result, Kind.SETTING_UNKNOWN)] == [{"variable": "SERVITO_FLAVOUR"}]
    assert "hunter2" not in repr(result)


def test_production_is_judged_risk_by_risk(asked: Asked) -> None:
    """What keeps a service from starting is an error, what is accepted a note; tokens that only the services
    have are not guessed at, and the keys of dealer and table, which no other environment should have, are not
    missed.
    """
    result = asked(
        mode="production",
        state_url="redis+sentinel://:p@127.0.0.1:1/main",
        broker_url="redis://:p@127.0.0.1:2",
        auth_jwks=jwks(Issuer().jwk()),
        auth_issuer="i",
        metrics_bind="0.0.0.0:9100",
        accepted_risks="plain-grpc",
    )
    unsafe = {(str(each.facts["risk"]), each.severity) for each in by_kind(result, Kind.UNSAFE)}
    assert unsafe == {("plain-grpc", Severity.NOTE), ("open-metrics", Severity.ERROR)}
    elsewhere = {(each.severity, each.facts["variable"]) for each in by_kind(result, Kind.SETTING_ELSEWHERE)}
    keys = ("SERVITO_DEALER_SEAL_KEYS", "SERVITO_TABLE_SEAL_KEYS", "SERVITO_TABLE_AUDITOR_KEY")
    assert elsewhere == {(Severity.NOTE, variable) for variable in keys}
    assert by_kind(result, Kind.SETTING_WRONG) == []


def test_a_contradiction_is_told_by_both_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token both as text and as a file, keys in two ways: whichever was meant, the other is a mistake."""
    monkeypatch.setenv("SERVITO_TABLE_TOKEN", "a.b.c")
    (tmp_path / "token").write_text("a.b.c")
    monkeypatch.setenv("SERVITO_TABLE_TOKEN_FILE", str(tmp_path / "token"))
    with pytest.raises(SettingsError, match="SERVITO_TABLE_TOKEN and SERVITO_TABLE_TOKEN_FILE: only one"):
        load_settings(TableSettings)
    monkeypatch.delenv("SERVITO_TABLE_TOKEN")
    monkeypatch.setenv("SERVITO_AUTH_JWKS", "{}")
    with pytest.raises(SettingsError, match="SERVITO_AUTH_ISSUER is needed"):
        load_settings(TableSettings)
