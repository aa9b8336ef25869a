"""How TLS is spoken to a Redis: the options of an address, and what is made of them.

Without options the certificates of the system are trusted. The names are redis-py's; everything that makes
connections gets them from here: its clients, our own lanes and ears, kombu. Not here: TLS of gRPC.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from servito_platform.certificates import check_authority, check_pair

_FILES: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
_CHECK: Final = "ssl_check_hostname"
OPTIONS: Final = frozenset({*_FILES, _CHECK})
"""What an address may have after its `?` to say how TLS is spoken."""
_YES_OR_NO: Final = {"true": True, "false": False}


@dataclass(frozen=True)
class Tls:
    """Files in PEM: who is trusted, and what we show of ourselves; "": the system's, and nothing."""

    ca_file: str = ""
    cert_file: str = ""
    key_file: str = ""
    check_hostname: bool = True
    """Whether the certificate must be of the name or address connected to; it must be valid in any case."""

    @property
    def files(self) -> tuple[str, ...]:
        """Those that are named."""
        return tuple(file for file in (self.ca_file, self.cert_file, self.key_file) if file)

    @property
    def options(self) -> dict[str, Any]:
        """As redis-py takes them, but for `ssl` itself."""
        named = dict(zip(_FILES, (self.ca_file, self.cert_file, self.key_file), strict=True))
        return {name: file for name, file in named.items() if file} | {_CHECK: self.check_hostname}

    @property
    def query(self) -> str:
        """As an address says them."""
        return urlencode({**self.options, _CHECK: str(self.check_hostname).lower()})


def read_tls(options: Mapping[str, str]) -> Tls:
    """The options of an address; ValueError when they do not fit together."""
    check = options.get(_CHECK, "true").lower()
    if check not in _YES_OR_NO:
        raise ValueError(f"has a {_CHECK} that is neither true nor false")
    if bool(options.get("ssl_certfile")) is not bool(options.get("ssl_keyfile")):
        raise ValueError("names only one of ssl_certfile and ssl_keyfile, which belong together")
    ca_file, cert_file, key_file = (options.get(name, "") for name in _FILES)
    return Tls(ca_file, cert_file, key_file, _YES_OR_NO[check])


def check_files(tls: Tls | None) -> None:
    """ValueError when a file that is named cannot be used: better at start than at every connection."""
    for file in () if tls is None else tls.files:
        try:
            Path(file).read_bytes()
        except OSError as error:
            raise ValueError(f"names a file that cannot be read: {file} ({error.strerror})") from None
    if tls is not None and tls.ca_file:
        check_authority(Path(tls.ca_file))
    if tls is not None and tls.cert_file:
        check_pair(Path(tls.cert_file), Path(tls.key_file))


def context(tls: Tls) -> ssl.SSLContext:
    """For a connection of our own; the files are read now, so that renewed ones count from the next one."""
    made = ssl.create_default_context(cafile=tls.ca_file or None)
    made.check_hostname = tls.check_hostname
    if tls.cert_file:
        made.load_cert_chain(tls.cert_file, tls.key_file)
    return made
