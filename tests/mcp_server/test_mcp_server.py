"""The MCP tools give what the library, the service and a server give (interrogation 3.2, M3)."""

import asyncio
import contextlib
import json
import os
import re
import sqlite3
import sys
from collections.abc import Mapping
from typing import Any

import pytest

mcp = pytest.importorskip("mcp")
pytest.importorskip("fastapi")

from mcp import Client, StdioServerParameters  # noqa: E402

from moot.core.ports import ProgressEvent  # noqa: E402
from moot.mcp_server.notices import MOST_WAITING, Latest, Notices  # noqa: E402
from moot.oracles import judged  # noqa: E402
from moot.testing import scripted  # noqa: E402
from tests.argument.worked_example import R1_EDGES, R1_NODES, R2_EDGES, R2_NODES, worked_example  # noqa: E402
from tests.mcp_server.kit import PLACES, SURE, Agent, at_work, with_member  # noqa: E402
from tests.protocols.debate.kit import response  # noqa: E402
from tests.protocols.interrogation.kit import ASKED, DOCUMENTS, KESTREL, LEFT, OSPREY, answering  # noqa: E402
from tests.protocols.prism.kit import by_step  # noqa: E402
from tests.web.kit import MEMBER, Site, at_site  # noqa: E402

GRAPH_TOOLS = [
    "assert_graph",
    "merge_duplicates",
    "check_structure",
    "critical_links",
    "support_width",
    "surviving_claims",
    "mark_refuted",
    "disputed_nodes",
    "keep_apart",
    "undo_refuted",
    "resilience",
    "show_graph",
]
TOOLS = [
    *GRAPH_TOOLS,
    "list_graphs",
    "deliberate",
    "deliberation_status",
    "contest",
    "open_step",
    "fill_open_step",
    "verify_claim",
    "check_claim",
]

CONCLUSION = {"graph_id": "g", "conclusion_id": "Z"}
GRAPH_CALLS = [
    ("assert_graph", {"graph_id": "g", "nodes": R1_NODES, "edges": R1_EDGES, "run_id": "r1"}),
    ("assert_graph", {"graph_id": "g", "nodes": R2_NODES, "edges": R2_EDGES, "run_id": "r2"}),
    ("merge_duplicates", {"graph_id": "g"}),
    ("check_structure", CONCLUSION),
    ("critical_links", CONCLUSION),
    ("support_width", CONCLUSION),
    ("surviving_claims", {"graph_id": "g"}),
    ("disputed_nodes", CONCLUSION),
    ("resilience", CONCLUSION),
    ("mark_refuted", {"graph_id": "g", "node_id": "D", "reason": "survey column misread"}),
]
PRIME = {"question": "Is 97 a prime number?", "protocol": "single"}
WITH_DOCUMENTS = {
    "question": ASKED,
    "documents": [{"name": document.name, "text": document.text} for document in DOCUMENTS],
    "settings": {"n": 4},
}
CLAIM = {
    "question": "Crows remember faces.",
    "protocol": "prism",
    "settings": {"table": "prism-v1-solo", "house": "none"},
}


class Gate:
    """A member's replies, each held back until it is let through."""

    def __init__(self) -> None:
        self.asked, self.open = asyncio.Event(), asyncio.Event()
        self.calls = self.stopped = 0

    async def __call__(self, _request: Any) -> str:
        self.calls += 1
        self.asked.set()
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        return SURE


Calls = list[tuple[str, dict[str, Any]]]


async def conversation(words: list[str], told: Mapping[str, str], calls: Calls) -> tuple[list[Any], list[Any]]:
    # The client hands its server a bare environment; where Moot lies must be told.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **told}
    server = StdioServerParameters(command=sys.executable, args=words, env=environment)
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        return tools, [(await client.call_tool(name, arguments)).structured_content for name, arguments in calls]


