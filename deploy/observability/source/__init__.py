"""Grafana's dashboards as code: `make dashboards` writes deploy/observability/dashboards from this package.

Here: what a dashboard is made of (`parts`), its form in Grafana's JSON (`form`), and one module for each
dashboard. Not here: what is alerted on (../rules), and any number that a rule has already worked out.
`tests/observability` holds the committed files to this, and asks a real Prometheus every query.
"""

from __future__ import annotations
