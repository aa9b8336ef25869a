"""The evaluator's protocol: messages in, judgements out."""

from __future__ import annotations
