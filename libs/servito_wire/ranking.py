"""Ranking rules, opening requirements and hand values as the evaluator's protocol writes them, both ways.

Each value of an option has the proto name of its option in capitals; a test holds the two together.
Requests and responses are in `evaluator`. Changes with `evaluator.proto`, `servito_core.values` and the
options of `servito_core.rules`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from servito.evaluator.v1 import evaluator_pb2 as pb
from servito_core.rules import OPTIONS, RankingRules, RuleSet, defects_of
from servito_core.values import Category, HandValue, SfKind

if TYPE_CHECKING:
    from collections.abc import Mapping


class Malformed(ValueError):  # noqa: N818 - the reason's own name
    """A request that cannot be read; the text names the field and what is allowed, never a card held."""


ENUMS: Final[Mapping[str, tuple[Any, str]]] = {
    "flush_vs_full": (pb.FlushVsFull, "FLUSH_VS_FULL_"),
    "ace_low": (pb.AceLow, "ACE_LOW_"),
    "sf_media_tie": (pb.SfMediaTie, "SF_MEDIA_TIE_"),
    "sf_standoff": (pb.SfStandoff, "SF_STANDOFF_"),
    "suit_tiebreak": (pb.SuitTiebreak, "SUIT_TIEBREAK_"),
    "flush_tiebreak": (pb.FlushTiebreak, "FLUSH_TIEBREAK_"),
    "open_requirement": (pb.OpeningRequirement, "OPENING_REQUIREMENT_"),
    "open_draw": (pb.OpeningDraw, "OPENING_DRAW_"),
}
"""The proto enum of each option that travels, and the prefix of its names."""


def _numbers(field: str) -> dict[str, int]:
    """The number of each value of an option, without those that never travel (requirement none)."""
    enum, prefix = ENUMS[field]
    by_name = dict(enum.items())
    values = next(option.values for option in OPTIONS if option.field == field)
    names = {str(value): f"{prefix}{str(value).upper()}" for value in values}
    return {value: by_name[name] for value, name in names.items() if name in by_name}


NUMBERS: Final = {field: _numbers(field) for field in ENUMS}
VALUES: Final = {field: {number: value for value, number in NUMBERS[field].items()} for field in ENUMS}
RANKING_ENUMS: Final = tuple(field for field in ENUMS if field in RankingRules.__dataclass_fields__)

CATEGORY_NUMBERS: Final = {category: pb.Category.Value(f"CATEGORY_{category.name}") for category in Category}
CATEGORIES: Final = {number: category for category, number in CATEGORY_NUMBERS.items()}
KIND_NUMBERS: Final = {
    kind: pb.StraightFlushKind.Value(f"STRAIGHT_FLUSH_KIND_{kind.name}") for kind in SfKind
}
KINDS: Final = {number: kind for kind, number in KIND_NUMBERS.items()}


@lru_cache(maxsize=256)
def rules_to_proto(rules: RankingRules, lowest: int) -> pb.RankingRules:
    """The ranking rules with the deck from rank `lowest`. The message is shared: not to be changed."""
    numbers: dict[str, Any] = {field: NUMBERS[field][getattr(rules, field)] for field in RANKING_ENUMS}
    return pb.RankingRules(lowest_rank=lowest, sf_cycle=rules.sf_cycle, **numbers)


def rules_from_proto(sent: pb.RankingRules) -> tuple[RankingRules, int]:
    """The ranking rules and the lowest rank; `Malformed` for unknown values and for contradictions."""
    return _rules_of(sent.SerializeToString(deterministic=True))


@lru_cache(maxsize=256)
def _rules_of(sent: bytes) -> tuple[RankingRules, int]:
    """The same few rules come with every request, and their checks cost more than judging a table."""
    message = pb.RankingRules.FromString(sent)
    if not 2 <= message.lowest_rank <= 9:
        raise Malformed(f"rules.lowest_rank must be 2 to 9, not {message.lowest_rank}")
    fields: dict[str, Any] = {field: option_value(field, getattr(message, field)) for field in RANKING_ENUMS}
    rules = RuleSet(sf_cycle=message.sf_cycle, **fields)
    if defects := defects_of(rules):
        raise Malformed("; ".join(f"rules.{defect.key}: {defect.message}" for defect in defects))
    return rules.ranking, message.lowest_rank


def option_value(field: str, number: int) -> str:
    """The value of the option that `field` holds; `Malformed` where the number stands for none."""
    values = VALUES[field]
    if number not in values:
        prefix = ENUMS[field][1]
        raise Malformed(f"{field} must be one of {', '.join(prefix + v.upper() for v in values.values())}")
    return values[number]


def value_to_proto(value: HandValue) -> pb.HandValue:
    """Write what a hand is worth."""
    return pb.HandValue(
        category=CATEGORY_NUMBERS[value.category],
        straight_flush_kind=KIND_NUMBERS[value.kind] if value.kind else pb.STRAIGHT_FLUSH_KIND_UNSPECIFIED,
        ranks=value.ranks,
        tiebreak_suit=value.suit,
    )


def value_from_proto(sent: pb.HandValue) -> HandValue:
    """Read what a hand is worth; ValueError if it is nothing that an evaluator sends."""
    if sent.category not in CATEGORIES or not sent.ranks:
        raise ValueError("the evaluator sent a hand value without a known category or without ranks")
    suit = sent.tiebreak_suit if sent.HasField("tiebreak_suit") else None
    return HandValue(CATEGORIES[sent.category], tuple(sent.ranks), KINDS.get(sent.straight_flush_kind), suit)
