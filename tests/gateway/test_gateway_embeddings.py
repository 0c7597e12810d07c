"""Texts as vectors."""

import math
import subprocess
import sys
from importlib import metadata

import pytest

from moot.core.calls import Failure
from moot.core.errors import BadMember, ForbiddenByLocal
from moot.gateway.embeddings import vectors_of
from tests.gateway.gateway_kit import CANARY, Tries, gateway

pytestmark = pytest.mark.anyio


async def test_a_member_gives_a_vector_for_each_text_in_order(server):
    async with gateway() as opened:
        embedder = opened.embedder(server.member("well"))
        rows = await embedder.embed(["a", "b", "a"], before_retry=Tries().before_retry)

    assert rows[0] == rows[2] != rows[1]
    assert {len(row) for row in rows} == {8}
    assert embedder.name == server.member("well")
    assert not embedder.local
    assert server.calls[0].body == {"model": "well", "input": ["a", "b", "a"], "encoding_format": "float"}


async def test_many_texts_are_sent_in_batches(server):
    tries = Tries()
    texts = [str(number) for number in range(300)]

    async with gateway() as opened:
        rows = await opened.embedder(server.member("well")).embed(texts, before_retry=tries.before_retry)

    assert len(rows) == 300
    assert [len(call.body["input"]) for call in server.calls] == [128, 128, 44]
    assert tries.numbers == [2, 3], "every call after the first is asked for"


async def test_a_batch_that_is_not_allowed_is_not_sent(server):
    tries = Tries(allowed=1)
    texts = [str(number) for number in range(300)]

    async with gateway() as opened:
        failure = await opened.embedder(server.member("well")).embed(texts, before_retry=tries.before_retry)

    assert failure.kind == "budget"
    assert len(server.calls) == 2


async def test_a_passing_trouble_is_tried_again_for_vectors_too(server):
    async with gateway(Tries()) as opened:
        rows = await opened.embedder(server.member("429,500,well")).embed(["a"], before_retry=Tries().before_retry)

    assert len(rows) == 1
    assert len(server.calls) == 3


@pytest.mark.parametrize(
    ("word", "kind"), [("401", "refused"), ("500", "unreachable"), ("wrong-schema", "unreachable")]
)
async def test_vectors_that_do_not_come_are_a_failure_without_the_key(server, word, kind):
    async with gateway(Tries()) as opened:
        failure = await opened.embedder(server.member(word)).embed(["a", "b"], before_retry=Tries().before_retry)

    assert isinstance(failure, Failure) and failure.kind == kind
    assert CANARY not in failure.detail


async def test_vectors_that_take_too_long_are_a_timeout(server):
    async with gateway(Tries(), timeout=0.01) as opened:
        failure = await opened.embedder(server.member("hang")).embed(["a"], before_retry=Tries().before_retry)

    assert failure.kind == "timeout"


@pytest.mark.parametrize(
    "rows",
    [
        None,
        [],
        [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [math.nan]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": ["x"]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1}],
        [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}],
        ["x", "y"],
    ],
)
def test_vectors_that_make_no_sense_are_none(rows):
    assert vectors_of({"data": rows}, 2) is None


async def test_without_a_member_static_vectors_of_length_one_are_used():
    async with gateway() as opened:
        embedder = opened.embedder()
        rows = await embedder.embed(
            ["the cat sat on the mat", "a cat on a mat", "interest rates rose"], before_retry=Tries().before_retry
        )

    near, far = (sum(a * b for a, b in zip(rows[0], row, strict=True)) for row in rows[1:])
    assert embedder.name == f"wordllama {metadata.version('wordllama')} (256)"
    assert embedder.local
    assert all(math.isclose(sum(part * part for part in row), 1.0, abs_tol=1e-6) for row in rows)
    assert near > far


async def test_a_text_without_words_is_a_vector_of_zeros():
    async with gateway() as opened:
        rows = await opened.embedder().embed(["", "word"], before_retry=Tries().before_retry)

    assert rows[0] == [0.0] * 256
    assert await opened.embedder().embed([], before_retry=Tries().before_retry) == []


async def test_only_members_over_http_give_vectors():
    async with gateway() as opened:
        with pytest.raises(BadMember, match="gives no embeddings"):
            opened.embedder("replay")


async def test_local_forbids_vectors_from_elsewhere():
    async with gateway(environ={"OPENAI_API_KEY": CANARY}, local=True) as opened:
        with pytest.raises(ForbiddenByLocal):
            opened.embedder("openai:text-embedding-3-small")


def test_static_vectors_leave_the_programs_logging_alone():
    program = (
        "import asyncio, logging\n"
        "from moot.gateway.embeddings import StaticEmbedder\n"
        "asyncio.run(StaticEmbedder().embed(['a'], before_retry=None))\n"
        "print(logging.getLogger().handlers, logging.getLogger().level == logging.WARNING)\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "[] True\n"
