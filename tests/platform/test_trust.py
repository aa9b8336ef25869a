"""Tokens and certificates on real servers: streams end with their token, TLS both ways, renewed files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import grpc
import pytest
import trustme
from google.protobuf.wrappers_pb2 import BytesValue
from grpc import aio
from pydantic import SecretStr, TypeAdapter, ValidationError

from servito_platform.ages import Ages
from servito_platform.carrier import Carrier
from servito_platform.carrying import Carried
from servito_platform.grpc_channel import open_channel
from servito_platform.grpc_server import layered_server, listen, new_layers
from servito_platform.metrics import new_registry
from servito_platform.own_token import OwnToken, TokenFile
from servito_platform.safety.checking import checked
from servito_platform.safety.settings import STORES
from servito_platform.settings import ServiceSettings, SettingsError
from servito_platform.trust import channel_credentials, server_credentials, verifier_of
from tests.platform.echo import SERVICE, Echo, EchoClient
from tests.platform.signing import ISSUER, Issuer, bearer, jwks
from tests.platform.test_grpc import refusal

PATH = f"/{SERVICE}/Unary"
HOST = "localhost"


@asynccontextmanager
async def serving(settings: ServiceSettings) -> AsyncIterator[str]:
    """An Echo that trusts whom `settings` trust, whose unary method is carried as well; its address."""
    layers = new_layers(new_registry(), verifier_of(settings))
    server, echo, carried = layered_server(layers), Echo(), Carried(layers, Ages(300))
    echo.add_to(server)

    async def unary(request: BytesValue, context: Any) -> BytesValue:
        return BytesValue(value=await echo.unary(request.value, context))

    carried.add_method(PATH, unary, BytesValue.FromString)
    carried.serve_on(server)
    address = listen(server, "127.0.0.1:0", server_credentials(settings))
    await server.start()
    try:
        yield address
    finally:
        await server.stop(0)


def trusting(issuer: Issuer, **settings: Any) -> ServiceSettings:
    """Settings that believe an issuer's tokens."""
    return ServiceSettings(
        mode="production",
        state_url=SecretStr("redis://:p@h:1/0"),
        auth_jwks=jwks(issuer.jwk(servito_roles=["player", "operator", "service"])),
        auth_issuer=ISSUER,
        auth_leeway_seconds=0,
        **settings,
    )


async def test_a_signed_token_names_the_caller() -> None:
    """In production: the token's player is known, who shows a development token is nobody."""
    issuer = Issuer()
    async with serving(trusting(issuer)) as address, open_channel(address, timeout=5) as channel:
        client = EchoClient(channel)
        assert await client.unary(b"who", metadata=bearer(issuer.token("anna"))) == b"anna"
        error = await refusal(client.unary(b"who", metadata=bearer("dev:anna")))
    assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
    assert "development tokens are not accepted" in error.text


async def test_a_stream_ends_when_its_token_expires() -> None:
    """Both kinds of stream end UNAUTHENTICATED at that time and not before, and the handler is gone; a token
    that lasts goes on (PITFALLS G11).
    """
    issuer = Issuer()
    async with serving(trusting(issuer)) as address, open_channel(address, timeout=5) as channel:
        client, began = EchoClient(channel), monotonic()
        lasting = client.server_stream(b"x", metadata=bearer(issuer.token("bo", 60)))
        short = client.server_stream(b"x", metadata=bearer(issuer.token("anna", 1.0)))
        both = client.bidi_stream(metadata=bearer(issuer.token("anna", 1.0)))
        await both.write(b"who")
        assert [await short.read(), await both.read()] == [b"x", b"anna"]
        for stream in (short, both):
            error = await refusal(asyncio.wait_for(stream.read(), 20))
            assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
            assert "expired" in error.text
        assert monotonic() - began > 0.8
        assert await lasting.read() == b"x"
        assert not lasting.done()
        lasting.cancel()


@asynccontextmanager
async def carrying(issuer: Issuer, token: OwnToken) -> AsyncIterator[Callable[[], Awaitable[bytes]]]:
    """A service that shows this token, "one" at first: asks over a long stream who it is, as it did once."""
    async with (
        serving(trusting(issuer)) as address,
        open_channel(address, timeout=5) as channel,
        Carrier(channel, timeout=5, metadata=token.metadata) as carrier,
    ):
        ask = carrier.method(PATH, BytesValue)

        async def who() -> bytes:
            return (await ask(BytesValue(value=b"who"))).value

        assert await who() == b"service:one"
        yield who


