"""Looks at a running system and says what is wrong with it: settings, servers, deadlines, chips, services.

Here: one function for each check, which asks and judges, and findings as data. It only reads. Not here:
words for people (the command has them, in two languages), and an import of a service: what a service knows
of its own settings it says itself (`python -m servito_<service> --check`). A card is never read out: of a
hand it is told only which one, and what it waits for.
"""

from __future__ import annotations
