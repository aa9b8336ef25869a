"""`servito audit verify` and `servito audit heads`: whether the archive is what was written, or where not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from redis.exceptions import RedisClusterException, RedisError

from servito_cli.audit.where import history_at, settings_of_state
from servito_cli.console import FAILED, UNUSABLE, complain, output
from servito_cli.texts import TEXTS, Language
from servito_history.audit import Audit
from servito_history.comparing import compare
from servito_history.errors import HistoryAway, HistoryRefused, HistoryUnusable
from servito_history.findings import Chain, Finding
from servito_history.reading import History, open_history
from servito_platform.clients import blocking_client
from servito_platform.keys import Keys
from servito_platform.laid_out import OtherPartitions, read_mark
from servito_platform.settings import SettingsError

if TYPE_CHECKING:
    from rich.console import Console

    from servito_cli.texts.form.audit import AuditTexts
    from servito_history.audit import Noted
    from servito_platform.settings import ServiceSettings

_PATIENCE = 5.0
UNREADABLE = (HistoryUnusable, HistoryAway, HistoryRefused)
"""What keeps an archive from being read."""


class _Elsewhere(Exception):  # noqa: N818 - what is the case
    """The address names another server: nothing of Servito is there, and so nothing that differs."""


def run_verify(
    history: str | None, table: str | None, heads: Path | None, language: Language, *, state: bool
) -> int:
    """Verifies one table or all; 0 whole, 1 broken, 2 it could not be read, or not be compared with a state
    server that is known.
    """
    texts = TEXTS[language].audit
    try:
        noted = {} if heads is None else _noted(heads)
    except (OSError, ValueError, KeyError, TypeError) as error:
        complain(texts.heads_unreadable.format(file=heads, why=error))
        return UNUSABLE
    try:
        settings = settings_of_state() if state else None
    except (SettingsError, ValueError) as error:
        complain(texts.not_compared.format(why=error))
        return UNUSABLE
    try:
        with open_history(history_at(history, texts)) as found:
            return _verify(found, table, noted, texts, settings)
    except UNREADABLE as error:
        complain(texts.unreadable.format(why=error))
        return UNUSABLE


def run_heads(history: str | None, language: Language) -> int:
    """Prints where each chain ends, a line of JSON each; the exit code."""
    texts, console = TEXTS[language].audit, output()
    try:
        with open_history(history_at(history, texts)) as found:
            for chain, heads in ((Chain.COMMITS, found.tables()), (Chain.PAYMENTS, found.money_heads())):
                for head in heads:
                    line = {
                        "table": head.table_id,
                        "chain": chain.value,
                        "rows": head.rows,
                        "hash": head.hash.hex(),
                    }
                    console.print(json.dumps(line), markup=False)
    except UNREADABLE as error:
        complain(texts.unreadable.format(why=error))
        return UNUSABLE
    return 0


def _verify(
    found: History, table: str | None, noted: Noted, texts: AuditTexts, settings: ServiceSettings | None
) -> int:
    audit, console = Audit(found.sql, noted), output()
    wrong = 0
    for finding in audit.findings(table):
        wrong += finding.broken
        _print(finding, texts, console)
    if table is not None and not audit.commits + audit.payments + wrong:
        complain(texts.unknown_table.format(table=table))
        return UNUSABLE
    differs, not_compared = _compare(found, table, texts, settings, console)
    wrong += differs
    counts = {"tables": audit.tables, "commits": audit.commits, "payments": audit.payments}
    if wrong:
        console.print(texts.broken.format(wrong=wrong, **counts), style="red", markup=False)
        return FAILED
    console.print(texts.whole.format(**counts), style="green", markup=False)
    return UNUSABLE if not_compared else 0


def _compare(
    found: History,
    table: str | None,
    texts: AuditTexts,
    settings: ServiceSettings | None,
    console: Console,
) -> tuple[int, bool]:
    """With the state server, if one is known: how much is wrong, and whether it could not be compared."""
    if settings is None:
        console.print(texts.no_state, markup=False)
        return 0, False
    wrong, keys = 0, Keys(settings.partitions)
    try:
        with blocking_client(settings.state, _PATIENCE) as client:
            if (laid_out := read_mark(client)) is None:
                raise _Elsewhere(texts.no_servito)
            if laid_out != settings.partitions:
                raise OtherPartitions(settings.partitions, laid_out)
            for finding in compare(found.sql, client, keys, table):
                wrong += finding.broken
                _print(finding, texts, console)
    except (RedisError, RedisClusterException, OSError, OtherPartitions, _Elsewhere) as error:
        complain(texts.not_compared.format(why=str(error) or type(error).__name__))
        return wrong, True
    if not wrong:
        console.print(texts.compared, markup=False)
    return wrong, False


def _print(finding: Finding, texts: AuditTexts, console: Console) -> None:
    facts = {name: texts.sources.get(str(fact), fact) for name, fact in finding.facts.items()}
    told = texts.kinds[finding.kind].format(
        table=finding.table_id,
        chain=texts.chains[finding.chain],
        first=finding.first,
        last=finding.last,
        **facts,
    )
    mark, style = (texts.wrong, "red") if finding.broken else (texts.note, None)
    console.print(f"{mark:<10}{told}", style=style, markup=False)


def _noted(file: Path) -> Noted:
    """Lines that `heads` printed. ValueError, KeyError, TypeError: others."""
    return {
        (Chain(line["chain"]), line["table"]): (int(line["rows"]), bytes.fromhex(line["hash"]))
        for line in _lines(file)
    }


def _lines(file: Path) -> Iterator[dict[str, str]]:
    for text in file.read_text(encoding="utf-8").splitlines():
        if text.strip():
            yield json.loads(text)
