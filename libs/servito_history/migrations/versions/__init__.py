"""The steps. One that was released is never changed: another one follows it, and only adds."""

from __future__ import annotations
