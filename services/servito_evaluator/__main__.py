"""`python -m servito_evaluator`."""

from __future__ import annotations

from servito_evaluator.main import main

main()
