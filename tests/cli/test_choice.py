"""Choosing by keys: everything that is offered can be done, and nothing else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servito_cli.play.choice import Choice
from servito_cli.play.keys import BACKSPACE, ENTER, ESCAPE
from servito_cli.texts import TEXTS, Language
from servito_client import actions
from servito_client.messages import Action, ActionKind, BlindKind, CheckWord, LegalAction, Offer

EN = TEXTS[Language.EN].play
CARDS = (51, 40, 30, 20, 10)


def legal(name: str, least: int = 0, greatest: int = 0) -> LegalAction:
    """One legal action."""
    return LegalAction(kind=ActionKind.Value(f"ACTION_KIND_{name}"), least=least, greatest=greatest)


def choice(*offered: LegalAction, stack: int = 100, words: bool = False) -> Choice:
    """The choice among some actions."""
    return Choice(Offer(turn_id=7, actions=offered), CARDS, stack, EN, words)


def pressed(chosen: Choice, *keys: str) -> Action | None:
    """The action after these keys, none of which but the last may give one."""
    *before, last = keys
    assert [chosen.key(key) for key in before] == [None] * len(before)
    return chosen.key(last)


RAISING = (legal("CALL", 5, 5), legal("RAISE", 12, 40), legal("FOLD"))


def test_a_letter_acts_at_once_where_there_is_nothing_to_say() -> None:
    """Fold, call, pass; other letters do nothing."""
    assert pressed(choice(*RAISING), "z", "f") == actions.fold()
    assert pressed(choice(*RAISING), "c") == actions.call()
    assert pressed(choice(legal("PASS")), "o", "p") == actions.pass_()


def test_an_amount_is_typed_within_its_range() -> None:
    """Typed and corrected, the least when nothing is typed, the greatest by a key, and back again."""
    assert pressed(choice(*RAISING), "r", "3", "x", "9", BACKSPACE, "0", ENTER) == actions.raise_to(30)
    assert pressed(choice(*RAISING), "r", ENTER) == actions.raise_to(12)
    assert pressed(choice(*RAISING), "r", "m", ENTER) == actions.raise_to(40)
    assert pressed(choice(*RAISING), "r", "3", ESCAPE, "f") == actions.fold()


@pytest.mark.parametrize("typed", ["11", "41", "0", "99999999999999"])
def test_an_amount_outside_of_its_range_is_not_sent(typed: str) -> None:
    """The person is told the range and asked again."""
    chosen = choice(*RAISING)
    assert pressed(chosen, "r", *typed, ENTER) is None
    assert chosen.message == "It has to be 12..40."
    assert chosen.prompts[0] == "raise to 12..40: _"
    assert pressed(chosen, "1", "2", ENTER) == actions.raise_to(12)
    assert chosen.message == ""


def test_the_only_amount_need_not_be_typed() -> None:
    """An all-in opening below the least, or a blind, is one amount."""
    assert pressed(choice(legal("OPEN", 3, 3)), "o") == actions.open_to(3)
    blind = legal("POST_BLIND", 8, 8)
    blind.blind = BlindKind.BLIND_KIND_COUNTER_BLIND
    chosen = choice(blind, legal("DECLINE_BLIND"))
    assert chosen.prompts == ["[b] counter-blind for 8   [n] no blind"]
    assert pressed(chosen, "b") == actions.post_blind(BlindKind.BLIND_KIND_COUNTER_BLIND, 8)


def test_a_call_of_the_whole_stack_says_so() -> None:
    """What it costs is shown, and that it is everything."""
    assert "[c] call 5 " in choice(*RAISING).prompts[0]
    assert "[c] call all in, 5 " in choice(*RAISING, stack=5).prompts[0]


def test_the_word_of_a_check_is_chosen_where_it_counts() -> None:
    """The words "parola" and "cip" are two actions then."""
    chosen = choice(legal("CHECK"), legal("BET", 1, 9), words=True)
    assert chosen.prompts == ["[p] parola   [c] cip   [b] bet 1..9"]
    assert pressed(chosen, "c") == actions.check(CheckWord.CHECK_WORD_CIP)
    assert pressed(choice(legal("CHECK")), "c") == actions.check()


def test_discards_are_marked_by_their_numbers() -> None:
    """Marked, unmarked, at most as many as may go; Enter alone stands pat."""
    chosen = choice(legal("DRAW", 0, 3))
    assert chosen.prompts[1] == "Enter: stand pat, servito"
    assert pressed(chosen, "1", "2", "2", "6", "0", "a", "5", "3") is None
    assert chosen.chosen == {0, 4, 2}
    assert pressed(chosen, "4") is None
    assert chosen.message == "At most 3 cards may go."
    assert chosen.prompts[1] == "Enter: change 3"
    assert pressed(chosen, ENTER) == actions.draw([51, 30, 10])
    assert pressed(choice(legal("DRAW", 0, 3)), "1", ESCAPE, ENTER) == actions.draw()


KEYS = [*"abcdefghijklmnopqrstuvwxyz0123456789", ENTER, ESCAPE, BACKSPACE]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([*Language]))
def test_whatever_is_pressed_only_what_is_offered_comes_out(seed: int, language: Language) -> None:
    """Random keys give actions of the offered kinds within their ranges, or nothing."""
    rng = Random(seed)
    least = rng.randint(1, 30)
    offered = [legal("CALL", 5, 5), legal("RAISE", least, least + rng.randint(0, 50)), legal("FOLD")]
    if seed % 3 == 0:
        offered = [legal("DRAW", 0, rng.randint(0, 5))]
    chosen = Choice(Offer(turn_id=7, actions=offered), CARDS, 100, TEXTS[language].play)
    for _ in range(200):
        action = chosen.key(rng.choice(KEYS))
        assert all(chosen.prompts)
        if action is not None:
            [one] = [legal for legal in offered if legal.kind == action.kind]
            amount = len(action.discards) if seed % 3 == 0 else action.to or one.least
            assert one.least <= amount <= one.greatest
            assert set(action.discards) <= set(CARDS)
