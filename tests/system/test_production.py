"""The whole system in production mode: it plays by signed tokens over mutual TLS, and lets nobody else in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from servito.dealer.v1 import dealer_pb2
from servito_client.client import Servito
from servito_client.errors import Refusal, Unanswered
from servito_client.retries import RetryPolicy
from servito_local.chips import read_chips
from servito_local.doctor.findings import Check, Kind
from servito_local.doctor.opening import opened
from servito_local.system import LocalSystem
from servito_platform.grpc_channel import open_channel
from servito_platform.settings import ServiceSettings, load_settings_from
from tests.doctor.found import looked, where_of
from tests.platform.signing import bearer
from tests.system.background import Background
from tests.system.production import Authority
from tests.system.tables import QUICK, next_expiries

pytestmark = pytest.mark.system

Production = tuple[LocalSystem, Authority]
QUICKLY = RetryPolicy(give_up_after=1.5, call_timeout=1.0)


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    """A running system."""
    directory = tmp_path_factory.mktemp("production")
    authority = Authority(directory / "authority")
    with Background(authority.system(directory / "data")) as background:
        yield background.system, authority


async def test_it_plays_by_signed_tokens_alone(production: Production) -> None:
    """An operator opens a table, players sit, the timers end their turns, the dealer deals: all of it by
    tokens and certificates. Tokens of services are renewed meanwhile. Who has none, or not for that, is
    refused.
    """
    system, authority = production
    login, ca = authority.login, authority.credentials()
    target = system.target("table")
    async with Servito(target, "host", token=login.token("host", role="operator"), credentials=ca) as host:
        table_id = await host.create_table(QUICK)
        for name in ("anna", "bo"):
            await host.acting_as(name, token=login.token(name)).sit(table_id, buy_in=200)
        spectator = host.acting_as("spectator", token=login.token("spectator"))
        await next_expiries(host, table_id, turns=2, spectator=spectator)
        for service in ("table", "timers"):
            authority.renew(service)
        await next_expiries(host, table_id, turns=2, hands=1, spectator=spectator)

        with pytest.raises(Refusal, match="only operators create tables"):
            await host.acting_as("anna", token=login.token("anna")).create_table(QUICK)
        with pytest.raises(Refusal, match="development tokens are not accepted"):
            await host.acting_as("host").create_table(QUICK)
        with pytest.raises(Refusal, match="may not sign in as service"):
            await host.acting_as("x", token=login.token("timers", role="service")).create_table(QUICK)
    assert read_chips(system.state_url).wrong == ()


async def test_nobody_without_a_certificate_reaches_it(production: Production) -> None:
    """Plain text, and TLS without a certificate of ours, come to nothing; a player who has both may not ask
    the dealer for cards.
    """
    system, authority = production
    login = authority.login
    ca = (authority.directory / "ca.pem").read_bytes()
    for credentials in (None, grpc.ssl_channel_credentials(ca)):
        async with Servito(
            system.target("table"),
            "anna",
            token=login.token("anna"),
            credentials=credentials,
            policy=QUICKLY,
        ) as anna:
            with pytest.raises(Unanswered):
                _ = [table async for table in anna.list_tables()]
    async with open_channel(
        system.target("dealer"), timeout=5, credentials=authority.credentials()
    ) as channel:
        deal: Any = channel.unary_unary(
            "/servito.dealer.v1.DealerService/Deal",
            dealer_pb2.DealRequest.SerializeToString,
            dealer_pb2.DealResponse.FromString,
        )
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await deal(dealer_pb2.DealRequest(hand_id="t-1"), metadata=bearer(login.token("anna")))
    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED


def test_the_command_shows_the_token_of_whoever_types_it(production: Production, tmp_path: Path) -> None:
    """With SERVITO_TOKEN_FILE and the certificates in the environment an operator creates a table; an expired
    token is refused, one that is none is told.
    """
    system, authority = production
    token = tmp_path / "token"
    certificates = {
        f"SERVITO_TLS_{name.upper()}_FILE": str(authority.directory / f"{name}.pem")
        for name in ("cert", "key", "ca")
    }
    environment = {**os.environ, **certificates, "SERVITO_TOKEN_FILE": str(token)}

    def create() -> subprocess.CompletedProcess[str]:
        words = ["table", "create", "Sala", "--target", system.target("table"), "--player", "host"]
        return subprocess.run(
            [sys.executable, "-c", "from servito_cli.main import main; main()", *words],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    token.write_text(authority.login.token("host", role="operator"))
    assert create().returncode == 0
    token.write_text(authority.login.token("host", seconds=-60, role="operator"))
    expired = create()
    assert expired.returncode == 1
    assert "the token has expired" in expired.stderr
    token.write_text("two words")
    unusable = create()
    assert unusable.returncode == 2
    assert "one token and nothing else" in unusable.stderr


def test_the_doctor_looks_at_it(production: Production) -> None:
    """With the certificates of a service in its environment he reaches all processes, behind their addresses
    and behind a name; what was accepted is a note.
    """
    system, authority = production
    told = authority.environment()
    where = where_of(system)
    by_address = replace(where, environment={**where.environment, **told})
    port = system.target("dealer").rpartition(":")[2]
    by_name = replace(
        by_address,
        grpc={"dealer": (f"127.0.0.1:{port}",)},
        environment={**by_address.environment, "SERVITO_DEALER_TARGET": f"dns:///dealer.test:{port}"},
    )
    for results in (looked(by_address), looked(by_name)):
        found = results[Check.SERVICES].findings
        assert {each.kind for each in found} <= {Kind.RUNS_UNSAFE, Kind.SERVICE_UNKNOWN}
        risks = {str(each.facts["risk"]) for each in found if each.kind is Kind.RUNS_UNSAFE}
        assert risks == {"no-password", "no-replica", "local-history"}
    without = {name: value for name, value in by_address.environment.items() if "TLS" not in name}
    unseen = looked(replace(by_address, environment=without))[Check.SERVICES].findings
    assert [each.facts["service"] for each in unseen if each.kind is Kind.SERVICE_UNREACHABLE] == [
        "dealer",
        "evaluator",
        "table",
    ]


def test_the_doctor_asks_for_tables_without_a_token(production: Production) -> None:
    """As anybody may look; which tables there are he has from the state server, and these are none."""
    system, authority = production
    where = where_of(system)
    where = replace(where, environment={**where.environment, **authority.environment()})
    settings = load_settings_from(ServiceSettings, where.environment)
    asked = opened(where, settings, ["t1", "t2"])
    assert (asked.looked_at, asked.findings) == (2, ())
