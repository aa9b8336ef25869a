"""Wrapping of gRPC handlers, the same for all four kinds of call.

Here: WrappingInterceptor, the base of grpc_errors.py and grpc_metrics.py. Theory: a handler that yields its
responses is turned into one that writes them, so every kind is one coroutine function (request, context) ->
response or None, and a call that is cut off in the middle of a write still unwinds through every wrapper
and closes the generator.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import grpc
from grpc import aio

# Quoted: these classes are generic in their published types only.
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "aio.ServicerContext[Any, Any]"
Behaviour: TypeAlias = "Callable[[Any, Context], Awaitable[Any]]"


@dataclass(frozen=True)
class Method:
    """A method that the server knows; `kind` is unary, client_stream, server_stream or bidi_stream."""

    service: str
    name: str
    kind: str


class WrappingInterceptor(aio.ServerInterceptor):
    """Puts `around` over every known method, once for each method."""

    def __init__(self) -> None:
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """See the class; None says that the method is unknown."""
        path = handler_call_details.method
        handler = await continuation(handler_call_details)
        if handler is None:
            self.unknown_method()
            return None
        if path not in self._wrapped:
            self._wrapped[path] = self._wrap(path, handler)
        return self._wrapped[path]

    @abstractmethod
    def around(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """The behaviour that takes the place of `behaviour`."""

    def unknown_method(self) -> None:
        """Told when a call names no method of this server; gRPC answers it UNIMPLEMENTED."""

    def _wrap(self, path: str, handler: Handler) -> Handler:
        _, service, name = path.split("/", 2)
        behaviour = self.around(Method(service, name, _kind(handler)), _behaviour(handler))
        constructor = getattr(grpc, f"{_arity(handler)}_rpc_method_handler")
        wrapped: Handler = constructor(behaviour, handler.request_deserializer, handler.response_serializer)
        return wrapped


def time_left(context: Context) -> float | None:
    """Seconds until the client's deadline; the published type leaves out that there may be none."""
    return cast("float | None", context.time_remaining())


def _arity(handler: Handler) -> str:
    incoming = "stream" if handler.request_streaming else "unary"
    outgoing = "stream" if handler.response_streaming else "unary"
    return f"{incoming}_{outgoing}"


def _kind(handler: Handler) -> str:
    return {
        "unary_unary": "unary",
        "stream_unary": "client_stream",
        "unary_stream": "server_stream",
        "stream_stream": "bidi_stream",
    }[_arity(handler)]


def _behaviour(handler: Handler) -> Behaviour:
    function: Any = getattr(handler, _arity(handler))
    if inspect.isasyncgenfunction(function):
        return _writing(function)
    if inspect.iscoroutinefunction(function):
        return cast("Behaviour", function)
    raise TypeError(f"{function!r} must be an async function: a blocking one would stop the whole server")


def _writing(generate: Callable[[Any, Context], Any]) -> Behaviour:
    async def write_all(request: Any, context: Context) -> None:
        async with aclosing(generate(request, context)) as messages:
            async for message in messages:
                await context.write(message)

    return write_all
