"""`servito demo`: the whole system, bots at every table, and what came of it.

Here: playing (playing.py, at_table.py), remembering (chronicle.py), counting and showing (summary.py), and
the command that joins them with the local system (command.py). Not here: how a hand is told
(servito_cli.story)."""

from __future__ import annotations
