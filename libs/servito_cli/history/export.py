"""`servito audit export`: what is archived as JSON lines, one event a line, table after table as it is read.

Nothing is held but the commit that is being written, however long a chain is. Lines go to standard output, or
to a file that is there under its name once it is whole; counts go to standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from servito_cli.console import FAILED, UNUSABLE, complain, end_unread
from servito_cli.history.opening import Unusable, archive, auditor, table_and_number
from servito_cli.texts import TEXTS, Language
from servito_replay.differences import Difference
from servito_replay.entries import Entry, read
from servito_replay.lines import AUDITOR, PUBLIC, lines_of
from servito_replay.told import PlayerLines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from servito_history.reading import History
    from servito_history.rows import Row
    from servito_platform.audit_seal import AuditOpener
    from servito_replay.entries import Commit


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was typed. Without tables: all; `since` and `until` in ms of the state server's clock, the latter
    excluded; `lost`: branches that a failover lost as well.
    """

    tables: Sequence[str] = ()
    hand_id: str | None = None
    player: str | None = None
    history: str | None = None
    key: Path | None = None
    file: Path | None = None
    since: int | None = None
    until: int | None = None
    lost: bool = False


@dataclass(slots=True)
class _Count:
    """What was written."""

    lines: int = 0
    commits: int = 0


def run_export(wanted: Wanted, language: Language) -> int:
    """Write them; the exit code."""
    texts, count = TEXTS[language].replay, _Count()
    try:
        opener = auditor(wanted.key, texts)
        if wanted.player is not None and opener is None:
            raise Unusable(texts.key_needed)
        with archive(wanted.history, texts) as history, _into(wanted.file) as out:
            broken = _export(history, wanted, opener, out, count)
    except BrokenPipeError:
        end_unread()
    except (Unusable, OSError) as error:
        complain(str(error))
        return UNUSABLE
    for table, difference in broken:
        what = texts.kinds[difference.kind] + (f" ({difference.detail})" if difference.detail else "")
        where = texts.differs.format(version=difference.version, what=what)
        complain(texts.broken.format(table=table, what=where))
    if not count.commits and not broken:
        complain(texts.nothing)
        return UNUSABLE
    sys.stderr.write(texts.written.format(lines=count.lines, commits=count.commits) + "\n")
    return FAILED if broken else 0


def _export(
    history: History, wanted: Wanted, opener: AuditOpener | None, out: TextIO, count: _Count
) -> list[tuple[str, Difference]]:
    """Table after table; those at which it ended early, and why."""
    broken = []
    for table, rows in _chosen(history, wanted):
        lines = _form(wanted.player, opener)
        try:
            for row in rows:
                if _fits(row, wanted):
                    for line in lines(read(Entry.of(row), opener)):
                        out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
                        count.lines += 1
                    count.commits += 1
        except Difference as difference:
            broken.append((table, difference))
    return broken


def _chosen(history: History, wanted: Wanted) -> Iterator[tuple[str, Iterator[Row]]]:
    """Each table with its rows."""
    texts = TEXTS[Language.EN].replay
    if wanted.hand_id is not None:
        table, number = table_and_number(wanted.hand_id, texts)
        yield table, iter(history.hand(table, number))
        return
    for table in wanted.tables or [head.table_id for head in history.tables()]:
        yield table, history.rows(table)


def _form(player: str | None, opener: AuditOpener | None) -> Callable[[Commit], Iterator[dict[str, Any]]]:
    """Who writes the lines of a commit."""
    if player is not None:
        return PlayerLines(player).of
    form = PUBLIC if opener is None else AUDITOR
    return lambda commit: lines_of(commit, form)


def _fits(row: Row, wanted: Wanted) -> bool:
    if row.lost and not wanted.lost:
        return False
    return (wanted.since is None or row.at >= wanted.since) and (
        wanted.until is None or row.at < wanted.until
    )


@contextmanager
def _into(file: Path | None) -> Iterator[TextIO]:
    """Standard output; or a file, which is put in its place when it is whole."""
    if file is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    draft = file.with_name(f".{file.name}.part")
    try:
        with draft.open("w", encoding="utf-8") as out:
            yield out
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
