"""Judgement by tables: NumPy and the rules core, nothing that has to do with transport."""

from __future__ import annotations
