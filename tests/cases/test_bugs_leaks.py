"""Each way by which hidden cards got out elsewhere has a test, and a new entry of poker_bugs.json that is
about one has to name its own here, way by way.

An entry is about a leak if it is of that category, or if what it expects says that something stays unseen.
"""

from __future__ import annotations

import re

import pytest

from tests.cases.bugs import ENTRIES, claims
from tests.frame.test_security import exists

SECRETS = "tests/contract/bugs/test_secrets.py"
TAINT = "tests/taint/test_taint.py"
FOLDED = f"{SECRETS}::test_a_hand_that_ends_by_folds_shows_nothing"
WAYS: dict[str, dict[str, str]] = {
    "IL-02": {
        "every answer, the events from the first version, and errors": (
            f"{SECRETS}::test_nothing_that_can_be_read_holds_a_secret"
        ),
        "past hands": "tests/table/test_past_secrets.py::test_nobody_gets_a_card_that_no_view_had_shown_him",
        "errors of a fault": f"{TAINT}::test_a_fault_that_holds_cards_tells_none",
        "seeds in what is stored and logged": (
            "tests/dealer/test_secrecy.py::test_no_seed_and_no_card_outside_of_the_answers"
        ),
        "what is stored and archived, and spans": f"{TAINT}::test_no_hidden_card_reached_anybody",
        "exports": "tests/replay/test_lines.py::test_everybodys_lines_hold_no_hidden_card",
        "orders, sums and sizes": f"{TAINT}::test_a_hidden_card_changes_no_byte_for_others",
    },
    "IL-04": {
        "events up to the end": FOLDED,
        "views": (
            "tests/core/hand/test_view.py::test_cards_are_seen_once_they_are_on_the_table_and_only_those"
        ),
        "the rules show nothing": (
            "tests/core/hand/test_turns.py::test_a_hand_won_by_folds_says_who_won_and_shows_nothing"
        ),
        "the proof of an opening": (
            "tests/core/hand/test_opening.py::test_the_opener_proves_an_uncalled_opening"
        ),
        "past hands": "tests/table/test_past_secrets.py::test_nobody_gets_a_card_that_no_view_had_shown_him",
        "proofs": "tests/table/test_proving.py::test_the_gate_is_a_positive_list",
        "hands told of the archive": "tests/replay/test_told.py::test_a_record_is_that_of_the_hand",
    },
    "IL-05": {
        "events": f"{SECRETS}::test_a_draw_is_a_number_to_others",
        "views": "tests/core/hand/test_view.py::test_what_others_learn_of_a_draw",
        "messages": "tests/wire/test_views.py",
    },
    "IL-07": {
        "every answer and every event": f"{SECRETS}::test_what_is_chosen_beforehand_stays_inside",
        "entropy": "tests/table/test_entropy.py::test_it_is_told_to_its_own_player_alone",
    },
    "RN-05": {"seeds": f"{SECRETS}::test_no_seed_of_a_program_moves_the_deck"},
    "SP-04": {
        "nothing is shown": "tests/core/hand/test_pots.py::test_a_shove_that_nobody_calls_comes_back",
    },
    "SP-11": {
        "a folded hand": "tests/core/hand/test_pots.py::test_a_folded_seat_has_no_claim_and_shows_nothing",
        "events": FOLDED,
    },
    "TO-08": {
        "nothing is shown": (
            "tests/core/hand/test_turns.py::test_a_hand_won_by_folds_says_who_won_and_shows_nothing"
        ),
    },
}
"""By entry: how it might get out, and the test that would notice."""
UNSEEN = re.compile(
    r"reveal|no trace of|absent from every event|no card\b|without .* card ids|unaffected by random"
)


def about_leaks() -> set[str]:
    """The entries of the category, and those that expect something to stay unseen."""
    return {
        entry["id"]
        for entry in ENTRIES
        if entry["category"] == "information leaks" or UNSEEN.search(entry["expected"])
    }


def test_every_leak_has_its_ways() -> None:
    """No entry is without a line, and no line without an entry."""
    assert set(WAYS) == about_leaks()


@pytest.mark.parametrize("fault", WAYS)
def test_each_way_has_a_test(fault: str) -> None:
    """It exists, and one of them says in its docstring which entry it replays."""
    assert [test for test in WAYS[fault].values() if not exists(test)] == []
    replaying = {f"tests/{claim.test}" for claim in claims() if claim.fault == fault}
    assert replaying & set(WAYS[fault].values())


def test_an_entry_without_a_line_is_noticed() -> None:
    """Whatever category it is put into, if it expects that cards stay unseen."""
    assert all(UNSEEN.search(text) for text in ("zero revealed cards", "S0 cards absent from every event"))
    assert not UNSEEN.search("pot 120 to S0")
