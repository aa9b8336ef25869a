"""Who plays for a pot that was carried over, and what it costs him (`parola.reentry`, `RULES.md B5`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.events import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from servito_core.deals import Between, Entrant
    from servito_core.rules import RuleSet
    from servito_core.state import HandState, PlayerState


def dues(ended: HandState, before: Between) -> tuple[int | None, Mapping[int, int]]:
    """What the next deal costs beyond the ante: for any seat (None: it may not play), and for those listed.

    A carried-over deal sets it, on top of what seats still owe that were not dealt into it; a void one leaves
    it as it was, for it never happened; any other opens the next to all.
    """
    if ended.outcome is Outcome.VOID:
        return before.others_due, before.dues
    reentry = ended.rules.parola_reentry
    if ended.outcome is not Outcome.CARRIED_OVER or reentry == "free":
        return 0, {}
    survivors = {player.seat: 0 for player in ended.players if not player.folded}
    if reentry == "only_survivors":
        return None, survivors
    stake = next(_beyond_ante(player) for player in ended.players if not player.folded)
    folded = {player.seat: max(0, stake - _beyond_ante(player)) for player in ended.players if player.folded}
    missed = {seat: due + stake for seat, due in before.dues.items()}
    return (before.others_due or 0) + stake, missed | survivors | folded


def _beyond_ante(player: PlayerState) -> int:
    return player.paid - player.ante


def admitted(rules: RuleSet, entrants: Sequence[Entrant], between: Between) -> dict[int, int]:
    """The seats that may be dealt in and can pay for it with something left to play, and what each pays.

    Where that leaves fewer than two the restriction falls, because the pot could never be won otherwise.
    """
    free = {entrant.seat: 0 for entrant in entrants}
    if not between.dues and between.others_due == 0:
        return free
    able = {}
    for entrant in entrants:
        due = between.dues.get(entrant.seat, between.others_due)
        if due is not None and _affords(rules, entrant.stack, due):
            able[entrant.seat] = due
    return able if len(able) >= 2 else free


def _affords(rules: RuleSet, stack: int, due: int) -> bool:
    """Whether chips are left beyond `due`, and the whole ante where a short one is not dealt in."""
    return not due or stack - due >= (1 if rules.ante_short == "all_in" else rules.ante)
