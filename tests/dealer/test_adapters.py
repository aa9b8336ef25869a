"""Seals, entropy, settings: what stands between the cards and everybody else."""

from __future__ import annotations

import os
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from servito_dealer.adapters.alarms import Alarm
from servito_dealer.adapters.entropy import OperatingSystemEntropy
from servito_dealer.adapters.sealer import FORM, NEW_FORM, Sealer
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.settings import DealerSettings
from servito_platform.seal_keys import SealError, parse_seal_keys
from servito_platform.settings import SettingsError, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = b64encode(bytes(range(32))).decode()


@given(st.binary(max_size=300), st.integers(0, 1000))
def test_a_seal_opens_where_it_was_made(content: bytes, place: int) -> None:
    """What was sealed for a hand and a place comes back, by any dealer that has the key."""
    sealed = Sealer({"k1": bytes(32)}).seal("t-1", place, content)
    assert Sealer({"k2": bytes(range(32)), "k1": bytes(32)}).open("t-1", place, sealed) == content


@given(st.data())
def test_a_changed_seal_does_not_open(data: st.DataObject) -> None:
    """Any byte changed, or the end cut off, anywhere in a sealed element: it does not open."""
    sealer = Sealer({"k1": bytes(32)})
    sealed = sealer.seal("t-1", 0, b"thirty-two bytes of a seed, .....")
    at = data.draw(st.integers(0, len(sealed) - 1))
    changed = sealed[:at] + bytes([sealed[at] ^ data.draw(st.integers(1, 255))]) + sealed[at + 1 :]
    for broken in (changed, sealed[:at]):
        with pytest.raises(SealError):
            sealer.open("t-1", 0, broken)


@pytest.mark.parametrize(("hand", "place"), [("t-2", 0), ("t-1", 1)])
def test_a_seal_is_bound_to_hand_and_place(hand: str, place: int) -> None:
    """An element moved to another place does not open."""
    sealer = Sealer({"k1": bytes(32)})
    with pytest.raises(SealError, match="another place"):
        sealer.open(hand, place, sealer.seal("t-1", 0, b"content"))


@pytest.mark.parametrize(
    ("form", "body"),
    [
        (FORM, "5353b3f6a587002503cd1bc59d14f1476d8089839364e2"),
        (NEW_FORM, "5353b3f6a58700783d351b43467668482bb7a01b1b0193"),
    ],
)
def test_what_a_release_before_sealed_opens(form: int, body: str) -> None:
    """And what is sealed now is the same, byte by byte: release 183e76a made these two."""
    sealed = bytes((form, 2)) + b"k1" + bytes(range(12)) + bytes.fromhex(body)
    sealer = Sealer({"k1": bytes(32)}, source=lambda size: bytes(range(size)))
    assert sealer.open("t-1", 3, sealed) == b"content"
    assert sealer.seal("t-1", 3, b"content", form) == sealed


def test_equal_content_is_never_sealed_alike() -> None:
    """Nobody can tell from two elements that they hold the same, and no two are equal."""
    sealer = Sealer({"k1": bytes(32)})
    assert len({sealer.seal("t-1", 0, b"same") for _ in range(100)}) == 100


def test_seeds_come_from_the_operating_system() -> None:
    """32 bytes, different every time."""
    entropy = OperatingSystemEntropy()
    seeds = {entropy.seed() for _ in range(100)}
    assert {len(seed) for seed in seeds} == {32}
    assert len(seeds) == 100


def broken(_size: int) -> bytes:
    """A kernel without entropy."""
    raise OSError("getrandom failed")


def stingy(size: int) -> bytes:
    """Gives a byte less than asked, and never the same."""
    return os.urandom(size - 1)


@pytest.mark.parametrize(("source", "good_seeds"), [(broken, 0), (stingy, 0), (bytes, 1)])
def test_bad_entropy_is_an_alarm_and_deals_nothing(source: Callable[[int], bytes], good_seeds: int) -> None:
    """A source that fails, gives too little or repeats itself: UNAVAILABLE, a critical line and a count, no
    other source.
    """
    heard: list[Alarm] = []
    entropy = OperatingSystemEntropy(source, heard.append)
    for _ in range(good_seeds):
        entropy.seed()
    with capture_logs() as logs, pytest.raises(Refused) as refusal:
        entropy.seed()
    assert refusal.value.reason is Reason.UNAVAILABLE
    assert [(line["event"], line["log_level"]) for line in logs] == [("entropy_alarm", "critical")]
    assert heard == [Alarm.ENTROPY]


def test_the_first_key_is_the_active_one() -> None:
    """Keys keep the order in which they are given; the first one seals."""
    assert list(parse_seal_keys(f"new:{KEY}, old:{KEY}")) == ["new", "old"]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "Field required"),
        ("", "entry 1: write id:base64"),
        (KEY, "entry 1: write id:base64"),
        (f"k_1:{KEY}", "the id 1 to 16 letters and digits"),
        (f"k1:{KEY},", "entry 2: write id:base64"),
        (f"k1:{KEY},k1:{KEY}", "key k1 is given twice"),
        (f"k1:{KEY}=!", "key k1 is not base64"),
        (f"k1:{KEY[:-4]}", "key k1 has 30 bytes, it needs 32"),
    ],
)
@pytest.mark.parametrize("mode", ["development", "production"])
def test_a_dealer_without_a_proper_key_does_not_start(
    monkeypatch: pytest.MonkeyPatch, mode: str, value: str | None, problem: str
) -> None:
    """There is no default key in any mode, and the error names the variable and the defect but no key."""
    monkeypatch.setenv("SERVITO_MODE", mode)
    monkeypatch.setenv("SERVITO_BROKER_URL", "redis://127.0.0.1:1/0")
    monkeypatch.delenv("SERVITO_DEALER_SEAL_KEYS", raising=False)
    if value is not None:
        monkeypatch.setenv("SERVITO_DEALER_SEAL_KEYS", value)
    with pytest.raises(SettingsError) as error:
        load_settings(DealerSettings)
    assert "SERVITO_DEALER_SEAL_KEYS" in str(error.value)
    assert problem in str(error.value)
    assert KEY[:20] not in str(error.value)


def test_settings_do_not_show_the_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Printing the settings shows no key."""
    monkeypatch.setenv("SERVITO_DEALER_SEAL_KEYS", f"k1:{KEY}")
    settings = load_settings(DealerSettings)
    assert settings.seal_keys() == {"k1": bytes(range(32))}
    assert KEY not in repr(settings) + str(settings.model_dump())
