"""Who calls: from `authorization` metadata into a context variable, in one place.

Here: reading the metadata, the development tokens, `caller()` and `require_caller()`. Not here: what a
caller may do. A production verifier (signed tokens) is another Verifier given to the server; nothing else
changes then.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Final

import grpc

from servito_platform.errors import RpcError
from servito_platform.grpc_handlers import Behaviour, Context, Method
from servito_platform.keys import is_id

Verifier = Callable[[str], str]
"""From the text of `authorization` to the player's id; raises BadCredentials."""


class BadCredentials(Exception):  # noqa: N818 - the word for it
    """The metadata names nobody; the text says what is expected, never what was sent."""


SERVICE: Final = "service:"
"""What the name of a calling service begins with."""

_MISSING: Final = BadCredentials("the call carries no `authorization` metadata")
_who: ContextVar[str | BadCredentials] = ContextVar("caller", default=_MISSING)


def caller() -> str | None:
    """The player who makes this call, or None when that is not known."""
    who = _who.get()
    return who if isinstance(who, str) else None


def bad_credentials() -> str | None:
    """What is wrong with the `authorization` of this call; None if it carries none, or a good one."""
    who = _who.get()
    return None if isinstance(who, str) or who is _MISSING else str(who)


def require_caller() -> str:
    """The player who makes this call; RpcError UNAUTHENTICATED when that is not known."""
    who = _who.get()
    if isinstance(who, str):
        return who
    raise RpcError(grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED", str(who))


@lru_cache(maxsize=1024)
def development_tokens(authorization: str) -> str:
    """`Bearer dev:<player>` or `Bearer dev:service:<name>`: everybody is who he says he is.

    A service is `service:<name>`; no player can be called so. The texts met last are remembered, since one
    comes with every call.
    """
    scheme, _, token = authorization.partition(" ")
    kind, _, who = token.partition(":")
    if scheme.lower() != "bearer" or kind != "dev" or not is_id(who.removeprefix(SERVICE)):
        raise BadCredentials(
            "`authorization` must be `Bearer dev:<player>`; a player is 1 to 64 of A-Z a-z 0-9 _ . -"
        )
    return who


def no_tokens(_authorization: str) -> str:
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

    def _read(self, context: Context) -> str | BadCredentials:
        for key, value in context.invocation_metadata() or ():
            if key == "authorization":
                try:
                    return self._verify(value if isinstance(value, str) else value.decode("ascii", "replace"))
                except BadCredentials as problem:
                    return problem
        return _MISSING
