"""What connects the table's use cases to the state server, to the other services and to those who watch."""

from __future__ import annotations
