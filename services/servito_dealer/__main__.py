"""`python -m servito_dealer` runs the dealer."""

from __future__ import annotations

from servito_dealer.main import main

main()