async def test_a_service_shows_its_renewed_token(tmp_path: Path) -> None:
    """The token in a file is replaced in time: calls over the long stream go on without a failure, and are
    made with the new one, also after the old one has expired.
    """
    issuer, file = Issuer(), tmp_path / "token"
    file.write_text(issuer.token("one", 2.5, role="service"))
    async with carrying(issuer, OwnToken(file=file)) as who:
        file.write_text(f"{issuer.token('two', 60, role='service')}\n")
        names, until = [], monotonic() + 3.5
        while monotonic() < until:
            names.append(await who())
            await asyncio.sleep(0.05)
    assert set(names) == {b"service:one", b"service:two"}
    assert names == sorted(names)


async def test_a_carried_stream_outlives_an_expired_token(tmp_path: Path) -> None:
    """Renewed too late: questions meanwhile are refused or wait, and what is asked afterwards is answered."""
    issuer, file = Issuer(), tmp_path / "token"
    file.write_text(issuer.token("one", 0.5, role="service"))
    async with carrying(issuer, OwnToken(file=file)) as who:
        await asyncio.sleep(1.2)
        file.write_text(issuer.token("two", 60, role="service"))
        assert await who() == b"service:two"


def test_a_token_file_has_to_hold_a_token(tmp_path: Path) -> None:
    """Missing, empty, or with something else in it: told at once; later on the last good one is kept."""
    file = tmp_path / "token"
    with pytest.raises(FileNotFoundError):
        OwnToken(file=file)
    for text in ("", "\n", "one two", "zwölf"):
        file.write_text(text)
        with pytest.raises(ValueError, match="one token and nothing else"):
            OwnToken(file=file)
    file.write_text("good\n")
    token = OwnToken(file=file)
    file.unlink()
    assert token.metadata() == bearer("good")


@pytest.fixture
def authority() -> trustme.CA:
    """Who signs certificates."""
    return trustme.CA()


def certified(directory: Path, authority: trustme.CA, **settings: Any) -> ServiceSettings:
    """Settings with a certificate of `authority` for localhost, and trust in it."""
    directory.mkdir(exist_ok=True)
    cert = authority.issue_cert(HOST)
    cert.private_key_pem.write_to_path(directory / "key.pem")
    (directory / "cert.pem").write_bytes(b"".join(blob.bytes() for blob in cert.cert_chain_pems))
    authority.cert_pem.write_to_path(directory / "ca.pem")
    return ServiceSettings(
        tls_cert_file=directory / "cert.pem",
        tls_key_file=directory / "key.pem",
        tls_ca_file=directory / "ca.pem",
        **settings,
    )


async def said(address: str, credentials: grpc.ChannelCredentials | None) -> bytes:
    """What an Echo says over such a channel; AioRpcError when none comes about."""
    target = f"{HOST}:{address.rpartition(':')[2]}"
    async with open_channel(target, timeout=2, credentials=credentials) as channel:
        answer: bytes = await EchoClient(channel).unary(b"x", wait_for_ready=False)
        return answer


async def test_tls_between_services(tmp_path: Path, authority: trustme.CA) -> None:
    """Who trusts the authority is served; plain text, and trust in another authority, come to nothing."""
    settings = certified(tmp_path / "a", authority)
    stranger = certified(tmp_path / "b", trustme.CA())
    async with serving(settings) as address:
        assert await said(address, channel_credentials(settings)) == b"x"
        for credentials in (None, channel_credentials(stranger)):
            with pytest.raises(aio.AioRpcError):
                await said(address, credentials)


async def test_callers_may_need_a_certificate(tmp_path: Path, authority: trustme.CA) -> None:
    """Mutual TLS: without a certificate, or with one of another authority, nobody is served."""
    settings = certified(tmp_path / "a", authority, tls_clients="certified")
    without = settings.model_copy(update={"tls_cert_file": None, "tls_key_file": None})
    other = certified(tmp_path / "b", trustme.CA()).model_copy(update={"tls_ca_file": settings.tls_ca_file})
    async with serving(settings) as address:
        assert await said(address, channel_credentials(settings)) == b"x"
        for wrong in (without, other):
            with pytest.raises(aio.AioRpcError):
                await said(address, channel_credentials(wrong))


