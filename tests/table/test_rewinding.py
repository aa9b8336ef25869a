"""The table has lost commits, and others have got their numbers before anybody looked: whoever watches learns
of it all the same, by the lineages of the versions.
"""

from __future__ import annotations

import random

import pytest

from servito_table.app.refusals import TableReason, TableRefused
from tests.table.gallery import Gallery, kinds, sent, versions
from tests.table.test_watching import gallery, play, settled

__all__ = ["gallery"]
"""The fixture."""


async def test_a_table_that_went_back_and_on_before_anybody_looked(gallery: Gallery) -> None:
    """Other commits have got the numbers of the lost ones when the hub looks: it sees that they are others,
    and so does who comes back with a version that was lost; one that was not lost is gone on from.
    """
    before = gallery.room.known
    watcher = await gallery.watch()
    await sent(watcher)
    await play(gallery, 2)
    await sent(watcher)
    lost = gallery.room.known
    gallery.store.lose(before)
    other = gallery.room.other()
    while other.known.version < lost.version + 2:
        await (other.due() if other.wait.seat is None else other.play_on(random.Random(3)))
    gallery.hub.stir(other.table_id, other.known.version)
    await settled()
    [message] = await sent(watcher)
    assert (message.snapshot.version, message.rewound) == (other.known.version, True)
    for version in range(before.version + 1, lost.version + 1):
        back = await gallery.watch(after=version, lineage=1_000_000)
        assert kinds(await sent(back)) == ["snapshot", "rewound"]
    back = await gallery.watch(after=lost.version, lineage=lost.lineage)
    assert kinds(await sent(back)) == ["snapshot", "rewound"]
    back = await gallery.watch(after=before.version, lineage=before.lineage)
    assert versions(await sent(back)) == list(range(before.version + 1, other.known.version + 1))


async def test_a_version_of_the_same_number_is_seen_as_another_one(gallery: Gallery) -> None:
    """When the table has come exactly as far again: by the look around, by a new stream, and by a commit of
    our own that follows.
    """
    await play(gallery, 1)
    before = gallery.room.known
    for notice in ("look around", "a new stream", "an own commit"):
        watcher = await gallery.watch()
        await sent(watcher)
        await play(gallery, 1)
        await sent(watcher)
        lost = gallery.room.known
        gallery.store.lose(before)
        other = gallery.room.other()
        while other.known.version < lost.version:
            await (other.due() if other.wait.seat is None else other.play_on(random.Random(3)))
        if notice == "look around":
            await gallery.hub._compare_versions()
        elif notice == "a new stream":
            await gallery.watch()
        else:
            await play(gallery, 1)
        await settled()
        [message] = await sent(watcher)
        assert message.rewound, notice
        assert message.snapshot.version == gallery.room.known.version
        gallery.hub.leave(watcher)
        before = gallery.room.known


async def test_a_table_that_is_gone(gallery: Gallery) -> None:
    """A state was put back that does not know the table: who watches is told to come again, and then that
    there is none, instead of waiting for ever.
    """
    watcher = await gallery.watch()
    await sent(watcher)
    del gallery.store.tables[gallery.room.table_id]
    await gallery.hub._compare_versions()
    assert kinds(await sent(watcher)) == ["goodbye"]
    assert watcher.ended
    with pytest.raises(TableRefused) as refused:
        await gallery.watch()
    assert refused.value.reason is TableReason.UNKNOWN_TABLE


async def test_a_cursor_whose_commit_was_trimmed_cannot_be_told_apart(gallery: Gallery) -> None:
    """The whole table comes, not marked; without a lineage the numbers alone are believed, as before."""
    await play(gallery, 10)
    gallery.feed.kept_from = 6
    assert kinds(await sent(await gallery.watch(after=5, lineage=5))) == ["snapshot"]
    assert versions(await sent(await gallery.watch(after=5)))[0] == 6
