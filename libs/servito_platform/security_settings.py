"""Settings about trust: whose tokens are believed, which certificates, which risks are taken on purpose.

Here: the fields, and what each may be by itself. Not here: what is unsafe (safety/), and building anything
from them (trust.py). Changes with ServiceSettings, which every service is told.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, FilePath, SecretStr, model_validator
from pydantic_settings import BaseSettings

from servito_platform.safety.names import Unsafe, read_risks

Risks = Annotated[str, AfterValidator(lambda text: ",".join(sorted(read_risks(text))))]
"""Names of risks, with commas."""


class SecuritySettings(BaseSettings):
    """See the module. Times are seconds; files are read again when they change, but for a channel's."""

    accepted_risks: Risks = ""
    """Risks that are taken on purpose in production, by the names that a refused start gives."""

    auth_jwks: str | None = None
    """Public keys that tokens are signed with, as a JWKS; or a file, below. Without either only development
    tokens are believed, and in production nobody.
    """
    auth_jwks_file: FilePath | None = None
    """The same in a file, which is read again when it changes."""
    auth_issuer: str = ""
    """What `iss` of every token has to be."""
    auth_audience: str = "servito"
    """What has to be among `aud`."""
    auth_leeway_seconds: float = Field(default=5.0, ge=0, le=60)
    """How far an issuer's clock may be off."""

    tls_cert_file: FilePath | None = None
    """This process's certificate (chain, PEM): its gRPC server speaks TLS, and it shows itself to others."""
    tls_key_file: FilePath | None = None
    """The key of that certificate (PEM)."""
    tls_ca_file: FilePath | None = None
    """What other services' certificates are checked against: calls to them are made over TLS."""
    tls_clients: Literal["any", "certified"] = "any"
    """Whether callers need a certificate of `tls_ca_file` (mutual TLS)."""

    @property
    def signed(self) -> bool:
        """Whether tokens have to be signed."""
        return self.auth_jwks is not None or self.auth_jwks_file is not None

    @property
    def risks(self) -> frozenset[str]:
        """The accepted ones."""
        return read_risks(self.accepted_risks)

    def sealing_keys(self) -> dict[str, bytes]:
        """Secret keys that this service was given, by a name for people."""
        return {}

    def shown_tokens(self) -> dict[str, SecretStr]:
        """Tokens that this service shows to others and was given as text, by their variables."""
        return {}

    def own_risks(self) -> list[Unsafe]:
        """What is unsafe about settings that only this service has."""
        return []

    @model_validator(mode="after")
    def _trust_agrees(self) -> Self:
        given_once(self, "auth_jwks", "auth_jwks_file")
        if self.signed and not self.auth_issuer:
            raise ValueError(
                "SERVITO_AUTH_ISSUER is needed where tokens are signed: what their `iss` must be"
            )
        if (self.tls_cert_file is None) is not (self.tls_key_file is None):
            raise ValueError("SERVITO_TLS_CERT_FILE and SERVITO_TLS_KEY_FILE belong together")
        if self.tls_clients == "certified" and not (self.tls_ca_file and self.tls_cert_file):
            raise ValueError(
                "SERVITO_TLS_CLIENTS=certified needs SERVITO_TLS_CERT_FILE, SERVITO_TLS_KEY_FILE and "
                "SERVITO_TLS_CA_FILE"
            )
        return self


def given_once(settings: SecuritySettings, *fields: str) -> None:
    """ValueError where more than one of these fields was given."""
    given = [f"SERVITO_{field.upper()}" for field in fields if field in settings.model_fields_set]
    if len(given) > 1:
        raise ValueError(f"{' and '.join(given)}: only one of them can be meant")
