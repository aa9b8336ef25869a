"""Every reason of the protocol has its words in both languages."""

from __future__ import annotations

from enum import Enum

from servito.table.v1.refusal_pb2 import RefusalReason
from servito_client.errors import Refusal
from servito_client.refusal_texts import ENGLISH, ITALIAN, refusal_text
from servito_wire.refusals import PREFIX, refusal, refusal_from_proto, refusal_to_proto

Why = Enum("Why", ["TABLE_FULL"])


def test_every_reason_has_a_text_in_both_languages() -> None:
    """No reason is missing, none is left over, none is the same in both."""
    reasons = {RefusalReason.Name(number).removeprefix(PREFIX) for number in RefusalReason.values() if number}
    assert ENGLISH.keys() == ITALIAN.keys() == reasons
    assert all(ENGLISH[reason] != ITALIAN[reason] for reason in reasons)
    assert all(ENGLISH.values())
    assert all(ITALIAN.values())


def test_a_refusal_is_told_in_words_and_one_of_tomorrow_by_its_own_message() -> None:
    """A reason that this client does not know is told as the server told it."""
    sent = refusal_to_proto(refusal(Why.TABLE_FULL, "all 4 seats are taken"))
    full = Refusal(refusal_from_proto(sent))
    assert refusal_text(full, "it") == "tutti i posti sono occupati"
    assert refusal_text(full, "en") == "every seat is taken"
    full.reason = "TABLE_ON_FIRE"
    assert refusal_text(full, "it") == "all 4 seats are taken"


def test_a_turn_that_has_not_come_yet_is_not_called_over() -> None:
    """STALE_TURN is refused for turns of the past and of the future: the text is true of both."""
    assert "over" not in ENGLISH["STALE_TURN"].split()
    assert "finito" not in ITALIAN["STALE_TURN"].split()
