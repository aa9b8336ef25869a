"""The comparisons compare what they say: peers judge rightly, both sides play the same game."""

from __future__ import annotations

import time
from itertools import pairwise
from random import Random

import numpy as np
import pytest
import treys

from servito_core.deals import FIRST, start_hand
from servito_core.rules import preset
from servito_evaluator.app.shelf import judge_for
from tests.bench import evaluation, hands
from tests.bench.measure import Context, Goal, Row, cpu_rate, interleaved, spread
from tests.bench.peers import numpy_table, pokerkit_draw
from tests.bench.policy import PLAYERS
from tests.bench.quiet import Quiet


def test_the_numpy_table_orders_hands_as_treys_does() -> None:
    """A yardstick that judged wrongly would measure nothing."""
    dealt = evaluation.random_hands(32, 4_000)
    table = numpy_table.build(32)
    numbers = [treys.Card.new(rank + suit) for rank in "23456789" for suit in "scdh"]
    evaluator = treys.Evaluator()
    ours = numpy_table.lookup(table, dealt).tolist()
    theirs = [-evaluator._five([numbers[card] for card in hand]) for hand in dealt.tolist()]
    order = sorted(range(len(dealt)), key=ours.__getitem__)
    for one, other in pairwise(order):
        assert (ours[one] == ours[other]) == (theirs[one] == theirs[other])
        assert theirs[one] <= theirs[other]


def test_batches_and_single_hands_are_judged_alike() -> None:
    """Both rows of the evaluator measure the same judgement."""
    dealt = evaluation.random_hands(36, 500) + np.uint8(16)
    judge = judge_for(evaluation.RANKING, evaluation.lowest_rank_of(36))
    assert judge.strengths(dealt).tolist() == [judge.strength(hand) for hand in dealt.tolist()]


@pytest.mark.parametrize("rules", [hands.NO_LIMIT, preset("italiana")], ids=["no limit", "italiana"])
def test_ours_plays_to_the_end_what_the_rows_count(rules: object) -> None:
    """Every hand has its actions: nothing is won by hands that end early."""
    rng = Random(1)
    counts = [hands.play_hand(rules, rng) for _ in range(300)]  # type: ignore[arg-type] # a parameter of pytest
    assert min(counts) >= PLAYERS
    assert 15 < sum(counts) / len(counts) < 20


def test_hands_in_place_are_those_whose_states_are_kept() -> None:
    """The two rows of the core play the same hands, action by action."""
    one, other = Random(2), Random(2)
    for _ in range(100):
        played = hands.play_hand(hands.NO_LIMIT, one)
        assert played == hands.play_hand_keeping_states(hands.NO_LIMIT, other)
        assert one.getstate() == other.getstate()


def test_the_peer_plays_about_as_many_actions() -> None:
    """The same policy in nearly the same game."""
    rng = Random(1)
    counts = [pokerkit_draw.play_hand(rng) for _ in range(100)]
    assert 15 < sum(counts) / len(counts) < 20


def test_the_no_limit_game_is_that_of_the_peer() -> None:
    """52 cards, no requirement, no limit, the least bet of its big blind, and no suits to break ties."""
    started = start_hand(hands.NO_LIMIT, hands.ENTRANTS, FIRST, PLAYERS)[0]
    assert (started.lowest_rank, started.requirement) == (2, "none")  # type: ignore[union-attr] # HandStarted
    assert (hands.NO_LIMIT.bet_limit, hands.NO_LIMIT.minimum_bet) == ("none", 2)
    assert hands.NO_LIMIT.suit_tiebreak == "none"


def test_a_ratio_above_one_is_always_better() -> None:
    """More hands a second, or fewer milliseconds."""
    assert Row("", [6.0], "", [2.0]).ratios() == [3.0]
    assert Row("", [2.0], "", [6.0], better="less").ratios() == [3.0]
    assert Goal(5, 10).verdict(4.99) == ">= 5, aim 10: MISSED"
    assert Goal(1).verdict(1.0) == ">= 1: reached"
    assert spread([3.0, 1.0, 2.0], 1) == "2.0 (1.0-3.0)"


def test_repetitions_take_turns() -> None:
    """Ours and theirs meet the same moments of the machine."""
    order: list[str] = []

    def work(name: str) -> float:
        order.append(name)
        return float(len(order))

    context = Context(Quiet(patience=0), repetitions=2)
    values = interleaved(context, {"ours": lambda: work("ours"), "theirs": lambda: work("theirs")})
    assert order == ["ours", "theirs", "ours", "theirs"]
    assert values == {"ours": [1.0, 3.0], "theirs": [2.0, 4.0]}


def test_out_of_time_nothing_is_repeated() -> None:
    """What is measured at all is measured once, and ours as often as theirs."""
    context = Context(Quiet(patience=0), repetitions=5, until=time.monotonic() - 1)
    assert interleaved(context, {"ours": lambda: 1.0, "theirs": lambda: 2.0}) == {"ours": [1], "theirs": [2]}
    assert len(list(context.repeats())) == 1


def test_a_rate_counts_what_was_done_in_cpu_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two things a call count twice, over the time that was really spent."""
    clock = iter([0.0, 0.4, 0.8, 1.6])
    monkeypatch.setattr(time, "process_time", lambda: next(clock))
    assert cpu_rate(lambda: 2, 1.0) == 4 / 1.6


def test_without_patience_nothing_is_waited_for_or_repeated() -> None:
    """A busy machine never makes a run endless."""
    quiet, calls = Quiet(patience=0), []
    quiet.run(lambda: calls.append(1))
    assert calls == [1]
    assert "1 measurements" in quiet.summary()
