"""A whole local system in production mode: signed tokens, mutual TLS, and only what a test must accept."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import grpc
import trustme

from servito_local.system import LocalSystem
from tests.platform.signing import ISSUER, Issuer, jwks

HOST: Final = "127.0.0.1"


class Authority:
    """Who signs certificates and tokens: the site's login for players, our own key for services."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir()
        self.directory = directory
        self.login, self._ours = Issuer(kid="login"), Issuer(kid="ours")
        (directory / "jwks.json").write_text(
            jwks(self.login.jwk(), self._ours.jwk(servito_roles=["service"]))
        )
        self._ca = trustme.CA()
        cert = self._ca.issue_cert(HOST, "dealer.test")
        cert.private_key_pem.write_to_path(directory / "key.pem")
        (directory / "cert.pem").write_bytes(b"".join(blob.bytes() for blob in cert.cert_chain_pems))
        self._ca.cert_pem.write_to_path(directory / "ca.pem")
        for service in ("table", "timers"):
            self.renew(service)

    def renew(self, service: str, seconds: float = 3600) -> None:
        """A new token for a service, in its file."""
        draft = self.directory / "draft"
        draft.write_text(self._ours.token(service, seconds, role="service"))
        draft.replace(self.directory / f"{service}.token")

    def credentials(self) -> grpc.ChannelCredentials:
        """Of a client with a certificate."""
        ca, key, cert = ((self.directory / f"{name}.pem").read_bytes() for name in ("ca", "key", "cert"))
        return grpc.ssl_channel_credentials(ca, key, cert)

    def environment(self) -> dict[str, str]:
        """What every process is told."""
        files = self.directory
        return {
            "SERVITO_MODE": "production",
            "SERVITO_TABLE_SCHEMA": "3",
            "SERVITO_AUTH_JWKS_FILE": str(files / "jwks.json"),
            "SERVITO_AUTH_ISSUER": ISSUER,
            "SERVITO_TLS_CERT_FILE": str(files / "cert.pem"),
            "SERVITO_TLS_KEY_FILE": str(files / "key.pem"),
            "SERVITO_TLS_CA_FILE": str(files / "ca.pem"),
            "SERVITO_TLS_CLIENTS": "certified",
            # The embedded servers and the archive in a file are for this machine alone.
            "SERVITO_ACCEPTED_RISKS": "no-password,no-replica,local-history",
        }

    def system(self, data: Path) -> LocalSystem:
        """A system that believes it, and nobody else."""
        tokens = {
            service: {f"SERVITO_{service.upper()}_TOKEN_FILE": str(self.directory / f"{service}.token")}
            for service in ("table", "timers")
        }
        return LocalSystem(data, environment=self.environment(), overrides=tokens)
