"""Recent hands as transcripts: golden ones in both languages, and any hand at all, whole or cut."""

from __future__ import annotations

import re
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servito_cli.hands.command import drawn
from servito_cli.hands.transcript import ago, transcript
from servito_cli.texts import TEXTS, Language
from servito_cli.words import letters
from servito_client.messages import HandPlayer, HandRecord, HandSummary, Outcome
from servito_core.events import Event
from tests.cli.stories import config_of
from tests.cli.transcripts import TOLD, golden, path_of, record_of
from tests.wire.play import RULES, moments

CARD = re.compile(r"\b[2-9TJQKA][scdh]\b")


@pytest.mark.parametrize("language", [*Language])
@pytest.mark.parametrize("name", TOLD)
def test_hands_are_told_as_a_person_would_read_them(name: str, language: Language) -> None:
    """The golden transcripts; `python -m tests.cli.transcripts` writes them anew, to be read before they are
    kept.
    """
    assert golden(name, language) == path_of(name, language).read_text(encoding="utf-8")


def random_deal(rules: str, players: int, seed: int) -> list[Event]:
    """A deal played at random."""
    played = moments(RULES[rules], players, seed, deals=1)
    return [moment.event for _, deal in groupby(played, key=lambda m: m.hand.number) for moment in deal]


def random_record(rules: str, players: int, seed: int, viewer: int | None) -> HandRecord:
    """Its record."""
    names = {seat: f"player{seat}" for seat in range(players)}
    return record_of(random_deal(rules, players, seed), names, config_of(RULES[rules]), viewer)


deals = (st.sampled_from(sorted(RULES)), st.integers(2, 9), st.integers(0, 10_000))


@settings(max_examples=40, deadline=None)
@given(*deals, st.sampled_from([*Language]), st.integers(0, 300))
def test_any_hand_can_be_told_as_far_as_it_has_come_or_is_kept(
    rules: str, players: int, seed: int, language: Language, cut: int
) -> None:
    """A running hand, one without its beginning, a whole one: no line is empty, times never go back."""
    whole = random_record(rules, players, seed, 0)
    running, trimmed = HandRecord(), HandRecord()
    running.CopyFrom(whole)
    del running.events[1 + cut % len(whole.events) :]
    running.finished, running.outcome = False, Outcome.OUTCOME_UNSPECIFIED
    trimmed.CopyFrom(whole)
    del trimmed.events[: 1 + cut % (len(whole.events) - 1)]
    del trimmed.players[:]
    trimmed.ClearField("own_seat")
    trimmed.complete = False
    for record in (whole, running, trimmed):
        lines = transcript(record, TEXTS[language], letters)
        assert all(line.strip() for line in lines)
        assert not [line for line in lines if set("{}") & set(line)]
        times = [float(line[:7]) for line in lines if line[:7].strip()[:1].isdigit()]
        assert times == sorted(times)
    assert TEXTS[language].hand.cut in transcript(trimmed, TEXTS[language], letters)
    assert transcript(running, TEXTS[language], letters)[-1] == TEXTS[language].hand.runs_still


@settings(max_examples=40, deadline=None)
@given(*deals)
def test_a_transcript_names_no_card_that_the_record_does_not(rules: str, players: int, seed: int) -> None:
    """Before cards are shown a stranger's transcript has none, and a player's has only his own."""
    for viewer in (None, 0):
        record = random_record(rules, players, seed, viewer)
        shown = ("hand_shown", "hand_tabled", "opening_proved")
        until = next(
            (at for at, own in enumerate(record.events) if own.event.WhichOneof("event") in shown),
            len(record.events),
        )
        del record.events[until:]
        mine = {letters(card) for own in record.events for card in _cards(own.event)}
        lines = transcript(record, TEXTS[Language.EN], letters)
        named = {card for line in lines for card in CARD.findall(line)}
        assert named <= mine
        assert bool(mine) is bool(named)
        assert viewer is not None or not mine


def _cards(event: object) -> list[int]:
    kind = event.WhichOneof("event")  # type: ignore[attr-defined]  # a TableEvent
    inside = getattr(event, kind)
    return [*getattr(inside, "cards", ()), *getattr(inside, "discards", ())]


def test_how_long_ago() -> None:
    """In the greatest unit that fits."""
    assert [ago(ms, "{time}") for ms in (0, 59_999, 60_000, 3_599_999, 7_300_000)] == [
        "0 s",
        "59 s",
        "1 min",
        "59 min",
        "2 h",
    ]


@pytest.mark.parametrize("language", [*Language])
def test_the_list_says_who_played_and_how_it_ended(language: Language) -> None:
    """A running hand, one that is over, one without its beginning; names are no markup."""
    texts = TEXTS[language].hand
    hands = [
        HandSummary(hand_id="t-3", players=[HandPlayer(player="[red]")], complete=True),
        HandSummary(hand_id="t-2", finished=True, complete=True, outcome=Outcome.OUTCOME_VOID),
        HandSummary(hand_id="t-1", finished=True, outcome=Outcome.OUTCOME_SHOWDOWN),
    ]
    columns = [[str(cell) for cell in column.cells] for column in drawn(hands, texts).columns]
    assert columns[0] == ["t-3", "t-2", "t-1"]
    assert columns[2] == ["[red]", "...", "..."]
    ends = (texts.ends[Outcome.OUTCOME_VOID], texts.ends[Outcome.OUTCOME_SHOWDOWN])
    assert columns[3] == [texts.runs, *ends]
    assert texts.ends.keys() == set(Outcome.values()) - {0}
