"""One gate for hidden cards (`servito_core.view`), and no other way out of the table service: by its source.

That nothing passes the gate which should not is for tests/core/hand/test_view.py, tests/wire/test_views.py
and tests/taint. Here: nobody goes around it. A module that begins to read something hidden, or to make a
message in which there is room for it, has to say here what for; one that stops is taken out.
"""

from __future__ import annotations

import ast

import pytest

from tests.frame.gate import evades, makes, modules, passes, reads, tells
from tests.source import tree_of

SERVED = modules("services/servito_table", "services/servito_timers")
BELOW = modules("libs/servito_core", "libs/servito_wire", "libs/servito_platform")
BESIDE = modules("services/servito_dealer", "services/servito_evaluator")
ARCHIVED = modules("libs/servito_replay", "libs/servito_history")
TABLE, WIRE = "services/servito_table/", "libs/servito_wire/"
READERS = {
    "adapters/contributions.py": "blinds players' entropy before the dealer sees it",
    "adapters/dealer.py": "takes cards from the dealer",
    "app/decide.py": "gives them to the rules",
    "app/play.py": "asks the dealer (a method of that name)",
    "app/entropy.py": "which seats contribute",
    "app/pre_actions.py": "does for a seat what that chose",
    "app/proving.py": "which positions may be opened to whom",
    "messages/acting.py": "events that their own seat alone is told of (`own_events.PRIVATE`)",
    "messages/deal.py": "the same, and openings that `app.proving` allowed",
    "messages/seats.py": "seats as they are stored",
    "messages/views.py": "the gate's part for the table: the viewer's own pre-action",
    "rpc/reading.py": "what a player asks for himself",
}
"""Of the table service; timers read nothing."""
MAKERS = {
    TABLE + "messages/acting.py": {"PreActionSet"},
    TABLE + "messages/deal.py": {"CardOpening", "EntropySet"},
    WIRE + "moves.py": {"SeatActed"},
    WIRE + "views.py": {
        "CardsDealt",
        "CardsDrawn",
        "HandShown",
        "HandTabled",
        "OpenersFound",
        "OpeningProved",
        "OwnHandView",
        "SeatActed",
    },
}
"""Who makes messages that may hold something hidden. `moves` writes events for the store too: to players
goes what `views` made of them."""
GATES = {
    TABLE + "messages/views.py": {"view_for", "event_for", "hand_view_to_proto", "event_view_to_bytes"},
}
"""Who passes the gate. What is stored openly does not: it is what goes without cards, but for those that a
player has shown (`servito_wire.digests`, `servito_wire.secrets`)."""
TELLERS = {
    "libs/servito_core/cards.py": "the text that somebody typed",
    "libs/servito_core/ranking/rank.py": "the lowest card of a deck",
}
"""Whose errors name cards, and which."""


def test_who_reads_what_is_hidden_says_what_for() -> None:
    """In the table service the modules above and no others, among them nothing that serves lists, streams,
    refusals, metrics or logs; in the timers none at all.
    """
    found = {path for path, tree in SERVED.items() if reads(tree)}
    assert found == {TABLE + name for name in READERS}


def test_who_writes_what_may_be_hidden() -> None:
    """A message that has room for cards is made behind the gate, or holds what is the reader's own."""
    found = {path: makes(tree) for path, tree in (SERVED | BELOW).items() if makes(tree)}
    assert found == MAKERS


def test_the_gate_is_passed_in_one_place() -> None:
    """By what goes to players, in one module."""
    found = {path: passes(tree) for path, tree in (SERVED | BELOW).items() if passes(tree)}
    assert found == GATES


def test_nothing_is_written_as_shown_that_did_not_pass_the_gate() -> None:
    """Who writes a view or an event for players is handed what the gate gave, in the same expression."""
    assert {path: found for path, tree in (SERVED | BELOW).items() if (found := evades(tree))} == {}


def test_what_is_told_of_the_archive_passes_it_too() -> None:
    """In one module, which tells a player his own wish besides."""
    told = "libs/servito_replay/told.py"
    assert {path for path, tree in ARCHIVED.items() if passes(tree)} == {told}
    assert {path: makes(tree) for path, tree in ARCHIVED.items() if makes(tree)} == {told: {"PreActionSet"}}
    assert [path for path, tree in ARCHIVED.items() if evades(tree)] == []


def test_no_text_is_made_of_what_is_hidden() -> None:
    """No error, log line or label in any service takes in cards, positions, entropy or a wish."""
    everything = SERVED | BELOW | BESIDE
    assert {path for path, tree in everything.items() if tells(tree)} == set(TELLERS)


def test_answers_and_streams_hold_nothing_stored() -> None:
    """Stored forms, which hold every card, are known to the store and to those who write and read them; among
    the timers, to who counts chips.
    """
    users = {path for path, tree in SERVED.items() if "store_pb2" in imported(tree)}
    allowed = tuple(TABLE + own for own in ("adapters/", "messages/acting.py", "messages/seats.py"))
    counting = "services/servito_timers/adapters/witness.py"
    assert users
    assert {path for path in users if not path.startswith((*allowed, counting))} == set()


def imported(tree: ast.AST) -> set[str]:
    """The last names of what a module imports, and of where from."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules_named = {(node.module or "").rpartition(".")[2] for node in found}
    return modules_named | {alias.name for node in found for alias in node.names}


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("found = player.cards", reads),
        ("event.positions[0]", reads),
        ("pb.HandShown(seat=1)", makes),
        ('record(pb.HandShown, "seat")', makes),
        ('Packed(pb.SeatActed, "discards")', makes),
        ("pb.OwnHandView()", makes),
        ("view.event_for(event, 1)", passes),
        ("hand_view_to_proto(hand, 't')", evades),
        ("event_view_to_bytes(view_for(hand, 1), 't')", evades),
        ("sent = event_view_to_bytes(event, table_id)", evades),
        ("raise ValueError(f'no {player.cards}')", tells),
        ("raise Refused(Reason.MALFORMED, format_cards(held))", tells),
        ("log.warning('drawn', cards=cards)", tells),
        ("gauge.labels(str(own.openers)).inc()", tells),
    ],
)
def test_a_way_around_is_seen(text: str, look: object) -> None:
    """In each of its forms."""
    assert callable(look)
    assert look(tree_of(text))


def test_what_is_none_is_not() -> None:
    """Setting a field, counting cards, and passing the gate as it is meant to be."""
    harmless = "own.cards = ()\nraise ValueError(f'{len(discards)} are too many')\n"
    passed = "event_view_to_bytes(event_for(event, seat), table_id)"
    assert not reads(tree_of("own.cards = ()"))
    assert not tells(tree_of(harmless))
    assert not evades(tree_of(passed))
