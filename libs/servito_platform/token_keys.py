"""The public keys that tokens are signed with: a JWKS (RFC 7517), given inline or as a file that may change.

Here: reading keys, refusing weak and private ones, noticing a new file. Every key needs a `kid`; what it is
decides the algorithm: Ed25519, ES256 (P-256) or RS256 (RSA of 2048 bits and more), never what a token says.
`servito_roles` of a key lists the roles that its tokens may have: players and operators if it is left out, so
that whoever signs in players cannot sign himself a service. Not here: tokens (signed_tokens.py).
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import ECKey, OKPKey, RSAKey

from servito_platform.identity import Role
from servito_platform.watched_file import WatchedFile

ROLES: Final = "servito_roles"
"""The member of a key that says whom it may sign in."""

_LEAST_RSA_BITS: Final = 2048
_USUAL: Final = frozenset({Role.PLAYER, Role.OPERATOR})
_PRIVATE: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "k"})
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class TokenKey:
    """One key: what may be signed with it, and for whom."""

    key: ECKey | OKPKey | RSAKey
    algorithms: tuple[str, ...]
    roles: frozenset[Role]


class TokenKeys:
    """The keys by `kid`. `generation` counts the sets: what an earlier one verified has to be again."""

    def __init__(self, keys: Mapping[str, TokenKey], file: WatchedFile | None = None) -> None:
        self._keys = keys
        self._file = file
        self.generation = 0

    @classmethod
    def of_file(cls, file: WatchedFile) -> TokenKeys:
        """Keys that are read again when the file changes. OSError, ValueError."""
        return cls(read_keys(file.read()), file)

    def refresh(self) -> None:
        """Read the file again if it has changed. One that cannot be used is logged, and changes nothing."""
        if self._file is None or not self._file.changed():
            return
        try:
            self._keys = read_keys(self._file.read())
        except (OSError, ValueError) as error:
            _log.error("token_keys_unusable", file=str(self._file.path), error=str(error))
            return
        self.generation += 1
        _log.info("token_keys_read", keys=sorted(self._keys))

    def get(self, kid: str) -> TokenKey | None:
        """The key of that id."""
        return self._keys.get(kid)


def read_keys(text: str) -> dict[str, TokenKey]:
    """Keys of a JWKS. ValueError names the one that is wrong, by its place and id, and what is allowed."""
    try:
        found = json.loads(text)
        entries = found["keys"]
    except (ValueError, TypeError, KeyError):
        raise ValueError('it is no JWKS: write {"keys": [...]}') from None
    if not isinstance(entries, list) or not entries:
        raise ValueError("it holds no key")
    keys: dict[str, TokenKey] = {}
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict) or not isinstance(kid := entry.get("kid"), str) or not kid:
            raise ValueError(f"key {number} has no `kid`")
        if kid in keys:
            raise ValueError(f"key {kid!r} is given twice")
        try:
            keys[kid] = _key(entry)
        except ValueError as error:
            raise ValueError(f"key {kid!r} {error}") from None
    return keys


def _key(entry: dict[str, Any]) -> TokenKey:
    if _PRIVATE & entry.keys():
        raise ValueError("is a secret one: only public keys belong here")
    if entry.get("use", "sig") != "sig":
        raise ValueError("is not for signatures: its `use` must be sig, or left out")
    try:
        key, algorithms = _imported(entry)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise ValueError(f"cannot be read: {error}") from None
    if entry.get("alg", algorithms[0]) not in algorithms:
        raise ValueError(f"has another `alg` than its kind allows: {' or '.join(algorithms)}")
    return TokenKey(key, algorithms, _roles(entry))


def _imported(entry: dict[str, Any]) -> tuple[ECKey | OKPKey | RSAKey, tuple[str, ...]]:
    match entry.get("kty"), entry.get("crv"):
        case "OKP", "Ed25519":
            # RFC 9864 calls it Ed25519; most issuers still write EdDSA.
            return OKPKey.import_key(entry), ("Ed25519", "EdDSA")
        case "EC", "P-256":
            return ECKey.import_key(entry), ("ES256",)
        case "RSA", _:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SecurityWarning)  # refused below
                rsa = RSAKey.import_key(entry)
            if rsa.public_key.key_size < _LEAST_RSA_BITS:
                raise ValueError(f"RSA keys need {_LEAST_RSA_BITS} bits at least")
            return rsa, ("RS256",)
    raise ValueError("allowed are OKP with Ed25519, EC with P-256, and RSA")


def _roles(entry: dict[str, Any]) -> frozenset[Role]:
    given = entry.get(ROLES)
    if given is None:
        return _USUAL
    names = {role.value for role in Role}
    if (
        not isinstance(given, list)
        or not given
        or not all(isinstance(role, str) and role in names for role in given)
    ):
        raise ValueError(f"has `{ROLES}` that is no list of {', '.join(sorted(names))}")
    return frozenset(Role(role) for role in given)
