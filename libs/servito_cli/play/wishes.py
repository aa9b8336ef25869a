"""What a person at a table can want; errands.py carries it out, but for leaving (session.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_client.messages import Action, Offer, PreAction, TableView


@dataclass(frozen=True, slots=True)
class Act:
    """He wants to act on his turn."""

    offer: Offer
    action: Action


class Leave:
    """He wants to leave the table."""


class BuyIn:
    """He has no chips and wants new ones."""


class SitOut:
    """He wants to be not dealt in."""


class SitIn:
    """He wants to be dealt in again."""


@dataclass(frozen=True, slots=True)
class TopUp:
    """He wants more chips in front of him."""

    amount: int


@dataclass(frozen=True, slots=True)
class Beforehand:
    """He wants this when his turn comes, or, with None, no longer what he wanted."""

    moment: TableView
    """Table, hand and turn that he decided on."""
    wanted: PreAction | None


@dataclass(frozen=True, slots=True)
class Propose:
    """He wants other rules at the table."""

    changes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """He agrees to the proposal of other rules, or refuses it."""

    proposal_id: int
    agree: bool


Wish = Act | Leave | BuyIn | SitOut | SitIn | TopUp | Beforehand | Propose | Answer
