"""Records with an argument of any shape and size: the graph is made here, the rest of the record is a golden one's."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from moot.argument import GraphStore
from moot.core.canonical import canonical
from moot.methods.candidates import ranked_candidates
from tests.protocols.record_golden import GOLDEN

GRAPH = "made"
SOUNDS = ("ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu")
WORDS = [f"{first}{middle}{last}" for first in SOUNDS for middle in SOUNDS for last in SOUNDS]

HANDBOOK = """Machines for the nightly job

A machine that takes a nightly job must run Linux. A machine that takes a nightly job must be switched on at 02:00.
Nightly jobs start at 02:00. Machines that run BSD or Windows are never given nightly jobs."""
SURVEY = """The survey covers every server in the hall. Server x9 runs Linux and stays on around the clock. Server x8 \
runs Linux. Server x8 is switched off between 22:00 and 06:00. Servers x4 and x5 run BSD. Server x12 runs Windows."""
DOCUMENTS = {"handbook.md": HANDBOOK, "survey.md": SURVEY}


def node(id_: str, claim: str, type_: str = "inference", **more: Any) -> dict[str, Any]:
    """A claim; one with `quote` names the document that states it."""
    quote = more.pop("quote", None)
    sources = [{"document": quote[0], "sentences": [{"number": quote[1], "text": claim}]}] if quote else []
    return {"id": id_, "claim": claim, "type": type_, **({"sources": sources} if sources else {}), **more}


def edge(src: str, dst: str, relation: str = "supports", group: str | None = None) -> dict[str, Any]:
    """A relation between two claims."""
    return {"src": src, "dst": dst, "relation": relation, **({"group": group} if group else {})}


def servers() -> GraphStore:
    """An argument of six runs: lines that share no claim, a group of premises, attacks, an assumption, a circle."""
    store = GraphStore()
    x9, x8 = "Server x9 can take the nightly job.", "Server x8 can take the nightly job."
    linux = node("l", "A machine that takes a nightly job must run Linux.", "given", quote=("handbook.md", 2))
    on = node(
        "o", "A machine that takes a nightly job must be switched on at 02:00.", "given", quote=("handbook.md", 3)
    )
    clock = node(
        "k", "Server x9 runs Linux and stays on around the clock.", "given", quote=("survey.md", 7), confidence=0.9
    )
    covers = node("s", "The survey covers every server in the hall.", "given", quote=("survey.md", 6))
    runs: list[tuple[list[dict[str, Any]], list[dict[str, Any]]]] = [
        (
            [node("c", x9, "conclusion"), linux, on, clock,
             node("m", "Server x9 meets both conditions of the handbook.")],
            [edge("m", "c"), edge("l", "m", group="both"), edge("o", "m", group="both"), edge("k", "m", group="both")],
        ),
        (
            [node("c", x9, "conclusion"), covers, node("r", "Server x9 is the only server that is not ruled out."),
             node("b", "Servers x4 and x5 run BSD.", "given", quote=("survey.md", 10)),
             node("w", "Server x12 runs Windows.", "given", quote=("survey.md", 11)),
             node("q", "Machines that run BSD or Windows are never given nightly jobs.", "given",
                  quote=("handbook.md", 5)),
             node("x", "Servers x4, x5 and x12 are ruled out.")],
            [edge("r", "c"), edge("s", "r", group="1"), edge("x", "r", group="1"),
             *(edge(one, "x", group="2") for one in "bwq")],
        ),
        (
            [node("c", x8, "conclusion"), node("m", "Server x8 meets both conditions of the handbook."),
             node("l", "Server x8 runs Linux.", "given", quote=("survey.md", 8)),
             node("a", "Server x8 can be woken for a job.", "assumption"),
             node("t", "Server x8 is switched on at 02:00.", "assumption", ungrounded=True)],
            [edge("m", "c"), edge("l", "m"), edge("t", "m"), edge("a", "c", "assumes")],
        ),
        (
            [node("c", x9, "conclusion"), node("n", "Server x8 is not switched on at 02:00."),
             node("f", "Server x8 is switched off between 22:00 and 06:00.", "given", quote=("survey.md", 9)),
             node("j", "Nightly jobs start at 02:00.", "given", quote=("handbook.md", 4)),
             node("p", "Server x9 has spare capacity at night."),
             node("v", "Spare capacity at night is what the nightly job needs of server x9.")],
            [edge("n", "c"), edge("f", "n", group="1"), edge("j", "n", group="1"),
             edge("p", "c"), edge("p", "v"), edge("v", "p")],
        ),
        (
            [node("c", x9, "conclusion"), clock, node("u", "Server x9 can run the job runner."),
             node("i", "The job runner is installed on every Linux server.", "assumption")],
            [edge("u", "c"), edge("k", "u", group="1"), edge("i", "u", "assumes", group="1")],
        ),
        (
            [node("c", x9, "conclusion"), node("y", "Server x9 is not always switched on."),
             node("z", "Server x9 was rebooted in February.", "assumption", ungrounded=True),
             node("e", "Server x9 is switched on at 02:00."), clock],
            [edge("z", "y"), edge("y", "e", "attacks"), edge("k", "e"), edge("e", "c")],
        ),
    ]  # fmt: skip
    for number, (nodes, edges) in enumerate(runs, 1):
        run = f"r{number}"
        store.assert_graph(
            GRAPH,
            [{**one, "id": f"{run}:{one['id']}"} for one in nodes],
            [{**one, "src": f"{run}:{one['src']}", "dst": f"{run}:{one['dst']}"} for one in edges],
            run_id=run,
        )
    store.assert_graph(GRAPH, [], [edge("r4:n", "r3:t", "attacks"), edge("r3:t", "r4:n", "attacks")], run_id="r4")
    return store


def generated(size: int, seed: int = 7) -> dict[str, Any]:
    """The JSON of a graph of so many claims, 1.4 relations a claim, of which all lead to the first."""
    chance = Random(seed)
    pairs = {(number, chance.randrange(number)): None for number in range(1, size)}
    while len(pairs) < 1.4 * size and size > 2:
        src = chance.randrange(1, size)
        pairs[src, chance.randrange(src)] = None
    fed = {dst for _, dst in pairs}

    def kind(number: int) -> str:
        return "conclusion" if number == 0 else "inference" if number in fed else "given"

    asserted = [
        {
            "id": f"n{number}",
            "node": f"n{number}",
            "claim": f"Claim {number}: {' '.join(chance.sample(WORDS, chance.randint(4, 12)))}.",
            "type": kind(number),
            "confidence": 0.8,
            "run_ids": [f"r{number % 7 + 1}"],
            "refuted": False,
            "refute_reason": None,
            "ungrounded": False,
        }
        for number in range(size)
    ]
    edges = [
        {"src": f"n{src}", "dst": f"n{dst}", "relation": "supports", "confidence": 0.8, "run_ids": ["r1"]}
        for src, dst in pairs
    ]
    # To work out the widths is the page's to do; the record needs to say no more than which claim is the answer.
    top = {"id": "n0", "answer": "It is so.", "votes": 0, "surviving_width": 1}
    asserted_too = {"nodes": asserted, "edges": edges, "cannot_link": []}
    return {"nodes": asserted, "edges": edges, "asserted": asserted_too, "candidates": [top]}


def kept_record(
    graph: GraphStore | Mapping[str, Any],
    answers: Sequence[str] = (),
    documents: Mapping[str, str] = DOCUMENTS,
    question: str = "Which server can take the nightly job?",
) -> list[str]:
    """The events of an interrogation that ended with this graph; `answers` are those of its candidates, in order."""
    given: Any = graph.to_json(GRAPH) if isinstance(graph, GraphStore) else graph
    events = [json.loads(line) for line in (GOLDEN / "interrogation_whole.jsonl").read_text().splitlines()]
    [started], [ended] = ([one for one in events if one.get("kind") == kind] for kind in ("started", "ended"))
    named = [{"name": name, "text": text} for name, text in documents.items()]
    started["header"]["question"] = {"text": question, "documents": named, "form": ""}
    candidates = given.get("candidates") or _candidates(given, answers)
    ended["verdict"]["detail"] = {"graph": given, "candidates": candidates, "rank_by": "width"}
    return [canonical(started), canonical(ended)]


def _candidates(graph: Mapping[str, Any], answers: Sequence[str]) -> list[dict[str, Any]]:
    store = GraphStore()
    store.from_json(GRAPH, graph)
    ranked = ranked_candidates(store, GRAPH)
    given = [*answers, *(item.claim for item in ranked[len(answers) :])]
    return [item.json(answer) for item, answer in zip(ranked, given, strict=False)]
