"""The detector is not blind: a leak of each kind, put into the running code, is found, by its name."""

from __future__ import annotations

import base64
from contextlib import nullcontext

import pytest

from servito_core.cards import format_cards
from tests.taint import planted, twice
from tests.taint.encodings import masks_of
from tests.taint.hunt import RULES, hunt

LOGGED = {
    "text": ("text", format_cards),
    "with symbols": ("text", lambda cards: " ".join("A♥" for _ in cards)),
    "in Italian": ("text", planted.italian),
    "a list of numbers": ("numbers", lambda cards: repr([int(card) for card in cards])),
    "a set": ("numbers", lambda cards: repr(frozenset(map(int, cards)))),
    "a dict": ("numbers", lambda cards: repr({"seat": 99, "cards": tuple(map(int, cards))})),
    "hexadecimal": ("packed", lambda cards: bytes(sorted(cards)).hex()),
    "base64": ("packed", lambda cards: base64.b64encode(bytes(reversed(cards))).decode()),
    "a mask": ("mask", lambda cards: str(masks_of(frozenset(cards))[0])),
    "a mask by suits in hexadecimal": ("mask", lambda cards: f"{masks_of(frozenset(cards))[2]:016x}"),
}
"""What a log line says, and the kind of finding that it is."""
ELSEWHERE: dict[str, tuple[str, planted.Leak]] = {
    "a field of a log line": ("log field", planted.in_log_field),
    "a label of a metric": ("label", planted.in_label),
    "the value of a metric": ("mask", planted.in_gauge),
    "cards of another seat": ("card", planted.in_view),
    "cards of a draw": ("card", planted.in_draw),
    "positions of a draw": ("position", planted.in_draw),
    "a mask in an event": ("mask", planted.in_event),
    "cards where a hash is": ("packed", planted.in_bytes),
    "an unknown field": ("unknown field", planted.in_unknown_field),
    "the text of an error": ("text", planted.in_error),
    "base64 in trailing metadata": ("packed", planted.in_trailers),
    "a text in a span": ("text", planted.in_span),
    "a number in a span": ("span", planted.in_span),
    "cards in what is stored": ("card", planted.in_store),
    "openers in what is stored": ("stored", planted.in_store),
    "a seal that is none": ("packed", planted.in_seal),
}


@pytest.mark.parametrize("what", LOGGED)
async def test_a_card_in_a_log_line_is_found(what: str) -> None:
    """However it is written down, and by that name."""
    kind, write = LOGGED[what]
    with planted.in_log(write)():
        found = await hunt("planted", 4, RULES["free"], 1)
    assert kind in {finding.kind for finding in found.findings if finding.viewer == "operator"}


@pytest.mark.parametrize("what", ELSEWHERE)
async def test_a_leak_elsewhere_is_found(what: str) -> None:
    """In messages, errors, trailers and metrics, and by the name of its kind."""
    kind, leak = ELSEWHERE[what]
    with leak():
        found = await hunt("planted", 4, RULES["free"], 2)
    assert kind in {finding.kind for finding in found.findings}


@pytest.mark.parametrize("leak", [planted.in_order, planted.in_size, planted.in_view, nullcontext])
async def test_what_depends_on_a_hidden_card_differs(leak: planted.Leak) -> None:
    """The order of a list and the size of a message hold no card that could be searched for: the two runs
    tell; and without a leak they are the same.
    """
    differing = 0
    with leak():
        for number in range(4):
            table = (f"order/{number}", 5, RULES["free"])
            swap = twice.swap_for(await twice.run(*table, hands=1), number)
            assert swap is not None
            first, second = await twice.run(*table, swap), await twice.run(*table, swap, laid=True)
            if twice.comparable(first, second, swap):
                differing += any(True for _ in twice.differences(first, second, swap))
    assert bool(differing) is (leak is not nullcontext)
