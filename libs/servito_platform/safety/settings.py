"""What is unsafe about the settings of a service, judged from them alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_address
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from redis.connection import parse_url

from servito_platform.place import Mode, Place
from servito_platform.safety.names import INWARD, OUTWARD, Risk, Unsafe

if TYPE_CHECKING:
    from servito_platform.settings import ServiceSettings

_LEAST_DIFFERENT: Final = 16
"""Different bytes of a key. Of 32 random ones fewer than 20 differ less than once in 10^7 keys."""
_MOST_STEPS: Final = 8
"""Equal differences between neighbours: 0, 1, 2, 3, ... has 31."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What a service has to do with others, which decides what may be unsafe about it."""

    serves: bool = True
    """Others call it, for more than its health."""
    calls: bool = False
    """It calls other services."""
    stores: bool = True
    """It uses the state server."""
    queues: bool = False
    """It uses the broker."""
    wakes: bool = False
    """It tells of commits, and hears of them, over the state server's shard channels."""


STORES: Final = Uses()
"""The usual ones."""


def judge_settings(settings: ServiceSettings, uses: Uses) -> list[Unsafe]:
    """Every risk of a service that uses these."""
    return [
        *_tokens(settings, uses),
        *_keys(settings),
        *_servers(settings, uses),
        *_plain(settings, uses),
        *_metrics(settings),
        *settings.own_risks(),
    ]


def _tokens(settings: ServiceSettings, uses: Uses) -> Iterator[Unsafe]:
    if uses.serves and not settings.signed:
        yield Unsafe(Risk.DEV_TOKENS)
    for variable, token in settings.shown_tokens().items():
        if token.get_secret_value().startswith("dev:"):
            yield Unsafe(Risk.OWN_DEV_TOKEN, variable)


def _keys(settings: ServiceSettings) -> Iterator[Unsafe]:
    for name, key in settings.sealing_keys().items():
        if is_example(key):
            yield Unsafe(Risk.EXAMPLE_KEY, name)


def is_example(key: bytes) -> bool:
    """Whether a key was written by a person or made by a formula instead of drawn."""
    steps = [(after - before) % 256 for before, after in pairwise(key)]
    printable = all(32 <= byte < 127 for byte in key)
    return (
        len(set(key)) < _LEAST_DIFFERENT
        or any(steps.count(step) > _MOST_STEPS for step in set(steps))
        or printable
        or sha256(key).hexdigest() in _PUBLISHED
    )


_PUBLISHED: Final[frozenset[str]] = frozenset(
    {"841eecb18218a4232ff6a6cbb1a192303df33c3040b9c78de3c2169f64e053b3"}
)
"""SHA-256 of random-looking keys that everybody may know: that of development (seal_keys.py)."""


def _servers(settings: ServiceSettings, uses: Uses) -> Iterator[Unsafe]:
    if uses.stores and settings.replicas.wanted == 0:
        yield Unsafe(Risk.NO_REPLICA)
    elif uses.stores and settings.state.mode is not Mode.SINGLE and not settings.replicas.strict:
        yield Unsafe(Risk.LOOSE_REPLICAS)
    if uses.stores and not has_password(settings.state):
        yield Unsafe(Risk.NO_PASSWORD, "SERVITO_STATE_URL")
    if uses.queues and not has_password(settings.broker):
        yield Unsafe(Risk.NO_PASSWORD, "SERVITO_BROKER_URL")


def has_password(place: Place) -> bool:
    """Whether an address brings one; a Unix socket needs none."""
    if place.mode is not Mode.SINGLE:
        return bool(place.password)
    parts = parse_url(place.url)
    return bool(parts.get("password")) or "path" in parts


def _plain(settings: ServiceSettings, uses: Uses) -> Iterator[Unsafe]:
    if uses.serves and settings.tls_cert_file is None:
        yield Unsafe(Risk.PLAIN_GRPC, INWARD)
    if uses.calls and settings.tls_ca_file is None:
        yield Unsafe(Risk.PLAIN_GRPC, OUTWARD)


def _metrics(settings: ServiceSettings) -> Iterator[Unsafe]:
    host = settings.metrics_bind.rpartition(":")[0].strip("[]")
    try:
        address = ip_address(host)
    except ValueError:  # a name: whoever gave it knows where it leads
        return
    if address.is_unspecified or address.is_global:
        yield Unsafe(Risk.OPEN_METRICS, "SERVITO_METRICS_BIND")
