"""A change of rules that is proposed, as it is stored: `Proposal` <-> StoredProposal."""

from __future__ import annotations

from servito.table.v1 import store_pb2 as store
from servito_table.app.state import Proposal
from servito_table.messages.consent import change_to_proto, changes_from_proto


def proposal_to_proto(proposal: Proposal) -> store.StoredProposal:
    """Write one."""
    return store.StoredProposal(
        number=proposal.number,
        seat=proposal.seat,
        player=proposal.player,
        changes=[change_to_proto(change) for change in proposal.changes],
        agreed=bytes(proposal.agreed),
        accepted=proposal.accepted,
    )


def proposal_from_proto(stored: store.StoredProposal) -> Proposal:
    """Read one."""
    return Proposal(
        stored.number,
        stored.seat,
        stored.player,
        changes_from_proto(stored.changes),
        tuple(stored.agreed),
        stored.accepted,
    )
