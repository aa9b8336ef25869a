"""`servito up`: the whole system in the foreground until Ctrl-C, with the address of each part."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from servito_cli.console import FAILED, UNUSABLE, complain, output
from servito_local.addresses import ADDRESSES, write_addresses
from servito_local.data_dir import DataDirInUse
from servito_local.part import PartFailed
from servito_local.ports import PortTaken
from servito_local.stages import Stage
from servito_local.system import LocalSystem
from servito_local.until_stopped import run_until_stopped


def run_up(data: Path, ports: Iterable[str], replicas: Iterable[str]) -> int:
    """Runs it; the exit code: 0 after Ctrl-C, SIGTERM or SIGHUP. `ports`, `replicas`: `NAME=NUMBER` each."""
    console = output()
    published: list[Path] = []

    def tell(stage: Stage) -> None:
        console.print(f"  {stage.name:<38} {stage.seconds:6.2f} s")

    def announce(system: LocalSystem) -> None:
        console.print()
        for part, addresses in system.addresses().items():
            where = "   ".join(f"{protocol} {address}" for protocol, address in addresses.items())
            console.print(f"  {part:<12} {where}", markup=False)
        published.append(data / ADDRESSES)
        write_addresses(published[0], system.addresses())
        console.print("\nStop it with Ctrl-C.")

    console.print(f"Starting Servito on {data.absolute()}", markup=False)
    try:
        system = LocalSystem(data, ports=_numbers(ports), replicas=_numbers(replicas), tell=tell)
        asyncio.run(run_until_stopped(system, announce))
    except (ValueError, OSError) as unusable:
        complain(str(unusable))
        return UNUSABLE
    except (PartFailed, PortTaken, DataDirInUse) as failure:
        complain(str(failure))
        return FAILED
    finally:
        for file in published:
            file.unlink(missing_ok=True)
    return 0


def _numbers(words: Iterable[str]) -> dict[str, int]:
    numbers = {}
    for word in words:
        name, equals, number = word.partition("=")
        if not (name and equals and number.isdecimal()):
            raise ValueError(f"{word!r} must be NAME=NUMBER, such as table=50051")
        numbers[name] = int(number)
    return numbers
