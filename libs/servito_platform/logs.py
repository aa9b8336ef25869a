"""Logs: one JSON object a line on stderr, or readable lines for a person.

Events are short snake_case names with fields, written through structlog.get_logger(); what a line belongs to
(request, table, hand, trace) is added to it by log_context.py. No hidden card is ever a field. An exception
is logged as its type and the lines of code it came through; its text and the values of variables are left out
in every mode, because they may hold cards.
"""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from servito_platform.log_context import add_ids
from servito_platform.settings import ServiceSettings


def configure_logs(service: str, settings: ServiceSettings) -> None:
    """Set up structlog and the standard library's logging for this process."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Processor] = [
        add_ids,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _naming(service),
        _without_text,
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    _join_standard_logging(level, shared, renderer)


def _join_standard_logging(level: int, shared: list[Processor], renderer: Processor) -> None:
    """Libraries (grpc, celery) write through `logging`; their lines get the same form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.WARNING))


def _naming(service: str) -> Processor:
    def name(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event["service"] = service
        return event

    return name


def _without_text(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    error = _error_of(event.pop("exc_info", None))
    if error is not None:
        event["error"] = type(error).__name__
        event["where"] = _places(error)
    return event


def _error_of(exc_info: Any) -> BaseException | None:
    if isinstance(exc_info, BaseException):
        return exc_info
    if isinstance(exc_info, tuple):
        error: BaseException | None = exc_info[1]
        return error
    return sys.exc_info()[1] if exc_info else None


def _places(error: BaseException) -> list[str]:
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
