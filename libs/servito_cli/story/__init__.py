"""A table told so that a player can follow it: from its events to lines of text.

Pure: no printing, no connection. Here: what is told of each event, and when. Each chapter tells its own
events and is silent about others: how a hand begins (deal.py), what seats do in it (moves.py), how it ends
(ending.py), what happens around the hands (table.py); telling.py asks them all. What the events leave out
(the pot, who is all in) is read from the table that they are folded into (`servito_client.following`); the
sentences are in `texts`. The events are those that one viewer gets; the cards of seats whose players agree to
it (in the demo all, being our bots) come beside them. What cannot be known is told as a number of cards.
Changes with the events of table.proto."""

from __future__ import annotations
