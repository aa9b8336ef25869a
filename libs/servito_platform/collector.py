"""When Python's garbage collector looks at the objects of a service.

Here: one call, for a process that has started. Theory. A collection costs what it looks at: the many
objects that the start leaves behind are put aside for good, and old ones are looked at hardly ever, since a
stream that ends, however old, leaves nothing that counting references does not free. New ones are looked at
often and in small portions: gRPC's server leaves a cycle of six objects, about 500 bytes, behind every call
that it takes (the closure in which it looked for the method's handler), and one of eighty, 10 kB, behind
every call that is refused (it keeps the exception, whose traceback leads back to it). Uncollected they look
like a leak, 3 kB a hand where players ask for the table in between, until the collector comes; and the more
of them there are, the longer everybody waits for it.
"""

from __future__ import annotations

import gc
from typing import Final

_YOUNG: Final = 5_000
"""New objects, less those that are gone, between two collections of the young: 800 calls. Measured, 2 us a
call and 2 ms at a time; with 50,000 it is 4 us, 15 to 35 ms at a time, and 10 MB more.
"""
_MIDDLE: Final = 20
"""Collections of the young before what outlived one of them is looked at."""
_OLD: Final = 200
"""Collections of those before everything is, if it has grown by a quarter meanwhile: refusals that were under
way at one of them wait for that, some 10 MB at the most.
"""


def spare_the_collector() -> None:
    """Let the collector look at what the start left behind once and never again, and at the rest as the
    module says: with Python's own numbers it took 45 us of a table's action, to find next to nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