@pytest.mark.clause("argument:M3")
def test_the_eight_tools_answer_over_stdio_as_the_library_does(tmp_path):
    calls = [*GRAPH_CALLS, ("check_structure", {"graph_id": "none", "conclusion_id": "Z"})]

    tools, answers = asyncio.run(conversation(["-m", "moot.mcp_server"], {"MOOT_HOME": str(tmp_path)}, calls))

    assert [tool.name for tool in tools] == TOOLS
    assert all(tool.description for tool in tools)
    assert all(next(iter(tool.input_schema["properties"])) == "graph_id" for tool in tools[: len(GRAPH_TOOLS)])
    store = worked_example()
    expected = [getattr(store, name)(*arguments.values()) for name, arguments in GRAPH_CALLS[2:]]
    assert answers[2:-1] == expected
    see = "`list_graphs` names those there are, and `assert_graph` makes it"
    assert answers[-1] == {"error": f"there is no graph 'none'; {see}.", "code": "not_found"}
    assert answers[0] == {"accepted_nodes": 7, "accepted_edges": 6, "rejected": [], "auto_merged": []}


def test_the_command_works_over_stdio_on_the_server_that_it_is_given(tmp_path):
    async def scene(site: Site) -> tuple[Any, ...]:
        url, told = str(site.client.base_url), {"MOOT_SERVER_KEY": site.keys["agent"]}
        words = ["-c", "from moot.cli import main; main()", "mcp", "--server", url]
        _, [got] = await conversation(words, told, [("deliberate", PRIME)])
        return got, (await site.get(f"/deliberations/{got['id']}")).json()

    got, kept = at_site(tmp_path, scene, live=True, models={MEMBER: scripted([SURE])})

    assert got["answer"] == kept["answer"] == "97 is prime"


@pytest.mark.parametrize("place", PLACES)
def test_a_graph_gives_the_same_answers_wherever_it_is_kept(place, tmp_path):
    async def scene(at: Agent) -> list[Any]:
        return [await at.call(name, **arguments) for name, arguments in GRAPH_CALLS]

    answers = at_work(place, tmp_path, scene)

    store = worked_example()
    assert answers[2:] == [getattr(store, name)(*arguments.values()) for name, arguments in GRAPH_CALLS[2:]]


ALIKE = [
    {"id": f"r{n}:n", "claim": claim, "type": "given"}
    for n, claim in enumerate(("the old bridge was rebuilt in stone", "The old bridge was rebuilt in stone."), start=1)
]
FAIRLY_ALIKE = [
    {"id": "r3:n", "claim": "crows remember the faces of people who trapped them", "type": "given"},
    {"id": "r4:n", "claim": "young crows remember human faces of people that trapped kin", "type": "given"},
]
PAIR = [["r1:n", "r2:n"]]


@pytest.mark.clause("argument:M3")
@pytest.mark.parametrize("place", PLACES)
def test_pairs_that_an_agent_names_are_not_merged_and_its_thresholds_count(place, tmp_path):
    async def scene(at: Agent) -> list[Any]:
        apart = await at.call("assert_graph", graph_id="g", nodes=ALIKE, edges=[], cannot_link=PAIR)
        await at.call("assert_graph", graph_id="h", nodes=FAIRLY_ALIKE, edges=[])
        usual = await at.call("merge_duplicates", graph_id="h")
        by_words = await at.call("merge_duplicates", graph_id="h", jaccard_threshold=0.5, ratio_threshold=1.0)
        await at.call("assert_graph", graph_id="i", nodes=FAIRLY_ALIKE, edges=[])
        by_letters = await at.call("merge_duplicates", graph_id="i", jaccard_threshold=1.0, ratio_threshold=0.6)
        return [apart, usual, by_words, by_letters]

    apart, usual, by_words, by_letters = at_work(place, tmp_path, scene)

    assert apart["auto_merged"] == usual["merges"] == []
    assert by_words["merges"] == by_letters["merges"] == [["r3:n", "r4:n"]]
    assert (by_words["reasons"][0]["by"], by_letters["reasons"][0]["by"]) == ("jaccard", "ratio")


