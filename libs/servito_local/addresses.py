"""Where a running `servito up` serves: a file in its data directory, by which other commands find it.

Here: writing and reading it. Changes with `LocalSystem.addresses`, whose form it has.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from servito_local.layout import SERVERS, SERVICES

ADDRESSES: Final = "addresses.json"
Addresses = Mapping[str, Mapping[str, str]]
"""By part and protocol."""
_FORM: Final = TypeAdapter(dict[str, dict[str, str]])


def write_addresses(file: Path, addresses: Addresses) -> None:
    """All of it in one step: whoever reads meanwhile finds what was there before."""
    draft = file.with_name(f"{file.name}.new")
    draft.write_text(json.dumps(addresses, indent=2) + "\n", encoding="utf-8")
    draft.replace(file)


def read_addresses(data: Path) -> Addresses:
    """FileNotFoundError: none runs there; ValueError: the file is another one."""
    file = data / ADDRESSES
    try:
        told = _FORM.validate_json(file.read_bytes())
    except ValidationError:
        told = {}
    needed = {(server, "redis") for server in SERVERS}
    needed |= {(service, each) for service in SERVICES for each in ("grpc", "metrics")}
    if needed - {(part.partition("-")[0], protocol) for part, own in told.items() for protocol in own}:
        raise ValueError(f"{file} is not what `servito up` writes: start it anew")
    return told
