"""Small evaluations over scripted members."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from moot.core.calls import Failure, Request
from moot.core.question import Document
from moot.evals.items.datasets import Dataset
from moot.evals.items.items import Item
from moot.evals.runs.budget import RunLimits
from moot.evals.runs.harness import Access, EvalOrder, Finished, Listener, run
from moot.evals.runs.results import Results
from moot.protocols.coherence.graph_files import graphs_from, shipped_texts
from moot.testing import Scripted, scripted
from tests.protocols.coherence_kit import FAIR
from tests.protocols.prism.kit import output as claim_output

MEMBER = "scripted:a"
ARGUMENT = {
    "reasoning": "It is written there.",
    "assumptions": [],
    "steps": [{"id": "s1", "claim": "There are 7 apples in the basket", "because": [1]}],
    "objections": [],
    "conclusion": {"claim": "There are 7 apples", "because": ["s1"]},
    "answer": "7",
}
LOOKED_UP = {"calls": [{"tool": "search", "input": "apples in the basket"}]}
RESPONSE = {
    "reasoning": "The basket was counted.",
    "position": "There are seven apples in it.",
    "answer": "7",
    "confidence": 0.75,
    "epistemicClaims": {"facts": ["There are 7 apples in the basket [1]"], "inferences": [], "assumptions": []},
    "references": [{"number": 1, "title": "E1", "quote": ""}],
    "vote": "ACCEPT",
}
PROSE = "There are seven of them.\nAnswer: 7"
TYPED = {"reasoning": "counted", "answer": "7", "confidence": 0.9}


SCORED = {
    "columns": ["Counting", "Looking"],
    "scores": [
        {"observed_relation": {"graph": graph.name, "id": id_}, "values": [7, 3]}
        for graph in graphs_from(shipped_texts())
        for id_ in graph.ids
    ],
}


def reply(request: Request) -> Any:
    """Answer 7 in the shape that is asked for."""
    if request.step.startswith("response/"):
        return "7"
    if request.schema is None:
        return PROSE
    if request.step.startswith("run/"):
        return ARGUMENT
    if request.step.startswith("exposition/"):
        return {"reasoning": "counted", "answer": "7", "claims": []}
    if request.step.startswith(("unfold", "scores/")):
        return SCORED
    if request.step.startswith("judge/"):
        return FAIR
    if request.step.startswith("L"):
        return claim_output(request.step[1], answer="7") if request.step[1] == "7" else claim_output(request.step[1])
    if request.step.startswith("round/"):
        return LOOKED_UP if request.step.endswith("/lookup") else RESPONSE
    return {"reason": "so it says", "sentence": 1, "says": "say this"} if request.step.startswith("verify/") else TYPED


def failing(request: Request) -> Failure:
    return Failure("refused", "the member answers nothing")


def items(count: int) -> list[Item]:
    document = Document(name="basket", text="There are 7 apples in the basket.")
    return [
        Item(
            f"q{number}",
            "apples",
            f"How many apples are in basket {number}?",
            "7",
            "number",
            (document,),
            form="a number",
        )
        for number in range(1, count + 1)
    ]


def evaluate(
    folder: Path,
    arms: Sequence[str],
    *,
    count: int = 2,
    member: Scripted | None = None,
    models: Mapping[str, Scripted] | None = None,
    limits: RunLimits | None = None,
    listener: Listener | None = None,
    problems: Sequence[Any] = (),
    **order: Any,
) -> Finished:
    """Run arms over a few items and return what came of it."""
    models = models or {MEMBER: member or scripted(reply)}
    reach = Access({"MOOT_HOME": str(folder / "home")}, models=models)
    dataset = Dataset("apples", tuple(items(count)), tuple(problems))
    wanted = EvalOrder(data="apples", arms=tuple(arms), members=(MEMBER,), **order)
    results = Results(folder / "results")
    return asyncio.run(run(wanted, dataset, results, reach=reach, limits=limits or RunLimits(), listener=listener))


def calls(member: Scripted) -> int:
    return len(member.requests)
