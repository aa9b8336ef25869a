"""`servito doctor`: which system is looked at, what is printed, and the exit code.

Here: words and command. Not here: looking (servito_local.doctor).
"""

from __future__ import annotations
