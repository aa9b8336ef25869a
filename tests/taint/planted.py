"""Leaks that are put into the real code for a test, one of each kind. Each is a context manager that patches
what the running system calls; what it tells is what stands there in that moment."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import structlog

from servito.table.v1 import table_pb2 as pb
from servito_core import view
from servito_core.cards import format_cards, rank_of, suit_of
from servito_platform.audit_seal import AuditSealer
from servito_platform.errors import RpcError
from servito_platform.tracing import Tracing
from servito_table.adapters import telling
from servito_table.adapters.meters import Meters
from servito_table.app.play import Play
from servito_table.app.refusals import TableRefused
from servito_table.messages import update, views
from tests.taint.encodings import RANKS_IT, SUITS_IT, masks_of

if TYPE_CHECKING:
    from servito_core.cards import Card
    from servito_core.state import HandState, PlayerState

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
Cards = tuple["Card", ...]
Leak = Callable[[], AbstractContextManager[None]]
_last: dict[str, Cards] = {}
"""What the seat to act held last: for places that have no state at hand."""


def _held(state: Any) -> Iterator[tuple[int, Cards]]:
    hand = state.running
    if hand is not None:
        yield from ((player.seat, player.cards) for player in hand.players if len(player.cards) == 5)


@contextmanager
def _on_commit(tell: Callable[[Any, Any], None]) -> Iterator[None]:
    """`tell` is called with the table service's `Play` and the state after every commit."""
    original = Play._carry_out

    async def carry_out(play: Play, plan: Any) -> Any:
        made = await original(play, plan)
        tell(play, plan.commit.state)
        return made

    with patch.object(Play, "_carry_out", carry_out):
        yield


def in_log(write: Callable[[Cards], str]) -> Leak:
    """A log line of debug level, with what `write` makes of the cards."""

    def tell(_play: Play, state: Any) -> None:
        for _, cards in _held(state):
            _log.debug("committed", what=write(cards))

    return lambda: _on_commit(tell)


def in_log_field() -> AbstractContextManager[None]:
    """One card as a number: a field of its own."""

    def tell(_play: Play, state: Any) -> None:
        for _, cards in _held(state):
            _log.debug("committed", best=int(cards[0]))

    return _on_commit(tell)


def in_label() -> AbstractContextManager[None]:
    """The index of a card as the label of a metric."""

    def tell(play: Play, state: Any) -> None:
        for _, cards in _held(state):
            if isinstance(play._monitor, Meters):
                play._monitor._events.labels(str(int(cards[0]))).inc()

    return _on_commit(tell)


def in_gauge() -> AbstractContextManager[None]:
    """A mask of cards as the value of a metric."""

    def tell(play: Play, state: Any) -> None:
        for _, cards in _held(state):
            if isinstance(play._monitor, Meters):
                play._monitor.watching.tables.set(masks_of(frozenset(cards))[0])

    return _on_commit(tell)


@contextmanager
def in_view() -> Iterator[None]:
    """The gate forgets to look at who looks."""
    original = view._player

    def player(state: PlayerState, viewer: int | None) -> view.PlayerView:
        return replace(original(state, viewer), cards=state.cards)

    with patch.object(view, "_player", player):
        yield


@contextmanager
def in_draw() -> Iterator[None]:
    """The cards of a draw, and where they lay, to everybody."""
    seen = dict(view.PROJECTIONS)
    for event, project in view.PROJECTIONS.items():
        if event.__name__ == "CardsDrawn":
            seen[event] = partial(_to_all, project)
    with patch.object(view, "PROJECTIONS", seen):
        yield


def _to_all(project: Callable[[Any, int | None], Any], drawn: Any, _viewer: int | None) -> Any:
    return project(drawn, drawn.seat)


@contextmanager
def in_order() -> Iterator[None]:
    """Seats of a hand in the order of their best cards."""
    original = view.view_for

    def view_for(hand: HandState, viewer: int | None) -> view.HandView:
        held = {player.seat: max(player.cards, default=0) for player in hand.players}
        seen = original(hand, viewer)
        return replace(seen, players=tuple(sorted(seen.players, key=lambda player: held[player.seat])))

    with patch.object(views, "view_for", view_for):
        yield


