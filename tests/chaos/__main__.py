"""`make chaos`: any process may die, any message be lost or come again, and four promises hold.

    python -m tests.chaos [--seed N] [--seconds S] [--mode single|sentinel|cluster] [--tables N]
                          [--only KIND...] [--json FILE] [--list]

The same seed gives the same faults in the same order (README.md). Exit code 1 when a promise was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
from pathlib import Path
from tempfile import mkdtemp

import stamina
import structlog
import uvloop
from rich.console import Console

from servito_platform.place import Mode
from tests.chaos.faults import KINDS
from tests.chaos.run import Plan, Run
from tests.chaos.show import show


def main() -> None:
    """See the module."""
    arguments = _arguments()
    if arguments.list:
        for kind in KINDS.values():
            sys.stdout.write(f"{kind.name}  ({', '.join(sorted(mode.value for mode in kind.modes))})\n")
        return
    stamina.instrumentation.set_on_retry_hooks([])  # retries are counted, not logged one by one
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.INFO))
    directory = Path(mkdtemp(prefix="servito-chaos-"))
    plan = Plan(
        arguments.seed,
        Mode(arguments.mode),
        arguments.seconds,
        tables=arguments.tables,
        only=tuple(arguments.only),
    )
    console = Console(width=120)
    console.print(f"logs of the parts: {directory}")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        figures = runner.run(Run(plan, directory).play())
    show(figures, console)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures.as_json(), indent=2) + "\n", encoding="utf-8")
    sys.exit(bool(figures.broken))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make chaos")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--mode", choices=[mode.value for mode in Mode], default="single")
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--only", nargs="*", default=[], help="kinds whose names contain one of these")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--list", action="store_true", help="the kinds of faults")
    return parser.parse_args()


if __name__ == "__main__":
    main()
