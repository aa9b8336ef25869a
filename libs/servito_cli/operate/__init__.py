"""Commands for whoever runs tables: one table made, paused, resumed, closed; templates that keep tables open.

What they print is English, and as short as a program needs that reads it.
"""

from __future__ import annotations
