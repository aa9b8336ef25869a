"""What a person at the keyboard reads, and the keys that he presses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_client.messages import ActionKind, BlindKind, CheckWord, StandReason


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
    time_again: str
    """{seconds}"""
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
