"""The same commit gives the same image, however often it is built.

Held to it are the layers: every file, its bytes, rights and time. What may differ is the description beside
them, in which a builder writes when it built (BuildKit heeds SOURCE_DATE_EPOCH, the classic one does not).
"""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import docker
import pytest
from docker.models.images import Image

from tests.containers.engine import BASE_IMAGE, IMAGES, make

pytestmark = [pytest.mark.timeout(600), pytest.mark.long]

SERVICE: Final = "dealer"
AGAIN: Final = "again/"

Entry = tuple[str, int, int, str, str]
"""Name, mode, time, owner, and digest of what is in it or where it leads."""


def test_a_second_build_has_the_same_layers(images: docker.DockerClient, tmp_path: Path) -> None:
    """Without any cache, packages fetched and compiled anew; a difference is told file by file."""
    make("images", f"IMAGES={SERVICE}", f"REGISTRY={AGAIN}", "BUILD_ARGS=--no-cache")
    first, second = IMAGES[SERVICE], AGAIN + IMAGES[SERVICE]
    try:
        layers = [images.images.get(name).attrs["RootFS"]["Layers"] for name in (first, second)]
        below = images.images.get(BASE_IMAGE).attrs["RootFS"]["Layers"]
        assert layers[0][: len(below)] == layers[1][: len(below)] == below
        if layers[0] != layers[1]:
            both = (images.images.get(name) for name in (first, second))
            before, after = (set(entries(each, len(below), tmp_path)) for each in both)
            assert sorted(before ^ after) == []
        assert layers[0] == layers[1]
    finally:
        images.images.remove(second)


def entries(image: Image, below: int, folder: Path) -> Iterator[Entry]:
    """What is in the layers of an image above so many."""
    saved = folder / "image.tar"
    with saved.open("wb") as written:
        written.writelines(image.save())
    with tarfile.open(saved) as archive:
        manifest = archive.extractfile("manifest.json")
        assert manifest is not None
        for layer in json.load(manifest)[0]["Layers"][below:]:
            content = archive.extractfile(layer)
            assert content is not None
            with tarfile.open(fileobj=content) as files:
                for each in files:
                    data = files.extractfile(each) if each.isfile() else None
                    digest = hashlib.sha256(data.read()).hexdigest() if data else each.linkname
                    yield each.name, each.mode, int(each.mtime), f"{each.uid}:{each.gid}", digest
