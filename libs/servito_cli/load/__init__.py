"""`servito load`: many players against a running system or a local one, and what it cost them.

Here: the course of a run (command.py), what is read from the system itself (system_side.py), figures and
verdict (figures.py), printing (show.py). The players, and how latencies are measured, are
`servito_client.load`."""

from __future__ import annotations
