"""`servito play TABLE`: a person at a table, at the keyboard.

Here: keys (keys.py), choosing among the offered actions (choice.py), what can be said beside them (aside.py,
proposing.py), what the person wants (wishes.py) and sees (desk.py, below.py), the way to a seat
(arriving.py), the calls behind wishes (errands.py), the course of a session (session.py), a local system with
bots for who has no other (house.py), and the command (command.py). Not here: a rule: the offer says what is
legal, and the table has the last word."""

from __future__ import annotations
