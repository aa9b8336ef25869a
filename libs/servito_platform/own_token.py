"""The token that a service shows to others: a fixed text, or a file that somebody renews in time.

Here: the current token, as metadata of a call. A file is looked at once a second at most; one that cannot be
read for a while leaves the last token in use, and is logged. Not here: verifying (signed_tokens.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import structlog
from pydantic import AfterValidator, FilePath

from servito_platform.watched_file import WatchedFile

Metadata = tuple[tuple[str, str], ...]

_BEARER: Final = "Bearer "
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class OwnToken:
    """See the module. With a file: OSError or ValueError when it cannot be read at first."""

    def __init__(self, text: str = "", file: Path | None = None) -> None:
        self._file = None if file is None else WatchedFile(file)
        self._metadata = _metadata(text if self._file is None else _token(self._file))

    def text(self) -> str:
        """The token to be shown now."""
        return self.metadata()[0][1].removeprefix(_BEARER)

    def metadata(self) -> Metadata:
        """What a call carries now; the same object as long as the token is the same."""
        if self._file is not None and self._file.changed():
            try:
                renewed = _metadata(_token(self._file))
            except (OSError, ValueError) as error:
                _log.error("own_token_unreadable", file=str(self._file.path), error=str(error))
            else:
                if renewed != self._metadata:
                    self._metadata = renewed
                    _log.info("own_token_renewed")
        return self._metadata


def _token_file(file: Path) -> Path:
    OwnToken(file=file)
    return file


TokenFile = Annotated[FilePath, AfterValidator(_token_file)]
"""A setting that names one; refused where it holds none."""


def _token(file: WatchedFile) -> str:
    token = file.read().strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError("it must hold one token and nothing else")
    return token


def _metadata(token: str) -> Metadata:
    return (("authorization", f"{_BEARER}{token}"),)
