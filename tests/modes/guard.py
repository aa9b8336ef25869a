"""What keeps strangers out of a server: TLS with certificates made for the test, users with passwords."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

if TYPE_CHECKING:
    from pathlib import Path

USER, PASSWORD = "servito", "p@ss:w/rd"
WATCHER, WATCHWORD = "wache", "wacht@uf"
"""A user of the servers, and one of the Sentinels."""


@dataclass(frozen=True)
class Guard:
    """Certificates in a directory: `ca.pem` signed `server.pem`, which clients show as well."""

    directory: Path

    @property
    def options(self) -> dict[str, str]:
        """For a server: TLS only, for clients, replicas and its Cluster, and nobody without a certificate."""
        return {
            "tls-cert-file": str(self.directory / "server.pem"),
            "tls-key-file": str(self.directory / "server.key"),
            "tls-ca-cert-file": str(self.directory / "ca.pem"),
            "tls-auth-clients": "yes",
            "tls-replication": "yes",
            "tls-cluster": "yes",
        }

    @property
    def settings(self) -> str:
        """The part of a server's settings that cannot be said in its command."""
        return (
            f"user default off\nuser {USER} on >{PASSWORD} ~* &* +@all\n"
            f"masteruser {USER}\nmasterauth {PASSWORD}\n"
        )

    def of_sentinel(self, master: str) -> str:
        """The same of a Sentinel."""
        secured = "".join(f"{name} {value}\n" for name, value in self.options.items())
        return (
            f"user default off\nuser {WATCHER} on >{WATCHWORD} ~* &* +@all\n"
            f"sentinel auth-user {master} {USER}\nsentinel auth-pass {master} {PASSWORD}\n"
            f"sentinel sentinel-user {WATCHER}\nsentinel sentinel-pass {WATCHWORD}\n{secured}"
        )

    @property
    def client(self) -> dict[str, Any]:
        """For a client of redis-py, besides who it is."""
        return {"ssl": True, **self._files}

    @property
    def query(self) -> str:
        """For an address of ours."""
        return urlencode(self._files)

    @property
    def _files(self) -> dict[str, str]:
        return {
            "ssl_ca_certs": str(self.directory / "ca.pem"),
            "ssl_certfile": str(self.directory / "server.pem"),
            "ssl_keyfile": str(self.directory / "server.key"),
        }


def make_guard(directory: Path) -> Guard:
    """New certificates, for loopback, good for a day."""
    directory.mkdir(parents=True, exist_ok=True)
    authority, authority_key = _signed("authority", None)
    certificate, key = _signed("servers", (authority, authority_key))
    _write(directory / "ca.pem", authority.public_bytes(serialization.Encoding.PEM))
    _write(directory / "server.pem", certificate.public_bytes(serialization.Encoding.PEM))
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    _write(directory / "server.key", secret)
    return Guard(directory)


_Signer = tuple[x509.Certificate, ec.EllipticCurvePrivateKey]


def _signed(name: str, by: _Signer | None) -> _Signer:
    """A certificate of that name, by an authority or its own."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by[0].subject if by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=by is None, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
    )
    return builder.sign(by[1] if by else key, hashes.SHA256()), key


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o600)
