"""An issuer of signed tokens for tests: keys of every kind, and tokens that are wrong in one way each."""

from __future__ import annotations

import json
import time
import warnings
from dataclasses import dataclass, field
from typing import Any

from joserfc import jwt
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, OKPKey, RSAKey

Key = OKPKey | ECKey | RSAKey
ISSUER = "https://login.example"


def ed25519() -> OKPKey:
    """A new key."""
    return OKPKey.generate_key("Ed25519")


@dataclass
class Issuer:
    """Signs with one key; `claims` are those of every token of it."""

    key: Key = field(default_factory=ed25519)
    kid: str = "k1"
    alg: str = "Ed25519"
    claims: dict[str, Any] = field(default_factory=lambda: {"iss": ISSUER, "aud": "servito"})

    def jwk(self, **members: Any) -> dict[str, Any]:
        """The public key, as an entry of a JWKS."""
        return {**self.key.as_dict(private=False), "kid": self.kid, **members}

    def token(self, sub: object = "anna", seconds: float = 60, **claims: Any) -> str:
        """A token for so long; a claim that is None is left out. `header`: members of the header."""
        given = {"alg": self.alg, "kid": self.kid, **claims.pop("header", {})}
        header = {name: value for name, value in given.items() if value is not None}
        all_claims = self.claims | {"sub": sub, "exp": time.time() + seconds} | claims
        named = {name: value for name, value in all_claims.items() if value is not None}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)  # EdDSA is what most issuers write
            return jwt.encode(header, named, self.key, algorithms=[header["alg"]])


def jwks(*keys: dict[str, Any]) -> str:
    """A set of keys."""
    return json.dumps({"keys": keys})


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a call."""
    return (("authorization", f"Bearer {token}"),)
