"""`moot show`, `export`, `contest` and the rest on what a protocol made that the command line does not know."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.evals.arms.protocols import find_eval_protocol
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.testing import scripted
from tests.cli.kit import GOOD, Moot
from tests.service.council import ANSWER, PREMISE, with_council

ABSENCE = "its protocol council is not installed here: shown without its report"


def stored(moot: Moot, find: Callable[[str], ProtocolSpec], order: Order) -> str:
    """Return the id of a deliberation that a program has put into this user's database."""

    async def asked() -> str:
        models = {"scripted:a": scripted(lambda request: json.dumps(GOOD))}
        async with open_service(moot.environment(), models=models, protocols=find) as service:
            return (await service.ask(order)).id

    return asyncio.run(asked())


@pytest.fixture
def gone(moot: Moot) -> str:
    return stored(moot, with_council, Order(Question(text="Does the vote count?"), "council"))


def test_show_tells_all_of_it_and_says_in_one_line_what_is_missing(moot: Moot, gone: str) -> None:
    shown = moot.run("show", gone)
    told = moot.json("show", gone)

    assert shown.returncode == 0
    assert shown.stdout.splitlines().count(ABSENCE) == 1
    assert ANSWER in shown.stdout and f"moot show {gone}" not in shown.stdout
    assert told["answer"] == ANSWER


@pytest.mark.parametrize("form", ["md", "html", "json", "files"])
def test_every_format_is_exported_and_what_is_missing_said_beside_it(form: str, moot: Moot, gone: str) -> None:
    exported = moot.run("export", gone, "--format", form, "--out", f"out.{form}")

    assert exported.returncode == 0
    assert exported.stderr == ("" if form == "json" else f"{ABSENCE}\n")
    written = moot.folder / f"out.{form}"
    texts = [file.read_text(encoding="utf-8") for file in ([*written.iterdir()] if form == "files" else [written])]
    assert any(ANSWER in text for text in texts)


def test_a_claim_of_it_is_contested(moot: Moot, gone: str) -> None:
    contested = moot.json("contest", gone, PREMISE, "--note", "half of them were away", "--as", "Ada")

    assert (contested["before"]["answer"], contested["after"]["answer"]) == (ANSWER, None)
    assert "half of them were away" in moot.run("show", gone).stdout


@pytest.mark.parametrize("words", [("replay",), ("fork", "--at", "turn 0"), ("resume",), ("resume", "--join")])
def test_whatever_would_make_something_of_it_is_refused_by_name(words: tuple[str, ...], moot: Moot) -> None:
    order = Order(Question(text="Does the vote count?"), "council", settings={"people": 1})
    waits = stored(moot, with_council, order)

    refused = moot.run(words[0], waits, *words[1:])

    assert refused.returncode == 1
    assert "the protocol council, which is not installed here" in refused.stderr
    assert f"`moot show {waits}`" in refused.stderr


def test_what_an_arm_of_an_evaluation_has_stored_is_shown_and_exported(moot: Moot) -> None:
    order = Order(Question(text="Which server?"), "single-pass", members=("scripted:a",))
    id_ = stored(moot, find_eval_protocol, order)

    shown, exported = moot.run("show", id_), moot.run("export", id_)

    line = "its protocol single-pass is not installed here: shown without its report"
    assert (shown.returncode, exported.returncode) == (0, 0)
    assert line in shown.stdout and line in exported.stdout
    assert "single-pass" in json_rows(moot)


def json_rows(moot: Moot) -> list[Any]:
    return [row["protocol"] for row in moot.json("list")]


def test_compare_finds_protocols_where_the_service_does(moot: Moot) -> None:
    """A protocol in a file is found by no table: it is the service that reads it."""
    (moot.folder / "own.py").write_text(OWN, encoding="utf-8")

    compared = moot.json("compare", "Which server?", "--protocol", "./own.py:OWN,single", "--member", moot.script())

    assert [result["protocol"] for result in compared["results"]] == ["own", "single"]


OWN = """
from dataclasses import replace
from moot.protocols.single.protocol import SINGLE

OWN = replace(SINGLE, name="own")
"""
