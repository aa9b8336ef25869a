"""Use cases of the timers and the ports that they need. No grpc, protobuf, redis, celery, prometheus here."""

from __future__ import annotations
