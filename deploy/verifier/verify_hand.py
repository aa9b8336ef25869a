"""Checks the cards of a hand against what the dealer was bound to before: python verify_hand.py FILE

FILE is what `servito hand export` writes; README.md explains every step. Needs Python and nothing else.
The exit code is 0 if all fits; else it is 1, and the word behind WRONG says what does not."""

import hashlib, json, sys


def check(fits, word, why):
    if not fits:
        raise SystemExit(f"WRONG {word}: {why}")


def digest(purpose, *fields):
    framed = (b"servito deal 2 " + purpose.encode(), *fields)
    return hashlib.sha256(b"".join(len(field).to_bytes(4, "big") + field for field in framed)).digest()


def climb(leaf, at, size, path):  # where the path leads from place `at` of `size`
    for neighbour in path:
        while size > 1 and at ^ 1 >= size:  # an odd last one goes up as it is
            at, size = at // 2, (size + 1) // 2
        leaf = digest("node", neighbour, leaf) if at % 2 else digest("node", leaf, neighbour)
        at, size = at // 2, (size + 1) // 2
    return leaf


def read_steps(record):  # the shuffles; who got which position of the deck; own and shown cards as told
    seats, own, slots = record["seats"], record["own_seat"], len(record["seats"])
    shuffles, waiting, stock, owner, mine, shown = [], [], [], {}, {}, {}
    for step in record["steps"]:
        kind, seat, told, got = step["step"], step.get("seat", own), step.get("received", []), []
        if kind in ("deck", "refill"):
            first = sum(shuffle["size"] for shuffle in shuffles)
            fits = step["first"] == first and (kind == "deck") == (first == 0)
            check(fits, "order", f"the shuffle at {step['first']} does not follow those before")
            shuffles.append(step)
            waiting.append([*range(first, first + step["size"])])
        elif kind == "shown":
            shown.setdefault(seat, set()).update(step["cards"])
        else:
            check(kind == "dealt" or (kind == "drawn" and seat in seats), "format", f"a step {kind!r}")
            check(shuffles, "order", "cards came before the dealer was bound to where they lie")
            fresh = sum(map(len, waiting)) if kind == "drawn" else 0
            check(step.get("reshuffled", 0) == fresh, "count", f"{fresh} cards were shuffled for a draw")
            for each in range(step.get("count", 5 * slots)):
                stock = stock or (waiting.pop(0) if waiting else [])
                check(stock, "count", "more cards were given than there were")
                got.append((stock.pop(0), seats[each % slots] if kind == "dealt" else seat))
            owner |= {at: who for at, who in got if at < shuffles[0]["size"]}
            due = [at for at, who in got if who == own]
            check(len(told) == len(due), "count", f"{len(told)} cards told of, {len(due)} due")
            for (at, card), place in zip(told, due):
                check(at == place or place not in owner, "order", f"position {at}, {place} was due")
                mine[at] = card
    return shuffles, owner, mine, shown


def check_proofs(record, proofs, shuffles, owner, mine, shown):
    deck, own, hand = shuffles[0], record["own_seat"], record["hand"].encode()
    check(proofs["hand"] == record["hand"], "hand", f"the proofs are those of {proofs['hand']}")
    there = 4 * (15 - record["lowest_rank"]), len({*record["seats"]})
    check((deck["size"], deck["slots"]) == there, "count", f"cards and seats are {there}")
    names = ("first", "size", "seed_hash", "entropy_digest", "root")
    for name, word in zip(names, ("count", "count", "seed", "entropy", "root")):
        before, now = ([each.get(name) for each in told] for told in (shuffles, proofs["shuffles"]))
        check(before == now, word, f"before the cards {before} was told, now {now}")
    shape, leads = bytes(deck[name] for name in ("size", "slots", "draw_max", "draws")), []
    for each in proofs["openings"]:
        at, card, seat = each["position"], each["card"], each["seat"]
        check(at >= deck["size"] or owner.get(at) == seat, "order", f"position {at} is not seat {seat}'s")
        fits = mine.get(at) == card if seat == own else card in shown.get(seat, ())
        check(fits, "card", f"position {at} is opened as {card}, told was {mine.get(at, shown.get(seat))}")
        face = bytes([4 * "23456789TJQKA".index(card[0]) + "scdh".index(card[1])])
        leaf = digest("leaf", hand, at.to_bytes(4, "big"), bytes.fromhex(each["salt"]), face)
        check(leaf.hex() == each["leaf"], "salt", f"card and salt of position {at} do not make its leaf")
        number = max(n for n, shuffle in enumerate(shuffles) if shuffle["first"] <= at)
        first, size = shuffles[number]["first"], shuffles[number]["size"]
        top = climb(leaf, at - first, size, map(bytes.fromhex, each["path"]))
        bound = (bytes.fromhex(deck[name]) for name in ("seed_hash", "entropy_digest"))
        where = (value.to_bytes(4, "big") for value in (number, first, size))
        root = digest("root", hand, shape, *where, *bound, top).hex()
        leads.append((number, card, at, root == shuffles[number]["root"]))
    for number, _, at, fits in leads:  # where another way leads there the root itself is right
        check(fits, "path" if any(w[0] == number and w[3] for w in leads) else "root", f"position {at}")
    check(len({way[:2] for way in leads}) == len(leads), "card", "one card is at two positions")
    opened = {(each["seat"], each["card"]) for each in proofs["openings"]} | {way[2] for way in leads}
    missing = {(seat, card) for seat in shown for card in shown[seat]} | set(mine) - opened
    check(missing <= opened, "count", f"not opened: {missing - opened}")


if __name__ == "__main__":
    try:
        file = json.load(open(sys.argv[1]))
        check(file["format"] == "servito-hand-proof/1", "format", file["format"])
        check_proofs(file["record"], file["proofs"], *read_steps(file["record"]))
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        check(False, "format", f"{type(error).__name__}: {error}")
    print(f"OK: {len(file['proofs']['openings'])} cards lay where the dealer was bound to have them")
