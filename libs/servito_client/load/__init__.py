"""Load: players from several processes, and what they measured.

Here: the plan (plan.py), a player who measures (player.py), one process of players (worker.py), what came of
it and how it is added up (tally.py), the processes (crowd.py). Not here: a local system, chips, metrics pages
and printing (`servito_cli.load`).

**Method.** A game of turns is a closed loop: nobody acts before he is offered a turn, so a generator that
times a call from its sending leaves out all the waiting that a slow system causes (coordinated omission).
Here an act is *due* at the offer plus the time that the player thinks (drawn beforehand, zero at the pace
"fast"), and its latencies count from when it was due, whether or not the process came to send it then:
*act to answer* until its answer is back, retries included; *act to event* until each other player at the
table has read it from his stream. Every sample is kept in an HDR histogram of microseconds."""

from __future__ import annotations
