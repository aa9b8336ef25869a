"""Logs: JSON lines, and never the text of an exception, which might name a card."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from servito_platform.logs import configure_logs
from servito_platform.settings import ServiceSettings


@pytest.fixture(autouse=True)
def restore() -> Iterator[None]:
    """Leave logging as it was for the other tests."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


def crash() -> None:
    """Fail with a card in the text and in a variable."""
    card = "Ah"
    raise LookupError(f"no {card}")


def test_an_event_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    """Service, level, time and fields of an event are one line on stderr; stdout stays free."""
    configure_logs("table", ServiceSettings())
    structlog.get_logger().info("seated", seat=3)
    shown = capsys.readouterr()
    assert shown.out == ""
    line = json.loads(shown.err)
    assert (line["service"], line["level"], line["event"], line["seat"]) == ("table", "info", "seated", 3)
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("mode", ["development", "production"])
@pytest.mark.parametrize("through", ["structlog", "logging"])
def test_an_exception_tells_where_and_not_what(
    capsys: pytest.CaptureFixture[str], form: str, mode: str, through: str
) -> None:
    """Type and place of an exception are logged, whoever logs it; its text and variables are not."""
    settings = ServiceSettings(mode=mode, log_format=form, log_level="debug")
    configure_logs("table", settings)
    try:
        crash()
    except LookupError:
        if through == "structlog":
            structlog.get_logger().exception("broken")
        else:
            logging.getLogger("grpc").exception("broken")
    shown = capsys.readouterr().err
    assert "LookupError" in shown
    assert "test_logs.py" in shown
    assert "crash" in shown
    assert "Ah" not in shown


def test_the_level_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """Below the level nothing is written; libraries are heard from warnings on."""
    configure_logs("table", ServiceSettings(log_level="info"))
    structlog.get_logger().debug("quiet")
    logging.getLogger("celery").info("chatter")
    assert capsys.readouterr().err == ""
    logging.getLogger("celery").warning("lost %s", "broker")
    assert json.loads(capsys.readouterr().err)["event"] == "lost broker"
