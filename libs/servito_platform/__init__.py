"""Plumbing that every service stands on; it knows no poker.

Here: settings, gRPC server and channels, the Redis factory, partitions, key names and the claim script of
deadlines, metrics, logs, clock, health, drain. Not here: a card, a chip, a rule, or any message of ours.
"""

from __future__ import annotations
