"""Production's verifier: who is believed, and each way in which a token can be wrong."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jws, jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

from servito_platform import signed_tokens
from servito_platform.identity import BadCredentials, Identity, Role
from servito_platform.signed_tokens import SignedTokens
from servito_platform.token_keys import TokenKeys, read_keys
from servito_platform.watched_file import WatchedFile
from tests.platform.signing import ISSUER, Issuer, jwks

Clock = Callable[[], float]


def verifier(*keys: dict[str, Any], clock: Clock = time, leeway: float = 0) -> SignedTokens:
    """One that trusts these keys."""
    return SignedTokens(
        TokenKeys(read_keys(jwks(*keys))), issuer=ISSUER, audience="servito", leeway=leeway, clock=clock
    )


ISSUERS = {
    "Ed25519": Issuer(),
    "EdDSA": Issuer(alg="EdDSA"),
    "ES256": Issuer(ECKey.generate_key("P-256"), alg="ES256"),
    "RS256": Issuer(RSAKey.generate_key(2048), alg="RS256"),
}


@pytest.mark.parametrize("name", ISSUERS)
def test_a_good_token_names_its_player(name: str) -> None:
    """With each algorithm that is allowed, by its key's kind; the token says until when."""
    issuer = ISSUERS[name]
    identity = verifier(issuer.jwk())(f"Bearer {issuer.token('anna', 60)}")
    assert (identity.name, identity.role) == ("anna", Role.PLAYER)
    assert identity.expires_at == pytest.approx(time() + 60, abs=5)


def test_roles_come_from_the_token_and_are_bounded_by_the_key() -> None:
    """A usual key signs in players and operators; a service needs a key that is meant for services, which
    signs in nobody else.
    """
    site, ours = Issuer(), Issuer(kid="k2")
    verify = verifier(site.jwk(), ours.jwk(servito_roles=["service"]))
    assert verify(f"Bearer {site.token('bo', role='operator')}").role is Role.OPERATOR
    assert verify(f"Bearer {ours.token('table', role='service')}").name == "service:table"
    for issuer, role in ((site, "service"), (ours, "player"), (ours, "operator")):
        with pytest.raises(BadCredentials, match=f"may not sign in as {role}"):
            verify(f"Bearer {issuer.token('table', role=role)}")


def _unsigned(issuer: Issuer) -> str:
    header, payload, _ = issuer.token().split(".")
    none = base64.urlsafe_b64encode(json.dumps({"alg": "none", "kid": "k1"}).encode()).rstrip(b"=").decode()
    return f"{none}.{payload}." if header else ""


def _keyed_by_the_public_key(issuer: Issuer) -> str:
    """The classical confusion: the public key used as the secret of HS256."""
    secret = OctKey.import_key(json.dumps(issuer.jwk()))
    claims = json.dumps({"iss": ISSUER, "aud": "servito", "sub": "anna", "exp": time() + 60}).encode()
    return jws.serialize_compact({"alg": "HS256", "kid": "k1"}, claims, secret)


def _altered(issuer: Issuer) -> str:
    header, payload, signature = issuer.token("anna").split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    forged = base64.urlsafe_b64encode(json.dumps(claims | {"sub": "bo"}).encode()).rstrip(b"=").decode()
    return f"{header}.{forged}.{signature}"


