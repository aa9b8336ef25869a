"""How the evaluator's ports are met."""

from __future__ import annotations
