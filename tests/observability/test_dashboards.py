"""The committed dashboards are what the code makes, and what Grafana can show."""

from __future__ import annotations

import re
from typing import Any

import pytest

from deploy.observability.source.boards import BOARDS, text
from tests.observability.expressions import DASHBOARDS, ROOT, boards

ALL = [pytest.param(board, id=name) for name, board in boards()]


def test_the_files_are_up_to_date() -> None:
    """`make dashboards` writes them anew; none is there that the code does not make."""
    found = {path.stem: path.read_text(encoding="utf-8") for path in DASHBOARDS}
    assert found == {name: text(board) for name, board in BOARDS.items()}


def test_each_is_found_under_one_address() -> None:
    """And the datasource is the one that is provisioned."""
    assert [board["uid"] for _, board in boards()] == [f"servito-{path.stem}" for path in DASHBOARDS]
    assert len({board["title"] for _, board in boards()}) == len(DASHBOARDS)
    (provisioned,) = (ROOT / "deploy/compose/grafana/provisioning/datasources").glob("*.yml")
    (uid,) = re.findall(r"uid: (\S+)", provisioned.read_text(encoding="utf-8"))
    for _, board in boards():
        assert set(_uids(board)) == {uid}


def _uids(value: Any) -> list[str]:
    if isinstance(value, list):
        return [uid for each in value for uid in _uids(each)]
    if not isinstance(value, dict):
        return []
    own = [value["datasource"]["uid"]] if "datasource" in value else []
    return own + [uid for each in value.values() for uid in _uids(each)]


@pytest.mark.parametrize("board", ALL)
def test_panels_do_not_overlap(board: dict[str, Any]) -> None:
    """Each has a number of its own, and a place within the grid's twenty-four columns."""
    numbers = [panel["id"] for panel in board["panels"]]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    taken: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        across, down = range(at["x"], at["x"] + at["w"]), range(at["y"], at["y"] + at["h"])
        places = {(x, y) for x in across for y in down}
        assert at["x"] + at["w"] <= 24
        assert not places & taken, panel["title"]
        taken |= places


@pytest.mark.parametrize("board", ALL)
def test_a_panel_explains_itself(board: dict[str, Any]) -> None:
    """A title and what it means; queries, each told apart in the legend where there are several."""
    titles = [panel["title"] for panel in board["panels"] if panel["type"] == "row"]
    assert titles[0] == "Now"
    for panel in board["panels"]:
        if panel["type"] == "row":
            continue
        assert panel["description"].endswith("."), panel["title"]
        targets = panel["targets"]
        assert [target["refId"] for target in targets] == [chr(ord("A") + n) for n in range(len(targets))]
        legends = [target["legendFormat"] for target in targets]
        assert panel["type"] == "stat" or "__auto" not in legends, panel["title"]
        assert len(set(legends)) == len(legends), panel["title"]
