"""The auditor's tool: `python -m servito_dealer.audit HAND`, with the dealer's settings in the environment.

A second composition root, of a program that only reads: it opens the sealed record of a hand, rebuilds
everything that follows from it, and writes that as JSON to standard output. With `--file` it compares a
player's proof file, with `--entropy SLOT=HEX` it says whether a player's entropy went into the order. With
`--record` the record is that of a file, which `servito audit record` wrote of the archive: the state server
keeps one for some days.
**What it writes are all cards of the hand.** Exit code: 0 all fits, 1 something does not, 2 there was
nothing to compare: no such hand, no key for it, no such file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

from servito_dealer.adapters.sealer import Sealer
from servito_dealer.adapters.vault import StateVault, unsealed
from servito_dealer.app.audit import contributed, differences, rebuilt
from servito_dealer.app.record import replay
from servito_dealer.app.refusals import Refused
from servito_dealer.settings import DealerSettings
from servito_platform.keys import Keys
from servito_platform.seal_keys import SealError
from servito_platform.settings import SettingsError, load_settings
from servito_platform.state import new_lane

if TYPE_CHECKING:
    from servito_dealer.app.record import Record


RECORD_FORM: Final = "dealer-record/1"


async def audited(settings: DealerSettings, hand: str) -> Record | None:
    """The record of a hand, opened and replayed; None where there is none. Raises Refused."""
    lane = new_lane(settings.state, settings.state_timeout)
    sealer = Sealer(settings.seal_keys())
    vault = StateVault(
        lane, None, Keys(settings.partitions), sealer, keep_seconds=0, observe=lambda _seconds: None
    )
    try:
        stored = await vault.load(hand)
    finally:
        await lane.close()
    return None if stored is None else replay(stored.seed, stored.opening, stored.entries, stored.scheme)


def audited_file(settings: DealerSettings, hand: str, file: Path) -> Record:
    """The same of a file. Raises SealError, and ValueError for one that is no record of this hand."""
    told = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(told, dict) or told.get("form") != RECORD_FORM or told.get("hand") != hand:
        raise ValueError(f"{file} is no record of hand {hand} ({RECORD_FORM})")
    elements = [b64decode(element, validate=True) for element in told["elements"]]
    stored = unsealed(Sealer(settings.seal_keys()), hand, elements)
    return replay(stored.seed, stored.opening, stored.entries, stored.scheme)


def main() -> int:
    """Audit one hand; the exit code."""
    arguments = _arguments()
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    try:
        settings = load_settings(DealerSettings)
        if arguments.record is not None:
            record: Record | None = audited_file(settings, arguments.hand, arguments.record)
        else:
            record = asyncio.run(audited(settings, arguments.hand))
    except (SettingsError, Refused, SealError, OSError, ValueError, KeyError, TypeError) as error:
        return _said(str(error))
    if record is None:
        return _said(f"no record of hand {arguments.hand} is kept")
    try:
        proof = json.loads(arguments.file.read_text()) if arguments.file else None
        if proof is not None and proof["record"]["hand"] != arguments.hand:
            return _said(f"{arguments.file} is of hand {proof['record']['hand']}")
        wrong = [] if proof is None else differences(record, proof)
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        return _said(f"{arguments.file} is not what `servito hand export` writes ({error!r})")
    for slot, entropy in arguments.entropy:
        if not contributed(record, slot, entropy):
            wrong.append(f"entropy: slot {slot} did not contribute {entropy.hex()}")
    sys.stdout.write(json.dumps(rebuilt(record), indent=1) + "\n")
    for line in wrong:
        sys.stderr.write(f"WRONG {line}\n")
    return 1 if wrong else 0


def _said(problem: str) -> int:
    sys.stderr.write(f"{problem}\n")
    return 2


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m servito_dealer.audit", description="Rebuild a hand from its sealed record."
    )
    parser.add_argument("hand", help="its id, <table>-<number>")
    parser.add_argument("--file", type=Path, help="what `servito hand export` wrote, to be compared")
    parser.add_argument("--record", type=Path, help="what `servito audit record` wrote of an old hand")
    parser.add_argument(
        "--entropy",
        type=_entropy,
        action="append",
        default=[],
        metavar="SLOT=HEX",
        help="what a player says that he contributed; slots count from 0 in dealing order",
    )
    return parser.parse_args()


def _entropy(text: str) -> tuple[int, bytes]:
    slot, _, entropy = text.partition("=")
    return int(slot), bytes.fromhex(entropy)


if __name__ == "__main__":
    sys.exit(main())
