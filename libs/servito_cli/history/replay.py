"""`servito hand replay`: a stored hand is told, folded again, and its first difference named.

The exit code is 0 where every state is as it was noted, FAILED at a difference, UNUSABLE where there is
nothing to compare.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from servito_cli.console import FAILED, UNUSABLE, card_text, complain, output
from servito_cli.hands.transcript import own_cards, told
from servito_cli.history.opening import Unusable, archive, auditor, table_and_number
from servito_cli.texts import TEXTS, Language
from servito_replay.as_json import NotThat
from servito_replay.dealers import NoRecord, compared
from servito_replay.differences import Difference
from servito_replay.entries import Entry, read_all
from servito_replay.folding import folded
from servito_replay.lines import commits_of
from servito_replay.told import record, seat_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console

    from servito_cli.texts.form.replay import ReplayTexts
    from servito_client.bots.own_cards import OwnCards
    from servito_replay.entries import Commit
    from servito_replay.folding import Step


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed. `lines`: fold what that file holds instead of the archive; `dealer`: what the dealer's
    audit wrote of the hand.
    """

    hand_id: str
    player: str | None = None
    history: str | None = None
    key: Path | None = None
    lines: Path | None = None
    dealer: Path | None = None


def run_replay(asked: Asked, language: Language) -> int:
    """Tell and compare a hand; the exit code."""
    texts = TEXTS[language].replay
    try:
        commits, lost = _commits(asked, texts)
        return _Replay(asked, language, output()).run(commits, lost)
    except Unusable as error:
        complain(str(error))
        return UNUSABLE
    except NotThat as error:
        complain(texts.no_lines.format(file=asked.lines, why=error))
        return UNUSABLE


def _commits(asked: Asked, texts: ReplayTexts) -> tuple[Iterable[Commit], int]:
    """The commits of the hand, and how many a failover lost."""
    table, number = table_and_number(asked.hand_id, texts)
    opener = auditor(asked.key, texts)
    if asked.lines is not None:
        return [each for each in _written(asked.lines, texts) if _is(each, table, number)], 0
    with archive(asked.history, texts) as history:
        entries = [Entry.of(row) for row in history.hand(table, number)]
    if not entries:
        raise Unusable(texts.unknown.format(hand_id=asked.hand_id))
    lost = sum(entry.lost for entry in entries)
    if lost == len(entries):
        raise Unusable(texts.only_lost.format(hand_id=asked.hand_id))
    return read_all(entries, opener), lost


def _is(commit: Commit, table: str, number: int) -> bool:
    return (commit.entry.table_id, commit.public.hand) == (table, number)


def _written(file: Path, texts: ReplayTexts) -> Iterable[Commit]:
    try:
        with file.open(encoding="utf-8") as lines:
            yield from commits_of(json.loads(line) for line in lines)
    except (OSError, ValueError) as error:
        raise Unusable(texts.no_lines.format(file=file, why=error)) from error


class _Replay:
    """One hand, told and compared."""

    def __init__(self, asked: Asked, language: Language, console: Console) -> None:
        self._asked = asked
        self._texts = TEXTS[language]
        self._words = self._texts.replay
        self._console = console
        self._steps: list[Step] = []

    def run(self, commits: Iterable[Commit], lost: int) -> int:
        """The exit code."""
        number = table_and_number(self._asked.hand_id, self._words)[1]
        dealers = self._dealers()
        found, cards = None, None
        try:
            for step in folded(commits, number):
                self._steps.append(step)
            cards = None if dealers is None or not self._steps else compared(self._steps, dealers)
        except Difference as difference:
            found = difference
        except (NoRecord, ValueError) as error:
            raise Unusable(self._words.no_deal.format(file=self._asked.dealer, why=error)) from error
        if not self._steps and found is None:
            raise Unusable(self._words.unknown.format(hand_id=self._asked.hand_id))
        self._tell()
        if lost:
            self._say(self._words.lost.format(commits=lost))
        if found is not None:
            self._say(self._said(found))
            return FAILED
        self._sum_up(cards)
        return 0

    def _dealers(self) -> Any:
        """What the dealer's audit wrote, if it was given."""
        file = self._asked.dealer
        if file is None:
            return None
        try:
            return json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Unusable(self._words.no_deal.format(file=file, why=error)) from error

    def _tell(self) -> None:
        """What happened, as far as it is as it should be."""
        if not self._steps:
            return
        player, begins = self._asked.player, self._steps[0].commit.public
        whole = all(step.commit.whole is not None for step in self._steps)
        if player is not None and not whole:
            raise Unusable(self._words.key_needed)
        if player is not None and seat_of(begins, player) is None:
            raise Unusable(self._words.stranger.format(player=player, hand_id=self._asked.hand_id))
        sent = record(self._steps, player)
        when = datetime.fromtimestamp(self._steps[0].commit.entry.at / 1000, UTC)
        self._say(self._words.heading.format(hand_id=self._asked.hand_id, when=f"{when:%Y-%m-%d %H:%M:%S}"))
        own = _cards(self._steps, [player] if player is not None else list(begins.players) if whole else [])
        for line in told(sent, self._texts, card_text(self._console), own):
            self._say(line)
        if not sent.finished:
            self._say(self._words.runs)

    def _sum_up(self, cards: int | None) -> None:
        events = sum(len(step.events) for step in self._steps)
        self._say(self._words.same.format(commits=len(self._steps), events=events))
        whole = all(step.commit.whole is not None for step in self._steps)
        self._say(self._words.whole if whole else self._words.open)
        if cards is not None:
            self._say(self._words.dealer.format(cards=cards))

    def _said(self, found: Difference) -> str:
        """Where, and what; the auditor is told the detail, which may name hidden cards, as everybody is what
        holds none.
        """
        what = self._words.kinds[found.kind] + (f" ({found.detail})" if found.detail else "")
        if found.event is None:
            return self._words.differs.format(version=found.version, what=what)
        return self._words.differs_at.format(version=found.version, event=found.event + 1, what=what)

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False)


def _cards(steps: Sequence[Step], players: Sequence[str]) -> Mapping[int, OwnCards]:
    """The cards of each of these players by their seats."""
    found = {}
    for player in players:
        own = record(steps, player)
        found[own.own_seat] = own_cards(own)
    return found
