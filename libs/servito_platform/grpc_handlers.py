"""Wrapping of gRPC handlers, the same for all four kinds of call.

Here: Layers, which puts caller.py, grpc_errors.py, grpc_metrics.py and grpc_reading.py around every method.
Theory: a handler that yields its responses is turned into one that writes them, so every kind is one
coroutine function (request, context) -> response or None, and a call that is cut off in the middle of a write
still unwinds through every layer and closes the generator. A method is wrapped when it is called first. An
interceptor of gRPC's could do that too, but is asked again with every call, by two coroutines.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, cast

import grpc
from grpc import aio

from servito_platform.grpc_reading import lenient, only_readable

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


class Layer(Protocol):
    """One concern around every call."""

    def around(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """The behaviour that takes the place of `behaviour`."""


class Layers(grpc.GenericRpcHandler):
    """All methods of a server, with layers around each, the first outermost."""

    def __init__(self, *layers: Layer, on_unknown: Callable[[], None]) -> None:
        self._layers = layers
        self._on_unknown = on_unknown
        self._bare: list[grpc.GenericRpcHandler] = []
        self._wrapped: dict[str, Handler] = {}

    def add(self, handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        """Serve their methods too."""
        self._bare += handlers

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler | None:
        """What handles a method; None says that no service here has it."""
        path = handler_call_details.method
        wrapped = self._wrapped.get(path)
        if wrapped is None:
            found = (bare.service(handler_call_details) for bare in self._bare)
            handler = next((handler for handler in found if handler is not None), None)
            if handler is None:
                self._on_unknown()
                return None
            wrapped = self._wrapped[path] = self._wrap(path, handler)
        return wrapped

    def around(self, path: str, kind: str, behaviour: Behaviour) -> Behaviour:
        """`behaviour` of the method `path` ("/package.Service/Method") with all layers around it."""
        _, service, name = path.split("/", 2)
        method = Method(service, name, kind)
        for layer in reversed(self._layers):
            behaviour = layer.around(method, behaviour)
        return behaviour

    def _wrap(self, path: str, handler: Handler) -> Handler:
        behaviour, read = _behaviour(handler), handler.request_deserializer
        if read is not None and not handler.request_streaming:
            read, behaviour = lenient(read), only_readable(behaviour)
        behaviour = self.around(path, _kind(handler), behaviour)
        constructor = getattr(grpc, f"{_arity(handler)}_rpc_method_handler")
        wrapped: Handler = constructor(behaviour, read, handler.response_serializer)
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
