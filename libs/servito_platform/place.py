"""Where a Redis is: one server, a group watched by Sentinels, or a Cluster, written as one address.

Here: the three forms of an address, read and checked. Not here: connecting (redis.py for the easy clients,
state.py for the quick ones). Changes with SERVITO_STATE_URL and SERVITO_BROKER_URL in settings.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

from redis.connection import parse_url

from servito_platform.tls import OPTIONS as TLS_OPTIONS
from servito_platform.tls import Tls, read_tls

FORMS: Final = {
    "single": "redis://[[user]:password@]host:port[/db] (rediss:// with TLS) or unix:///path/of/socket",
    "sentinel": "redis+sentinel://[[user]:password@]host:port,host:port/master-name[/db] (rediss+sentinel://)",
    "cluster": "redis+cluster://[[user]:password@]host:port,host:port (rediss+cluster://)",
}
"""What is allowed, for people. With TLS an address may name files: see tls.py."""

_MODES: Final = {
    "redis": "single",
    "rediss": "single",
    "unix": "single",
    "redis+sentinel": "sentinel",
    "rediss+sentinel": "sentinel",
    "redis+cluster": "cluster",
    "rediss+cluster": "cluster",
}
_OF_SENTINELS: Final = frozenset({"sentinel_username", "sentinel_password"})

Node = tuple[str, int]
"""Host and port of a server."""


class Mode(Enum):
    """How the servers are run."""

    SINGLE = "single"
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


@dataclass(frozen=True, repr=False)
class Place:
    """An address, read. `nodes`: the Sentinels, or some servers of the Cluster; of a single server none.

    It may hold passwords, so it has no readable form.
    """

    mode: Mode
    url: str
    nodes: tuple[Node, ...] = ()
    tls: Tls | None = None
    username: str = ""
    password: str = ""
    master: str = ""
    db: int = 0
    sentinel_username: str = ""
    sentinel_password: str = ""

    def node_url(self, node: Node) -> str:
        """The address of one server of a group or Cluster."""
        host, port = node
        who = ""
        if self.password:
            who = f"{quote(self.username, safe='')}:{quote(self.password, safe='')}@"
        name = f"[{host}]" if ":" in host else host
        if self.tls is None:
            return f"redis://{who}{name}:{port}/{self.db}"
        return f"rediss://{who}{name}:{port}/{self.db}?{self.tls.query}"


def read_place(url: str) -> Place:
    """Read an address. ValueError says what is wrong and what is allowed, and repeats nothing of `url`."""
    scheme = url.partition("://")[0]
    if "://" not in url or scheme not in _MODES:
        raise ValueError(f"must be one of {_allowed(*FORMS)}")
    if _MODES[scheme] == "single":
        return _read_single(url)
    parts = urlsplit(url)
    who, _, hosts = parts.netloc.rpartition("@")
    user, _, password = who.partition(":")
    mode = Mode(_MODES[scheme])
    options, tls = _options(parts.query, scheme, _OF_SENTINELS if mode is Mode.SENTINEL else frozenset())
    place = Place(
        mode,
        url,
        nodes=tuple(_node(host, _MODES[scheme]) for host in hosts.split(",")),
        tls=tls,
        username=unquote(user),
        password=unquote(password),
    )
    if mode is Mode.SENTINEL:
        return _with_master(place, parts.path, options)
    if parts.path.strip("/") not in ("", "0"):
        raise ValueError(f"a Cluster has no databases; it must be {_allowed('cluster')}")
    return place


def _read_single(url: str) -> Place:
    try:
        parse_url(url)
    except ValueError:
        raise ValueError(f"cannot be read; it must be {_allowed('single')}") from None
    parts = urlsplit(url)
    db = parts.path.strip("/")
    if parts.scheme != "unix" and db and not (db.isascii() and db.isdigit()):
        raise ValueError(f"has a database that is no number; it must be {_allowed('single')}")
    _, tls = _options(parts.query, parts.scheme, frozenset({"db"} if parts.scheme == "unix" else ()))
    return Place(Mode.SINGLE, url, tls=tls)


def _options(query: str, scheme: str, known: frozenset[str]) -> tuple[dict[str, str], Tls | None]:
    """What stands after the `?`; the part of it that says how TLS is spoken, None: not at all."""
    options = {name: values[-1] for name, values in parse_qs(query, keep_blank_values=True).items()}
    secured = scheme.startswith("rediss")
    allowed = known | (TLS_OPTIONS if secured else frozenset())
    if options.keys() - allowed:
        listed = ", ".join(sorted(allowed)) or "none"
        more = "" if secured else f"; with rediss in front also {', '.join(sorted(TLS_OPTIONS))}"
        raise ValueError(f"has unknown options; allowed are {listed}{more}")
    return options, read_tls(options) if secured else None


def _with_master(place: Place, path: str, options: dict[str, str]) -> Place:
    master, _, db = path.strip("/").partition("/")
    if not master:
        raise ValueError(f"names no master; it must be {_allowed('sentinel')}")
    if db and not (db.isascii() and db.isdigit()):
        raise ValueError(f"has a database that is no number; it must be {_allowed('sentinel')}")
    return replace(
        place,
        master=unquote(master),
        db=int(db or 0),
        sentinel_username=options.get("sentinel_username", ""),
        sentinel_password=options.get("sentinel_password", ""),
    )


def _node(text: str, form: str) -> Node:
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (host and colon and port.isascii() and port.isdigit() and 0 < int(port) <= 65535):
        raise ValueError(f"has a server that is not host:port; it must be {_allowed(form)}")
    return host, int(port)


def _allowed(*forms: str) -> str:
    return "; ".join(FORMS[form] for form in forms)
