"""What a chapter of a story is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from servito_cli.story.wording import Wording
from servito_client.messages import Event


class Chapter(ABC):
    """Tells the events of one part of the game, by their classes."""

    def __init__(self, says: Wording) -> None:
        self._says, self._texts = says, says.texts

    @abstractmethod
    def told(self, event: Event) -> Iterable[str]:
        """The lines of one event; none for those of other chapters."""
