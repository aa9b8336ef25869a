"""Who calls: from `authorization` metadata into a context variable, in one place.

Here: reading the metadata, the development tokens, `caller()` and `require_caller()`, and the end of a stream
whose token has expired. Not here: what a caller may do; production's tokens (signed_tokens.py), which are
another Verifier given to the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from functools import lru_cache
from time import time
from typing import Any, Final

import grpc

from servito_platform.errors import RpcError
from servito_platform.grpc_handlers import Behaviour, Context, Method
from servito_platform.identity import SERVICE, BadCredentials, Identity, Role
from servito_platform.keys import is_id

Verifier = Callable[[str], Identity]
"""From the text of `authorization` to who that is; raises BadCredentials."""

_MISSING: Final = BadCredentials("the call carries no `authorization` metadata")
_who: ContextVar[Identity | BadCredentials] = ContextVar("caller", default=_MISSING)


def caller() -> str | None:
    """The player or service that makes this call, or None when that is not known."""
    who = _who.get()
    return who.name if isinstance(who, Identity) else None


def caller_role() -> Role | None:
    """What the caller is to us, or None when it is not known who calls."""
    who = _who.get()
    return who.role if isinstance(who, Identity) else None


def bad_credentials() -> str | None:
    """What is wrong with the `authorization` of this call; None if it carries none, or a good one."""
    who = _who.get()
    return None if isinstance(who, Identity) or who is _MISSING else str(who)


def require_caller() -> str:
    """The player who makes this call; RpcError UNAUTHENTICATED when that is not known."""
    who = _who.get()
    if isinstance(who, Identity):
        return who.name
    raise _unauthenticated(str(who))


@lru_cache(maxsize=1024)
def development_tokens(authorization: str) -> Identity:
    """`Bearer dev:<player>`, `Bearer dev:operator:<player>` or `Bearer dev:service:<name>`: everybody is who
    he says he is.

    A service is `service:<name>`; no player can be called so. The texts met last are remembered, since one
    comes with every call.
    """
    scheme, _, token = authorization.partition(" ")
    kind, _, who = token.partition(":")
    role, colon, name = who.partition(":")
    if not colon:
        role, name = Role.PLAYER, who
    if scheme.lower() != "bearer" or kind != "dev" or role not in _DEVELOPMENT or not is_id(name):
        raise BadCredentials(
            "`authorization` must be `Bearer dev:<player>`; a player is 1 to 64 of A-Z a-z 0-9 _ . -"
        )
    return Identity(f"{SERVICE}{name}" if role == Role.SERVICE else name, _DEVELOPMENT[role])


_DEVELOPMENT: Final = {role.value: role for role in Role}


def no_tokens(_authorization: str) -> Identity:
    """Accepts nobody: what a server without a verifier does in production mode."""
    raise BadCredentials("this server accepts no tokens: it runs in production mode without a verifier")


class CallerLayer:
    """Sets the caller for everything that the call does; refuses nothing by itself (see require_caller)."""

    def __init__(self, verify: Verifier) -> None:
        self._verify = verify

    def around(self, method: Method, behaviour: Behaviour) -> Behaviour:  # noqa: ARG002 - the same for every method
        """`behaviour`, knowing its caller."""

        async def known(request: Any, context: Context) -> Any:
            _who.set(self._read(context))
            return await behaviour(request, context)

        return known

    def _read(self, context: Context) -> Identity | BadCredentials:
        for key, value in context.invocation_metadata() or ():
            if key == "authorization":
                try:
                    return self._verify(value if isinstance(value, str) else value.decode("ascii", "replace"))
                except BadCredentials as problem:
                    return problem
        return _MISSING


class ExpiryLayer:
    """Ends a stream when its caller's token expires: UNAUTHENTICATED, and what he did before stays done.

    To be put inside of ErrorLayer, which turns that into a status. A unary call that began in time may end.
    """

    def around(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """`behaviour`, for as long as the token is good."""
        if method.kind == "unary":
            return behaviour

        async def limited(request: Any, context: Context) -> Any:
            who = _who.get()
            if not isinstance(who, Identity) or who.expires_at is None:
                return await behaviour(request, context)
            limit = asyncio.timeout(max(0.0, who.expires_at - time()))
            try:
                async with limit:
                    return await behaviour(request, context)
            except TimeoutError:
                if not limit.expired():
                    raise
                raise _unauthenticated("the token has expired; come again with a new one") from None

        return limited


def _unauthenticated(text: str) -> RpcError:
    return RpcError(grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED", text)
