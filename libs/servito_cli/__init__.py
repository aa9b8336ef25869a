"""The `servito` command: joins client, local system, scripts and core.

Here: arguments, what is printed, exit codes. Not here: rules, connections of its own.
"""

from __future__ import annotations
