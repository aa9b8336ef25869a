"""Moves a slot of a Cluster from one primary to another, as operators do it, while it is in use."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from servito_local.ports import HOST
from tests.modes.until import until

if TYPE_CHECKING:
    from tests.modes.servers import Cluster, Server

_AT_ONCE = 4


def move_by_keys(cluster: Cluster, name: str, pause: float) -> Server:
    """Move the slot of key `name` in the classical way: mark it, move key after key with a pause after each
    few, say whose it is now. Returns the new holder.
    """
    source = cluster.holder(name)
    target = cluster.other_than(source)
    slot = source.client.cluster("KEYSLOT", name)
    ids = {each: each.client.execute_command("CLUSTER", "MYID") for each in (source, target)}
    target.client.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
    source.client.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
    while keys := source.client.execute_command("CLUSTER", "GETKEYSINSLOT", slot, _AT_ONCE):
        source.client.execute_command("MIGRATE", HOST, target.port, "", 0, 5000, "KEYS", *keys)
        time.sleep(pause)
    for server in (target, source):
        server.client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[target])
    until(lambda: cluster.holder(name) is target)
    return target


def move_at_once(cluster: Cluster, name: str) -> Server:
    """Move it as Valkey 9 does by itself: copied behind the scenes, then handed over in one step."""
    source = cluster.holder(name)
    target = cluster.other_than(source)
    slot = source.client.cluster("KEYSLOT", name)
    holder = target.client.execute_command("CLUSTER", "MYID")
    source.client.execute_command("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", holder)
    until(lambda: cluster.holder(name) is target)
    return target
