"""Production's verifier: signed tokens (JWT, RFC 7519) in `authorization: Bearer <token>`.

A token has `sub`, `iss`, `aud`, `exp` and, where it is no player's, `role`: operator or service. A service's
`sub` is its name: table, timers. The key that `kid` names decides algorithm and roles (token_keys.py). A
verification costs 0.1 ms and more, so what was verified is remembered by its hash until it expires or the
keys change. Not here: development tokens (caller.py), how long a stream goes on (caller.ExpiryLayer).
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from time import time
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import ECKey, OKPKey, RSAKey

from servito_platform.identity import SERVICE, BadCredentials, Identity, Role
from servito_platform.keys import is_id
from servito_platform.token_keys import TokenKey, TokenKeys

ALGORITHMS: Final = ("Ed25519", "EdDSA", "ES256", "RS256")
REMEMBERED: Final = 10_000
"""Tokens, about 200 bytes each."""
_MOST_CHARACTERS: Final = 8_192
"""gRPC lets no more metadata through."""


class SignedTokens:
    """See the module. `leeway`: seconds that clocks may differ; `clock`: seconds since 1970."""

    def __init__(
        self,
        keys: TokenKeys,
        *,
        issuer: str,
        audience: str,
        leeway: float = 0.0,
        clock: Callable[[], float] = time,
    ) -> None:
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._leeway = leeway
        self._clock = clock
        self._known: OrderedDict[bytes, Identity] = OrderedDict()
        self._generation = keys.generation

    def __call__(self, authorization: str) -> Identity:
        """Who shows this; BadCredentials says what is wrong with it."""
        self._keys.refresh()
        if self._generation != self._keys.generation:
            self._known.clear()
            self._generation = self._keys.generation
        digest = sha256(authorization.encode()).digest()
        identity = self._known.get(digest)
        if identity is None:
            identity = self._known[digest] = self._verified(authorization)
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        elif identity.expires_at is not None and identity.expires_at <= self._clock():
            del self._known[digest]
            raise BadCredentials("the token has expired")
        else:
            self._known.move_to_end(digest)
        return identity

    def _verified(self, authorization: str) -> Identity:
        scheme, _, text = authorization.partition(" ")
        if scheme.lower() != "bearer" or not text:
            raise BadCredentials("`authorization` must be `Bearer <token>`")
        if text.startswith("dev:"):
            raise BadCredentials("development tokens are not accepted here: it must be a signed one")
        if len(text) > _MOST_CHARACTERS:
            raise BadCredentials(f"the token is longer than {_MOST_CHARACTERS} characters")
        signed_by, claims = self._opened(text)
        expires = self._in_time(claims)
        if claims.get("iss") != self._issuer:
            raise BadCredentials("the token is of another issuer than is trusted here")
        audience = claims.get("aud")
        if self._audience not in (audience if isinstance(audience, list) else [audience]):
            raise BadCredentials("the token is for another audience")
        return _identity(claims, signed_by, expires)

    def _opened(self, text: str) -> tuple[TokenKey, dict[str, Any]]:
        chosen: list[TokenKey] = []

        def key_of(token: Any) -> ECKey | OKPKey | RSAKey:
            header = token.headers()
            kid = header.get("kid")
            key = self._keys.get(kid) if isinstance(kid, str) else None
            if key is None:
                raise BadCredentials("the token's `kid` names no key that is known here")
            if header.get("alg") not in key.algorithms:
                raise BadCredentials(
                    f"the token's `alg` is not that of its key: {' or '.join(key.algorithms)}"
                )
            chosen.append(key)
            return key.key

        try:
            with warnings.catch_warnings():
                # EdDSA means Ed25519 here: the key's kind decides, not the name.
                warnings.simplefilter("ignore", SecurityWarning)
                claims = jwt.decode(text, key_of, algorithms=list(ALGORITHMS)).claims
        except (JoseError, ValueError, TypeError, RecursionError):
            raise BadCredentials(
                f"the token is none that is accepted here: it must be a JWT signed with "
                f"{', '.join(ALGORITHMS)} by the key that it names"
            ) from None
        return chosen[0], claims

    def _in_time(self, claims: dict[str, Any]) -> float:
        """When it is believed no more, in seconds since 1970."""
        now = self._clock()
        expires = _seconds(claims, "exp")
        if expires is None:
            raise BadCredentials("the token must say when it expires: `exp`")
        if expires + self._leeway <= now:
            raise BadCredentials("the token has expired")
        begins = _seconds(claims, "nbf")
        if begins is not None and begins - self._leeway > now:
            raise BadCredentials("the token is not valid yet")
        return expires + self._leeway


_ROLES: Final = frozenset(role.value for role in Role)


def _seconds(claims: dict[str, Any], name: str) -> float | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        raise BadCredentials(f"the token's `{name}` must be a time: seconds since 1970")
    return float(value)


def _identity(claims: dict[str, Any], key: TokenKey, expires: float) -> Identity:
    name, role = claims.get("sub"), claims.get("role", Role.PLAYER.value)
    if not isinstance(role, str) or role not in _ROLES:
        raise BadCredentials(f"the token's `role` must be one of {', '.join(Role)}, or left out for a player")
    if not isinstance(name, str) or not is_id(name):
        raise BadCredentials("the token's `sub` must be 1 to 64 of A-Z a-z 0-9 _ . -")
    if role not in key.roles:
        raise BadCredentials(f"the token's key may not sign in as {role}")
    return Identity(f"{SERVICE}{name}" if role == Role.SERVICE else name, Role(role), expires)
