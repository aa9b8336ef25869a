"""The table of every setting, made from the settings classes: `python -m tests.docs.settings` writes
docs/operations/settings.md anew.

A new field is in it by itself; its meaning is the docstring below the field, and a test asks for one. What
production demands of a setting is said by the names of the risks (`servito_platform.safety.names`): `RISKS`
below says which setting a risk is about, and a test holds it to what the start of a service judges.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic_settings import BaseSettings

from servito_dealer.settings import DealerSettings
from servito_platform.safety.names import WORDS, Risk
from servito_platform.settings import ServiceSettings
from servito_table.settings import TableSettings
from servito_timers.settings import TimersSettings
from tests.source import tree_of

DOCUMENT: Final = Path("docs/operations/settings.md")
KINDS: Final[dict[str, type[ServiceSettings]]] = {
    "dealer": DealerSettings,
    "evaluator": ServiceSettings,
    "table": TableSettings,
    "timers": TimersSettings,
}
"""Of each service; its main says so, and `--check` of the running program too."""
COMMAND: Final = {
    "SERVITO_TOKEN_FILE": "The signed token of who types a command. Unset: a development identity.",
}
"""Paths that no service reads."""
RISKS: Final[dict[str, tuple[Risk, ...]]] = {
    "auth_jwks": (Risk.DEV_TOKENS,),
    "auth_jwks_file": (Risk.DEV_TOKENS,),
    "auth_issuer": (Risk.DEV_TOKENS,),
    "table_token": (Risk.OWN_DEV_TOKEN,),
    "table_token_file": (Risk.OWN_DEV_TOKEN,),
    "timers_token": (Risk.OWN_DEV_TOKEN,),
    "timers_token_file": (Risk.OWN_DEV_TOKEN,),
    "dealer_seal_keys": (Risk.EXAMPLE_KEY,),
    "table_seal_keys": (Risk.EXAMPLE_KEY,),
    "table_schema": (Risk.CARDS_IN_CLEAR,),
    "state_url": (Risk.NO_PASSWORD,),
    "broker_url": (Risk.NO_PASSWORD,),
    "history_url": (Risk.NO_HISTORY, Risk.LOCAL_HISTORY, Risk.NO_PASSWORD),
    "state_replicas": (Risk.NO_REPLICA,),
    "state_replicas_strict": (Risk.LOOSE_REPLICAS,),
    "tls_cert_file": (Risk.PLAIN_GRPC,),
    "tls_key_file": (Risk.PLAIN_GRPC,),
    "tls_ca_file": (Risk.PLAIN_GRPC,),
    "metrics_bind": (Risk.OPEN_METRICS,),
}
SUBJECTS: Final = {
    Risk.OWN_DEV_TOKEN: "SERVITO_TABLE_TOKEN or _TIMERS_TOKEN",
    Risk.EXAMPLE_KEY: "a secret key",
    Risk.NO_PASSWORD: "an address",
    Risk.PLAIN_GRPC: "calls",
    Risk.OPEN_METRICS: "SERVITO_METRICS_BIND",
}
"""What the sentences about a risk are about; else the state server."""
SERVERS: Final = (Risk.EVICTION, Risk.NOT_KEPT, Risk.NOT_SYNCED, Risk.WAKE_CLOSED, Risk.OLD_SERVER)
"""About the state server itself; no setting of ours."""

HEAD: Final = """# Every setting

Made from the code by `make docs`; do not edit. All are environment variables, read once when a process starts
(files that they name are read again when they change). `servito doctor` finds misspelt ones, and
`python -m servito_table --check` judges an environment without starting anything. Seconds unless the name
says otherwise. *secret*: keep it in a secret store; it is never logged. *production* names the risks below
that keep a service from starting with `SERVITO_MODE=production`.

"""
RISKS_HEAD: Final = """
## What production refuses

A service in production mode does not start while one of these is the case. Those that can be accepted are, by
`SERVITO_ACCEPTED_RISKS` with their names and commas between.

| risk | what is the case | what follows | what to do | can be accepted |
|--|--|--|--|--|
"""
_TYPES: Final = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
}
_FORMATS: Final = {"password": "secret", "file-path": "path"}


@cache
def meanings(kind: type[BaseSettings]) -> dict[str, str]:
    """The docstring below each field of the class and of those before it."""
    found: dict[str, str] = {}
    for own in reversed(kind.__mro__):
        if not (issubclass(own, BaseSettings) and own is not BaseSettings):
            continue
        [tree] = tree_of(textwrap.dedent(inspect.getsource(own))).body
        assert isinstance(tree, ast.ClassDef)
        for field, after in zip(tree.body, tree.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
            ):
                found[field.target.id] = " ".join(str(after.value.value).split())
    return found


def services_of(field: str) -> str:
    """Who reads it."""
    services = [service for service, kind in KINDS.items() if field in kind.model_fields]
    return "all" if len(services) == len(KINDS) else ", ".join(services)


def rows() -> list[tuple[str, ...]]:
    """One for each setting: variable, services, type, default, meaning, production. Those of all services
    come first.
    """
    found: dict[str, tuple[str, ...]] = {}
    for kind in sorted(KINDS.values(), key=lambda kind: len(kind.model_fields)):
        shapes = kind.model_json_schema()["properties"]
        for name, field in kind.model_fields.items():
            found.setdefault(
                name,
                (
                    f"`SERVITO_{name.upper()}`",
                    services_of(name),
                    _type(shapes[name]),
                    "needed" if field.is_required() else _default(field.default),
                    meanings(kind).get(name, ""),
                    ", ".join(f"`{risk}`" for risk in RISKS.get(name, ())),
                ),
            )
    common = [row for row in found.values() if row[1] == "all"]
    own = (row for row in found.values() if row[1] != "all")
    return [*common, *sorted(own, key=lambda row: (row[1], row[0].strip("`")))]


def document() -> str:
    """The page."""
    lines = ["| setting | service | type | default | meaning | production |", "|--|--|--|--|--|--|"]
    lines += [_row(*row) for row in rows()]
    lines += [_row(f"`{name}`", "the command", "path", "unset", said, "") for name, said in COMMAND.items()]
    return HEAD + "\n".join(lines) + "\n" + RISKS_HEAD + "\n".join(_risk(risk) for risk in WORDS) + "\n"


def _risk(risk: Risk) -> str:
    words, subject = WORDS[risk], SUBJECTS.get(risk, "the state server")
    what, do = words.what.format(what=subject), words.do.format(what=subject)
    return _row(f"`{risk}`", what, words.follows, do, "yes" if words.acceptable else "no")


def _type(shape: dict[str, Any]) -> str:
    if "anyOf" in shape:
        return " or ".join(_type(each) for each in shape["anyOf"] if each.get("type") != "null")
    if "enum" in shape:
        return ", ".join(f"`{each}`" for each in shape["enum"])
    kind = _FORMATS.get(shape.get("format", ""), _TYPES[shape["type"]])
    least = shape.get("minimum", shape.get("exclusiveMinimum"))
    most = shape.get("maximum", shape.get("exclusiveMaximum"))
    if least is None:
        return kind
    above = "above " if "exclusiveMinimum" in shape else ""
    return f"{kind}, {above}{least:,.10g} to {most:,.10g}"


def _default(value: Any) -> str:
    if hasattr(value, "get_secret_value"):
        value = value.get_secret_value()
    if value is None:
        return "unset"
    return f"`{value}`" if value != "" else "empty"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    DOCUMENT.parent.mkdir(parents=True, exist_ok=True)
    DOCUMENT.write_text(document(), encoding="utf-8")
