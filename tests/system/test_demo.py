"""The demo keeps its promises: it counts, it goes on when parts are killed, and it notices what is wrong."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import psutil
import pytest

from tests.system.demo import Demo, wait_for
from tests.system.thief import steal_a_chip

pytestmark = [pytest.mark.system, pytest.mark.slow, pytest.mark.timeout(120)]


def test_a_short_demo_plays_tells_and_counts(tmp_path: Path) -> None:
    """Hands as many as asked for, chips all there, no error, and what people and programs want to read."""
    with Demo(tmp_path, "--tables", "2", "--hands", "60", "--players", "5") as demo:
        assert demo.finished(60) == 0, demo.text
    figures = demo.figures
    assert figures["hands"] >= 60
    assert figures["actions"] > figures["hands"]
    assert figures["chips_start"] == figures["chips_end"] > 0
    assert figures["errors"] == figures["timeouts"] == 0
    assert 0 < figures["action_p50_ms"] <= figures["action_p99_ms"]
    assert figures["hands_per_s"] == pytest.approx(figures["hands"] / figures["elapsed_s"], rel=0.01)
    assert figures["first_hand_s"] < 20
    parts = {"state", "broker", "dealer", "evaluator", "table", "timers", "demo and bots"}
    assert figures["processes"].keys() == parts
    assert all(cost["resident_mib"] > 1 for cost in figures["processes"].values())
    for promised in (
        "36 cards from the six up",
        "shows",
        " / ",
        "wins",
        "No chip missing",
        "Go on from here",
    ):
        assert promised in demo.text


def test_ten_bots_play_other_rules_which_are_told_in_italian(tmp_path: Path) -> None:
    """Blinds and live antes are told as what they are, in the language that was asked for. With ten at a
    table, by `players.ten=all_play`, the deck of 52 leaves two cards: the draw goes on with dead ones.
    """
    options = ("ante=2", "players.max=10", "players.ten=all_play")
    rules = ("--preset", "libera", *(word for option in options for word in ("--option", option)))
    with Demo(tmp_path, "--tables", "1", "--hands", "20", "--players", "10", *rules, "--lang", "it") as demo:
        assert demo.finished(60) == 0, demo.text
    assert demo.figures["hands"] >= 20
    for promised in (
        "rules libera, ante=2, players.max=10, players.ten=all_play.",
        "si apre con qualsiasi mano",
        "vivi   (piatto",
        "mazziere",
        "52 carte dal due in su",
        "(dopo aver rimescolato ",
        "No chip missing",
    ):
        assert promised in demo.text


def test_hands_go_on_when_timers_table_and_dealer_are_killed(tmp_path: Path) -> None:
    """Each is killed once in the middle of play; it comes back, nothing is lost, and that was no error."""
    killed = ("timers", "table", "dealer", "evaluator")
    with Demo(tmp_path, "--tables", "4", "--hands", "500") as demo:
        demo.playing()
        for name in killed:
            process = demo.part(name)
            process.kill()
            wait_for(lambda gone=process: not gone.is_running(), 10, lambda: "not dead")  # type: ignore[misc]
            demo.part(name)
        assert demo.finished(90) == 0, demo.text
    figures = demo.figures
    assert {name: figures["processes"][name]["restarts"] for name in killed} == dict.fromkeys(killed, 1)
    assert figures["hands"] >= 500
    assert figures["chips_start"] == figures["chips_end"]
    assert figures["errors"] == 0
    assert figures["retries"] > 0


def test_a_chip_that_vanishes_fails_the_run(tmp_path: Path) -> None:
    """One chip is taken by a commit that everybody believes; the independent count misses it."""
    with Demo(tmp_path, "--tables", "2", "--hands", "150", "--players", "4") as demo:
        demo.playing()
        table_id = steal_a_chip(demo.state_url, demo.table_keys)
        assert demo.finished(60) == 1, demo.text
    figures = demo.figures
    assert figures["chips_end"] == figures["chips_start"] - 1
    assert figures["wrong_tables"] == [table_id]
    assert figures["errors"] == 0
    assert "chips do not add up" in demo.text


def test_a_hand_that_stands_still_fails_the_run(tmp_path: Path) -> None:
    """A dealer that is frozen, not dead, lets no hand go on: the run ends by itself and says where."""
    with Demo(tmp_path, "--tables", "1", "--hands", "100000", "--players", "3") as demo:
        demo.playing()
        dealer = demo.part("dealer")
        dealer.suspend()
        demo.says("Sala 1: nothing happens any more", 40)
        dealer.resume()  # it is too late now, and a frozen part only takes longer to put away
        assert demo.finished(60) == 1, demo.text
    assert "Sala 1 stands still" in demo.text
    assert demo.figures["stuck"] == ["Sala 1"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_stopping_a_demo_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    """In the middle of play everything is put away, and the exit code says that it was interrupted; also when
    somebody presses twice.
    """
    with Demo(tmp_path, "--hands", "100000") as demo:
        family = demo.playing().family()
        assert len(family) > 6
        demo.send(number)
        time.sleep(0.3)
        demo.send(number)
        assert demo.finished(30) == 130, demo.text
        gone, alive = psutil.wait_procs(family, timeout=10)
        assert not alive
        assert len(gone) == len(family)
        assert "Traceback" not in demo.text
