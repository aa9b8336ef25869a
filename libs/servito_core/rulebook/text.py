"""Putting the sentences together: sections, what has effect under a rule set, and differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from servito_core.rulebook.betting_and_draw import BETTING, DRAW
from servito_core.rulebook.hands import HANDS, SHOWDOWN
from servito_core.rulebook.rounds import BLINDS, SECOND_ROUND
from servito_core.rulebook.sentence import ANY_NUMBER, Sentence, Sentences
from servito_core.rulebook.table_and_opening import OPENING, TABLE
from servito_core.rules.ruleset import OPTIONS, RuleSet

if TYPE_CHECKING:
    from servito_core.rules.option import Option, Value

SECTIONS: tuple[tuple[Sentence, Sentences], ...] = (
    (Sentence("Tavolo, mazzo, invito", "Table, deck, ante"), TABLE),
    (Sentence("Apertura", "Opening"), OPENING),
    (Sentence("Puntate", "Betting"), BETTING),
    (Sentence("Cambio", "Draw"), DRAW),
    (Sentence("Secondo giro", "Second round"), SECOND_ROUND),
    (Sentence("Buio", "Blinds"), BLINDS),
    (Sentence("Valore dei punti", "What a hand is worth"), HANDS),
    (Sentence("Confronto", "Showdown"), SHOWDOWN),
)
"""Title and sentences of each article of the rules, in their order."""

WITHOUT_EFFECT = Sentence("Senza effetto con queste regole", "Without effect under these rules")

_SENTENCES: Sentences = {key: values for _, sentences in SECTIONS for key, values in sentences.items()}
_BY_KEY = {option.key: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class Line:
    """One rule: its option, the value, whether that is the default, and what it means."""

    key: str
    value: Value
    is_default: bool
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Section:
    """Rules that belong together."""

    title: Sentence
    lines: tuple[Line, ...]


def text_of(rules: RuleSet) -> tuple[Section, ...]:
    """Every rule of `rules` in order, those without effect in a last section of their own."""
    sections = [
        Section(title, tuple(line_of(rules, key) for key in sentences if has_effect(rules, key)))
        for title, sentences in SECTIONS
    ]
    idle = tuple(line_of(rules, key) for key in _SENTENCES if not has_effect(rules, key))
    return tuple(section for section in (*sections, Section(WITHOUT_EFFECT, idle)) if section.lines)


def difference(one: RuleSet, other: RuleSet) -> tuple[tuple[Line, Line], ...]:
    """The options in which two rule sets differ, each as the one and the other has it."""
    pairs = ((line_of(one, key), line_of(other, key)) for key in _SENTENCES)
    return tuple((mine, theirs) for mine, theirs in pairs if mine.value != theirs.value)


def line_of(rules: RuleSet, key: str) -> Line:
    """What `rules` say about one option; KeyError if there is none of that key."""
    option = _BY_KEY[key]
    value: Value = getattr(rules, option.field)
    return Line(key, value, value == option.default, sentence_of(option, value))


def sentence_of(option: Option, value: Value) -> Sentence:
    """What a value means; a number is put where it belongs. KeyError if the option has no such value."""
    values = _SENTENCES[option.key]
    sentence = values[ANY_NUMBER if type(value) is int and ANY_NUMBER in values else value]
    return Sentence(*(text.format(n=value) for text in sentence))


def has_effect(rules: RuleSet, key: str) -> bool:
    """Whether another value of this option could change anything while the other options stay as they are."""
    condition = _HAS_EFFECT.get(key)
    return condition is None or condition(rules)


def _opened(rules: RuleSet) -> bool:
    return rules.open_requirement != "none"


def _carries(rules: RuleSet) -> bool:
    return rules.parola_mode != "showdown"


def _may_rise(rules: RuleSet) -> bool:
    """Whether there may be deals above the first level."""
    to_kings = _carries(rules) and rules.parola_next_requirement == "KK"
    return _opened(rules) and (rules.passout_escalation != "none" or to_kings)


def _reset_matters(rules: RuleSet) -> bool:
    """A level that has risen and a pot that was opened but not awarded: only then the two ways differ."""
    return _carries(rules) and rules.parola_next_requirement == "unchanged" and _may_rise(rules)


_HAS_EFFECT: Mapping[str, Callable[[RuleSet], bool]] = MappingProxyType(
    {
        "players.ten": lambda r: r.players_max == 10,
        "deck.lowest": lambda r: r.deck == "fixed",
        "deck.players": lambda r: r.deck == "eleven_minus_n",
        "open.draw": _opened,
        "open.draw_in_raised_deals": lambda r: r.open_draw != "none" and _may_rise(r),
        "open.obliged": _opened,
        "open.pass": _opened,
        "open.proof": _opened,
        "passout.escalation": _opened,
        "passout.reset": _reset_matters,
        "passout.reante": _opened,
        "passout.blind": lambda r: _may_rise(r) and r.blind_depth > 0,
        "bet.fixed": lambda r: r.bet_limit == "fixed",
        "bet.pot_base": lambda r: r.bet_limit == "pot",
        "bet.min": lambda r: r.bet_limit != "fixed",
        "raise.min": lambda r: r.bet_limit != "fixed",
        "draw.folded_in_pool": lambda r: r.draw_exhaust != "cap",
        "draw.opener_split": _opened,
        "parola.reentry": _carries,
        "parola.next_requirement": lambda r: _carries(r) and _opened(r),
        "parola.next_blind": lambda r: _carries(r) and r.blind_depth > 0,
        "blind.amount": lambda r: r.blind_depth > 0,
        "counter_blind.amount": lambda r: r.blind_depth > 1,
        "over_blind.amount": lambda r: r.blind_depth > 2,
        "blind.cover_right": lambda r: r.blind_depth > 1,
        "sf_media_tie": lambda r: r.sf_cycle and r.suit_tiebreak != "none",
        "sf_standoff": lambda r: r.sf_cycle,
        "flush_tiebreak": lambda r: r.suit_tiebreak != "none",
    }
)
"""When an option matters at all; one that is not named always does."""
