"""What each event of a table changes in a `TableView`: the other half of `following.py`.

One module for each part of the view, with one function `fold_...(event, view)` that changes nothing for the
events of the others: the running hand (hand.py, its chips in chips.py), who sits there or waits (seats.py),
status, rules and the carried pot (table.py). Events that are only worth telling change nothing at all.
Changes with the events of table.proto."""

from __future__ import annotations
