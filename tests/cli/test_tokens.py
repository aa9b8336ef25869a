"""`servito token`: what it writes is believed by the verifier, and what cannot be is said."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from servito_cli.commands import app
from servito_platform.identity import BadCredentials, Role
from servito_platform.signed_tokens import SignedTokens
from servito_platform.token_keys import TokenKeys, read_keys

ISSUER = "https://servito.example"


def servito(*words: str | Path) -> tuple[int, str, str]:
    """Exit code, output and errors of the command."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    return done.exit_code, done.stdout, done.stderr


def verifier(keys: str) -> SignedTokens:
    """Believes what is signed with these."""
    return SignedTokens(TokenKeys(read_keys(keys)), issuer=ISSUER, audience="servito")


def test_a_token_of_a_new_key_is_believed(tmp_path: Path) -> None:
    """The key is its owner's alone; a service's key signs in services and nobody else; a file is replaced in
    one step and is readable for its owner only.
    """
    key, out = tmp_path / "secret.json", tmp_path / "token"
    code, keys, _ = servito("token", "key", key, "--kid", "ours", "--role", "service")
    assert (code, stat.S_IMODE(key.stat().st_mode)) == (0, 0o600)
    assert json.loads(keys)["keys"][0]["kid"] == "ours"
    assert "d" not in json.loads(keys)["keys"][0]
    words = ("token", "sign", key, "--issuer", ISSUER, "--role", "service")
    for name in ("timers", "table"):
        assert servito(*words, "--name", name, "--out", out)[0] == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert verifier(keys)(f"Bearer {out.read_text().strip()}").name == "service:table"
    _, player, _ = servito("token", "sign", key, "--issuer", ISSUER, "--name", "anna")
    with pytest.raises(BadCredentials, match="may not sign in as player"):
        verifier(keys)(f"Bearer {player.strip()}")


def test_a_usual_key_signs_in_players_and_operators(tmp_path: Path) -> None:
    """Without a role."""
    key = tmp_path / "secret.json"
    _, keys, _ = servito("token", "key", key)
    for role in (Role.PLAYER, Role.OPERATOR):
        _, token, _ = servito("token", "sign", key, "--issuer", ISSUER, "--name", "anna", "--role", role)
        assert verifier(keys)(f"Bearer {token.strip()}").role is role


def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    """A key is never overwritten; a public one signs nothing; a name has to be one."""
    key = tmp_path / "secret.json"
    _, keys, _ = servito("token", "key", key)
    before = key.read_text()
    code, _, told = servito("token", "key", key)
    assert (code, key.read_text()) == (2, before)
    assert "File exists" in told
    public = tmp_path / "public.json"
    public.write_text(json.dumps(json.loads(keys)["keys"][0]))
    for words, why in (
        ((public, "--name", "anna"), "the key is a public one"),
        ((key, "--name", "anna rossi"), "'anna rossi' is no name"),
        ((tmp_path / "none", "--name", "anna"), "No such file"),
    ):
        code, _, told = servito("token", "sign", *words, "--issuer", ISSUER)
        assert code == 2
        assert why in told
