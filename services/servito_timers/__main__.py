"""`python -m servito_timers`."""

from __future__ import annotations

from servito_timers.main import main

main()
