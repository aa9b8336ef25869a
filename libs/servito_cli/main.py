"""Where the installed command begins: Ctrl-C ends it without a traceback, also while it is still importing.

Nothing else: whatever is imported here is imported before that holds.
"""

from __future__ import annotations

import sys

_INTERRUPTED = 130
"""As interrupts.py has it."""


def main() -> None:
    """The entry point of the installed command."""
    try:
        from servito_cli.commands import app

        app()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
