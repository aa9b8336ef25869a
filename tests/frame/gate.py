"""What a module does with what is hidden: which hidden things it reads, which messages that may hold them it
makes, where it passes the gate, and what it writes into texts. By its source alone.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from servito.table.v1 import table_pb2
from tests.source import tree_of

ROOT: Final = Path(__file__).parents[2]
HIDDEN: Final = frozenset(
    {
        "cards",
        "positions",
        "discards",
        "discard_positions",
        "openers",
        "reshuffled",
        "entropy",
        "next_entropy",
        "pre_action",
    }
)
"""Names of what is not everybody's in states, events and messages."""
GATE: Final = {"hand_view_to_proto": "view_for", "event_view_to_bytes": "event_for"}
"""By who writes what is shown: who says what is."""
WRITES: Final = frozenset({"debug", "info", "warning", "error", "critical", "exception", "labels", "bind"})
"""Methods that put their arguments into a log line or onto the metrics page."""
WRITERS: Final = frozenset({"record", "Values", "Block", "Bytes", "Packed", "Fixed"})
"""What writes fields of the message that it is given (`servito_wire.fields`)."""
NAMING: Final = frozenset({"format_card", "format_cards", "name_en", "name_it"})
"""What puts cards into words."""


HOLDING: Final = frozenset(
    name
    for name, message in table_pb2.DESCRIPTOR.message_types_by_name.items()
    if {"may_open", "card", "position", *HIDDEN} & set(message.fields_by_name)
)
"""Messages to players that have a field for something hidden."""


def modules(*packages: str) -> dict[str, ast.Module]:
    """The modules of these packages, by their paths."""
    paths = (path for package in packages for path in sorted((ROOT / package).rglob("*.py")))
    return {str(path.relative_to(ROOT)): tree_of(path) for path in paths}


def reads(tree: ast.AST) -> set[str]:
    """The hidden things whose value a module takes from something."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in HIDDEN and isinstance(node.ctx, ast.Load)
    }


def makes(tree: ast.AST) -> set[str]:
    """The messages that it makes in which there is room for something hidden."""
    called = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made = [call.func for call in called] + [
        call.args[0] for call in called if _called(call) in WRITERS and call.args
    ]
    names = {
        each.attr for each in made if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "pb"
    }
    return names & HOLDING


def passes(tree: ast.AST) -> set[str]:
    """Of both halves of the gate, those that it calls."""
    return {name for node in ast.walk(tree) if (name := _called(node)) in {*GATE, *GATE.values()}}


def evades(tree: ast.AST) -> list[str]:
    """Where it writes something as shown that did not just pass the gate, each as it is written."""
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (writer := _called(node)) in GATE
        and not (node.args and _called(node.args[0]) == GATE[writer])
    ]


def tells(tree: ast.AST) -> list[str]:
    """Texts of errors, log lines and labels into which something hidden is put, each as it is written."""
    said = (node for node in ast.walk(tree) if isinstance(node, ast.Raise) or _writes(node))
    return [ast.unparse(node) for node in said if _names_hidden(node)]


def _called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _writes(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES


def _names_hidden(said: ast.AST) -> bool:
    """Counting is not telling."""
    inside = [node for node in ast.walk(said) if not _counted(node, said)]
    return any(
        (isinstance(node, ast.Attribute) and node.attr in HIDDEN)
        or (isinstance(node, ast.Name) and node.id in HIDDEN)
        or _called(node) in NAMING
        for node in inside
    )


def _counted(node: ast.AST, said: ast.AST) -> bool:
    counts = (each for each in ast.walk(said) if _called(each) == "len")
    return any(node in ast.walk(each) for each in counts)
