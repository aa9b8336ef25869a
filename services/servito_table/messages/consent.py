"""House rules by consent: proposals and the events about them, which are stored and shown in one form.

Changes with `app.events` and table.proto.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from servito.table.v1 import table_pb2 as pb
from servito_table.app.events import (
    ConsentEvent,
    Lapse,
    RuleChange,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    RulesRefused,
)

if TYPE_CHECKING:
    from servito_table.app.state import Proposal

ConsentMessage = (
    pb.RulesProposed | pb.RulesAgreed | pb.RulesRefused | pb.RulesAccepted | pb.RulesLapsed | pb.RulesChanged
)
CONSENT_FIELDS: Final = frozenset(
    {
        "rules_proposed",
        "rules_agreed",
        "rules_refused",
        "rules_accepted",
        "rules_lapsed",
        "rules_changed",
    }
)
"""Their names in TableEvent and StoredEvent."""
_LAPSE: Final = "LAPSE_REASON_"


def proposal_view(proposal: Proposal, remaining_ms: int) -> pb.ProposalView:
    """As it is shown to everybody."""
    return pb.ProposalView(
        proposal_id=proposal.number,
        seat=proposal.seat,
        player=proposal.player,
        changes=[change_to_proto(change) for change in proposal.changes],
        agreed=proposal.agreed,
        accepted=proposal.accepted,
        remaining_ms=remaining_ms,
    )


def change_to_proto(change: RuleChange) -> pb.RuleChange:
    """Write it."""
    return pb.RuleChange(option=change.option, before=change.before, after=change.after)


def changes_from_proto(sent: Iterable[pb.RuleChange]) -> tuple[RuleChange, ...]:
    """Read them."""
    return tuple(RuleChange(change.option, change.before, change.after) for change in sent)


def consent_to_proto(event: ConsentEvent) -> tuple[str, ConsentMessage]:
    """The message of an event, and the name of its field."""
    number = event.number
    match event:
        case RulesProposed(_, seat, player, changes, open_ms):
            shown = [change_to_proto(change) for change in changes]
            return "rules_proposed", pb.RulesProposed(
                proposal_id=number, seat=seat, player=player, changes=shown, open_ms=open_ms
            )
        case RulesAgreed(_, seat):
            return "rules_agreed", pb.RulesAgreed(proposal_id=number, seat=seat)
        case RulesRefused(_, seat):
            return "rules_refused", pb.RulesRefused(proposal_id=number, seat=seat)
        case RulesAccepted():
            return "rules_accepted", pb.RulesAccepted(proposal_id=number)
        case RulesLapsed(_, reason):
            value = pb.LapseReason.Value(_LAPSE + reason.name)
            return "rules_lapsed", pb.RulesLapsed(proposal_id=number, reason=value)
        case RulesChanged(_, changes):
            shown = [change_to_proto(change) for change in changes]
            return "rules_changed", pb.RulesChanged(proposal_id=number, changes=shown)


def consent_from_proto(stored: ConsentMessage) -> ConsentEvent:
    """Read one."""
    number = stored.proposal_id
    match stored:
        case pb.RulesProposed():
            changes = changes_from_proto(stored.changes)
            return RulesProposed(number, stored.seat, stored.player, changes, stored.open_ms)
        case pb.RulesAgreed():
            return RulesAgreed(number, stored.seat)
        case pb.RulesRefused():
            return RulesRefused(number, stored.seat)
        case pb.RulesAccepted():
            return RulesAccepted(number)
        case pb.RulesLapsed():
            return RulesLapsed(number, Lapse[pb.LapseReason.Name(stored.reason).removeprefix(_LAPSE)])
        case _:
            return RulesChanged(number, changes_from_proto(stored.changes))
