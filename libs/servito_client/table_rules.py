"""One rule of a table as its configuration gives it: the option itself, or what its preset says.

Here: looking an option up, for clients that show or follow a table. What an option means is `RULES.md`
part B, and whether a configuration may be played is the table service's to say."""

from __future__ import annotations

from typing import Final

from servito_client.messages import TableConfig
from servito_core.rules import OPTIONS, PRESETS
from servito_core.rules.option import written

_DEFAULTS: Final = {option.key: option.default for option in OPTIONS}


def rule_of(config: TableConfig, key: str) -> str:
    """The value of option `key` as a configuration file writes it: `true`, `JJ`, `4`.

    A preset that this client does not know counts as one without differences. KeyError: no such option."""
    if key in config.options:
        return config.options[key]
    return written(PRESETS.get(config.preset, {}).get(key, _DEFAULTS[key]))
