"""Both languages say all there is to say: the same texts, with the same fields, for the same enumerators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from string import Formatter
from typing import Any

from servito_cli.play.choice import GREATEST
from servito_cli.texts import TEXTS, Language
from servito_client.messages import (
    ActionKind,
    BlindKind,
    CheckWord,
    LapseReason,
    Outcome,
    Phase,
    PreActionEnd,
    PreActionKind,
    SitOutReason,
    TableStatus,
    WaitingReason,
)
from servito_core.cards import lowest_rank
from servito_core.rules import OPTIONS

EN, IT = TEXTS[Language.EN], TEXTS[Language.IT]


def texts(of: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text with where it is found."""
    if is_dataclass(of):
        for field in fields(of):
            yield from texts(getattr(of, field.name), f"{path}.{field.name}")
    elif isinstance(of, Mapping):
        for key, value in of.items():
            yield from texts(value, f"{path}[{key}]")
    elif isinstance(of, tuple):
        yield from texts(dict(enumerate(of)), path)
    else:
        yield path, of


def named(text: str) -> set[str]:
    """The fields in braces."""
    return {field for _, field, _, _ in Formatter().parse(text) if field}


def test_every_text_is_there_in_both_languages_with_the_same_fields() -> None:
    """Nothing is empty, nothing is missing, and no translation forgets an amount or a name."""
    english, italian = dict(texts(EN)), dict(texts(IT))
    assert english.keys() == italian.keys()
    assert all(text.strip() for text in [*english.values(), *italian.values()])
    optional = {".story.shows": {"value_en"}}  # Italian players call hands by their Italian names alone
    for path, text in english.items():
        assert named(text) - optional.get(path, set()) == named(italian[path]), path


def test_the_languages_differ() -> None:
    """A text that was copied and not translated would be the same in both; keys and columns may well be."""
    italian = dict(texts(IT))
    assert not [path for path, text in texts(EN) if len(text) > 2 and italian[path] == text]


def test_a_story_has_words_for_every_enumerator() -> None:
    """Whatever the protocol can say has its words; what is told in another way is named here."""
    story = EN.story
    drawn = {ActionKind.ACTION_KIND_DRAW, ActionKind.ACTION_KIND_POST_BLIND, ActionKind.ACTION_KIND_CHECK}
    never_told = {ActionKind.ACTION_KIND_TABLE_HAND, ActionKind.ACTION_KIND_CONCEDE}  # HandTabled, a fold
    assert story.moves.keys() | drawn | never_told == set(ActionKind.values()) - {0}
    assert story.checks.keys() == set(CheckWord.values())
    assert story.blinds.keys() == set(BlindKind.values()) - {0}
    quiet = {Phase.PHASE_DEAL, Phase.PHASE_OPENING, Phase.PHASE_FIRST_ROUND, Phase.PHASE_DEFERRED}
    assert story.phases.keys() | quiet | {Phase.PHASE_OVER} == set(Phase.values()) - {0}
    told_by_pots = {Outcome.OUTCOME_SHOWDOWN, Outcome.OUTCOME_UNCONTESTED}
    assert story.ends.keys() | told_by_pots == set(Outcome.values()) - {0}
    draws = next(option.values for option in OPTIONS if option.key == "open.draw")
    assert story.opens_draw.keys() | {"none"} == set(draws)
    assert story.pre_actions.keys() == set(PreActionKind.values()) - {0}
    silent = {PreActionEnd.PRE_ACTION_END_DONE, PreActionEnd.PRE_ACTION_END_OVER}  # the act tells, or nothing
    assert story.pre_action_ends.keys() | silent == set(PreActionEnd.values()) - {0}
    assert story.sits_out.keys() == EN.table.sits_out.keys() == set(SitOutReason.values()) - {0}
    assert story.waits_no_more.keys() == set(WaitingReason.values()) - {0}
    assert story.lapsed.keys() == set(LapseReason.values()) - {0}
    assert story.ranks.keys() == {lowest_rank(players) for players in range(2, 11)}


def test_a_table_and_its_menu_have_words_for_every_enumerator() -> None:
    """Each phase is shown, each action can be chosen, each blind named, in both languages."""
    for language in (EN, IT):
        assert language.table.phases.keys() == set(Phase.values())
        open_ones = {TableStatus.TABLE_STATUS_OPEN, TableStatus.TABLE_STATUS_UNSPECIFIED}
        assert language.table.statuses.keys() | open_ones == set(TableStatus.values())
        assert language.play.actions.keys() == set(ActionKind.values()) - {0}
        assert language.play.blinds.keys() == set(BlindKind.values()) - {0}
        assert language.play.words.keys() == set(CheckWord.values()) - {0}


def test_keys_that_can_meet_are_different() -> None:
    """Whatever an offer holds, one key means one action; leaving and buying in have keys of their own."""
    blind = {"POST_BLIND", "DECLINE_BLIND", "COVER_BLIND"}
    showdown = {"TABLE_HAND", "CONCEDE"}
    answering = {"CALL", "RAISE", "FOLD"}
    for play in (EN.play, IT.play):
        keys = {kind: play.actions[ActionKind.Value(f"ACTION_KIND_{kind}")][0] for kind in KINDS}
        words = {key for key, _ in play.words.values()}
        for menu in (blind, showdown, answering, {"PASS", "OPEN"}, {"CHECK", "BET"}, {"CHECK", "RAISE"}):
            taken = [keys[kind] for kind in menu] + [play.leave, play.rebuy]
            assert len(set(taken)) == len(taken), menu
        aside = [play.agree, play.refuse, play.propose, play.sit_out, play.top_up]
        assert len({*aside, *keys.values(), *words, play.leave, play.rebuy, GREATEST}) == len(aside) + len(
            {*keys.values(), *words, play.leave, play.rebuy, GREATEST}
        )
        assert len(set(aside)) == 5
        assert play.check_or_fold[0] == keys["FOLD"]
        assert play.call_beforehand[0] == keys["CALL"]
        assert len(words) == 2
        assert words.isdisjoint({keys["BET"], keys["RAISE"], play.leave})
        assert all(len(key) == 1 for key in [*keys.values(), *words, play.leave, play.rebuy, play.yes])


KINDS = [ActionKind.Name(number).removeprefix("ACTION_KIND_") for number in ActionKind.values() if number]
