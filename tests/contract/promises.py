"""What the protos promise: every rpc, and the refusals that its comment names.

Here: reading of "Refusals: A, B and the general ones" out of the comments, and of the list of general ones
out of the head comment of the same file. Not here: how a refusal is provoked (`registry`, `general`). The
documentation is the list that the tests go by: an rpc or a reason that is added to a proto is here at once.
"""

from __future__ import annotations

import importlib
import re
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool
from grpc_tools import protoc

if TYPE_CHECKING:
    from google.protobuf.descriptor import MethodDescriptor

PROTOS: Final = Path(__file__).parents[2] / "protos"
TABLE, DEALER, EVALUATOR, CALLS = "TableService", "DealerService", "EvaluatorService", "CallsService"

_WORD: Final = re.compile(r"[A-Z][A-Z_]{2,}")
_GENERAL: Final = re.compile(
    r"(every call|a call that names a table|a call with a request id): ((?:[A-Z_]+, )*[A-Z_]+)"
)
_SERVICES, _METHODS, _SYNTAX = 6, 2, 12
"""Field numbers in FileDescriptorProto and ServiceDescriptorProto: a comment is found by such a path."""


@dataclass(frozen=True)
class Rpc:
    """One rpc. `refusals` are all that it may answer, `general` those among them that come by its form."""

    method: MethodDescriptor
    refusals: frozenset[str]
    general: frozenset[str]

    @property
    def name(self) -> str:
        """Its name, which no other service has."""
        return str(self.method.name)

    @property
    def service(self) -> str:
        """The name of its service, without package."""
        return str(self.method.containing_service.name)

    @property
    def path(self) -> str:
        """As gRPC calls it."""
        return f"/{self.method.containing_service.full_name}/{self.method.name}"


@cache
def promises() -> dict[str, Rpc]:
    """Every rpc of every service, by its name."""
    found: dict[str, Rpc] = {}
    for file in _described().file:
        # The stubs put the messages into the pool in which the descriptors are looked up.
        importlib.import_module(file.name.removesuffix(".proto").replace("/", ".") + "_pb2")
        for place, service in enumerate(file.service):
            comments = _comments(file, place)
            general = dict(_GENERAL.findall(_unwrapped(_comment(file, [_SYNTAX]))))
            for name, comment in comments.items():
                assert name not in found, f"two rpcs are called {name}"
                pool = descriptor_pool.Default()
                method = pool.FindMethodByName(f"{file.package}.{service.name}.{name}")
                found[name] = _rpc(method, comment, comments, general)
    return found


def fields_named(message: Any, name: str, depth: int = 2) -> list[tuple[str, ...]]:
    """Where a request has a field of this name: paths of field names, through at most so many messages.

    `message` is a Descriptor, for which the packages publish two types.
    """
    paths: list[tuple[str, ...]] = [(name,)] if name in message.fields_by_name else []
    for field in message.fields:
        if depth and field.message_type is not None and not field.is_repeated:
            paths += [(field.name, *path) for path in fields_named(field.message_type, name, depth - 1)]
    return paths


def _rpc(method: MethodDescriptor, comment: str, comments: dict[str, str], by_form: dict[str, str]) -> Rpc:
    applies = {
        "every call": True,
        "a call that names a table": bool(fields_named(method.input_type, "table_id")),
        "a call with a request id": bool(fields_named(method.input_type, "request_id")),
    }
    assert "every call" in by_form, f"no general refusals are listed for {method.full_name}"
    general = {word for form, words in by_form.items() if applies[form] for word in _WORD.findall(words)}
    named = _named(method.name, comment, comments)
    meant = general if "general ones" in named else general & set(_WORD.findall(named))
    refusals = set(_WORD.findall(named)) | meant
    for other in re.findall(r"those of (\w+)", named):
        refusals |= _rpc(_sibling(method, other), comments[other], comments, by_form).refusals
    assert refusals, f"the comment of {method.name} names no refusals"
    return Rpc(method, frozenset(refusals), frozenset(refusals & general))


def _named(name: str, comment: str, comments: dict[str, str]) -> str:
    """What stands behind "Refusals:"."""
    _, colon, named = _unwrapped(comment).partition("Refusals:")
    assert colon, f"the comment of rpc {name} has no line 'Refusals: A, B and the general ones.'"
    return named


def _sibling(method: MethodDescriptor, name: str) -> MethodDescriptor:
    return method.containing_service.methods_by_name[name]


def _comments(file: descriptor_pb2.FileDescriptorProto, service: int) -> dict[str, str]:
    methods = file.service[service].method
    return {
        method.name: _comment(file, [_SERVICES, service, _METHODS, place])
        for place, method in enumerate(methods)
    }


def _comment(file: descriptor_pb2.FileDescriptorProto, path: list[int]) -> str:
    at = [location for location in file.source_code_info.location if list(location.path) == path]
    return "".join(location.leading_comments for location in at)


def _unwrapped(comment: str) -> str:
    return " ".join(comment.split())


def _described() -> descriptor_pb2.FileDescriptorSet:
    """All protos with their comments, as the compiler reads them."""
    files = [str(path.relative_to(PROTOS)) for path in sorted(PROTOS.glob("servito/*/v1/*.proto"))]
    with tempfile.NamedTemporaryFile() as out:
        arguments = ["protoc", f"-I{PROTOS}", "--include_source_info", f"--descriptor_set_out={out.name}"]
        assert protoc.main([*arguments, *files]) == 0
        return descriptor_pb2.FileDescriptorSet.FromString(Path(out.name).read_bytes())