async def test_a_renewed_certificate_is_used(tmp_path: Path, authority: trustme.CA) -> None:
    """The server's files are replaced by those of a new authority: within seconds new connections are made
    with them, and the server was never started anew.
    """
    settings, later = certified(tmp_path / "a", authority), trustme.CA()
    async with serving(settings) as address:
        assert await said(address, channel_credentials(settings)) == b"x"
        await asyncio.sleep(1.1)
        renewed = certified(tmp_path / "a", later)
        assert await eventually(lambda: said(address, channel_credentials(renewed))) == b"x"


async def eventually(ask: Callable[[], Any]) -> bytes:
    """The first answer, for at most 20 seconds."""
    until = monotonic() + 20
    while True:
        try:
            answer: bytes = await ask()
        except aio.AioRpcError:
            if monotonic() > until:
                raise
            await asyncio.sleep(0.2)
        else:
            return answer


def test_unusable_files_are_named(tmp_path: Path) -> None:
    """A certificate that is none and keys that are none stop the start with the variable's name."""
    file = tmp_path / "file"
    file.write_text("{}")
    wrong = ServiceSettings(auth_jwks_file=file, auth_issuer="i")
    with pytest.raises(SettingsError, match=r"^SERVITO_AUTH_JWKS_FILE: it is no JWKS"):
        verifier_of(wrong)
    with pytest.raises(SettingsError, match=r"^SERVITO_TLS_CA_FILE: .*file holds no certificate"):
        channel_credentials(ServiceSettings(tls_ca_file=file))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tls_cert_file": "key.pem", "tls_key_file": "cert.pem"}, "must be a certificate and its key"),
        ({"tls_key_file": "other.pem"}, "other.pem is the key of another certificate than"),
        ({"tls_cert_file": "none.pem"}, "must be a certificate and its key"),
    ],
)
def test_a_certificate_has_its_own_key(
    tmp_path: Path, authority: trustme.CA, change: dict[str, str], said: str
) -> None:
    """The two exchanged, the key of another one, or something else: neither a server nor a channel is made
    with them, and what is wrong is said.
    """
    (tmp_path / "none.pem").write_text("{}")
    authority.issue_cert(HOST).private_key_pem.write_to_path(tmp_path / "other.pem")
    files = {name: tmp_path / file for name, file in change.items()}
    settings = certified(tmp_path, authority).model_copy(update=files)
    for made in (server_credentials, channel_credentials):
        with pytest.raises(SettingsError, match=r"^SERVITO_TLS_CERT_FILE, SERVITO_TLS_KEY_FILE: ") as refused:
            made(settings)
        assert said in str(refused.value)


async def test_half_a_renewal_is_waited_out(tmp_path: Path, authority: trustme.CA) -> None:
    """A new certificate beside the old key is not used; the old one serves on until the key comes too."""
    settings, later = certified(tmp_path / "a", authority), trustme.CA()
    renewed = certified(tmp_path / "b", later)
    async with serving(settings) as address:
        trusts = channel_credentials(settings)
        for name in ("cert.pem", "key.pem"):
            await asyncio.sleep(1.1)
            assert await said(address, trusts) == b"x"
            (tmp_path / "b" / name).replace(tmp_path / "a" / name)
        renewed = renewed.model_copy(update={"tls_cert_file": None, "tls_key_file": None})
        assert await eventually(lambda: said(address, channel_credentials(renewed))) == b"x"


def test_a_check_finds_what_a_start_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--check` looks into the files as well, and starts nothing."""
    file = tmp_path / "file"
    file.write_text("{}")
    monkeypatch.setenv("SERVITO_TLS_CA_FILE", str(file))
    code, line = checked("any", ServiceSettings, STORES)
    assert (code, json.loads(line)["errors"]) == (
        2,
        [f"SERVITO_TLS_CA_FILE: {file} holds no certificate (PEM)"],
    )


def test_a_setting_names_a_token(tmp_path: Path) -> None:
    """An empty file is refused with the settings, and so by `--check` too."""
    file = tmp_path / "token"
    file.write_text("\n")
    with pytest.raises(ValidationError, match="one token and nothing else"):
        TypeAdapter(TokenFile).validate_python(file)
