"""What can be said of a shell block without executing it: its syntax, and that what it names exists.

Names are looked up where they are defined: targets in the Makefile, commands and options of `servito` in the
command itself, modules by import, settings in the settings classes, paths in the repository. What begins with
`$` or `<` is the reader's to fill in.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import typer

from servito_cli.commands import app
from tests.docs.blocks import Block
from tests.docs.settings import COMMAND, KINDS

_TOOLS: Final = """
[ [[ alias awk base64 cat cd chmod cmp command cp curl cut date diff docker docker-compose echo env exit
export false for git grep gunzip gzip head jq kill kubectl kustomize locust ls mkdir mktemp mv openssl
pg_dump pg_restore pip printf promtool psql python python3 read redis-cli rm sed set sha256sum sleep sort
sqlite3 systemctl tail tar tee test touch true umask unset valkey-cli wait wc xargs
"""
TOOLS: Final = frozenset(_TOOLS.split())
"""Programs that are no part of Servito, and words of the shell."""
INSIDE: Final = frozenset({"do", "then", "else", "done", "fi", "!", "{", "}", "time", "until", "while", "if"})
FOR_OTHERS: Final = frozenset({"SERVITO_VERSION"})
"""Variables that Compose reads, and no service."""
MADE: Final = frozenset({"deploy/compose/secrets.env"})
"""Files that a command of ours makes."""
_OWN_PATH: Final = re.compile(r"(?<![\w/-])(?:\./)?(?:deploy|docs|libs|protos|services|tests)/[\w./-]*\w")
_VARIABLE: Final = re.compile(r"\bSERVITO_[A-Z_]*[A-Z]\b")


def defects(block: Block) -> Iterator[str]:
    """What is wrong with a shell block, in words."""
    command = ["/bin/bash", "-n"]
    read = subprocess.run(command, input=block.code, capture_output=True, text=True, check=False)
    if read.returncode:
        yield f"bash cannot read it: {read.stderr.strip()}"
        return
    for variable in sorted(set(_VARIABLE.findall(block.code)) - known_variables()):
        yield f"there is no setting {variable}"
    for path in sorted(set(_OWN_PATH.findall(block.code)) - MADE):
        if not Path(path).exists():
            yield f"there is no {path}"
    for words in commands(block.code):
        yield from _wrong(words)


def commands(code: str) -> Iterator[list[str]]:
    """The simple commands of a script, as words; enough for what stands in documents."""
    rest = ""
    for line in code.replace("\\\n", " ").split("\n"):
        try:
            found = _words(rest + line)
        except ValueError:  # a quotation that goes on in the next line
            rest += line + "\n"
            continue
        rest = ""
        yield from found


def _words(line: str) -> list[list[str]]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;()")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    found: list[list[str]] = [[]]
    for word in lexer:
        if word and set(word) <= set("|&;()"):
            found.append([])
        elif found[-1] or not (word in INSIDE or re.fullmatch(r"[A-Za-z_]+=.*", word, re.DOTALL)):
            found[-1].append(word)
    return [words for words in found if words]


def _wrong(words: list[str]) -> Iterator[str]:
    program = words[0].removeprefix(".venv/bin/")
    if program.startswith(("$", "<")) or _OWN_PATH.fullmatch(program):
        return
    if program == "servito":
        yield from _servito(words[1:])
    elif program == "make":
        wrong = [word for word in words[1:] if "=" not in word and not word.startswith("-")]
        yield from (f"make has no target {word}" for word in wrong if word not in targets())
    elif program in ("python", "python3") and words[1:2] == ["-m"]:
        if not _is_module(words[2]):
            yield f"there is no module {words[2]}"
    elif program not in TOOLS:
        yield f"{program} is no tool that tests/docs/checks.py knows"


def _is_module(name: str) -> bool:
    above = name.rpartition(".")[0]
    return (not above or _is_module(above)) and importlib.util.find_spec(name) is not None


@cache
def known_variables() -> frozenset[str]:
    """Settings of all services, and what the command reads."""
    names = {f"SERVITO_{field.upper()}" for kind in KINDS.values() for field in kind.model_fields}
    return frozenset(names | COMMAND.keys() | FOR_OTHERS)


@cache
def targets() -> frozenset[str]:
    """Of the Makefile."""
    return frozenset(re.findall(r"^([a-z-]+):", Path("Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def _servito(words: list[str]) -> Iterator[str]:
    """Walk down the groups, then look at the options."""
    command: Any = typer.main.get_command(app)
    said = ["servito"]
    while words and not words[0].startswith("-") and hasattr(command, "commands"):
        said.append(words[0])
        command, words = command.commands.get(words[0]), words[1:]
        if command is None:
            yield f"there is no command {' '.join(said)}"
            return
    options = {"--help"}
    for parameter in command.params:
        options |= {*parameter.opts, *parameter.secondary_opts}
    for word in words:
        name = word.partition("=")[0]
        if name.startswith("-") and name not in options:
            yield f"{' '.join(said)} has no option {name}"
