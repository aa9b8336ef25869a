"""The Celery side: the application, its task, and the step that makes a worker sweep."""

from __future__ import annotations
