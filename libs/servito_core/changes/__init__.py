"""What each event does to a hand: one module for each kind of event, joined by `evolve.py`, which alone calls
them.

Every function gets a hand that it may change, and the event; it changes a `PlayerState` only through `own`,
because other states may share it. Nothing here refuses anything: events have happened.
"""
