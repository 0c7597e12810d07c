"""A chat at a server whose deliberations workers run."""

from pathlib import Path

import pytest
from openai import APIError

from moot.service.background.queued import QueuedRuns
from tests.web.chat.kit import SINGLE, openai, post
from tests.web.kit import Site, at_site, environ

pytest.importorskip("procrastinate", reason="procrastinate is not installed")


def test_where_nobody_is_there_to_run_it_the_client_is_told_and_does_not_wait(
    tmp_path: Path, postgres_url: str
) -> None:
    async def scene(site: Site) -> None:
        runs = nobody_there(site)

        answer = await post(site, SINGLE)

        assert answer.status_code == 503 and answer.headers["retry-after"] == "5"
        assert "server_busy" in answer.text and "`moot worker` starts one" in answer.text
        assert runs.queued == 0 and not await runs._queue.unwanted()

    at_site(tmp_path, scene, environ_=environ(tmp_path, database=postgres_url))


def test_a_streamed_chat_is_told_as_well(tmp_path: Path, postgres_url: str) -> None:
    async def scene(site: Site) -> None:
        nobody_there(site)

        async def streamed() -> None:
            async with openai(site) as client:
                async for _ in await client.chat.completions.create(**SINGLE, stream=True):
                    pass

        with pytest.raises(APIError, match="none has been seen for 30 s"):
            await streamed()

    at_site(tmp_path, scene, live=True, environ_=environ(tmp_path, database=postgres_url))


def nobody_there(site: Site) -> QueuedRuns:
    """Let half a minute pass in which no worker is seen."""
    runs = site.serving.runs
    assert isinstance(runs, QueuedRuns)
    runs._seen -= 31
    return runs
