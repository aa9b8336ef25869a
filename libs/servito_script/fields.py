"""Fields of a script's JSON, each read as what it must be, or `ScriptError`.

Nothing here knows the format; `script` says which fields there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from servito_core.cards import Card, CardError, parse_cards

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class ScriptError(ValueError):
    """A script that is not hand-script/1; the message says where and what is expected there."""


def as_object(data: Any, what: str, fields: Collection[str] | None) -> dict[str, Any]:
    """An object with none but these fields; None: with any."""
    if not isinstance(data, dict):
        raise ScriptError(f"{what}: must be an object")
    for key in data:
        if fields is not None and key not in fields:
            raise ScriptError(f"{what}: there is no field {key!r}; known are {', '.join(sorted(fields))}")
    return data


def list_of(data: Mapping[str, Any], key: str) -> list[Any]:
    """The list under `key`."""
    value = data.get(key)
    if not isinstance(value, list):
        raise ScriptError(f"{key}: must be a list")
    return value


def text_of(data: Mapping[str, Any], key: str) -> str:
    """The text under `key`."""
    value = data.get(key)
    if not isinstance(value, str):
        raise ScriptError(f"{key}: must be a text, not {value!r}")
    return value


def chips_of(data: Mapping[str, Any], key: str) -> int:
    """The chips under `key`."""
    value = data.get(key)
    if type(value) is not int or value < 0:
        raise ScriptError(f"{key}: must be a whole number, not {value!r}")
    return value


def names_of(data: Mapping[str, Any], key: str, known: Collection[str]) -> list[str]:
    """The names of seats under `key`, each of them `known`."""
    names = list_of(data, key)
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise ScriptError(f"{key}: must be names of {', '.join(known)}, not {name!r}")
    return names


def chips_by_name(data: Mapping[str, Any], key: str, known: Collection[str]) -> dict[str, int]:
    """Chips by the names of seats under `key`, each of them `known`."""
    amounts = as_object(data.get(key), key, known)
    return {name: chips_of(amounts, name) for name in amounts}


def cards(text: Any) -> tuple[Card, ...]:
    """Cards as they are written, all different."""
    if not isinstance(text, str):
        raise ScriptError(f"cards are a text like 'Ah Kd', not {text!r}")
    try:
        return parse_cards(text)
    except CardError as error:
        raise ScriptError(str(error)) from error
