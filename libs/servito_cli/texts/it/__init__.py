"""Italian."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form import Texts
from servito_cli.texts.it.audit import AUDIT
from servito_cli.texts.it.doctor import DOCTOR
from servito_cli.texts.it.hand import HAND
from servito_cli.texts.it.play import PLAY
from servito_cli.texts.it.proof import PROOF
from servito_cli.texts.it.replay import REPLAY
from servito_cli.texts.it.story import STORY
from servito_cli.texts.it.table import TABLE

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
