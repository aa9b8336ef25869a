"""`python -m servito_table` runs the table service."""

from __future__ import annotations

from servito_table.main import main

main()
