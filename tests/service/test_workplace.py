"""Which members an agent may name in a process of its own: those that whoever started it offers."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from moot.core.errors import MemberNotAllowed
from moot.core.question import Question
from moot.service.orders import Order
from moot.service.service import ignore_id, no_progress
from moot.service.workplace import open_own_process
from moot.testing import scripted

SURE = {"reasoning": "Nothing divides it.", "answer": "yes", "confidence": 0.9}
USUAL, ALSO, OTHER = "scripted:usual", "scripted:also", "scripted:other"


def deliberated(environ: dict[str, str], *members: str) -> dict[str, Any]:
    models = {spec: scripted(lambda _: SURE) for spec in (USUAL, ALSO, OTHER)}
    order = Order(Question(text="Is 97 prime?"), protocol="single", members=members)

    async def run() -> dict[str, Any]:
        async with open_own_process(environ, models=models) as own:
            return await own.deliberate(order, on_progress=no_progress, on_created=ignore_id)

    return asyncio.run(run())


@pytest.fixture
def offering(tmp_path: Path) -> dict[str, str]:
    return {"MOOT_HOME": str(tmp_path), "MOOT_MEMBERS": USUAL, "MOOT_SERVE_MEMBERS": ALSO}


@pytest.mark.parametrize("members", [(), (USUAL,), (ALSO,), (f"{ALSO}*2",)])
def test_members_on_offer_may_be_named_or_left_out(members, offering) -> None:
    got = deliberated(offering, *members)

    assert got["status"] == "complete"


@pytest.mark.parametrize("named", [OTHER, "http://169.254.169.254/v1#m", "scripted:/etc/passwd"])
def test_any_other_is_refused_with_those_on_offer(named: str, offering) -> None:
    with pytest.raises(MemberNotAllowed, match="choose among scripted:also, scripted:usual"):
        deliberated(offering, USUAL, named)


def test_where_the_settings_name_nobody_the_one_that_is_found_is_on_offer(tmp_path: Path) -> None:
    with pytest.raises(MemberNotAllowed, match=r"choose among openai:[\w.-]+ "):
        deliberated({"MOOT_HOME": str(tmp_path), "OPENAI_API_KEY": "key"}, OTHER)
