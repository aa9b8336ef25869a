"""The dealer's ports on real things: the state server, the operating system's entropy, ciphers, metrics."""

from __future__ import annotations
