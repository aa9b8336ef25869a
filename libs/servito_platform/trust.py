"""What the settings about trust come to: a verifier of tokens, the credentials of servers and channels.

Here: building them, with one readable error. Certificates of a server are read again when their files change;
gRPC offers that for servers only, so a process that shows its certificate to others has to be started anew
before that expires. Not here: what is unsafe (safety/).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import grpc
import structlog

from servito_platform.caller import Verifier, development_tokens, no_tokens
from servito_platform.certificates import check_authority, check_pair
from servito_platform.security_settings import SecuritySettings
from servito_platform.settings import ServiceSettings, SettingsError
from servito_platform.watched_file import WatchedFile

if TYPE_CHECKING:
    from servito_platform.token_keys import TokenKeys

T = TypeVar("T")
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def verifier_of(settings: ServiceSettings) -> Verifier:
    """Signed tokens where keys are given, else development ones, and in production nobody's. Only signed ones
    need what reads signatures, which costs a twentieth of a start.
    """
    if not settings.signed:
        return development_tokens if settings.development else no_tokens
    from servito_platform.signed_tokens import SignedTokens

    return SignedTokens(
        _keys(settings),
        issuer=settings.auth_issuer,
        audience=settings.auth_audience,
        leeway=settings.auth_leeway_seconds,
    )


def _keys(settings: SecuritySettings) -> TokenKeys:
    from servito_platform.token_keys import TokenKeys, read_keys

    if settings.auth_jwks_file is not None:
        file = settings.auth_jwks_file
        return _named("SERVITO_AUTH_JWKS_FILE", lambda: TokenKeys.of_file(WatchedFile(file)))
    return _named("SERVITO_AUTH_JWKS", lambda: TokenKeys(read_keys(settings.auth_jwks or "")))


def server_credentials(settings: SecuritySettings) -> grpc.ServerCredentials | None:
    """TLS of this process's server; None: plain text."""
    if settings.tls_cert_file is None or settings.tls_key_file is None:
        return None
    required = settings.tls_clients == "certified"
    files = [settings.tls_cert_file, settings.tls_key_file]
    if required and settings.tls_ca_file is not None:
        files.append(settings.tls_ca_file)
    source = _named("SERVITO_TLS_CERT_FILE, SERVITO_TLS_KEY_FILE", lambda: _Certificates(files))
    return grpc.dynamic_ssl_server_credentials(
        source.now,
        source.renewed,  # type: ignore[arg-type]  # None, for no change, is missing in the published type
        require_client_authentication=required,
    )


def channel_credentials(settings: SecuritySettings) -> grpc.ChannelCredentials | None:
    """TLS of channels to other services; None: plain text."""
    ca, cert, key = settings.tls_ca_file, settings.tls_cert_file, settings.tls_key_file
    if ca is None:
        return None
    _named("SERVITO_TLS_CA_FILE", lambda: check_authority(ca))
    if cert is None or key is None:
        return grpc.ssl_channel_credentials(ca.read_bytes())
    _named("SERVITO_TLS_CERT_FILE, SERVITO_TLS_KEY_FILE", lambda: check_pair(cert, key))
    return grpc.ssl_channel_credentials(ca.read_bytes(), key.read_bytes(), cert.read_bytes())


class _Certificates:
    """Certificate, key and perhaps authority of a server, as they are in their files."""

    def __init__(self, files: list[Path]) -> None:
        self._files = [WatchedFile(file) for file in files]
        self.now = self._read()

    def renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """Called by gRPC before a handshake: the new ones if they are others, None if not."""
        changed = [file.changed() for file in self._files]  # each is looked at
        if not any(changed):
            return None
        try:
            self.now = self._read()
        except (OSError, ValueError) as error:
            _log.error("certificates_unreadable", error=str(error))
            return None
        _log.info("certificates_read")
        return self.now

    def _read(self) -> grpc.ServerCertificateConfiguration:
        cert, key, *authority = (file.read().encode() for file in self._files)
        check_pair(self._files[0].path, self._files[1].path)
        for file in self._files[2:]:
            check_authority(file.path)
        return grpc.ssl_server_certificate_configuration([(key, cert)], authority[0] if authority else None)


def _named(variable: str, make: Callable[[], T]) -> T:
    try:
        return make()
    except (OSError, ValueError) as error:
        raise SettingsError(f"{variable}: {error}") from error