@contextmanager
def in_size() -> Iterator[None]:
    """So many blanks behind a word as a card says."""
    original = view.view_for

    def view_for(hand: HandState, viewer: int | None) -> view.HandView:
        seen = original(hand, viewer)
        blanks = sum(sum(player.cards) for player in hand.players) % 64
        return replace(seen, requirement=seen.requirement + " " * blanks)

    with patch.object(views, "view_for", view_for):
        yield


@contextmanager
def _in_events(change: Callable[[pb.TableEvent, frozenset[int]], None]) -> Iterator[None]:
    """`change` is called with every action that is told, and the five cards of a seat."""
    original = views.event_view
    held: list[frozenset[int]] = []

    def note(_play: Play, state: Any) -> None:
        held[:] = [frozenset(cards) for _, cards in _held(state)]

    def event_to_bytes(event: Any, seat: int | None, table_id: str) -> bytes | None:
        shown = original(event, seat, table_id)
        if shown is not None and held and shown.HasField("seat_acted"):
            change(shown, held[0])
        return None if shown is None else shown.SerializeToString()

    with _on_commit(note), patch.object(update, "event_to_bytes", event_to_bytes):
        yield


def in_event() -> AbstractContextManager[None]:
    """A mask as an amount of chips."""

    def change(shown: pb.TableEvent, five: frozenset[int]) -> None:
        shown.seat_acted.to = masks_of(five)[0]

    return _in_events(change)


def in_bytes() -> AbstractContextManager[None]:
    """Five cards in another order, where a hash is expected."""

    def change(shown: pb.TableEvent, five: frozenset[int]) -> None:
        shown.deck_committed.root = b"....." + bytes(sorted(five, key=lambda card: int(card) % 7)) + b"....."

    return _in_events(change)


def in_unknown_field() -> AbstractContextManager[None]:
    """A field that the protocol does not have."""

    def change(shown: pb.TableEvent, five: frozenset[int]) -> None:
        shown.seat_acted.MergeFromString(bytes((0xFA, 0x01, 5)) + bytes(five))

    return _in_events(change)


@contextmanager
def in_error() -> Iterator[None]:
    """The refusal of a discard says whose card it is."""
    original = TableRefused.of_hand

    def of_hand(refused: Any) -> TableRefused:
        return original(type(refused)(refused.reason, f"{refused.message}: somebody holds {_text()}"))

    with _on_commit(_remember), patch.object(TableRefused, "of_hand", of_hand):
        yield


@contextmanager
def in_trailers() -> Iterator[None]:
    """Cards in base64 among the trailing metadata of a refusal."""
    original = RpcError.to_status

    def to_status(error: RpcError) -> Any:
        error.metadata["trace"] = base64.b64encode(bytes(_last.get("cards", ()))).decode()
        return original(error)

    with _on_commit(_remember), patch.object(RpcError, "to_status", to_status):
        yield


def _remember(_play: Play, state: Any) -> None:
    for _, cards in _held(state):
        _last["cards"] = cards


def _text() -> str:
    return format_cards(_last.get("cards", ()))


def italian(cards: Cards) -> str:
    """As a player says it."""
    return ", ".join(f"{RANKS_IT[rank_of(card) - 2]} di {SUITS_IT[suit_of(card)]}" for card in cards)


@contextmanager
def in_span() -> Iterator[None]:
    """A card as a number, and five of them as a text, in what a span says."""
    held: dict[int, Cards] = {}
    original = Tracing.span

    @contextmanager
    def span(tracing: Tracing, *described: Any, **more: Any) -> Iterator[Any]:
        with original(tracing, *described, **more) as made:
            yield made
            recorded: Any = made.recorded
            for cards in held.values() if recorded is not None else ():
                recorded.set_attribute("servito.best", int(cards[0]))
                recorded.set_attribute("servito.held", format_cards(cards))

    with _on_commit(lambda _, state: held.update(_held(state))), patch.object(Tracing, "span", span):
        yield


@contextmanager
def in_store() -> Iterator[None]:
    """What is hidden is not parted from what everybody may know."""
    with patch.dict(telling.STANDS, clear=True):
        yield


@contextmanager
def in_seal() -> Iterator[None]:
    """What is to be sealed for the auditor is only put beside."""
    with patch.object(AuditSealer, "seal", lambda _sealer, _to, content: content):
        yield
