"""What goes wrong reaches an agent in one shape: words, the way out, a code."""

import asyncio
import re
from typing import Any

import pytest

pytest.importorskip("mcp")
pytest.importorskip("fastapi")

from mcp.types import TextContent

from moot.core.errors import (
    AlreadyEnded,
    AlreadyRunning,
    BadMember,
    DocumentsTooLong,
    EmptyQuestion,
    MootError,
    PriceUnknown,
    RunBroke,
    TooFewMembers,
    UnknownProtocol,
)
from moot.mcp_server.agent_words import argument_words
from moot.mcp_server.answering import ToolServer
from moot.store.deliberations import no_deliberation
from moot.views.surfaces import said_to
from tests.mcp_server.kit import PLACES, Agent, at_work

NODES = [{"id": "z", "claim": "server x9 can run the nightly job", "type": "conclusion"}]
BAD_NODES = [{"id": "y", "claim": "it rains", "type": "premise"}, "no node"]


FAILURES = [
    (
        "support_width",
        {"graph_id": "none", "conclusion_id": "z"},
        "there is no graph 'none'; `list_graphs` names those there are",
    ),
    ("show_graph", {"graph_id": "none"}, "there is no graph 'none'; `list_graphs` names those there are"),
    ("undo_refuted", {"graph_id": "case", "node_id": "q"}, "there is no node 'q'; `show_graph` lists its claims"),
    (
        "support_width",
        {"graph_id": "case", "conclusion_id": "q"},
        "there is no node 'q'; `show_graph` lists its claims",
    ),
    (
        "merge_duplicates",
        {"graph_id": "case", "jaccard_threshold": 7},
        "`jaccard_threshold`: input should be less than",
    ),
    (
        "merge_duplicates",
        {"graph_id": "case", "ratio_threshold": 0},
        "`ratio_threshold`: input should be greater than 0",
    ),
    (
        "assert_graph",
        {"graph_id": "new", "nodes": []},
        "there is nothing to take in; give at least one claim in `nodes`",
    ),
    ("mark_refuted", {"graph_id": "case", "node_id": "z"}, "`reason` is missing; the input schema of `mark_ref"),
    ("show_graph", {"graph_id": "case", "limit": 0}, "`limit`: input should be greater than or equal to 1"),
    ("show_graph", {"graph_id": ["case"]}, "`graph_id`: input should be a valid string"),
    ("contest", {"id": "0000000000", "claim": "c"}, "give it as `reason`"),
    ("deliberate", {"question": " "}, "the question is empty; give it as `question`."),
    ("deliberation_status", {"id": "0000000000"}, "`deliberation_status` without an id tells the latest"),
    ("assert_graph", {"graph_id": "new", "nodes": BAD_NODES}, "nothing was taken in: type must be one of"),
    (
        "keep_apart",
        {"graph_id": "case", "pairs": [["z", "q"], ["z"]]},
        "nothing was taken in: a cannot-link pair names",
    ),
    ("deliberate", {"question": "Why?", "member": ["m"]}, "has no argument `member`; did you mean members? it takes"),
    ("deliberate", {"question": "Why?", "documents": ["d"]}, "`documents.0`: input should be an object; the"),
    ("show_graph", {"graph_id": "c" * 201}, "`graph_id`: string should have at most 200"),
    ("no_such_tool", {}, "there is no tool 'no_such_tool'; `tools/list` names"),
]


@pytest.mark.clause("argument:M3")
@pytest.mark.parametrize("place", PLACES)
def test_every_failure_has_one_shape_and_no_word_of_a_library_or_a_shell(place, tmp_path):
    async def scene(at: Agent) -> list[Any]:
        await at.call("assert_graph", graph_id="case", nodes=NODES)
        return [await at.client.call_tool(tool, arguments) for tool, arguments, _ in FAILURES]

    results = at_work(place, tmp_path, scene)

    for result, (_, _, says) in zip(results, FAILURES, strict=True):
        told = result.structured_content
        text = [part.text for part in result.content if isinstance(part, TextContent)]
        assert result.is_error
        assert text == [f"{told['error']} [{told['code']}]"]
        assert says in told["error"] and told["error"].endswith(".")
        assert re.fullmatch(r"[a-z_]+", told["code"])
        assert not re.search(r"pydantic|https?://|Error executing|NoneType|`moot |--\w", told["error"])


OF_A_DELIBERATION = [
    (
        "open_step",
        {"step": "nowhere"},
        "not_found",
        "`deliberation_status` with id=… names those of this deliberation.",
    ),
    ("fill_open_step", {"step": "nowhere", "reply": {}}, "not_found", "`deliberation_status` with id=… names those of"),
    ("verify_claim", {}, "usage", "is no claim of the board but single; `deliberation_status` with id=… shows it."),
]


