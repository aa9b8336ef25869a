"""`servito hand export`, `servito verify` and `servito entropy`: proofs of a deal, for the player who asks.

Here: files, questions to the table and sentences. What is checked, and how, is `servito_client.proof`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from servito_cli.console import FAILED, UNUSABLE, complain, output
from servito_cli.hands.ids import is_hand
from servito_cli.table.reaching import connect, find_table, who
from servito_cli.table.running import SPECTATOR, run
from servito_cli.texts import TEXTS, Language
from servito_client.proof.check import check
from servito_client.proof.file import NothingToProve, fetch
from servito_client.proof.told import Wrong

if TYPE_CHECKING:
    from servito_cli.texts.form.proof import ProofTexts


def run_export(
    hand_id: str, player: str | None, file: Path | None, target: str | None, language: Language
) -> int:
    """Writes the proof file of a hand for that player, None: for everybody; the exit code."""
    if not is_hand(hand_id, language):
        return UNUSABLE
    into = file or Path(f"{hand_id}.json")
    return run(
        lambda found: _export(found, hand_id, who(player, SPECTATOR), into, TEXTS[language].proof),
        target,
        language,
    )


def run_verify(file: Path, language: Language) -> int:
    """Checks a proof file; the exit code."""
    texts = TEXTS[language].proof
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        complain(texts.unreadable.format(file=file, why=error))
        return UNUSABLE
    try:
        checked = check(content)
    except Wrong as wrong:
        complain(texts.wrong.format(word=wrong.word, why=texts.words[wrong.word], detail=wrong.detail))
        return FAILED
    console = output()
    console.print(
        texts.holds.format(
            hand=checked.hand,
            received=checked.received,
            shown=checked.shown,
            shuffles=checked.shuffles,
        ),
        markup=False,
    )
    console.print(texts.bound.format(seed_hash=checked.seed_hash, root=checked.root), markup=False)
    return 0


def run_entropy(table: str, player: str, entropy: bytes, target: str | None, language: Language) -> int:
    """Lets the player's seat contribute these bytes from the next hand on; the exit code."""
    return run(
        lambda found: _contribute(found, table, player, entropy, TEXTS[language].proof), target, language
    )


async def _export(target: str, hand_id: str, player: str, into: Path, texts: ProofTexts) -> int:
    async with connect(target, player) as servito:
        try:
            file = await fetch(servito, hand_id)
        except NothingToProve:
            complain(texts.nothing)
            return FAILED
    try:
        into.write_text(json.dumps(file, indent=1) + "\n", encoding="utf-8")  # noqa: ASYNC240 - alone here
    except OSError as error:
        complain(f"{into}: {error.strerror}")
        return UNUSABLE
    output().print(texts.written.format(file=into), markup=False)
    return 0


async def _contribute(target: str, table: str, player: str, entropy: bytes, texts: ProofTexts) -> int:
    async with connect(target, player) as servito:
        await servito.set_entropy(await find_table(servito, table), entropy)
    said = texts.contributes.format(entropy=entropy.hex()) if entropy else texts.contributes_nothing
    output().print(said, markup=False)
    return 0
