"""What each event does to a hand: one module for each kind of event, joined by `evolve.py`, which alone calls
them.

Every function gets a copy of the hand that it may change, and the event; it never changes a `PlayerState` in
place but takes its own copy with `own`. Nothing here refuses anything: events have happened.
"""
