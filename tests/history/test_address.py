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
