"""Hand scripts and comparisons: drive the core with known cards.

Here: reading the two formats, running them against servito_core, telling the first difference. Not here:
services, sockets, shuffling. Changes with the core's commands and events.
"""

from __future__ import annotations
