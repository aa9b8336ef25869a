"""What a table may be created with: every defect of a configuration is named at once.

Options arrive as texts and are read by what their option accepts; what they mean and how they bind one
another is the core's (`servito_core.rules`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito_core.deals import is_short
from servito_core.rules import InvalidRules
from servito_core.rules.texts import rules_of_texts
from servito_table.app.refusals import TableReason, TableRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servito_core.rules import RuleSet
    from servito_table.app.state import TableConfig

NAME_LENGTH: Final = 60
SEATS: Final = (2, 10)
TURN_MS: Final = (1_000, 600_000)
PAUSE_MS: Final = (0, 60_000)
PROPOSAL_MS: Final = (1_000, 600_000)
AWAY_AFTER: Final = (1, 100)
SIT_OUT_MS: Final = (1_000, 86_400_000)
SEAT_OFFER_MS: Final = (1_000, 600_000)
TIME_BANKS: Final = (0, 20)
TIME_BANK_MS: Final = (1_000, 600_000)
TIME_BANK_HANDS: Final = (0, 10_000)
WARN_MS: Final = (500, 600_000)
MOST_CHIPS: Final = 10**12
"""Greatest buy-in: ten of them, raised and split, stay far below what a 64-bit integer holds."""


def rules_of(config: TableConfig) -> RuleSet:
    """The rules that a configuration names. Raises `InvalidRules` with every defect."""
    return rules_of_texts(config.preset, config.options)


def checked(config: TableConfig) -> RuleSet:
    """The rules of a configuration that may be played; TableRefused INVALID_CONFIG naming every defect."""
    defects = list(_settings_defects(config))
    try:
        rules = rules_of(config)
    except InvalidRules as invalid:
        defects += [f"{defect.key}: {defect.message}" for defect in invalid.defects]
        raise TableRefused(TableReason.INVALID_CONFIG, "; ".join(defects)) from None
    if config.seats > rules.players_max:
        defects.append(f"seats: {config.seats} are more than players.max, which is {rules.players_max}")
    if rules.ante_short != "all_in" and is_short(rules, config.max_buy_in):
        defects.append(f"ante: {rules.ante} is more than max_buy_in, {config.max_buy_in}: nobody could play")
    if defects:
        raise TableRefused(TableReason.INVALID_CONFIG, "; ".join(defects))
    return rules


def _settings_defects(config: TableConfig) -> Iterator[str]:
    if len(config.name) > NAME_LENGTH or not config.name.isprintable():
        yield f"name: at most {NAME_LENGTH} printable characters"
    yield from _outside("seats", config.seats, SEATS)
    yield from _outside("turn_ms", config.turn_ms, TURN_MS)
    yield from _outside("pause_ms", config.pause_ms, PAUSE_MS)
    yield from _outside("proposal_ms", config.proposal_ms, PROPOSAL_MS)
    yield from _outside("away_after", config.away_after, AWAY_AFTER)
    yield from _outside("sit_out_ms", config.sit_out_ms, SIT_OUT_MS)
    yield from _outside("seat_offer_ms", config.seat_offer_ms, SEAT_OFFER_MS)
    yield from _outside("time_banks", config.time_banks, TIME_BANKS)
    if config.time_banks or config.time_bank_ms:
        yield from _outside("time_bank_ms", config.time_bank_ms, TIME_BANK_MS)
    yield from _outside("time_bank_hands", config.time_bank_hands, TIME_BANK_HANDS)
    yield from _outside("warn_ms", config.warn_ms, WARN_MS)
    yield from _outside("min_buy_in", config.min_buy_in, (1, MOST_CHIPS))
    yield from _outside("max_buy_in", config.max_buy_in, (1, MOST_CHIPS))
    if config.max_buy_in < config.min_buy_in:
        yield f"max_buy_in: {config.max_buy_in} is below min_buy_in, {config.min_buy_in}"
    if "preset" in config.options:
        yield "options: the preset has a field of its own"


def _outside(field: str, value: int, allowed: tuple[int, int]) -> Iterator[str]:
    least, most = allowed
    if not least <= value <= most:
        yield f"{field}: {value} is not {least}..{most}"
