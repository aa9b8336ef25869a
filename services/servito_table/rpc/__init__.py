"""The table as a gRPC service."""

from __future__ import annotations
