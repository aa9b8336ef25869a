"""English: `form/proof.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.proof import ProofTexts

PROOF: Final = ProofTexts(
    holds="Hand {hand}: everything fits. {received} cards that you got and {shown} that others showed lay "
    "where the dealer was bound to have them before the first card came (orders sealed: {shuffles}).",
    bound="  seed hash {seed_hash}\n  root      {root}",
    wrong="WRONG {word}: {why} ({detail})",
    words={
        "hand": "the proofs are those of another hand",
        "order": "a card came from another position than was due, or before the dealer was bound to it",
        "count": "numbers of cards do not fit together, or a card is not opened",
        "seed": "the seed hash that was told before the cards is another one than that of the proofs",
        "entropy": "the digest of the players' entropy that was told before the cards is another one",
        "root": "the order that the dealer was bound to is not the one that the cards were dealt from",
        "card": "a card is opened as another one than was told",
        "salt": "card and salt do not make the leaf of their position",
        "path": "the way from a leaf does not lead to the root",
        "format": "this is no proof file, or not a whole one",
    },
    written="{file} is written; `servito verify {file}` checks it.",
    nothing="There is nothing to prove: the beginning of this hand is no longer kept, or its cards have "
    "not come yet.",
    unreadable="{file} cannot be read: {why}",
    contributes="From the next hand on your seat contributes {entropy}. Keep it: an auditor can prove that "
    "it was used if you show it to him.",
    contributes_nothing="From the next hand on your seat contributes nothing.",
)
