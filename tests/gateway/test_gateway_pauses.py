"""A provider that asks for patience is left alone by every process, and by no process longer than a minute."""

import pytest

from moot.core.calls import Completion
from moot.gateway.pauses import Pauses
from tests.gateway.gateway_kit import Tries, gateway, request

pytestmark = pytest.mark.anyio


class Shared:
    """Pauses that two processes share, and how often they were read."""

    def __init__(self) -> None:
        self.until: dict[str, float] = {}
        self.reads = 0

    async def read(self) -> dict[str, float]:
        self.reads += 1
        return dict(self.until)

    async def lengthen(self, endpoint: str, until: float) -> None:
        self.until[endpoint] = until


async def test_what_one_process_is_told_another_obeys_before_its_first_call(server) -> None:
    shared, first, second = Shared(), Tries(), Tries()
    async with gateway(first) as one, gateway(second) as other:
        for each in (one, other):
            each.pauses.share(shared)
        model = one.model(server.member("429,well"))
        await model.complete(request(), before_retry=first.before_retry)

        reply = await other.model(server.member("well")).complete(request(), before_retry=second.before_retry)

    assert isinstance(reply, Completion)
    assert list(shared.until.values()) == [7.0]
    assert second.waits == [7.25]


async def test_nobody_waits_where_nobody_was_told_to(server) -> None:
    tries = Tries()
    async with gateway(tries) as one:
        await one.model(server.member("500,well")).complete(request(), before_retry=tries.before_retry)
        await one.model(server.member("well")).complete(request(), before_retry=tries.before_retry)

    # The one wait is that of the failed call itself.
    assert len(tries.waits) == 1


async def test_a_pause_is_a_minute_at_most_and_looked_for_once_a_second() -> None:
    shared, tries = Shared(), Tries()
    shared.until["other"] = 5.0
    pauses = Pauses(tries.retries)
    pauses.share(shared)

    await pauses.learn("here", "86400")
    left = [await pauses.left("here") for _ in range(10)]

    assert set(left) == {60.0} and shared.until["here"] == 60.0
    assert (shared.reads, await pauses.left("other"), await pauses.left("nowhere")) == (1, 5.0, 0.0)