WRONG: dict[str, tuple[Callable[[Issuer], str], str]] = {
    "nothing": (lambda _: "", "must be `Bearer <token>`"),
    "no jwt": (lambda _: "what-ever", "must be a JWT"),
    "a development token": (lambda _: "dev:anna", "development tokens are not accepted"),
    "a development service": (lambda _: "dev:service:table", "development tokens are not accepted"),
    "too long": (lambda _: "x" * 9_000, "longer than"),
    "no signature": (_unsigned, "`alg`|JWT signed with"),
    "HS256 with the public key": (_keyed_by_the_public_key, "`alg`|JWT signed with"),
    "altered": (_altered, "must be a JWT signed"),
    "another's key": (lambda i: Issuer(kid=i.kid).token(), "must be a JWT signed"),
    "unknown kid": (lambda i: i.token(header={"kid": "k9"}), "`kid` names no key"),
    "no kid": (lambda i: i.token(header={"kid": None}), "`kid` names no key|must be a JWT"),
    "expired": (lambda i: i.token(seconds=-1), "has expired"),
    "no exp": (lambda i: i.token(exp=None), "must say when it expires"),
    "exp is a text": (lambda i: i.token(exp="soon"), "`exp` must be a time"),
    "exp is true": (lambda i: i.token(exp=True), "`exp` must be a time"),
    "exp never": (lambda i: i.token(exp=1e300), "`exp` must be a time"),
    "not yet": (lambda i: i.token(nbf=time() + 60), "not valid yet"),
    "other issuer": (lambda i: i.token(iss="https://other.example"), "another issuer"),
    "no issuer": (lambda i: i.token(iss=None), "another issuer"),
    "other audience": (lambda i: i.token(aud="shop"), "another audience"),
    "other audiences": (lambda i: i.token(aud=["shop", "mail"]), "another audience"),
    "no audience": (lambda i: i.token(aud=None), "another audience"),
    "no sub": (lambda i: i.token(sub=None), "`sub` must be"),
    "sub no id": (lambda i: i.token("anna rossi"), "`sub` must be"),
    "sub a service": (lambda i: i.token("service:table"), "`sub` must be"),
    "sub a number": (lambda i: i.token(sub=7), "`sub` must be"),
    "unknown role": (lambda i: i.token(role="root"), "`role` must be one of player, operator, service"),
    "role a list": (lambda i: i.token(role=["operator"]), "`role` must be one of"),
    "role service": (lambda i: i.token("table", role="service"), "may not sign in as service"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_token_is_refused_and_told_why(wrong: str) -> None:
    """Each way of being wrong is BadCredentials with its reason, twice over, and nothing of the token."""
    make, why = WRONG[wrong]
    issuer = Issuer()
    verify = verifier(issuer.jwk())
    token = make(issuer)
    for _ in range(2):
        with pytest.raises(BadCredentials, match=why) as refused:
            verify(f"Bearer {token}")
        assert not token or token not in str(refused.value)


GOOD = ISSUERS["Ed25519"].token(seconds=3600)


@given(st.text() | st.tuples(st.integers(0, len(GOOD) - 1), st.characters(codec="ascii")))
def test_whatever_is_sent_is_refused_as_bad(sent: str | tuple[int, str]) -> None:
    """Any text, and a good token with one character changed: bad credentials, never a fault of ours."""
    if isinstance(sent, tuple):
        place, character = sent
        sent = f"Bearer {GOOD[:place]}{character}{GOOD[place + 1 :]}"
        if sent.rstrip() == f"Bearer {GOOD}":
            return
    try:
        verifier(ISSUERS["Ed25519"].jwk())(sent)
    except BadCredentials:
        return
    # Base64 leaves bits of the last character unused: the same token, written differently.
    assert sent[:-1] == f"Bearer {GOOD}"[:-1]


def test_a_key_decides_the_algorithm() -> None:
    """A token that names another algorithm than its key has is refused before its signature is looked at."""
    issuer = Issuer(ECKey.generate_key("P-256"), alg="ES256")
    lying = issuer.token().split(".")
    header = base64.urlsafe_b64encode(json.dumps({"alg": "RS256", "kid": "k1"}).encode()).rstrip(b"=")
    with pytest.raises(BadCredentials, match="`alg` is not that of its key: ES256"):
        verifier(issuer.jwk())(f"Bearer {header.decode()}.{lying[1]}.{lying[2]}")


def test_clocks_may_differ_a_little() -> None:
    """The leeway holds for the beginning and the end, and is part of how long the identity is good."""
    issuer, now = Issuer(), time()
    verify = verifier(issuer.jwk(), leeway=5)
    assert verify(f"Bearer {issuer.token(exp=now - 3)}").expires_at == pytest.approx(now + 2, abs=0.1)
    assert verify(f"Bearer {issuer.token(nbf=now + 3)}").name == "anna"
    with pytest.raises(BadCredentials, match="has expired"):
        verify(f"Bearer {issuer.token(exp=now - 6)}")


def test_a_known_token_is_not_verified_again_until_it_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time costs no signature; when its time is over it is refused all the same."""
    issuer, now = Issuer(), [time()]
    verify = verifier(issuer.jwk(), clock=lambda: now[0])
    shown = f"Bearer {issuer.token(seconds=60)}"
    first = verify(shown)
    monkeypatch.setattr(jwt, "decode", _never)
    assert verify(shown) is first
    now[0] += 61
    with pytest.raises(BadCredentials, match="has expired"):
        verify(shown)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The token met longest ago is forgotten first, and is verified again then; wrong ones are not kept."""
    monkeypatch.setattr(signed_tokens, "REMEMBERED", 3)
    issuer = Issuer()
    verify = verifier(issuer.jwk())
    shown = [f"Bearer {issuer.token(f'p{number}')}" for number in range(4)]
    first = verify(shown[0])
    for each in [*shown[1:3], shown[0], shown[3]]:
        verify(each)
    assert verify(shown[0]) is first
    with pytest.raises(BadCredentials):
        verify("Bearer nothing")
    assert len(verify._known) == 3


def test_keys_rotate_by_their_ids(tmp_path: Path) -> None:
    """A new file is noticed within a second: the new key's tokens are good, those of a key that is gone are
    refused although they were known, and a file that cannot be used changes nothing.
    """
    old, new, now = Issuer(), Issuer(kid="k2"), [0.0]
    file = tmp_path / "jwks.json"
    file.write_text(jwks(old.jwk()))
    keys = TokenKeys.of_file(WatchedFile(file, clock=lambda: now[0]))
    verify = SignedTokens(keys, issuer=ISSUER, audience="servito")
    shown = f"Bearer {old.token()}"
    assert verify(shown).name == "anna"
    for text in (jwks(old.jwk(), new.jwk()), "{", jwks(new.jwk())):
        draft = tmp_path / "new"
        draft.write_text(text)
        draft.replace(file)
        now[0] += 1.5
        assert verify(f"Bearer {new.token('bo')}").name == "bo"
    with pytest.raises(BadCredentials, match="`kid` names no key"):
        verify(shown)


def test_a_projected_volume_is_followed(tmp_path: Path) -> None:
    """Kubernetes replaces a link to a directory: the file behind it is another one."""
    now = [0.0]
    for name, issuer in (("v1", Issuer()), ("v2", Issuer(kid="k2"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "jwks.json").write_text(jwks(issuer.jwk()))
    link = tmp_path / "data"
    link.symlink_to("v1")
    keys = TokenKeys.of_file(WatchedFile(link / "jwks.json", clock=lambda: now[0]))
    (tmp_path / "next").symlink_to("v2")
    (tmp_path / "next").replace(link)
    now[0] += 1.5
    keys.refresh()
    assert (keys.get("k1"), keys.get("k2") is not None) == (None, True)


def _private() -> dict[str, Any]:
    return OKPKey.generate_key("Ed25519").as_dict(private=True) | {"kid": "k"}


WRONG_SETS = [
    ("", "no JWKS"),
    ("[]", "no JWKS"),
    ('{"keys": []}', "no key"),
    (jwks({"kty": "OKP"}), "key 1 has no `kid`"),
    (jwks(Issuer().jwk(), Issuer().jwk()), "'k1' is given twice"),
    (jwks(_private()), "'k' is a secret one"),
    (jwks({"kty": "oct", "k": "c2VjcmV0", "kid": "k"}), "'k' is a secret one"),
    (
        jwks({"kty": "EC", "crv": "P-521", "kid": "k"}),
        "allowed are OKP with Ed25519, EC with P-256, and RSA",
    ),
    (jwks({"kty": "OKP", "crv": "Ed25519", "x": "?", "kid": "k"}), "'k' cannot be read"),
    (jwks(Issuer().jwk(use="enc")), "not for signatures"),
    (jwks(Issuer().jwk(alg="ES256")), "another `alg` than its kind allows: Ed25519 or EdDSA"),
    (jwks(Issuer().jwk(servito_roles=["root"])), "no list of operator, player, service"),
    (jwks(Issuer().jwk(servito_roles=[["player"]])), "no list of operator, player, service"),
    (jwks(Issuer().jwk(servito_roles=[])), "no list of operator, player, service"),
]


@pytest.mark.parametrize(
    ("text", "told"), WRONG_SETS, ids=[f"{place} {told}" for place, (_, told) in enumerate(WRONG_SETS)]
)
def test_a_wrong_set_of_keys_is_refused(text: str, told: str) -> None:
    """The key that is wrong is named, with what is allowed."""
    with pytest.raises(ValueError, match=told):
        read_keys(text)


def test_short_rsa_keys_are_refused() -> None:
    """1024 bits can be broken; 2048 are the least."""
    from cryptography.hazmat.primitives.asymmetric import rsa

    weak = rsa.generate_private_key(65537, 1024)  # noqa: S505 - that is the point
    numbers = weak.public_key().public_numbers()
    n = base64.urlsafe_b64encode(numbers.n.to_bytes(128, "big")).rstrip(b"=").decode()
    with pytest.raises(ValueError, match="2048 bits at least"):
        read_keys(jwks({"kty": "RSA", "n": n, "e": "AQAB", "kid": "k"}))


def _never(*_args: object, **_named: object) -> Identity:
    raise AssertionError("verified again")