@pytest.mark.clause("argument:M3")
@pytest.mark.parametrize("place", PLACES)
def test_an_agent_can_take_a_merge_back(place, tmp_path):
    async def scene(at: Agent) -> list[Any]:
        merged = await at.call("assert_graph", graph_id="g", nodes=ALIKE, edges=[])
        parted = await at.call("keep_apart", graph_id="g", pairs=PAIR)
        return [merged, parted, await at.call("surviving_claims", graph_id="g")]

    merged, parted, standing = at_work(place, tmp_path, scene)

    assert merged["auto_merged"] == PAIR
    assert parted == {"kept_apart": 1, "parted": PAIR, "rejected": []}
    assert standing["surviving"] == ["r1:n", "r2:n"]


@pytest.mark.clause("ruling:S12")
@pytest.mark.parametrize("place", PLACES)
def test_a_claim_is_checked_as_on_the_command_line_wherever_the_agent_works(place, tmp_path):
    claims = ["Four times six is twenty-four.", "In binary, 1 + 1 = 10.", '{"kind": "arithmetic", "claim": "7/2 = 4"}']

    async def scene(at: Agent) -> list[Any]:
        return [await at.call("check_claim", claim=claim) for claim in claims]

    answers = at_work(place, tmp_path, scene)

    assert answers == [judged(claim).as_json() for claim in claims]
    assert [answer["verdict"] for answer in answers] == ["true", "not decided", "false"]


@pytest.mark.parametrize("place", PLACES)
def test_deliberate_returns_the_object_that_the_command_line_prints(place, tmp_path):
    async def scene(at: Agent) -> tuple[Any, ...]:
        got = await at.call("deliberate", **PRIME, members=[MEMBER], budget={"calls": 3})
        return got, await at.stored(got["id"])

    got, stored = at_work(place, tmp_path, scene)

    assert got == json.loads(json.dumps(stored))
    assert (got["answer"], got["status"], got["cost"]["calls"]) == ("97 is prime", "complete", 1)


@pytest.mark.parametrize("place", PLACES)
def test_notices_name_the_deliberation_first_and_then_what_happens(place, tmp_path):
    gate = Gate()

    async def scene(at: Agent) -> tuple[Any, ...]:
        notices: list[tuple[float, str]] = []

        async def notice(progress: float, total: float | None, message: str | None) -> None:
            assert total is None
            notices.append((progress, message or ""))

        calling = asyncio.ensure_future(at.client.call_tool("deliberate", PRIME, progress_callback=notice))
        await until(gate.asked, calling)
        while len(notices) < 2:
            await at.is_told_something(notices[0][1].split()[1] if notices else "")
        gate.open.set()
        return (await calling).structured_content, notices

    got, notices = with_member(place, tmp_path, scene, scripted(gate))

    numbers = [number for number, _ in notices]
    assert numbers == sorted(set(numbers))
    assert notices[0][1].startswith(f"deliberation {got['id']} has begun")
    assert notices[1][1].strip() in ("asking m1 one answer scripted:one", "noted m1 answer")


def test_a_client_that_reads_slowly_gets_the_first_notices_and_no_pile_of_them():
    sent: list[str] = []

    class Slow:
        async def report_progress(self, _progress: float, message: str) -> None:
            sent.append(message)

    async def scene() -> None:
        context: Any = Slow()  # of all that a context can do, a notice needs this
        notices = Notices(context, Latest())
        notices.on_created("0123456789")
        for number in range(10 * MOST_WAITING):
            notices.on_progress(ProgressEvent("answered", f"run/{number}", "m1"))
        notices.end()
        await notices.send()

    asyncio.run(scene())

    assert len(sent) == MOST_WAITING
    assert "0123456789" in sent[0]


