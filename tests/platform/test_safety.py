"""The rules about unsafe configuration: each is found, and a safe one is called safe."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from servito_local.ports import Reservations
from servito_platform.safety.facts import read_facts
from servito_platform.safety.names import ACCEPTABLE, WORDS, Risk, Unsafe, read_risks
from servito_platform.safety.servers import judge_server
from servito_platform.safety.settings import Uses, is_example, judge_settings
from servito_platform.safety.start import UnsafeStart, check_safety
from servito_platform.settings import ServiceSettings
from tests.modes.servers import Server
from tests.platform.signing import Issuer, jwks

PASSWORD = "correct-horse"
ALL = Uses(calls=True, queues=True)
NO_SERVER = Uses(calls=True, stores=False)


class Holder(ServiceSettings):
    """A service that holds a key and shows a token."""

    key: bytes = b""
    shown: SecretStr = SecretStr("signed")

    def sealing_keys(self) -> dict[str, bytes]:
        return {"HOLDER_KEY": self.key}

    def shown_tokens(self) -> dict[str, SecretStr]:
        return {"HOLDER_TOKEN": self.shown}


def settings(directory: Path, **changed: Any) -> Holder:
    """Production settings without any risk, but for what is changed."""
    for name in ("cert", "key", "ca"):
        (directory / name).touch()
    safe: dict[str, Any] = {
        "mode": "production",
        "state_url": SecretStr(f"redis+sentinel://:{PASSWORD}@a:1,b:2/main"),
        "broker_url": SecretStr(f"redis://:{PASSWORD}@c:3"),
        "auth_jwks": jwks(Issuer().jwk()),
        "auth_issuer": "https://login.example",
        "tls_cert_file": directory / "cert",
        "tls_key_file": directory / "key",
        "tls_ca_file": directory / "ca",
        "metrics_bind": "10.0.0.7:9100",
        "key": secrets.token_bytes(32),
    }
    return Holder(**safe | changed)


def found(settings: Holder) -> list[tuple[Risk, str]]:
    """The risks that are seen."""
    judged = judge_settings(settings, ALL)
    return [(each.risk, each.what) for each in judged]


def test_a_safe_configuration_has_no_risk(tmp_path: Path) -> None:
    """Signed tokens, certificates, passwords, a random key, an inner metrics address, a replica."""
    assert found(settings(tmp_path)) == []


UNSAFE: list[tuple[dict[str, Any], list[tuple[Risk, str]]]] = [
    ({"auth_jwks": None}, [(Risk.DEV_TOKENS, "")]),
    ({"shown": SecretStr("dev:service:table")}, [(Risk.OWN_DEV_TOKEN, "HOLDER_TOKEN")]),
    ({"key": bytes(32)}, [(Risk.EXAMPLE_KEY, "HOLDER_KEY")]),
    ({"key": bytes(range(32))}, [(Risk.EXAMPLE_KEY, "HOLDER_KEY")]),
    ({"key": b"change-me-change-me-change-me-32"}, [(Risk.EXAMPLE_KEY, "HOLDER_KEY")]),
    (
        {"state_url": SecretStr("redis+sentinel://a:1/main")},
        [(Risk.NO_PASSWORD, "SERVITO_STATE_URL")],
    ),
    ({"broker_url": SecretStr("redis://c:3")}, [(Risk.NO_PASSWORD, "SERVITO_BROKER_URL")]),
    (
        {"tls_cert_file": None, "tls_key_file": None},
        [(Risk.PLAIN_GRPC, "calls to this service")],
    ),
    ({"tls_ca_file": None}, [(Risk.PLAIN_GRPC, "calls to other services")]),
    ({"metrics_bind": "0.0.0.0:9100"}, [(Risk.OPEN_METRICS, "SERVITO_METRICS_BIND")]),
    ({"metrics_bind": "[::]:9100"}, [(Risk.OPEN_METRICS, "SERVITO_METRICS_BIND")]),
    ({"metrics_bind": "93.184.216.34:9100"}, [(Risk.OPEN_METRICS, "SERVITO_METRICS_BIND")]),
    ({"state_url": SecretStr(f"redis://:{PASSWORD}@a:1")}, [(Risk.NO_REPLICA, "")]),
    ({"state_replicas": 0}, [(Risk.NO_REPLICA, "")]),
    ({"state_replicas_strict": False}, [(Risk.LOOSE_REPLICAS, "")]),
    (
        {"state_url": SecretStr(f"redis+cluster://:{PASSWORD}@a:1"), "state_replicas_strict": False},
        [(Risk.LOOSE_REPLICAS, "")],
    ),
]


@pytest.mark.parametrize(("changed", "risks"), UNSAFE)
def test_each_risk_of_the_settings_is_found(
    tmp_path: Path, changed: dict[str, Any], risks: list[tuple[Risk, str]]
) -> None:
    """One thing is changed, one risk is found, and it is about that."""
    assert found(settings(tmp_path, **changed)) == risks


@pytest.mark.parametrize(
    "bind", ["127.0.0.1:9100", "[::1]:9100", "10.1.2.3:9100", "192.168.1.5:9100", "metrics.internal:9100"]
)
def test_an_inner_metrics_address_is_no_risk(tmp_path: Path, bind: str) -> None:
    """Loopback, private networks, and names, which somebody has chosen."""
    assert found(settings(tmp_path, metrics_bind=bind)) == []


def test_production_is_strict_where_a_replica_may_take_over(tmp_path: Path) -> None:
    """Unless it is told otherwise; a single address has nobody that Servito knows of, development decides for
    itself.
    """
    single = {"state_url": SecretStr(f"redis://:{PASSWORD}@a:1"), "state_replicas": 1}
    assert settings(tmp_path).replicas.strict
    assert not settings(tmp_path, **single).replicas.strict
    assert settings(tmp_path, **single, state_replicas_strict=True).replicas.strict
    assert not settings(tmp_path, mode="development").replicas.strict


def test_a_socket_needs_no_password(tmp_path: Path) -> None:
    """Who may use it is said by the file system."""
    assert found(settings(tmp_path, state_url=SecretStr("unix:///run/state.sock"), state_replicas=1)) == []


def test_random_keys_are_not_taken_for_examples() -> None:
    """Twenty thousand keys of the operating system: none is refused."""
    assert not any(is_example(secrets.token_bytes(32)) for _ in range(20_000))


@pytest.mark.parametrize(
    "key",
    [
        b"\0" * 32,
        bytes(range(1, 33)),
        bytes(range(255, 223, -1)),
        bytes(range(0, 64, 2)),
        b"0123456789abcdef" * 2,
        b"an example key of thirty-two by.",
        base64.b64encode(b"exactly 24 bytes of text"),
        b"\x9f\xc8\xa3}" * 8,
    ],
)
def test_keys_that_nobody_drew_are_seen(key: bytes) -> None:
    """Zeros, counts, text, text in base64, a short piece again and again."""
    assert len(key) == 32
    assert is_example(key)


def test_production_refuses_to_start_and_says_what_is_allowed(tmp_path: Path) -> None:
    """Every risk at once, one a line: what it is, what follows, what to do, and its name."""
    unsafe = settings(tmp_path, auth_jwks=None, tls_ca_file=None)
    with pytest.raises(UnsafeStart) as refused:
        check_safety(unsafe, NO_SERVER)
    first, second = str(refused.value).splitlines()[0], str(refused.value).splitlines()[-1]
    assert first.startswith(
        "unsafe in production mode: development tokens are believed: everybody is whoever"
    )
    assert "SERVITO_AUTH_JWKS_FILE" in first
    assert first.endswith("[dev-tokens]")
    assert "SERVITO_ACCEPTED_RISKS" not in first
    assert "or accept it: SERVITO_ACCEPTED_RISKS=plain-grpc [plain-grpc]" in second


def test_some_risks_may_be_taken_on_purpose(tmp_path: Path) -> None:
    """Named in the settings they are told and no hindrance; the others stay one."""
    accepted = settings(tmp_path, tls_ca_file=None, accepted_risks="plain-grpc, no-replica")
    assert check_safety(accepted, NO_SERVER) == [Unsafe(Risk.PLAIN_GRPC, "calls to other services")]
    with pytest.raises(UnsafeStart, match="open-metrics"):
        check_safety(
            accepted.model_copy(update={"metrics_bind": "0.0.0.0:1"}),
            NO_SERVER,
        )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("dev-tokens", "'dev-tokens' is no risk that can be accepted: no-password, plain-grpc"),
        ("plain-grcp", "did you mean plain-grpc?"),
        ("all", "'all' is no risk"),
    ],
)
def test_unknown_risks_cannot_be_taken(text: str, told: str) -> None:
    """Told by name, with those that there are; no word opens all doors."""
    with pytest.raises(ValidationError, match=told):
        ServiceSettings(accepted_risks=text)
    assert read_risks(" , ") == frozenset()


def test_development_starts_with_a_warning_for_each(tmp_path: Path) -> None:
    """The same risks, told and no hindrance."""
    unsafe = settings(tmp_path, mode="development", auth_jwks=None, tls_ca_file=None)
    risks = check_safety(unsafe, NO_SERVER)
    assert [each.risk for each in risks] == [Risk.DEV_TOKENS, Risk.PLAIN_GRPC]


def test_every_risk_is_put_into_words() -> None:
    """Three sentences each; those that may be taken on purpose can be named in the settings."""
    assert set(WORDS) == set(Risk)
    for risk in Risk:
        told = str(Unsafe(risk, "X"))
        assert told.endswith(f"[{risk}]")
        assert ("SERVITO_ACCEPTED_RISKS" in told) is (risk in ACCEPTABLE)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A state server as it should be."""
    with Reservations() as ports, closing(Server(ports.reserve(), tmp_path / "s")) as server:
        yield server


