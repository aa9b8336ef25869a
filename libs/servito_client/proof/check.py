"""Whether a proof file holds together, and the first thing in it that does not.

Pure. In this order: what the record tells by itself (`told`), whether proofs and record speak of the same
hand and the same commitments, and every opening: came the position to that seat, is the card the one that
was told, do card and salt make the leaf, does the path lead to the root.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from servito_client.proof.hashes import leaf_of, root_of, top_of
from servito_client.proof.told import Shuffle, Told, Wrong, read
from servito_core.cards import format_card, parse_card

FORMAT: Final = "servito-hand-proof/1"
_NOT_A_FILE: Final = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Checked:
    """A hand whose cards lay where the dealer was bound to have them."""

    hand: str
    seed_hash: str
    root: str
    shuffles: int
    received: int
    """Openings of the own seat."""
    shown: int
    """Those of others."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An opening, and whether it leads to the root of its shuffle."""

    shuffle: int
    position: int
    seat: int
    card: str
    fits: bool


def check(file: Mapping[str, Any]) -> Checked:
    """Raises Wrong: hand, order, count, seed, entropy, root, card, salt, path or format."""
    try:
        if file["format"] != FORMAT:
            raise Wrong("format", f"{file['format']} != {FORMAT}")
        record, proofs = file["record"], file["proofs"]
        told = read(record)
        _compare(told, record, proofs)
        opened = [_open(told, opening) for opening in proofs["openings"]]
        _judge(told, opened)
    except _NOT_A_FILE as error:
        raise Wrong("format", f"{type(error).__name__}: {error}") from error
    own = sum(each.seat == told.own for each in opened)
    deck = told.deck
    return Checked(told.hand, deck["seed_hash"], deck["root"], len(told.shuffles), own, len(opened) - own)


def _compare(told: Told, record: Mapping[str, Any], proofs: Mapping[str, Any]) -> None:
    """What was told before the cards came is what the dealer says now."""
    if proofs["hand"] != told.hand:
        raise Wrong("hand", f"{proofs['hand']} != {told.hand}")
    there = 4 * (15 - record["lowest_rank"]), len(set(told.seats))
    if (told.deck["size"], told.deck["slots"]) != there:
        raise Wrong("count", f"{told.deck['size']}, {told.deck['slots']} != {there[0]}, {there[1]}")
    now = proofs["shuffles"]
    if [(each["first"], each["size"]) for each in now] != [(each.first, each.size) for each in told.shuffles]:
        raise Wrong("count", ", ".join(f"{each.first}+{each.size}" for each in told.shuffles))
    for word, name in (("seed", "seed_hash"), ("entropy", "entropy_digest")):
        if now[0][name] != told.deck[name]:
            raise Wrong(word, told.deck[name])
    for each, shuffle in zip(now, told.shuffles, strict=True):
        if each["root"] != shuffle.root:
            raise Wrong("root", f"{shuffle.first}+{shuffle.size}")


def _open(told: Told, opening: Mapping[str, Any]) -> Opened:
    position, card, seat = opening["position"], opening["card"], opening["seat"]
    if position < told.shuffles[0].size and told.given.get(position) != seat:
        raise Wrong("order", f"{position}: {seat}")
    if seat == told.own:
        if told.received.get(position) != card:
            raise Wrong("card", f"{position}: {card} != {told.received.get(position)}")
    elif (seat, card) not in told.shown:
        raise Wrong("card", f"{position}: {card}")
    leaf = leaf_of(told.hand, position, bytes.fromhex(opening["salt"]), _number(card))
    if leaf.hex() != opening["leaf"]:
        raise Wrong("salt", f"{position}: {card}")
    number = max(at for at, shuffle in enumerate(told.shuffles) if shuffle.first <= position)
    path = [bytes.fromhex(neighbour) for neighbour in opening["path"]]
    return Opened(number, position, seat, card, _leads(told, number, leaf, position, path))


def _leads(told: Told, number: int, leaf: bytes, position: int, path: list[bytes]) -> bool:
    shuffle: Shuffle = told.shuffles[number]
    top = top_of(leaf, position - shuffle.first, shuffle.size, path)
    if top is None:
        return False
    shape = bytes(told.deck[name] for name in ("size", "slots", "draw_max", "draws"))
    bound = bytes.fromhex(told.deck["seed_hash"]), bytes.fromhex(told.deck["entropy_digest"])
    where = number, shuffle.first, shuffle.size
    return root_of(told.hand, shape, where, bound, top).hex() == shuffle.root


def _judge(told: Told, opened: list[Opened]) -> None:
    """All ways lead to the root, each card is opened, and none lies at two positions of a shuffle."""
    good = {each.shuffle for each in opened if each.fits}
    for each in opened:
        if not each.fits:  # where another way leads there, the root itself is right
            raise Wrong("path" if each.shuffle in good else "root", str(each.position))
    if len({(each.shuffle, each.card) for each in opened}) != len(opened):
        raise Wrong("card", "2 x")
    missing = told.shown - {(each.seat, each.card) for each in opened}
    unopened = told.received.keys() - {each.position for each in opened}
    if missing or unopened:
        raise Wrong("count", ", ".join(sorted([card for _, card in missing] + [str(at) for at in unopened])))


def _number(card: str) -> int:
    number = parse_card(card)
    if format_card(number) != card:
        raise ValueError(f"{card!r} is no card as it is written")
    return number
