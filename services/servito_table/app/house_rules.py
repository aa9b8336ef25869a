"""House rules by consent: who may propose other rules, who has to agree, when a change comes into force.

Pure decisions, state and wish to events. A table has one proposal at a time. It is open until everybody who
sits there agreed; until then it lapses when somebody refuses, when one of those who are asked leaves, or when
its time is over. Once accepted it only waits for its hand: the next one that begins while no pot is carried,
because whoever put chips into a carried pot did so under the rules of before. Who sits down then finds it
settled. When its time begins is the commit's to say.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from servito_core.rules import OPTIONS
from servito_core.rules.option import written
from servito_table.app.commands import AnswerProposal, EndProposal, ProposeRules
from servito_table.app.config import checked
from servito_table.app.events import (
    Lapse,
    RuleChange,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    RulesRefused,
)
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.seating import standing
from servito_table.app.status import not_closed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from servito_core.rules import RuleSet
    from servito_table.app.events import TableEvent
    from servito_table.app.state import Proposal, TableState


def consent(
    state: TableState, command: ProposeRules | AnswerProposal | EndProposal
) -> tuple[TableEvent, ...]:
    """What the command does to the proposal of the table. Raises TableRefused."""
    match command:
        case ProposeRules():
            return _propose(state, command)
        case AnswerProposal():
            return _answer(state, command)
        case EndProposal():
            return (RulesLapsed(_open(state, command.proposal).number, Lapse.EXPIRED),)


def left(state: TableState) -> tuple[TableEvent, ...]:
    """What it means for an open proposal that somebody who sat at the table leaves it."""
    proposal = state.proposal
    if proposal is None or proposal.accepted:
        return ()
    return (RulesLapsed(proposal.number, Lapse.LEFT),)


def due(state: TableState) -> tuple[RulesChanged, ...]:
    """The accepted change, if a hand that began now would be played by it."""
    proposal = state.proposal
    if proposal is None or not proposal.accepted or state.running is not None or state.between.carried:
        return ()
    return (RulesChanged(proposal.number, proposal.changes),)


def _propose(state: TableState, wish: ProposeRules) -> tuple[TableEvent, ...]:
    """The change is proposed; accepted at once if nobody else is to be asked. Refused: NOT_SEATED,
    TABLE_CLOSED, PROPOSAL_OPEN, INVALID_CONFIG naming every defect of present rules and change together.
    """
    not_closed(state)
    own = standing(state, wish.player)
    if state.proposal is not None:
        held = state.proposal
        waits = "accepted and comes with a hand to come" if held.accepted else "open"
        raise TableRefused(
            TableReason.PROPOSAL_OPEN, f"proposal {held.number} is {waits}; one change of rules at a time"
        )
    options = {**state.config.options, **wish.changes}
    rules = checked(replace(state.config, options=options))
    changes = _changes(wish.changes, state.rules, rules)
    if all(change.before == change.after for change in changes):
        raise TableRefused(TableReason.INVALID_CONFIG, "changes: the table plays by all of these already")
    number, open_ms = state.proposals + 1, state.config.proposal_ms
    return _with_acceptance(state, RulesProposed(number, own.seat, own.player, changes, open_ms), {own.seat})


def _answer(state: TableState, wish: AnswerProposal) -> tuple[TableEvent, ...]:
    """The player agrees, and may be the last to do so, or refuses. Refused: NOT_SEATED, NO_PROPOSAL,
    STALE_PROPOSAL, ALREADY_ANSWERED.
    """
    own = standing(state, wish.player)
    proposal = _open(state, wish.proposal)
    number = proposal.number
    if not wish.agree:
        return RulesRefused(number, own.seat), RulesLapsed(number, Lapse.REFUSED)
    if own.seat in proposal.agreed:
        raise TableRefused(
            TableReason.ALREADY_ANSWERED, f"you agreed to proposal {number}; you may still refuse it"
        )
    return _with_acceptance(state, RulesAgreed(number, own.seat), {own.seat, *proposal.agreed})


def _open(state: TableState, number: int) -> Proposal:
    """The open proposal, which must be the one of that number."""
    proposal = state.proposal
    if proposal is None:
        raise TableRefused(TableReason.NO_PROPOSAL, "no change of rules is proposed at this table")
    if proposal.number != number:
        raise TableRefused(
            TableReason.STALE_PROPOSAL, f"proposal {number} is not the one of now, which is {proposal.number}"
        )
    if proposal.accepted:
        raise TableRefused(TableReason.STALE_PROPOSAL, f"everybody agreed to proposal {number} already")
    return proposal


def _with_acceptance(
    state: TableState, event: RulesProposed | RulesAgreed, agreed: set[int]
) -> tuple[TableEvent, ...]:
    """`event`, and that everybody agreed if with it everybody did."""
    asked = {own.seat for own in state.seats if not own.leaving}
    return (event, RulesAccepted(event.number)) if asked <= agreed else (event,)


def _changes(names: Mapping[str, str], old: RuleSet, new: RuleSet) -> tuple[RuleChange, ...]:
    """The named options, in the order of their names, as they are and as they would be."""
    return tuple(
        RuleChange(option.key, written(getattr(old, option.field)), written(getattr(new, option.field)))
        for option in sorted(OPTIONS, key=lambda option: option.key)
        if option.key in names
    )
