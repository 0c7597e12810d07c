"""What `moot doctor` says of the embedded model's speed."""

import asyncio
from pathlib import Path

from typing_extensions import override

from moot.core.errors import EmbeddedFailed
from moot.gateway.embedded.speed import Speed
from moot.gateway.gateway import Gateway
from moot.service.health import examine, speed_of


class Timed(Gateway):
    """A gateway whose embedded model is as fast as it is told, or does not start."""

    def __init__(self, speed: Speed | None) -> None:
        super().__init__({})
        self.told = speed
        self.closed = False

    @override
    async def speed(self, spec: str) -> Speed:
        if self.told is None:
            raise EmbeddedFailed(model=spec, problem="it needs more memory")
        return self.told

    @override
    async def close(self) -> None:
        self.closed = True


def test_the_speed_is_told_in_tokens_read_and_written_a_second_and_the_model_ends() -> None:
    gateway = Timed(Speed(52.4, 17.6))

    finding = asyncio.run(speed_of(gateway, "embedded:1.5b"))

    assert (finding.state, finding.found) == ("ok", "embedded:1.5b: 52 tokens a second read, 18 written")
    assert gateway.closed


def test_a_model_that_does_not_start_is_broken_and_says_why() -> None:
    gateway = Timed(None)

    finding = asyncio.run(speed_of(gateway, "embedded:1.5b"))

    assert (finding.state, "more memory" in finding.found, gateway.closed) == ("broken", True, True)


def test_nothing_is_started_where_the_weights_are_not_there(tmp_path: Path) -> None:
    findings = asyncio.run(examine({"MOOT_HOME": str(tmp_path), "MOOT_CACHE": str(tmp_path / "cache")}))

    assert "weights" in [item.what for item in findings]
    assert "speed" not in [item.what for item in findings]
