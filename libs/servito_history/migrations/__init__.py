"""Alembic's: env.py and the versions, each one step from one form of the archive to the next."""

from __future__ import annotations
