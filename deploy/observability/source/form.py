"""A dashboard in the JSON that Grafana reads (schema 39: Grafana 10.4 and newer).

Plain dictionaries, written out in one order, so that a change is a readable diff. No id, version or date: a
file says the same whenever it is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from deploy.observability.source.parts import Board, Kind, Panel, Row, Unit

_SOURCE: Final = {"type": "prometheus", "uid": "prometheus"}
"""The datasource, as it is provisioned."""
_SCHEMA: Final = 39
_WIDTH: Final = 24
_SIZES: Final = {Kind.NUMBER: (4, 4), Kind.LINES: (8, 8)}
"""Width and height in Grafana's grid."""


def board_json(name: str, board: Board) -> dict[str, Any]:
    """The whole file."""
    return {
        "uid": f"servito-{name}",
        "title": board.title,
        "description": board.about,
        "tags": ["servito"],
        "schemaVersion": _SCHEMA,
        "editable": False,
        "graphTooltip": 1,  # the same moment is shown in all panels
        "timezone": "browser",
        "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"},
        "links": [_others()],
        "annotations": {"list": [_alerts()]},
        "templating": {"list": []},
        "panels": list(_panels(board.rows)),
    }


def _others() -> dict[str, Any]:
    """A menu of all dashboards of ours."""
    return {
        "type": "dashboards",
        "title": "Servito",
        "tags": ["servito"],
        "asDropdown": True,
        "keepTime": True,
    }


def _alerts() -> dict[str, Any]:
    """Marks where an alert fired."""
    return {
        "name": "Alerts",
        "datasource": _SOURCE,
        "enable": True,
        "iconColor": "red",
        "expr": 'ALERTS{alertname=~"Servito.*",alertstate="firing"}',
        "titleFormat": "{{alertname}}",
        "step": "60s",
    }


def _panels(rows: tuple[Row, ...]) -> Iterator[dict[str, Any]]:
    number, top = 1, 0
    for row in rows:
        yield {
            "id": number,
            "type": "row",
            "title": row.title,
            "collapsed": False,
            "panels": [],
            "gridPos": _place(0, top, _WIDTH, 1),
        }
        number, top, left, height = number + 1, top + 1, 0, 0
        for panel in row.panels:
            wide, high = _SIZES[panel.kind]
            if left + wide > _WIDTH:
                top, left, height = top + height, 0, 0
            yield _panel(number, panel, _place(left, top, wide, high))
            number, left, height = number + 1, left + wide, max(height, high)
        top += height


def _place(left: int, top: int, width: int, height: int) -> dict[str, int]:
    return {"x": left, "y": top, "w": width, "h": height}


def _panel(number: int, panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    return {
        "id": number,
        "type": panel.kind.value,
        "title": panel.title,
        "description": panel.about,
        "datasource": _SOURCE,
        "gridPos": place,
        "targets": [
            {
                "refId": chr(ord("A") + place_of),
                "datasource": _SOURCE,
                "expr": query.expr,
                "legendFormat": query.legend or "__auto",
                "instant": panel.kind is Kind.NUMBER,
                "range": panel.kind is Kind.LINES,
            }
            for place_of, query in enumerate(panel.queries)
        ],
        "fieldConfig": {"defaults": _defaults(panel), "overrides": []},
        "options": _options(panel.kind),
    }


def _defaults(panel: Panel) -> dict[str, Any]:
    colours: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if panel.bad is not None:
        colours.append({"color": "red", "value": panel.bad})
    defaults: dict[str, Any] = {
        "unit": panel.unit.value,
        "thresholds": {"mode": "absolute", "steps": colours},
    }
    if panel.unit is Unit.RATIO:
        defaults["min"] = 0
    if panel.kind is Kind.LINES:
        shown = "off" if panel.bad is None else "line"
        defaults["custom"] = {"fillOpacity": 8, "showPoints": "never", "thresholdsStyle": {"mode": shown}}
    return defaults


def _options(kind: Kind) -> dict[str, Any]:
    if kind is Kind.NUMBER:
        return {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value", "graphMode": "none"}
    return {
        "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
        "tooltip": {"mode": "multi", "sort": "desc"},
    }