def judged(server: Server) -> list[Risk]:
    """Its risks, as a state server."""
    facts = read_facts(server.client, "s")
    return [each.risk for each in judge_server(facts, "the state server s", keeps=True)]


def test_a_server_is_judged_by_what_it_says(server: Server) -> None:
    """Eviction, no append-only file, writing left to the system: each is found; put right, none is."""
    assert judged(server) == []
    for option, wrong, right, risk in (
        ("maxmemory-policy", "allkeys-lru", "noeviction", Risk.EVICTION),
        ("appendonly", "no", "yes", Risk.NOT_KEPT),
        ("appendfsync", "no", "everysec", Risk.NOT_SYNCED),
    ):
        server.client.config_set(option, wrong)
        assert judged(server) == [risk]
        server.client.config_set(option, right)
        assert judged(server) == []


def test_a_server_that_hides_its_configuration_is_judged_by_the_rest(server: Server) -> None:
    """CONFIG is often forbidden on managed servers: eviction and append-only file are known without it."""
    server.client.config_set("maxmemory-policy", "volatile-ttl")
    server.client.config_set("appendonly", "no")
    server.client.execute_command(
        "ACL", "SETUSER", "default", "-config", "-acl"
    )  # this connection loses the right as well
    facts = read_facts(server.client, "s")
    assert (facts.fsync, facts.least_replicas) == (None, None)
    assert judged(server) == [Risk.EVICTION, Risk.NOT_KEPT]


