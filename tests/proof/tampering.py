"""Changes to a proof file, each of one kind, and the word that has to name it: data of the vectors."""

from __future__ import annotations

import copy
from typing import Any

Change = dict[str, Any]
"""`of`: the file; `set`: pointers and values; `drop`: a pointer; `swap`: two pointers."""


def changed(file: dict[str, Any], change: Change) -> dict[str, Any]:
    """The file with that change made to it."""
    new: dict[str, Any] = copy.deepcopy(file)
    for pointer, value in change.get("set", {}).items():
        holder, key = _find(new, pointer)
        holder[key] = value
    if "drop" in change:
        holder, key = _find(new, change["drop"])
        del holder[key]
    if "swap" in change:
        (one, at), (other, there) = (_find(new, pointer) for pointer in change["swap"])
        one[at], other[there] = other[there], one[at]
    return new


def _find(file: Any, pointer: str) -> tuple[Any, Any]:
    *way, last = (int(part) if part.isdigit() else part for part in pointer.split("/"))
    for part in way:
        file = file[part]
    return file, last


def scalars(value: Any, pointer: str = "") -> list[tuple[str, Any]]:
    """Every number and text of a file, with its pointer."""
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = dict(enumerate(value)).items()
    else:
        return [(pointer, value)]
    return [found for key, part in parts for found in scalars(part, f"{pointer}/{key}".lstrip("/"))]


def changes(files: dict[str, dict[str, Any]]) -> list[Change]:
    """One of each kind, of a file with a refill, in which the own seat drew and others showed."""
    name = "six-players-refill"
    file = files[name]
    steps, openings = file["record"]["steps"], file["proofs"]["openings"]
    kinds = [step["step"] for step in steps]
    refill, shown = kinds.index("refill"), kinds.index("shown")
    drawn = next(at for at, step in enumerate(steps) if step["step"] == "drawn" and step["received"])
    other = next(at for at, opening in enumerate(openings) if opening["seat"] != file["record"]["own_seat"])
    late = next(
        at for at, opening in enumerate(openings) if opening["position"] >= file["record"]["steps"][0]["size"]
    )

    def made(word: str, what: str, **change: Any) -> Change:
        return {"word": word, "what": what, "of": name, **change}

    def to(pointer: str, value: Any) -> dict[str, Any]:
        return {"set": {pointer: value}}

    root, hashed = "0" * 64, "f" * 64
    told = "record/steps/1/received/0/1"
    return [
        made("card", "an opened card is another", **to("proofs/openings/0/card", "2s")),
        made("card", "a dealt card is told as another", **to(told, "2s")),
        made("card", "a drawn card is told as another", **to(f"record/steps/{drawn}/received/0/1", "2s")),
        made("card", "a shown card is opened as another", **to(f"proofs/openings/{other}/card", "2s")),
        made(
            "salt",
            "a card is another everywhere",
            set={told: "5h", "proofs/openings/0/card": "5h"},
        ),
        made("salt", "a salt is another", **to("proofs/openings/0/salt", root)),
        made("salt", "two salts are exchanged", swap=["proofs/openings/0/salt", "proofs/openings/1/salt"]),
        made("salt", "a leaf is another", **to("proofs/openings/0/leaf", root)),
        made("salt", "a salt of a refill is another", **to(f"proofs/openings/{late}/salt", root)),
        made(
            "order",
            "two dealt cards came in another order",
            swap=["record/steps/1/received/0/0", "record/steps/1/received/1/0"],
        ),
        made("order", "the deck was committed to after the cards", swap=["record/steps/0", "record/steps/1"]),
        made("order", "a refill begins elsewhere", **to(f"record/steps/{refill}/first", 41)),
        made("order", "an opening is another seat's", **to("proofs/openings/0/seat", 4)),
        {
            **made("order", "a position was not given", **to("proofs/openings/0/position", 23)),
            "of": "two-players",
        },
        made("root", "the root that was told is another", **to("record/steps/0/root", root)),
        made("root", "the root of the proofs is another", **to("proofs/shuffles/0/root", root)),
        made(
            "root",
            "the root is another in both",
            set={"record/steps/0/root": root, "proofs/shuffles/0/root": root},
        ),
        made(
            "root",
            "the root of a refill is another in both",
            set={f"record/steps/{refill}/root": root, "proofs/shuffles/1/root": root},
        ),
        made("root", "the shape of the hand is another", **to("record/steps/0/draw_max", 3)),
        made(
            "root",
            "the seed hash is another in both",
            set={"record/steps/0/seed_hash": hashed, "proofs/shuffles/0/seed_hash": hashed},
        ),
        made("seed", "the seed hash that was told is another", **to("record/steps/0/seed_hash", hashed)),
        made("seed", "the seed hash of the proofs is another", **to("proofs/shuffles/0/seed_hash", hashed)),
        made(
            "entropy",
            "the entropy digest that was told is another",
            **to("record/steps/0/entropy_digest", hashed),
        ),
        made("entropy", "that of the proofs is another", **to("proofs/shuffles/0/entropy_digest", hashed)),
        made("count", "the deck has other cards", **to("record/lowest_rank", 6)),
        made("count", "the deck has another number of cards", **to("record/steps/0/size", 36)),
        made("count", "there are other slots", **to("record/steps/0/slots", 5)),
        made("count", "another number of cards was drawn", **to(f"record/steps/{drawn}/count", 2)),
        made("count", "another number was shuffled again", **to(f"record/steps/{refill + 1}/reshuffled", 3)),
        made("count", "a received card is not opened", drop="proofs/openings/0"),
        made("count", "a shown card is not opened", drop=f"proofs/openings/{other}"),
        made("count", "a dealt card is not told", drop="record/steps/1/received/4"),
        made("count", "a shuffle is left out of the proofs", drop="proofs/shuffles/1"),
        made("card", "a card is shown that was not", **to(f"record/steps/{shown}/cards/0", "2s")),
        made("path", "a neighbour is another", **to("proofs/openings/0/path/0", root)),
        made("path", "a path is cut", drop="proofs/openings/0/path/5"),
        made("hand", "the proofs are of another hand", **to("proofs/hand", "sala.verde-43")),
        made(
            "salt",
            "the hand is another everywhere",
            set={"record/hand": "sala.verde-43", "proofs/hand": "sala.verde-43"},
        ),
        made("format", "it is of another form", **to("format", "servito-hand-proof/2")),
        made("format", "a part of it is missing", drop="record/steps/0/size"),
        made("format", "a card is none", **to("proofs/openings/0/salt", "zz")),
    ]
