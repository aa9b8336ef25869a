"""What the overlay `prod` tells its containers, with every Secret filled in, for images on this machine.

Environment, mounts and names come from the rendered manifests, so that these are tried as they stand. What
only a cluster or a site has is made here: certificates, tokens, keys.
"""

from __future__ import annotations

import base64
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc
import trustme

from servito_platform.audit_seal import new_auditor_key
from tests.deploy.manifests import SERVICES, container, deployment, pod, variables
from tests.platform.signing import Issuer, jwks
from tests.system.playing import Shown

OVERLAY: Final = "prod"
PASSWORD: Final = secrets.token_urlsafe(24)
SERVERS: Final = ("state", "state-replica", "broker")
_CA: Final = "/etc/servito/tls/ca.crt"
_AUDIENCE: Final = "servito"


def _key() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode()


def _server(name: str) -> str:
    return f"rediss://:{PASSWORD}@{name}:6379/0?ssl_ca_certs={_CA}"


@dataclass
class Site:
    """Who signs certificates and tokens, and what a secret store would hold: a folder for each Secret."""

    directory: Path
    login: Issuer = field(init=False)
    _ours: Issuer = field(init=False)
    _ca: trustme.CA = field(default_factory=trustme.CA)

    def __post_init__(self) -> None:
        claims = {"iss": told("table")["SERVITO_AUTH_ISSUER"], "aud": _AUDIENCE}
        self.login, self._ours = Issuer(kid="login", claims=claims), Issuer(kid="ours", claims=claims)
        keys = jwks(self.login.jwk(), self._ours.jwk(servito_roles=["service"]))
        self._put("servito-jwks", "jwks.json", keys)
        for name in SERVERS:
            self._certify(f"servers-{name}", name)
        for service in SERVICES:
            self._certify(f"servito-{service}-tls", f"servito-{service}")
            self._put(f"servito-{service}-token", "token", self._ours.token(service, 3600, role="service"))
        for name in ("state", "broker"):
            self._put(f"servito-{name}", "url", _server(name))
        self._put("servito-seal-keys", "keys", f"k1:{_key()}")
        self._put("servito-table-keys", "seal", f"k1:{_key()}")
        self._put("servito-table-keys", "auditor", f"a1:{base64.b64encode(new_auditor_key()[1]).decode()}")
        self._put("servito-history", "url", f"postgresql://servito:{PASSWORD}@history:5432/servito")

    def _put(self, secret: str, key: str, value: str) -> None:
        folder = self.directory / secret
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # the user in the container has no name and no rights here
        (folder / key).write_text(value)
        (folder / key).chmod(0o444)

    def _certify(self, secret: str, name: str) -> None:
        made = self._ca.issue_cert(name, "127.0.0.1")
        self._put(secret, "tls.crt", b"".join(blob.bytes() for blob in made.cert_chain_pems).decode())
        self._put(secret, "tls.key", made.private_key_pem.bytes().decode())
        self._put(secret, "ca.crt", self._ca.cert_pem.bytes().decode())

    def of_server(self, name: str) -> Path:
        """The certificate of a server."""
        return self.directory / f"servers-{name}"

    def environment(self, service: str) -> dict[str, str]:
        """What the container of a service finds."""
        found = {name: value for name, value in told(service).items() if value is not None}
        for each in container(deployment(OVERLAY, service))["env"]:
            if reference := each.get("valueFrom", {}).get("secretKeyRef"):
                found[each["name"]] = (self.directory / reference["name"] / reference["key"]).read_text()
        return found

    def mounts(self, service: str) -> dict[Path, str]:
        """Folders of Secrets, and where they are mounted."""
        workload = deployment(OVERLAY, service)
        secret = {each["name"]: each["secret"]["secretName"] for each in pod(workload)["volumes"]}
        mounts = container(workload)["volumeMounts"]
        return {self.directory / secret[each["name"]]: each["mountPath"] for each in mounts}

    def shown(self, name: str) -> Shown:
        """What a player shows; `casa` is an operator. He has no certificate, and checks the table's."""
        role = {"role": "operator"} if name == "casa" else {}
        ca = grpc.ssl_channel_credentials((self.of_server("state") / "ca.crt").read_bytes())
        return {"token": self.login.token(name, 3600, **role), "credentials": ca}

    def archive_url(self, port: int) -> str:
        """The archive as this machine finds it."""
        return f"postgresql://servito:{PASSWORD}@127.0.0.1:{port}/servito"

    def state_url(self, port: int) -> str:
        """The state server as this machine finds it."""
        return f"rediss://:{PASSWORD}@127.0.0.1:{port}/0?ssl_ca_certs={self.of_server('state') / 'ca.crt'}"


def told(service: str) -> dict[str, str | None]:
    """What a service is told; None for what a Secret holds."""
    return variables(OVERLAY, deployment(OVERLAY, service))
