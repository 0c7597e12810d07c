"""What `benchmarks/peers.py` measures with: a server that breaks one reply, and words for what came of it.

Moot alone is asked here; the other tools are installed when the table is made.
"""

import contextlib
import dataclasses
import http.client
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

from benchmarks import peers
from benchmarks.peer_server import FAULTS, LATENCY, Call, serving

from tests.docs.kit import DOCS

MOOT = peers.PEERS["moot-vote"]
ON_PATH = {"PYTHONPATH": os.pathsep.join([str(peers.JOBS), *filter(None, sys.path)])}
ROW = {"calls": 4, "cpu": 0.2, "wall": 2.04, "slowest": 1.5, "rounds": 2, "tokens": [30, 400]}


def told(url: str, **body: Any) -> tuple[int, str]:
    """Return the status and the text of one request, as much as came of it."""
    host, _, path = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host)
    connection.request("POST", f"/{path}/chat/completions", json.dumps(body), {"Content-Type": "application/json"})
    response = connection.getresponse()
    try:
        return response.status, response.read().decode()
    except http.client.IncompleteRead as cut:
        return response.status, cut.partial.decode()
    finally:
        connection.close()


def test_the_second_reply_alone_is_broken_in_the_way_that_is_asked_for():
    asked = {"model": "m", "messages": [{"role": "user", "content": "Why?"}]}

    replies = {}
    for fault in ("", *FAULTS):
        with serving(fault) as (server, url):
            replies[fault] = [told(url, **asked) for _ in range(3)]
            assert [call.is_faulty for call in server.calls] == [False, bool(fault), False]
            assert server.answered() == 3 - bool(fault)

    (whole,) = set(replies.pop(""))
    for fault, (first, broken, third) in replies.items():
        assert (first, third, broken != whole) == (whole, whole, True), fault
    said = json.loads(whole[1])["choices"][0]["message"]["content"]
    assert replies["429"][1][0] == 429
    assert whole[1].startswith(replies["cut"][1][1]) and len(replies["cut"][1][1]) == len(whole[1]) // 2
    assert json.loads(replies["malformed"][1][1])["choices"][0]["message"]["content"] == said[: len(said) // 2]


def call(key: str, prompt: str = "", *, began: float = 0, ended: float = 1, is_faulty: bool = False) -> Call:
    return Call(key, prompt, began, ended, answered=not is_faulty, is_faulty=is_faulty)


def test_a_round_begins_where_nothing_is_under_way():
    calls = [call("c", began=2.5, ended=3), call("a", ended=1), call("b", began=0.9, ended=2)]

    assert [[one.key for one in part] for part in peers.rounds_of(calls)] == [["a", "b"], ["c"]]


def test_what_became_of_a_broken_reply_is_told_by_what_was_sent_after_it():
    broken = call("b", is_faulty=True)
    passed_on = call("c", f"They said: {broken.mark} 17 tim")

    assert peers.fate([call("a"), broken, call("c", "They said: Note a.")], 3) == "left out"
    assert peers.fate([call("a"), broken, passed_on], 3) == "half taken as whole"
    assert peers.fate([call("a"), broken, dataclasses.replace(broken, is_faulty=False)], 3) == "asked again"
    assert peers.fate([call("a"), broken, call("c"), call("in other words")], 3) == "asked again"
    assert peers.fate([call("a")], 3) == "never met"


def test_the_tables_have_a_row_of_every_tool_with_its_version():
    ended = {**dict.fromkeys(FAULTS, "left out; answer"), "killed": "0 of 1 paid again; answer"}

    lines = peers.table({"dspy": {**ROW, **ended}}).splitlines()

    version = peers.PEERS["dspy"].packages[0].removeprefix("dspy==")
    assert lines[2] == f"| dspy {version} | {peers.PEERS['dspy'].does} | 4 | 2 | 2.0 s | 1.5 s | 50 ms | 30, 400 |"
    assert lines[-1] == "| dspy | " + "left out; answer | " * 3 + "0 of 1 paid again; answer |"


def test_the_page_has_a_row_of_every_tool_that_is_measured():
    page = (DOCS / "beside-other-tools.md").read_text(encoding="utf-8")

    assert not [name for name in peers.PEERS if f"| {peers.named(name)} |" not in page or f"| {name} |" not in page]


def test_moot_killed_half_way_asks_again_for_nothing_that_its_journal_holds(tmp_path: Path):
    def kept() -> int:
        if not (tmp_path / "moot.db").exists():
            return 0
        with contextlib.closing(sqlite3.connect(tmp_path / "moot.db")) as database:
            try:
                return database.execute("SELECT count(*) FROM attempts WHERE state = 'reply'").fetchone()[0]
            except sqlite3.OperationalError:
                return 0

    with serving() as (server, url):
        process = peers.begin(Path(sys.executable), MOOT, url, tmp_path, ON_PATH)
        peers.wait_until(lambda: kept() > 0, process)
        process.kill()
        process.communicate()
        paid, before, held = [one.key for one in server.calls if one.answered], len(server.calls), kept()
        result = peers.result_of(peers.begin(Path(sys.executable), MOOT, url, tmp_path, ON_PATH))

    again = server.calls[before:]
    assert 0 < held < len(LATENCY)
    assert result["answer"] == "408"
    assert len(again) == len(LATENCY) - held
    assert sum(one.key in paid for one in again) == len(paid) - held