@pytest.mark.parametrize("place", PLACES)
def test_a_call_that_is_taken_back_stops_the_member_and_goes_on_with_resume(place, tmp_path):
    gate = Gate()

    async def scene(at: Agent) -> tuple[Any, ...]:
        begun = asyncio.Event()

        async def notice(progress: float, total: float | None, message: str | None) -> None:
            begun.set()

        calling = asyncio.ensure_future(at.client.call_tool("deliberate", PRIME, progress_callback=notice))
        await until(gate.asked, calling)
        await until(begun, calling)
        calling.cancel()
        await asyncio.wait([calling])
        left = await until_stalled(at)
        stopped = gate.stopped
        gate.open.set()
        return left, stopped, await at.call("deliberate", resume=left["id"]), await at.call("deliberation_status")

    left, stopped, ended, status = with_member(place, tmp_path, scene, scripted(gate))

    assert (left["status"], left["answer"], stopped) == ("running", None, 1)
    assert (ended["id"], ended["status"], gate.calls) == (left["id"], "complete", 2)
    assert status == {**ended, "question": PRIME["question"], "stalled": False, "left_alone": False, "waiting": []}


async def until(event: asyncio.Event, calling: asyncio.Future[Any]) -> None:
    """Wait for something to happen while a call is under way."""
    waiting = asyncio.ensure_future(event.wait())
    await asyncio.wait([waiting, calling], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    assert event.is_set(), calling


async def until_stalled(at: Agent) -> dict[str, Any]:
    status = await at.call("deliberation_status")
    return status if status["stalled"] else await until_stalled(at)


@pytest.mark.parametrize("place", PLACES)
def test_what_waits_for_people_is_told_with_its_status(place, tmp_path):
    async def scene(at: Agent) -> tuple[Any, ...]:
        got = await at.call("deliberate", **CLAIM)
        return got, await at.call("deliberation_status", id=got["id"][:6])

    got, status = at_work(place, tmp_path, scene)

    assert (got["status"], status["id"]) == ("paused", got["id"])
    assert "L1.1/work/1 waits for contributor" in got["stop_reason"]
    assert [(step["step"], step["role"]) for step in status["waiting"]] == [("L1.1/work/1", "contributor")]
    assert f"moot board take {got['id']}" in got["next"]


DEBATE = {
    "question": "Should we build a pier?",
    "protocol": "debate",
    "members": [f"{MEMBER}*3"],
    "settings": {"join": True},
}


@pytest.mark.parametrize("place", PLACES)
def test_a_debate_that_waits_for_a_person_says_how_to_fill_it_and_goes_on_when_it_is(place, tmp_path):
    safe = {"reasoning": "", "blocks": [], "clear": True}
    member = scripted(lambda request: json.dumps(safe if "safety" in request.step else response(confidence=0.75)))

    async def scene(at: Agent) -> tuple[Any, ...]:
        paused = await at.call("deliberate", **DEBATE)
        turn = {"id": paused["id"], "step": "turn/1"}
        read = await at.call("open_step", **turn)
        bad = await at.refused("fill_open_step", **turn, reply={"txet": "Think of the ice."})
        done = await at.call("fill_open_step", **turn, reply={"text": "Think of the ice."})
        late = await at.refused("fill_open_step", **turn, reply={})
        return paused, read, bad, done, late

    paused, read, bad, done, late = with_member(place, tmp_path, scene, member)

    assert (paused["status"], [step["step"] for step in paused["waiting"]]) == ("paused", ["turn/1"])
    assert f'open_step(id="{paused["id"]}", step="turn/1")' in paused["next"]
    assert (read["role"], read["state"]) == ("person", "open")
    assert "summary" in read["context"] and "text" in read["reply_schema"]["properties"]
    assert "txet" in bad and "[bad_submission]" in bad
    assert (done["id"], done["status"], done["answer"]) == (paused["id"], "complete", "yes")
    assert "waiting" not in done and "next" not in done
    assert re.search(r"\[(step_gone|already_ended)\]", late)


@pytest.mark.parametrize("place", PLACES)
def test_a_slot_of_the_board_is_no_step_for_these_tools(place, tmp_path):
    async def scene(at: Agent) -> tuple[str, str]:
        id_ = (await at.call("deliberate", **CLAIM))["id"]
        slot = {"id": id_, "step": "L1.1/work/1"}
        return await at.refused("open_step", **slot), await at.refused("fill_open_step", **slot, reply={})

    for told in at_work(place, tmp_path, scene):
        assert "it is a slot of the board, and is filled there" in told


@pytest.mark.clause("argument:M3")
@pytest.mark.parametrize("place", PLACES)
def test_a_contest_shows_what_changes_and_undo_brings_it_back_and_a_graph_comes_once(place, tmp_path):
    async def scene(at: Agent) -> tuple[Any, ...]:
        told = await at.call("deliberate", **WITH_DOCUMENTS)
        id_ = told["id"]
        made = await at.call("contest", id=id_, claim=LEFT, reason="the log was forged")
        undone = await at.call("contest", id=id_, claim=LEFT, undo=True)
        return told["detail"]["graph"], await at.stored(id_), made, undone

    member = scripted(answering([KESTREL, KESTREL, OSPREY, OSPREY]))
    graph, stored, made, undone = with_member(place, tmp_path, scene, member)

    kept = stored["detail"]["graph"]
    assert graph == {name: part for name, part in kept.items() if name != "asserted"} != kept
    assert (made["before"]["width"], made["after"]["width"]) == (2, 1)
    assert (undone["before"], undone["after"]) == (made["after"], made["before"])


@pytest.mark.clause("ruling:P9")
@pytest.mark.parametrize("place", PLACES)
def test_a_claim_is_verified_by_its_seal_and_a_changed_slot_is_named(place, tmp_path):
    async def scene(at: Agent) -> tuple[Any, ...]:
        early = await at.refused("verify_claim", id=(await at.call("deliberate", **CLAIM))["id"])
        ended = await at.call("deliberate", **{**CLAIM, "settings": {"table": "prism-v1-solo"}, "members": [MEMBER]})
        sound = await at.call("verify_claim", id=ended["id"])
        with contextlib.closing(sqlite3.connect(tmp_path / "moot.db")) as database:
            database.execute("UPDATE steps SET reply = replace(reply, 'one city', 'no city') WHERE step LIKE 'L4%/w%'")
            database.commit()
        return early, ended, sound, await at.call("verify_claim", id=ended["id"], seal="0" * 64)

    member = scripted(lambda request: by_step({})(request.step))
    early, ended, sound, changed = with_member(place, tmp_path, scene, member)

    assert "[not_ended]" in early
    assert sound == {"id": ended["id"], "seal": ended["detail"]["seal"]["sha256"], "slots": 13, "changed": []}
    assert changed["changed"] == ["L4.1/work/1", "seal"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("deliberate", {"question": " "}, "[empty_question]"),
        ("deliberate", {"question": "Why?", "protocol": "oracle"}, "[unknown_protocol]"),
        ("deliberate", {"question": "Why?", "members": ["http://10.0.0.1/v1#m"]}, "[member_not_allowed]"),
        ("deliberate", {"question": "Why?", "members": ["scripted:/etc/passwd"]}, "[member_not_allowed]"),
        ("deliberate", {**CLAIM, "settings": {"table": "/etc/passwd"}}, "[bad_setting]"),
        ("deliberate", {"question": "Why?", "resume": "abc"}, "not both"),
        ("deliberate", {"question": "Why?", "budget": {"dollars": 3}}, "budget.dollars"),
        ("deliberate", {"resume": "0000000000"}, "[not_found]"),
        ("deliberation_status", {"id": "0000000000"}, "[not_found]"),
        ("deliberation_status", {"id": ".."}, "[not_found]"),
        ("deliberation_status", {}, "give the id of one"),
        ("contest", {"id": "0000000000", "claim": "c", "reason": "r"}, "[not_found]"),
        ("contest", {"id": "0000000000", "claim": "c"}, "needs its reason"),
    ],
)
def test_what_cannot_be_done_is_told_by_its_code_and_spends_nothing(place, tool, arguments, says, tmp_path):
    member = scripted([SURE])

    async def scene(at: Agent) -> str:
        return await at.refused(tool, **arguments)

    told = with_member(place, tmp_path, scene, member)

    assert says in told
    assert "Traceback" not in told
    assert not member.requests
