"""Addresses of an archive: which of them need a password, and bring one."""

from __future__ import annotations

import pytest

from servito_history.address import read_history_url


@pytest.mark.parametrize(
    ("url", "has"),
    [
        ("sqlite:////a/b", True),
        ("postgresql://u:p@host/name", True),
        ("postgresql://u@host/name", False),
        ("postgresql://u@/name", True),
        ("postgresql://u@/name?host=/run/postgresql", True),
        ("postgresql://u@/name?host=host", False),
    ],
)
def test_a_file_and_a_socket_need_no_password(url: str, has: bool) -> None:
    """Whoever can open them is on the machine; over the network one without counts as a risk."""
    assert read_history_url(url).has_password is has


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:secret@host:port/name",
        "postgresql://u:secret@host/name?timeout=1",
        "sqlite:////a/b?mode=secret",
        "sqlite://a/b",
        "mysql://u:secret@host/name",
        "secret",
    ],
)
def test_another_address_is_refused_with_what_is_allowed(url: str) -> None:
    """Before anything connects, so that `--check` finds it; nothing of the address is repeated."""
    with pytest.raises(ValueError, match="sqlite:////absolute/path/to/a/file, or postgresql://") as caught:
        read_history_url(url)
    assert "secret" not in str(caught.value)


def test_no_password_is_shown_wherever_the_address_has_it() -> None:
    """Before the host or behind the question mark."""
    place = read_history_url("postgresql://u:secret@h/n?password=secret&sslpassword=secret&connect_timeout=3")
    assert "secret" not in str(place)
    assert str(place).endswith("h/n?connect_timeout=3")
