"""New tables: the id follows from who asks and under which request id, so asking twice makes one table."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from servito_table.app.commits import Answer, Commit, Moved, Request, Unmade
from servito_table.app.config import checked
from servito_table.app.play import id_reused
from servito_table.app.state import TableState

if TYPE_CHECKING:
    from servito_table.app.ports import Store
    from servito_table.app.state import TableConfig


def table_id_of(owner: str, request_id: str) -> str:
    """24 letters and digits; nobody else's request can have the same."""
    digest = blake2b(f"{owner}\n{request_id}".encode(), digest_size=15).digest()
    return b32encode(digest).decode().lower()


async def create(store: Store, owner: str, request_id: str, config: TableConfig) -> str:
    """The id of the new table, or of the one that the same request made before.

    Refused: INVALID_CONFIG naming every defect, REQUEST_ID_REUSED, OUTCOME_UNKNOWN, UNAVAILABLE.
    """
    table_id = table_id_of(owner, request_id)
    state = TableState(table_id, owner, config, checked(config))
    request = Request(owner, request_id, _fingerprint(config))
    outcome = await store.commit(
        Commit(before=None, state=state, events=(), money=(), wait_ms=0, answer=Answer(1), request=request)
    )
    if outcome is Unmade.REUSED or (isinstance(outcome, Moved) and not _made_by(outcome.known.state, config)):
        raise id_reused()
    return table_id


def _fingerprint(config: TableConfig) -> str:
    content = repr(replace(config, options=dict(sorted(config.options.items()))))
    return blake2b(content.encode(), digest_size=8).hexdigest()


def _made_by(state: TableState, config: TableConfig) -> bool:
    """Whether a request for `config` may have made the table, which no longer remembers its request: its
    options may be others since, by house rules.
    """
    held = state.config if not state.proposals else replace(state.config, options=config.options)
    return held == config
