"""Settings: what is wrong is said, all of it, before anything starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import trustme

from servito_platform.place import Mode, read_place
from servito_platform.settings import ServiceSettings, SettingsError, load_settings
from servito_platform.tls import Tls

if TYPE_CHECKING:
    from pathlib import Path


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
        ("SERVITO_DEALER_TARGET", "dealer"),
        ("SERVITO_DEALER_TARGET", "http://dealer:50051"),
        ("SERVITO_EVALUATOR_TARGET", "evaluator:70000"),
        ("SERVITO_EVALUATOR_TARGET", "ipv4:10.0.0.1:50051,10.0.0.2"),
        ("SERVITO_TABLE_TARGET", "dns:///table"),
        ("SERVITO_TABLE_TARGET", ""),
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


@pytest.mark.parametrize(
    "target",
    ["dealer:50051", "dns:///dealer:50051", "dns:dealer:50051", "ipv4:10.0.0.1:1,10.0.0.2:2", "[::1]:50051"],
)
def test_where_other_services_are(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    """The forms that are promised, each as it was given."""
    monkeypatch.setenv("SERVITO_DEALER_TARGET", target)
    assert load_settings(ServiceSettings).dealer_target == target


@pytest.mark.parametrize(
    ("url", "mode", "nodes"),
    [
        ("redis://:a@h:1/2", Mode.SINGLE, ()),
        ("unix:///run/redis.sock", Mode.SINGLE, ()),
        ("redis+sentinel://a:1,b:2,[::1]:3/main/4", Mode.SENTINEL, (("a", 1), ("b", 2), ("::1", 3))),
        ("redis+cluster://me:p%40s@a:1,b:2", Mode.CLUSTER, (("a", 1), ("b", 2))),
    ],
)
def test_three_ways_of_running_the_state(
    monkeypatch: pytest.MonkeyPatch, url: str, mode: Mode, nodes: tuple[tuple[str, int], ...]
) -> None:
    """One address names a server, the Sentinels and what they watch, or some servers of a Cluster."""
    monkeypatch.setenv("SERVITO_STATE_URL", url)
    place = load_settings(ServiceSettings).state
    assert (place.mode, place.nodes) == (mode, nodes)
    assert (place.master, place.db) == (("main", 4) if mode is Mode.SENTINEL else ("", 0))
    if mode is Mode.CLUSTER:
        assert place.node_url(("a", 1)) == "redis://me:p%40s@a:1/0"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("redis+sentinel://secret@a:1,b:2", "names no master; it must be redis+sentinel://"),
        ("redis+sentinel://a:1,b/main", "not host:port; it must be redis+sentinel://"),
        ("redis+sentinel://a:1/main/db", "no number; it must be redis+sentinel://"),
        ("redis+sentinel://a:1/main?secret=1", "allowed are sentinel_password, sentinel_username"),
        ("redis+cluster://a:1,b:70000", "not host:port; it must be redis+cluster://"),
        ("redis+cluster://a:1/3", "no databases; it must be redis+cluster://"),
        ("redis+cluster://a:1?secret=1", "allowed are none; with rediss in front also ssl_ca_certs, "),
        ("redis://a:1/0?ssl_ca_certs=secret", "allowed are none; with rediss in front also ssl_ca_certs, "),
        ("rediss://a:1?ssl_cert_reqs=none", "allowed are ssl_ca_certs, ssl_certfile, ssl_check_hostname, "),
        ("rediss://a:1?ssl_check_hostname=secret", "ssl_check_hostname that is neither true nor false"),
        ("rediss+cluster://a:1?ssl_certfile=secret", "only one of ssl_certfile and ssl_keyfile"),
        ("rediss+cluster://a:1?ssl_ca_certs=/no/such.pem", "cannot be read: /no/such.pem"),
        (
            "sentinel://secret@a:1",
            "must be one of redis:// ... unix:// ... redis+sentinel:// ... redis+cluster://",
        ),
        ("redis://a:secret", "cannot be read; it must be redis://"),
        ("redis://a:1/secret", "database that is no number; it must be redis://"),
        ("rediss://a:1?ssl_ca_certs=/dev/null", "/dev/null holds no certificate"),
    ],
)
def test_a_wrong_address_says_what_is_allowed(monkeypatch: pytest.MonkeyPatch, url: str, told: str) -> None:
    """What is wrong, and the form that is right; nothing of the address, which may hold a password."""
    monkeypatch.setenv("SERVITO_STATE_URL", url)
    with pytest.raises(SettingsError, match=r"^SERVITO_STATE_URL: ") as refused:
        load_settings(ServiceSettings)
    assert all(part in str(refused.value) for part in told.split(" ... "))
    assert "secret" not in str(refused.value)


def test_tls_is_part_of_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that an address names go to every server, for the state and the broker alike; without files
    the system's certificates are trusted.
    """
    trustme.CA().cert_pem.write_to_path(tmp_path / "ca.pem")
    query = f"ssl_ca_certs={tmp_path / 'ca.pem'}&ssl_check_hostname=false"
    for name in ("SERVITO_STATE_URL", "SERVITO_BROKER_URL"):
        monkeypatch.setenv(name, f"rediss+sentinel://me:x@a:1,b:2/main/4?{query}")
    settings = load_settings(ServiceSettings)
    for place in (settings.state, settings.broker):
        again = read_place(place.node_url(("c", 3)))
        assert again.tls == place.tls == Tls(ca_file=str(tmp_path / "ca.pem"), check_hostname=False)
    assert read_place("rediss+cluster://a:1").tls == Tls()
    assert read_place("redis+cluster://a:1").tls is None


def test_the_broker_is_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery cannot use one (PITFALLS C12): it is refused at start, with the forms that are allowed."""
    monkeypatch.setenv("SERVITO_BROKER_URL", "redis+sentinel://a:1,b:2/main")
    assert load_settings(ServiceSettings).broker.mode is Mode.SENTINEL
    monkeypatch.setenv("SERVITO_BROKER_URL", "redis+cluster://a:1,b:2")
    with pytest.raises(SettingsError, match=r"SERVITO_BROKER_URL: .*Cluster.*redis://.*redis[+]sentinel://"):
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
