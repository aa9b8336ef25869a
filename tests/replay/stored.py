"""Hands of the core as the audit stream has them: entries, sealed for an auditor, made without a service."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.store_pb2 import StoredCommit, StoredEvent, StoredPreAction, StoredPreActionSet
from servito_core import events as e
from servito_core.cards import deck_from
from servito_core.deals import FIRST, Between, Entrant, NotEnoughPlayersError, after, start_hand
from servito_core.evolve import begin, fold
from servito_core.hand import play, waiting_for
from servito_core.refusals import Refused
from servito_core.rules.option import written
from servito_core.state import OpenersNeeded, WinnersNeeded
from servito_platform.audit_seal import AuditOpener, AuditSealer, bound, new_auditor_key
from servito_replay.entries import Entry
from servito_script.judging import answer_to
from servito_script.known_deck import KnownDeck
from servito_wire import digests
from servito_wire.events import event_to_bytes
from servito_wire.secrets import parted
from tests.wire.play import _choose as any_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servito_core.rules import RuleSet
    from servito_core.state import HandState

PRIVATE, PUBLIC = new_auditor_key()
SEALER = AuditSealer("a1", PUBLIC)
OPENER = AuditOpener({"a1": PRIVATE})
TABLE = "t.1"


@dataclass
class Dealt:
    """A hand that was played, and what is stored of it."""

    number: int
    rules: RuleSet
    entries: list[Entry] = field(default_factory=list)
    states: list[HandState] = field(default_factory=list)
    """After each of them."""
    events: list[tuple[e.Event, ...]] = field(default_factory=list)


def config_of(rules: RuleSet) -> pb.TableConfig:
    """A configuration that names these rules, option by option."""
    options = {key: written(value) for key, value in rules.to_options().items()}
    return pb.TableConfig(name="Tavolo", preset="italiana", options=options, seats=9)


def entry(told: StoredCommit, hand: HandState, before: Entry | None, lineage: int, *, changed: bool) -> Entry:
    """What is stored of a commit that led to `hand`."""
    public, secrets = parted(told)
    if public is told:
        public = StoredCommit()
        public.CopyFrom(told)
    if hand.to_act is not None:
        public.to_act = hand.players[hand.to_act].seat
    if changed:
        public.public_digest = digests.shown(hand, TABLE)
    content, parent, seal = public.SerializeToString(), 0 if before is None else before.lineage, b""
    if secrets is not None:
        if changed:
            secrets.whole_digest = digests.whole(hand)
        to = bound(TABLE, told.version, lineage, parent, content)
        seal = SEALER.seal(to, secrets.SerializeToString())
    return Entry(TABLE, told.version, lineage, parent, 1_000 * told.version, content, seal)


def dealt(rules: RuleSet, players: int, seed: int, deals: int) -> Iterator[Dealt]:
    """Up to `deals` hands at random, one after the other."""
    style, version = random.Random(seed), 1
    between, stacks = FIRST, {seat: style.randint(1, 60) for seat in range(players)}
    before: Entry | None = None
    for _ in range(deals):
        entrants = [Entrant(seat, stack) for seat, stack in stacks.items()]
        try:
            hand = one(rules, start_hand(rules, entrants, between, players), style, before, version)
        except NotEnoughPlayersError:
            return
        yield hand
        ended = hand.states[-1]
        stacks |= {player.seat: player.stack for player in ended.players}
        between, before, version = after(between, ended), hand.entries[-1], version + len(hand.entries)


def one(
    rules: RuleSet, events: tuple[e.Event, ...], style: random.Random, before: Entry | None, version: int
) -> Dealt:
    """One hand, commit by commit as the table makes them, with events of the table in between."""
    started = events[0]
    assert isinstance(started, e.HandStarted)
    hand, made = fold(begin(rules, started), events[1:]), Dealt(started.number, rules)
    order = list(deck_from(started.lowest_rank))
    style.shuffle(order)
    deck = KnownDeck(order, lambda dead: style.sample(dead, len(dead)))
    while True:
        events, hand = judged(hand, events, deck)
        beside = [] if events[0] is started else around(style, started.seats)
        told = StoredCommit(version=version, hand=started.number, events=beside)
        told.events.extend(StoredEvent.FromString(event_to_bytes(event)) for event in events)
        if events[0] is started:
            told.config.CopyFrom(config_of(rules))
            told.players.extend(f"p{seat}" for seat in started.seats)
        before = entry(told, hand, before, style.getrandbits(32) + 1, changed=bool(events))
        made.entries.append(before)
        made.states.append(hand)
        made.events.append(events)
        version += 1
        if hand.outcome is not None:
            return made
        events, hand = next_of(hand, deck, style)


def next_of(hand: HandState, deck: KnownDeck, style: random.Random) -> tuple[tuple[e.Event, ...], HandState]:
    """What happens next, and the hand after it; a draw that the rules refuse is tried otherwise."""
    command = answer_to(hand, deck) or any_command(hand, style)
    assert command is not None
    events, after_it = play(hand, command)
    try:
        judged(after_it, events, deck)
    except Refused:
        return next_of(hand, deck, style)
    return events, after_it


def judged(
    hand: HandState, events: tuple[e.Event, ...], deck: KnownDeck
) -> tuple[tuple[e.Event, ...], HandState]:
    """With what the evaluator is asked in the same commit."""
    while isinstance(waiting_for(hand), OpenersNeeded | WinnersNeeded):
        answer = answer_to(hand, deck)
        assert answer is not None
        more, hand = play(hand, answer)
        events += more
    return events, hand


def around(style: random.Random, seats: tuple[int, ...]) -> list[StoredEvent]:
    """Now and then something of the table: what everybody is told, and what nobody but its seat is."""
    seat = style.choice(seats)
    chosen = StoredPreAction(hand=1, betting_round=1, kind=pb.PRE_ACTION_KIND_CHECK_OR_FOLD)
    wish = StoredPreActionSet(seat=seat, pre_action=chosen)
    events = [StoredEvent(sat_in=pb.SatIn(seat=seat)), StoredEvent(pre_action_set=wish)]
    return style.sample(events, style.choice((0, 0, 0, 1, 2)))


def between_of(hand: Dealt, before: Between) -> Between:
    """What it hands to the next."""
    return after(before, hand.states[-1])
