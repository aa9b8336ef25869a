"""The risks by name: what is the case, what follows from it, what to do.

One place. A service that does not start prints these sentences, a metric and the doctor use the names.
Changes with the doctor's texts in the command, which say the same in two languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Final


class Risk(StrEnum):
    """What may be unsafe."""

    DEV_TOKENS = "dev-tokens"
    OWN_DEV_TOKEN = "own-dev-token"  # noqa: S105 - a name
    EXAMPLE_KEY = "example-key"
    NO_PASSWORD = "no-password"  # noqa: S105 - a name
    PLAIN_GRPC = "plain-grpc"
    OPEN_METRICS = "open-metrics"
    EVICTION = "eviction"
    NOT_KEPT = "not-kept"
    NOT_SYNCED = "not-synced"
    NO_REPLICA = "no-replica"
    LOOSE_REPLICAS = "loose-replicas"
    WAKE_CLOSED = "wake-closed"
    OLD_SERVER = "old-server"
    CARDS_IN_CLEAR = "cards-in-clear"
    NO_HISTORY = "no-history"
    LOCAL_HISTORY = "local-history"


@dataclass(frozen=True, slots=True)
class Words:
    """Of one risk; `{what}` is filled in. `acceptable`: may be taken on purpose."""

    what: str
    follows: str
    do: str
    acceptable: bool


WORDS: Final[dict[Risk, Words]] = {
    Risk.DEV_TOKENS: Words(
        "development tokens are believed",
        "everybody is whoever he says he is, the table and the timers included",
        "give the keys of signed tokens, SERVITO_AUTH_JWKS_FILE or _JWKS, and SERVITO_AUTH_ISSUER",
        acceptable=False,
    ),
    Risk.OWN_DEV_TOKEN: Words(
        "{what} is a development token",
        "a service in production mode lets nobody in with it",
        "give a signed token with the role service, best as a file that is renewed: {what}_FILE",
        acceptable=False,
    ),
    Risk.EXAMPLE_KEY: Words(
        "{what} is no random key",
        "whoever guesses it reads every card from a copy of the state",
        "make a key by `openssl rand -base64 32`, and keep it in a secret store",
        acceptable=False,
    ),
    Risk.NO_PASSWORD: Words(
        "{what} names a server without a password",
        "whoever reaches its port can read, change and delete all that it holds",
        "set a password or an ACL user on the server, and put it into the address",
        acceptable=True,
    ),
    Risk.PLAIN_GRPC: Words(
        "{what} go over plain text",
        "whoever is on the network reads cards and tokens",
        "give certificates (SERVITO_TLS_CERT_FILE, _KEY_FILE, _CA_FILE), or accept the risk where a mesh "
        "encrypts",
        acceptable=True,
    ),
    Risk.OPEN_METRICS: Words(
        "{what} listens on every network",
        "whoever reaches the port reads how much is played and can slow the process down",
        "name a private address, or accept the risk where the network keeps others off",
        acceptable=True,
    ),
    Risk.EVICTION: Words(
        "{what} may evict keys (maxmemory-policy is not noeviction)",
        "a full server throws tables, chips and deadlines away instead of refusing a write",
        "CONFIG SET maxmemory-policy noeviction, and in its configuration file",
        acceptable=False,
    ),
    Risk.NOT_KEPT: Words(
        "{what} keeps no append-only file (appendonly is no)",
        "all tables and chips are gone when it is started again",
        "CONFIG SET appendonly yes, and in its configuration file",
        acceptable=False,
    ),
    Risk.NOT_SYNCED: Words(
        "{what} leaves the writing to the operating system (appendfsync is no)",
        "a power failure may lose half a minute of play and money",
        "CONFIG SET appendfsync everysec, and in its configuration file",
        acceptable=True,
    ),
    Risk.NO_REPLICA: Words(
        "money and seals count as done before a replica has them",
        "the loss of one machine loses the money that was moved last, and with it the players' trust",
        "run the state under Sentinel or as a Cluster, or set SERVITO_STATE_REPLICAS=1",
        acceptable=True,
    ),
    Risk.LOOSE_REPLICAS: Words(
        "money and seals count as done while the primary has no replica connected",
        "one that was cut off for a moment, or is being filled, may take over without them",
        "set SERVITO_STATE_REPLICAS_STRICT=true, with two replicas or more, so that one may fail",
        acceptable=True,
    ),
    Risk.WAKE_CLOSED: Words(
        "{what} does not let our user use the channels of wake-ups",
        "whoever watches a table that another process serves is told a second late",
        "give the user the channels: ACL SETUSER <user> &{{p*}}:wake +spublish +ssubscribe +sunsubscribe",
        acceptable=False,
    ),
    Risk.OLD_SERVER: Words(
        "{what} is older than version 7",
        "scripts and shard channels that Servito needs are missing or behave otherwise",
        "run Valkey 8 or later, or Redis 7 or later",
        acceptable=False,
    ),
    Risk.CARDS_IN_CLEAR: Words(
        "tables are stored in the form of the release before",
        "cards lie in the clear in the state server, and no hand is archived",
        "set SERVITO_TABLE_SCHEMA=3; accept it only as long as that release runs beside this one",
        acceptable=True,
    ),
    Risk.NO_HISTORY: Words(
        "finished hands are archived nowhere",
        "no hand can be looked into once it has left the state server, and nobody can prove what was played",
        "give a database: SERVITO_HISTORY_URL=postgresql://...",
        acceptable=True,
    ),
    Risk.LOCAL_HISTORY: Words(
        "the archive of finished hands is a file of one machine",
        "it is lost with the machine, and timers on other machines cannot write it",
        "give a database: SERVITO_HISTORY_URL=postgresql://...",
        acceptable=True,
    ),
}

INWARD: Final = "calls to this service"
OUTWARD: Final = "calls to other services"
"""What goes over plain text."""

ACCEPTABLE: Final = tuple(risk.value for risk in Risk if WORDS[risk].acceptable)


@dataclass(frozen=True, slots=True)
class Unsafe:
    """A risk that is the case; `what`: the variable or server that it is about."""

    risk: Risk
    what: str = ""

    def __str__(self) -> str:
        words = WORDS[self.risk]
        told = (each.format(what=self.what) for each in (words.what, words.follows, words.do))
        accept = f"; or accept it: SERVITO_ACCEPTED_RISKS={self.risk}" if words.acceptable else ""
        return "{}: {}; {}{} [{}]".format(*told, accept, self.risk)


def read_risks(text: str) -> frozenset[str]:
    """Names with commas between them. ValueError names one that is unknown or cannot be accepted."""
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    for name in sorted(names):
        if name not in ACCEPTABLE:
            near = get_close_matches(name, ACCEPTABLE, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise ValueError(f"{name!r} is no risk that can be accepted: {', '.join(ACCEPTABLE)}{meant}")
    return names