@pytest.mark.clause("argument:M3")
def test_a_failure_is_told_in_the_same_words_here_and_on_a_server(tmp_path):
    async def scene(at: Agent) -> list[Any]:
        id_ = (await at.call("deliberate", question="Is 97 prime?", protocol="single"))["id"]
        await at.call("assert_graph", graph_id="case", nodes=NODES)
        calls: list[tuple[str, dict[str, Any]]] = [
            (tool, {**arguments, "id": id_}) for tool, arguments, *_ in OF_A_DELIBERATION
        ]
        calls += [(tool, arguments) for tool, arguments, _ in FAILURES]
        results = [await at.client.call_tool(tool, arguments) for tool, arguments in calls]
        return [
            (result.structured_content["error"].replace(id_, "…"), result.structured_content["code"])
            for result in results
        ]

    own, server = (at_work(place, tmp_path / place, scene) for place in PLACES)

    assert own == server
    for (error, code), (*_, wanted, says) in zip(own, OF_A_DELIBERATION, strict=False):
        assert (code, says in error) == (wanted, True), error


@pytest.mark.clause("argument:M3")
@pytest.mark.parametrize("place", PLACES)
def test_an_unknown_node_is_not_found_and_nothing_sent_makes_no_graph(place, tmp_path):
    async def scene(at: Agent) -> Any:
        await at.call("assert_graph", graph_id="case", nodes=NODES)
        calls = [(tool, arguments) for tool, arguments, says in FAILURES if "there is no node" in says]
        codes = [(await at.client.call_tool(*call)).structured_content["code"] for call in calls]
        nothing = await at.client.call_tool("assert_graph", {"graph_id": "g3", "nodes": [], "edges": None})
        return codes, nothing.structured_content["code"], await at.call("list_graphs")

    codes, nothing, graphs = at_work(place, tmp_path, scene)

    assert codes == ["not_found", "not_found"]
    assert (nothing, graphs) == ("bad_arguments", {"graphs": ["case"]})


@pytest.mark.clause("argument:M3")
@pytest.mark.parametrize("place", PLACES)
def test_what_was_wholly_refused_lists_every_item_and_makes_no_graph_and_a_part_is_no_error(place, tmp_path):
    async def scene(at: Agent) -> Any:
        refused = await at.client.call_tool("assert_graph", {"graph_id": "g", "nodes": BAD_NODES})
        made = await at.call("list_graphs")
        return refused, made, await at.call("assert_graph", graph_id="g", nodes=[*BAD_NODES, *NODES])

    refused, made, partly = at_work(place, tmp_path, scene)

    assert [entry["item"] for entry in refused.structured_content["rejected"]] == BAD_NODES
    assert refused.structured_content["code"] == "all_refused"
    assert "(and 1 more, in `rejected`)" in refused.structured_content["error"]
    assert made == {"graphs": []}
    assert (partly["accepted_nodes"], len(partly["rejected"])) == (1, 2)


@pytest.mark.clause("argument:M3")
def test_an_edge_may_name_its_ends_as_other_tools_do(tmp_path):
    nodes = [*NODES, {"id": "a", "claim": "the survey lists server x9", "type": "given"}]
    edges = [{"source": "a", "target": "z", "relation": "supports"}]

    async def scene(at: Agent) -> Any:
        return await at.call("assert_graph", graph_id="g", nodes=nodes, edges=edges)

    assert at_work("own", tmp_path, scene)["accepted_edges"] == 1


@pytest.mark.clause("argument:M3")
@pytest.mark.parametrize(
    ("error", "says"),
    [
        (EmptyQuestion(), "give it as `question`"),
        (BadMember(spec="embedded:x", problem="Moot has a (`moot models`)"), "Moot has a."),
        (UnknownProtocol(name="dabate", known=["debate", "vote"]), "Moot has debate, vote."),
        (no_deliberation("0a1b"), "`deliberation_status` without an id"),
        (AlreadyRunning(deliberation="0a1b"), "`deliberation_status` with id=0a1b shows how far it is"),
        (RunBroke(deliberation="0a1b", kind="KeyError"), "`deliberate` with resume=0a1b tries again"),
        (PriceUnknown(model="m"), "`usd` in `budget` cannot be kept; limit it with `calls` in `budget`."),
        (TooFewMembers(protocol="debate", needed=3, given=1), "name more in `members`, or seat one several times"),
        (DocumentsTooLong(member="m", tokens=9, limit=8, largest="a"), "with `passages` in `settings`"),
        (
            AlreadyEnded(deliberation="0a1b", status="exhausted"),
            "and whoever runs Moot can go on",
        ),
    ],
)
def test_the_way_out_is_a_tool_or_an_argument_where_a_shell_has_a_command_or_an_option(error: MootError, says: str):
    told = said_to("agent", str(error))

    assert says in told
    assert "--" not in told


@pytest.mark.clause("argument:M3")
def test_many_wrong_arguments_are_told_in_one_sentence():
    problems = [{"type": "missing", "loc": (name,), "msg": "Field required"} for name in "abcde"]

    told = argument_words("contest", problems)

    assert told.startswith("`a` is missing; `b` is missing; `c` is missing (and 2 more); the input schema of `contest`")


@pytest.mark.clause("argument:M3")
def test_a_fault_of_moots_own_is_logged_and_its_text_stays_here(caplog: pytest.LogCaptureFixture):
    server = ToolServer("moot")

    @server.tool()
    async def broken() -> dict[str, object]:
        raise KeyError("secret")

    result: Any = asyncio.run(server.call_tool("broken", {}))

    assert (result.is_error, result.structured_content["code"]) == (True, "own_fault")
    assert "secret" not in str(result) and "secret" in caplog.text
