"""Players without a person: strategies that choose among offered actions, and who sits, plays and leaves by
them.

Not here: a rule. A bot knows the game from its offers alone, so it plays any preset.
"""

from __future__ import annotations
