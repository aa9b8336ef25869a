"""Keys of a local system: made once, each for one part, in files that only their owner may read."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path

import psutil

from servito_local.seal_key import AUDITOR_KEY, SEAL_KEY, TABLE_KEY, dealer_keys, table_keys
from servito_local.system import LocalSystem
from servito_platform.audit_seal import public_of
from servito_platform.auditor_key import read_auditor_keys


async def test_each_part_has_its_own_keys_alone(tmp_path: Path) -> None:
    """The dealer's is in no environment but the dealer's, the table's two in no other but the table's; the
    auditor's private key in none.
    """
    async with LocalSystem(tmp_path, replicas={"table": 2}) as system:
        told = {name: psutil.Process(pid).environ() for name, pid in system.pids().items()}
    dealer, table = set(dealer_keys(tmp_path).values()), set(table_keys(tmp_path).values())
    private = (tmp_path / AUDITOR_KEY).read_text().strip().partition(":")[2]
    assert {name for name, environment in told.items() if dealer & set(environment.values())} == {"dealer"}
    assert {name for name, environment in told.items() if table & set(environment.values())} == {
        "table-1",
        "table-2",
    }
    assert not any(private in each for environment in told.values() for each in environment.values())


def test_keys_are_made_once(tmp_path: Path) -> None:
    """Three different ones, kept, in files of mode 0600; the table is told the auditor's public half."""
    first = dealer_keys(tmp_path), table_keys(tmp_path)
    assert (dealer_keys(tmp_path), table_keys(tmp_path)) == first
    files = [tmp_path / name for name in (SEAL_KEY, TABLE_KEY, AUDITOR_KEY)]
    assert len({file.read_text() for file in files}) == 3
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    [private] = read_auditor_keys(tmp_path / AUDITOR_KEY).values()
    shown = b64decode(first[1]["SERVITO_TABLE_AUDITOR_KEY"].partition(":")[2])
    assert shown == public_of(private)
