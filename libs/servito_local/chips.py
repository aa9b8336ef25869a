"""Counts the chips of a whole state server, and compares them with what was bought in and cashed out.

Here: connecting, and going through all partitions; what counts is the witness's (servito_witness).
"""

from __future__ import annotations

from typing import Final

from servito_platform.clients import blocking_client
from servito_platform.keys import Keys
from servito_platform.place import read_place
from servito_witness import stored
from servito_witness.chips import Chips, counted

_PATIENCE: Final = 5.0
"""Seconds that a server may take to answer."""


def read_chips(state_url: str, *, partitions: int = 64) -> Chips:
    """Count every table of a state server; `partitions` as the services are set. Raises redis errors."""
    with blocking_client(read_place(state_url), _PATIENCE) as client:
        found = [table for part in stored.partitions(client, Keys(partitions)) for table in counted(part)]
    return Chips(tuple(sorted(found, key=lambda table: table.table_id)))
