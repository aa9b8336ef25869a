"""The table itself: its status, its rules and their proposal, and the pot that is carried."""

from __future__ import annotations

from functools import singledispatch

from servito_client.messages import (
    CarriedReturned,
    Event,
    PauseReason,
    ProposalView,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    TableClosed,
    TableClosing,
    TablePaused,
    TableResumed,
    TableStatus,
    TableView,
)

STATUS = {
    TablePaused: TableStatus.TABLE_STATUS_PAUSED,
    TableResumed: TableStatus.TABLE_STATUS_OPEN,
    TableClosing: TableStatus.TABLE_STATUS_CLOSING,
    TableClosed: TableStatus.TABLE_STATUS_CLOSED,
}
"""What a table is after each step of its course."""


@singledispatch
def fold_table(_event: Event, _view: TableView) -> None:
    """Folds one event into the view."""


@fold_table.register
def _(event: RulesProposed, view: TableView) -> None:
    proposal = ProposalView(
        proposal_id=event.proposal_id,
        seat=event.seat,
        player=event.player,
        changes=event.changes,
        agreed=[event.seat],
        remaining_ms=event.open_ms,
    )
    view.proposal.CopyFrom(proposal)


@fold_table.register
def _(event: RulesAgreed, view: TableView) -> None:
    view.proposal.agreed[:] = sorted([*view.proposal.agreed, event.seat])


@fold_table.register
def _(_event: RulesAccepted, view: TableView) -> None:
    view.proposal.accepted, view.proposal.remaining_ms = True, 0


@fold_table.register
def _(event: RulesLapsed | RulesChanged, view: TableView) -> None:
    view.ClearField("proposal")
    if isinstance(event, RulesChanged):
        for change in event.changes:
            view.config.options[change.option] = change.after


@fold_table.register
def _(event: TablePaused | TableResumed | TableClosing | TableClosed, view: TableView) -> None:
    if _of_maintenance(event):
        view.maintenance = isinstance(event, TablePaused)
    else:
        view.status = STATUS[type(event)]


def _of_maintenance(event: TablePaused | TableResumed | TableClosing | TableClosed) -> bool:
    if not isinstance(event, (TablePaused, TableResumed)):
        return False
    return bool(event.reason == PauseReason.PAUSE_REASON_MAINTENANCE)


@fold_table.register
def _(event: CarriedReturned, view: TableView) -> None:
    view.carried = 0
    for share in event.shares:
        for seat in view.seats:
            if share.HasField("seat") and share.seat == seat.seat:
                seat.stack += share.amount
