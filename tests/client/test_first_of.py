"""The simplest player there is: takes the first that he likes of what is offered, as cheaply as it goes."""

from __future__ import annotations

import pytest

from servito_client.actions import CALL, DRAW, FOLD, OPEN, PASS, RAISE, call, draw, first_of, open_to, pass_
from servito_client.messages import LegalAction, Offer


def offer(*actions: LegalAction) -> Offer:
    """These actions."""
    return Offer(turn_id=1, actions=actions)


def test_it_is_the_first_that_is_offered_at_its_least() -> None:
    """The order is that of the wishes; amounts are the least of their ranges, calls carry none."""
    opening = offer(LegalAction(kind=PASS), LegalAction(kind=OPEN, least=2, greatest=9))
    assert first_of(opening, OPEN, PASS) == open_to(2)
    assert first_of(opening, CALL, PASS, OPEN) == pass_()
    facing = offer(LegalAction(kind=FOLD), LegalAction(kind=CALL, least=4, greatest=4))
    assert first_of(facing, RAISE, CALL, FOLD) == call()


def test_a_draw_stands_pat() -> None:
    """No card is thrown away; where the rules want one thrown away, it is said that this cannot be."""
    assert first_of(offer(LegalAction(kind=DRAW, greatest=3)), DRAW) == draw()
    with pytest.raises(ValueError, match="at least 1 cards"):
        first_of(offer(LegalAction(kind=DRAW, least=1, greatest=3)), DRAW)


def test_what_is_not_offered_is_no_action() -> None:
    """The error names what is."""
    with pytest.raises(ValueError, match="ACTION_KIND_FOLD"):
        first_of(offer(LegalAction(kind=FOLD)), OPEN, CALL)
