"""Signing tokens: for services, whose tokens no login gives out, and for trying things out.

Here: a new key, and a token by it; the opposite of signed_tokens.py, which believes them by the public part
(token_keys.py). Not here: players' login, which signs for itself and gives us its public keys.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import time
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from servito_platform.identity import Role
from servito_platform.keys import is_id
from servito_platform.token_keys import ROLES

_ALGORITHM = "Ed25519"


def new_key(kid: str, roles: Sequence[Role]) -> tuple[str, str]:
    """A new Ed25519 key: the secret one, and the JWKS with its public part, which may sign in these roles."""
    key = OKPKey.generate_key("Ed25519")
    members: dict[str, Any] = {"kid": kid, "alg": _ALGORITHM, "use": "sig"}
    members |= {ROLES: [role.value for role in roles]} if roles else {}
    secret = {**key.as_dict(private=True), **members}
    public = {**key.as_dict(private=False), **members}
    return json.dumps(secret), json.dumps({"keys": [public]}, indent=2)


def sign(secret: str, *, name: str, role: Role, issuer: str, audience: str, seconds: float) -> str:
    """A token that is good from now on for `seconds`. ValueError: the key or the name cannot be used."""
    if not is_id(name):
        raise ValueError(f"{name!r} is no name: 1 to 64 of A-Z a-z 0-9 _ . -")
    try:
        entry = json.loads(secret)
        key = OKPKey.import_key(entry)
        kid = entry["kid"]
    except (JoseError, ValueError, TypeError, KeyError):
        raise ValueError("the key cannot be read: it must be one that `servito token key` wrote") from None
    if not key.is_private:
        raise ValueError("the key is a public one: tokens are signed with the secret one")
    now = int(time())
    claims = {"sub": name, "iss": issuer, "aud": audience, "iat": now, "exp": now + round(seconds)}
    if role is not Role.PLAYER:
        claims["role"] = role.value
    return jwt.encode({"alg": _ALGORITHM, "kid": kid}, claims, key, algorithms=[_ALGORITHM])
