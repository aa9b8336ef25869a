"""How the commands for people at tables run and fail: one line says what was wrong, in their language."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from servito_cli.console import FAILED, UNUSABLE, complain
from servito_cli.interrupts import INTERRUPTED, run_interruptible
from servito_cli.table.reaching import Unusable, quiet_retries, target_of
from servito_cli.texts import TEXTS, Language
from servito_client.errors import Refusal, TableError, Unanswered
from servito_client.refusal_texts import refusal_text

SPECTATOR: Final = "spectator"
"""Who lists and watches; sits nowhere."""


def run(work: Callable[[str], Coroutine[Any, Any, int]], target: str | None, language: Language) -> int:
    """Runs `work` with the target that is found; the exit code, also when a signal ended it."""
    try:
        found = target_of(target)
    except ValueError as unusable:
        complain(str(unusable))
        return UNUSABLE
    return finished(work(found), language, found)


def finished(work: Coroutine[Any, Any, int], language: Language, target: str = "") -> int:
    """The exit code of `work`; what the table said instead is told, and where it is that says nothing."""
    quiet_retries()
    try:
        code = run_interruptible(work)
    except TableError as failure:
        complain(why(failure, language) + silent(failure, target))
        return FAILED
    except Unusable as unusable:
        complain(str(unusable))
        return UNUSABLE
    return INTERRUPTED if code is None else code


def silent(failure: TableError, target: str) -> str:
    """Where no answer came from, behind what else is said; nothing where one came."""
    return f" ({target})" if isinstance(failure, Unanswered) and target else ""


def why(failure: TableError, language: Language) -> str:
    """What to tell a person."""
    texts = TEXTS[language].play
    if isinstance(failure, Refusal):
        return texts.refused.format(why=refusal_text(failure, language.value))
    code = failure.code.name if isinstance(failure, Unanswered) else ""
    return texts.unanswered.format(why=f"{code} {failure.message}".strip())
