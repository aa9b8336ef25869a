"""What the commands about the archive have in common: its address, the auditor's key, the id of a hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from servito_cli.audit.where import found_history
from servito_cli.hands import ids
from servito_history.errors import HistoryAway, HistoryRefused, HistoryUnusable
from servito_history.reading import open_history
from servito_platform.audit_seal import AuditOpener
from servito_platform.auditor_key import read_auditor_keys

if TYPE_CHECKING:
    from servito_cli.texts.form.replay import ReplayTexts
    from servito_history.reading import History


class Unusable(Exception):  # noqa: N818 - it says what is the case
    """What was given cannot be used; its text is for whoever typed it."""


@contextmanager
def archive(address: str | None, texts: ReplayTexts) -> Iterator[History]:
    """The archive at `address`, else where it is found. Raises Unusable."""
    found = found_history(address)
    if found is None:
        raise Unusable(texts.no_archive)
    try:
        with open_history(found) as history:
            yield history
    except (HistoryUnusable, HistoryAway, HistoryRefused) as error:
        raise Unusable(texts.unusable.format(why=error)) from error


def auditor(file: Path | None, texts: ReplayTexts) -> AuditOpener | None:
    """Who opens what is sealed, with the keys of that file; nobody without one. Raises Unusable."""
    if file is None:
        return None
    try:
        return AuditOpener(read_auditor_keys(file))
    except (OSError, ValueError) as error:
        raise Unusable(texts.no_key.format(file=file, why=error)) from error


def table_and_number(hand_id: str, texts: ReplayTexts) -> tuple[str, int]:
    """Of an id `<table>-<number>`. Raises Unusable."""
    found = ids.table_and_number(hand_id)
    if found is None:
        raise Unusable(texts.no_id.format(hand_id=hand_id))
    return found
