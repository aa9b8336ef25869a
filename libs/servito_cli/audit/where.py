"""Where the archive is, and its state server: as told, by the environment, or of a `servito up` here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from servito_history.address import file_url
from servito_history.errors import HistoryUnusable
from servito_local.doctor.where import NoSystem, whereabouts
from servito_local.history_file import HISTORY
from servito_platform.settings import ServiceSettings, load_settings_from

if TYPE_CHECKING:
    from servito_cli.texts.form.audit import AuditTexts

DATA = Path(".servito")
"""Of `servito up` in this directory."""
VARIABLE = "SERVITO_HISTORY_URL"
STATE = "SERVITO_STATE_URL"


def found_history(told: str | None, data: Path = DATA) -> str | None:
    """Its address: `told`, else by the environment, else the file of a local system; None: there is none."""
    if address := told or os.environ.get(VARIABLE):
        return address
    return file_url(data / HISTORY) if (data / HISTORY).is_file() else None


def history_at(told: str | None, texts: AuditTexts) -> str:
    """The same. HistoryUnusable: there is none."""
    if (address := found_history(told)) is None:
        raise HistoryUnusable(texts.nowhere.format(variable=VARIABLE, file=DATA / HISTORY))
    return address


def settings_of_state(data: Path = DATA) -> ServiceSettings | None:
    """How its state server is reached; None where nothing says it. SettingsError; ValueError:
    what says it cannot be read.
    """
    try:
        environment = whereabouts(os.environ, data, {}, {}).environment
    except NoSystem:
        return None
    if not environment.get(STATE):  # the default is for services, which always have one
        return None
    return load_settings_from(ServiceSettings, environment)
