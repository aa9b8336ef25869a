"""The timers: a Celery application that sweeps deadlines and keeps house.

It decides nothing: it claims what is due and calls the table service. main -> tasks, adapters -> app.
"""

from __future__ import annotations
