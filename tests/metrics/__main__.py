"""Write the catalogue of metrics anew."""

from __future__ import annotations

from tests.metrics.catalogue import DOCUMENT, document

DOCUMENT.write_text(document(), encoding="utf-8")