def test_a_user_without_the_channels_of_wake_ups_is_found(tmp_path: Path, server: Server) -> None:
    """As an ACL user is made by default; with the channels of some partitions only; with all. Nobody who
    listens hears anything of being asked, and who tells nothing is not asked.
    """
    url = SecretStr(f"redis://servito:secret@127.0.0.1:{server.port}")
    asked = settings(tmp_path, state_url=url, accepted_risks="no-replica")
    wakes = Uses(wakes=True)
    user = ("ACL", "SETUSER", "servito", "on", ">secret", "~*", "+@all", "resetchannels")
    for channels, open_to_us in (((), False), (("&{p00*}:wake",), False), (("&{p*}:wake",), True)):
        server.client.execute_command(*user, *channels)
        if open_to_us:
            assert Risk.WAKE_CLOSED not in {each.risk for each in check_safety(asked, wakes)}
        else:
            with pytest.raises(UnsafeStart, match="does not let our user use the channels"):
                check_safety(asked, wakes)
        check_safety(asked, Uses())
    server.client.execute_command(*user, "&{p*}:wake", "-ssubscribe")
    with pytest.raises(UnsafeStart, match=r"wake-closed"):
        check_safety(asked, wakes)


def test_an_unsafe_state_server_keeps_production_from_starting(tmp_path: Path, server: Server) -> None:
    """The server is asked at the start, by its address; one that is silent is no reason not to start."""
    server.client.config_set("maxmemory-policy", "allkeys-lru")
    url = SecretStr(f"redis://127.0.0.1:{server.port}")
    asked = settings(tmp_path, state_url=url, accepted_risks="no-password,no-replica")
    with pytest.raises(UnsafeStart, match=rf"state server 127.0.0.1:{server.port} may evict keys"):
        check_safety(asked, ALL)
    server.kill()
    risks = check_safety(asked, ALL)
    assert {each.risk for each in risks} == {Risk.NO_PASSWORD, Risk.NO_REPLICA}
