"""English."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.en.audit import AUDIT
from servito_cli.texts.en.doctor import DOCTOR
from servito_cli.texts.en.hand import HAND
from servito_cli.texts.en.play import PLAY
from servito_cli.texts.en.proof import PROOF
from servito_cli.texts.en.replay import REPLAY
from servito_cli.texts.en.story import STORY
from servito_cli.texts.en.table import TABLE
from servito_cli.texts.form import Texts

TEXTS: Final = Texts(
    story=STORY,
    table=TABLE,
    play=PLAY,
    hand=HAND,
    doctor=DOCTOR,
    proof=PROOF,
    replay=REPLAY,
    audit=AUDIT,
)
