"""Settings: what is wrong is said, all of it, before anything starts."""

from __future__ import annotations

import pytest

from servito_platform.settings import ServiceSettings, SettingsError, load_settings


def test_defaults_are_a_development_service_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any variable a service starts in development mode and listens on loopback only."""
    settings = load_settings(ServiceSettings)
    assert settings.development
    assert settings.reflects
    assert settings.partitions == 64
    assert settings.grpc_bind.startswith("127.0.0.1:")
    assert settings.metrics_bind.startswith("127.0.0.1:")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SERVITO_PARTITIONS", "0"),
        ("SERVITO_PARTITIONS", "1001"),
        ("SERVITO_PARTITIONS", "many"),
        ("SERVITO_GRPC_BIND", "50051"),
        ("SERVITO_GRPC_BIND", "127.0.0.1:70000"),
        ("SERVITO_METRICS_BIND", ":80"),
        ("SERVITO_STATE_URL", "valkey://127.0.0.1:6379"),
        ("SERVITO_BROKER_URL", "amqp://127.0.0.1"),
        ("SERVITO_MODE", "test"),
        ("SERVITO_STATE_TIMEOUT", "0"),
        ("SERVITO_DRAIN_SECONDS", "-1"),
        ("SERVITO_LOG_LEVEL", "loud"),
    ],
)
def test_a_wrong_value_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    """Each wrong variable stops the start with its own name."""
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=f"^{variable}: "):
        load_settings(ServiceSettings)


def test_every_defect_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two wrong variables give two lines, so nobody has to start a service twice to learn of both."""
    monkeypatch.setenv("SERVITO_PARTITIONS", "0")
    monkeypatch.setenv("SERVITO_GRPC_BIND", "nowhere")
    with pytest.raises(SettingsError) as refused:
        load_settings(ServiceSettings)
    assert len(str(refused.value).splitlines()) == 2


def test_a_password_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the settings' text nor a refusal shows what a Redis address may hold."""
    monkeypatch.setenv("SERVITO_STATE_URL", "redis://:hunter2@127.0.0.1:6379/0")
    assert "hunter2" not in repr(load_settings(ServiceSettings))
    monkeypatch.setenv("SERVITO_STATE_URL", "http://:hunter2@127.0.0.1:6379/0")
    with pytest.raises(SettingsError) as refused:
        load_settings(ServiceSettings)
    assert "hunter2" not in str(refused.value)


def test_production_keeps_state_and_broker_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """In production mode one server for both is refused: a full broker must not stop the tables."""
    monkeypatch.setenv("SERVITO_MODE", "production")
    monkeypatch.setenv("SERVITO_STATE_URL", "redis://127.0.0.1:6379/0")
    monkeypatch.setenv("SERVITO_BROKER_URL", "redis://127.0.0.1:6379/0")
    with pytest.raises(SettingsError, match="different servers"):
        load_settings(ServiceSettings)


def test_production_trusts_nobody_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Production mode switches off what trusts everybody; reflection comes back only by name."""
    monkeypatch.setenv("SERVITO_MODE", "production")
    assert not load_settings(ServiceSettings).development
    assert not load_settings(ServiceSettings).reflects
    monkeypatch.setenv("SERVITO_REFLECTION", "true")
    assert load_settings(ServiceSettings).reflects
