"""Which texts there are: the form that every language fills. Fields in braces are named beside each text.

Changes with ActionKind, BlindKind, CheckWord, Phase and Outcome of table.proto: the maps hold each of their
values that can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_client.messages import (
    ActionKind,
    BlindKind,
    CheckWord,
    LapseReason,
    Outcome,
    Phase,
    SitOutReason,
    StandReason,
    TableStatus,
    WaitingReason,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoryTexts:
    """A hand told line by line. `who` is a player, `cards` are written cards, amounts are chips."""

    seat: str
    """A seat whose player is not known: {seat}."""
    ranks: Mapping[int, str]
    """Of which cards a deck is, by its lowest rank: "from the six up"."""
    begins: str
    """{table} {number} {players} {cards} {ranks} {opens}"""
    opens_any: str
    opens_with: str
    """{requirement}"""
    opens_draw: Mapping[str, str]
    """What opens besides, by the value of `open.draw`; follows `opens_with`."""
    button: str
    """{who}"""
    carried: str
    """{amount}; follows `button`."""
    antes_equal: str
    """{amount} of each"""
    antes_listed: str
    """{amounts}"""
    antes_live: str
    """Follows the antes where they count as bets."""
    reentry: str
    """{who} {amount}"""
    five_cards: str
    dealt: str
    """When the cards of none or of one seat are known."""
    one_card: str
    some_cards: str
    """{count}"""
    moves: Mapping[ActionKind.ValueType, str]
    """{who} {to}"""
    checks: Mapping[CheckWord.ValueType, str]
    """{who}; with the word that was said."""
    blinds: Mapping[BlindKind.ValueType, str]
    """{who} {to}"""
    concedes: str
    """{who}"""
    all_in: str
    """Follows a move."""
    pot: str
    """{pot}; follows a move."""
    stands_pat: str
    """{who}"""
    throws: str
    """{who} {cards}"""
    gets: str
    """{who} {cards}"""
    owed: str
    """Follows `gets`."""
    reshuffled: str
    """{count}; follows `gets`."""
    phases: Mapping[Phase.ValueType, str]
    heading: str
    """{phase} {pot}"""
    expired: str
    """{who}"""
    pre_actions: Mapping[int, str]
    """By PreActionKind: {who} {amount}"""
    pre_action_ends: Mapping[int, str]
    """By PreActionEnd, those that are told: {who}"""
    time_bank: str
    """{who} {seconds} {left}"""
    time_bank_back: str
    """{who} {left}"""
    leaves: str
    """{who}"""
    sits: str
    """{who} {amount}"""
    stands: str
    """{who} {amount}"""
    removed: str
    """{who} {amount}: made to stand, having not played for too long."""
    sits_out: Mapping[SitOutReason.ValueType, str]
    """{who}"""
    sits_in: str
    """{who}"""
    top_up_asked: str
    """{who} {amount}"""
    topped_up: str
    """{who} {amount}"""
    waits: str
    """{who}"""
    waits_no_more: Mapping[WaitingReason.ValueType, str]
    """{who}"""
    offered: str
    """{who} {seat} {seconds}"""
    uncalled: str
    """{who} {amount}"""
    returned: str
    """{who} {amount}"""
    splits: str
    """{who}"""
    lays_down: str
    """{who} {cards}"""
    shows: str
    """{who} {cards} {value_en} {value_it}"""
    pot_name: str
    side_pot: str
    """{index}"""
    wins: str
    """{who} {amount}"""
    awarded: str
    """{pot} {amount} {wins}"""
    ends: Mapping[Outcome.ValueType, str]
    """{carried}"""
    odd_chips: str
    """{carried}: chips that nobody could be given."""
    next_opens: str
    """{requirement}; follows `ends`."""
    proposes: str
    """{who} {rules}"""
    agrees: str
    """{who}"""
    refuses: str
    """{who}"""
    accepted: str
    lapsed: Mapping[LapseReason.ValueType, str]
    changed: str
    """{rules}"""
    paused: str
    resumed: str
    closing: str
    """When a hand still runs."""
    carried_back: str
    """{who} {amount}"""
    closed: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TableTexts:
    """The list of tables, and a table that is drawn."""

    columns: tuple[str, str, str, str, str, str, str, str]
    """Of the list: id, name, rules, seats, buy-in, clock, hands, status."""
    statuses: Mapping[TableStatus.ValueType, str]
    """In the list, and above a table that is drawn; open ones are not marked."""
    none: str
    """No table at all."""
    connecting: str
    heading: str
    """{name} {preset} {number} {cards} {ranks}"""
    heading_before: str
    """{name} {preset}: no hand so far."""
    free: str
    bet: str
    """{amount}"""
    button: str
    """One letter or two that mark the button's seat."""
    you: str
    """Follows the name of the own seat."""
    pot: str
    """{amount}"""
    carried: str
    """{amount}"""
    stock: str
    """{count}"""
    phases: Mapping[Phase.ValueType, str]
    requirement: str
    """{requirement}; shown until somebody has opened."""
    clock: str
    """{seconds}"""
    clock_more: str
    """{seconds} {left}: with a time bank."""
    folded: str
    all_in: str
    pat: str
    drew: str
    """{count}"""
    owed: str
    """{count}"""
    left: str
    not_dealt: str
    """Sits there, but is not in this hand."""
    sits_out: Mapping[SitOutReason.ValueType, str]
    """Is not dealt in from the next hand on."""
    waiting: str
    """{names}: who waits for a seat."""
    offered: str
    """{name} {seat}: somebody of these for whom a seat is held."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayTexts:
    """A person at the keyboard. Keys are single letters, different from one another where they can meet."""

    starting: str
    no_terminal: str
    sat: str
    """{seat} {amount}"""
    wait: str
    """Somebody else is to act, or nobody is."""
    your_turn: str
    """{seconds}"""
    time_is_up: str
    hurry: str
    """{seconds}"""
    actions: Mapping[ActionKind.ValueType, tuple[str, str]]
    """Key and words, but for those below; the words may have {amount}, or {least} and {greatest}."""
    words: Mapping[CheckWord.ValueType, tuple[str, str]]
    """Key and words of a check where the rules tell the words apart."""
    blinds: Mapping[BlindKind.ValueType, str]
    """Words of a blind that may be posted: {amount}."""
    all_in_call: str
    """Words of a call that takes the whole stack: {amount}"""
    amount: str
    """{words} {typed}: words of the action, and what has been typed so far."""
    amount_keys: str
    """{least} {greatest}"""
    amount_wrong: str
    """{least} {greatest}"""
    discards: str
    """{greatest}"""
    chosen: str
    """{count}"""
    none_chosen: str
    too_many: str
    """{greatest}"""
    more_time: str
    """{seconds} {left}: his clock was prolonged."""
    extra_times: str
    """{left} {seconds}: how often, and by how much, it may be prolonged; behind `your_turn`."""
    beforehand: str
    """{choices}: what he may decide before his turn."""
    chosen_beforehand: str
    """Behind the choice that he made."""
    check_or_fold: tuple[str, str]
    """Key and words."""
    call_beforehand: tuple[str, str]
    """Key and words: {amount}"""
    dropped: str
    """What he decided does not fit any more."""
    propose: str
    """The key that begins a proposal of other rules."""
    propose_line: str
    """{typed}"""
    propose_keys: str
    propose_wrong: str
    """{word}"""
    proposed: str
    asked: str
    """{who} {rules} {agree} {refuse}: somebody proposes other rules."""
    agreed: str
    """{rules} {refuse}: he agreed, others are asked."""
    rules_to_come: str
    """{rules}"""
    agree: str
    refuse: str
    may_open: str
    sit_out: str
    """The key that makes him sit out, and in again."""
    you_sit_out: str
    """{key}"""
    you_are_away: str
    """{key}"""
    you_wait: str
    """{place}: he waits for a seat."""
    waits_unseen: str
    """{leave}: he waits at a table that he may not watch."""
    stops_waiting: str
    waited_in_vain: str
    top_up: str
    """The key that adds chips."""
    top_up_line: str
    """{typed}"""
    added_later: str
    full_stack: str
    """Nothing can be added."""
    broke: str
    """Without chips; the key is `rebuy`."""
    rebuy: str
    leave: str
    help: str
    """What can always be pressed: {leave} {propose} {sit_out} {top_up}"""
    sure: str
    """{yes}"""
    yes: str
    leaving: str
    left: str
    """{amount} {bought}"""
    left_later: str
    """{bought}: the chips follow when the hand is over."""
    put_out: Mapping[StandReason.ValueType, str]
    """His seat is gone though he did not leave it."""
    refused: str
    """{why}"""
    unanswered: str


@dataclass(frozen=True, kw_only=True, slots=True)
class HandTexts:
    """The list of recent hands, and what frames the transcript of one."""

    columns: tuple[str, str, str, str]
    """Of the list: id, when it began, players, how it ended."""
    none: str
    """No hand that is kept."""
    heading: str
    """{hand_id} {ago}"""
    ago: str
    """{time}"""
    cut: str
    """The beginning is gone."""
    runs: str
    """In place of how it ended."""
    runs_still: str
    """The last line of a hand that is not over."""
    ends: Mapping[Outcome.ValueType, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Texts:
    """One language."""

    story: StoryTexts
    table: TableTexts
    play: PlayTexts
    hand: HandTexts
