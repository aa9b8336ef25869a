"""Ids of hands as they are typed: one that is none is said before anybody is asked about it."""

from __future__ import annotations

from servito_cli.console import complain
from servito_cli.texts import TEXTS, Language
from servito_platform.keys import is_id


def table_and_number(hand_id: str) -> tuple[str, int] | None:
    """Of an id `<table>-<number>`; None for what is none."""
    table, _, number = hand_id.rpartition("-")
    if not (is_id(table) and number.isascii() and number.isdecimal()) or number.startswith("0"):
        return None
    return table, int(number)


def is_hand(hand_id: str, language: Language) -> bool:
    """Whether it is one; if not, that is said."""
    if table_and_number(hand_id) is not None:
        return True
    complain(TEXTS[language].replay.no_id.format(hand_id=hand_id))
    return False
