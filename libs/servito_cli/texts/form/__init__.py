"""Which texts there are: the form that every language fills. Fields in braces are named beside each text.

Changes with ActionKind, BlindKind, CheckWord, Phase and Outcome of table.proto: the maps hold each of their
values that can be told."""

from __future__ import annotations

from dataclasses import dataclass

from servito_cli.texts.form.audit import AuditTexts
from servito_cli.texts.form.doctor import DoctorTexts
from servito_cli.texts.form.hand import HandTexts
from servito_cli.texts.form.play import PlayTexts
from servito_cli.texts.form.proof import ProofTexts
from servito_cli.texts.form.replay import ReplayTexts
from servito_cli.texts.form.story import StoryTexts
from servito_cli.texts.form.table import TableTexts


@dataclass(frozen=True, kw_only=True, slots=True)
class Texts:
    """One language."""

    story: StoryTexts
    table: TableTexts
    play: PlayTexts
    hand: HandTexts
    doctor: DoctorTexts
    proof: ProofTexts
    replay: ReplayTexts
    audit: AuditTexts
