"""The plain definition of what hands are worth and who wins (`RULES.md B7`): clear before fast.

The evaluator service is proven equal to it. Simulation, scripts and the command use it directly; the engine
does not import it, because at a table the evaluator judges.
"""

from __future__ import annotations

from servito_core.ranking.rank import NotAHandError, check_holding, rank
from servito_core.ranking.shape import Shape, low_run, shape_of
from servito_core.ranking.strength import strength
from servito_core.ranking.winning import BEATEN_BY, beats, groups_by_value, winner_groups, winners

__all__ = [
    "BEATEN_BY",
    "NotAHandError",
    "Shape",
    "beats",
    "check_holding",
    "groups_by_value",
    "low_run",
    "rank",
    "shape_of",
    "strength",
    "winner_groups",
    "winners",
]
