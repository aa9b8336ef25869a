"""The ports of `app` on the state server, the table service, and Prometheus."""

from __future__ import annotations
