"""What is said about proofs: files written, checked, and what of them does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofTexts:
    """What is said about proofs."""

    holds: str
    """{hand} {received} {shown} {shuffles}"""
    bound: str
    """{seed_hash} {root}"""
    wrong: str
    """{word} {why} {detail}"""
    words: Mapping[str, str]
    """What each word of `servito_client.proof.check` means."""
    written: str
    """{file}"""
    nothing: str
    """There is nothing to prove in that hand."""
    unreadable: str
    """{file} {why}"""
    contributes: str
    """{entropy}: to be kept by the player."""
    contributes_nothing: str
