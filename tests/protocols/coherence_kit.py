"""Runs of `coherence` with scripted members, over small graphs of their own."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moot.core.budget import Budget
from moot.core.calls import Failure, Request
from moot.core.canonical import plain
from moot.core.events import Header
from moot.core.panel import seated
from moot.core.question import Question
from moot.protocols.coherence.protocol import COHERENCE
from moot.protocols.coherence.schemas import CoherenceSettings, GraphFiles
from tests.protocols.ended import Ended
from tests.runtime.protocol import Course

KNOWLEDGE = """# a small one
K1: A report depends on what its author could see.
K2: Several reports may go back to one source.
K3: A method that failed once may fail again.
K10: A figure means little without its base.
K1 M2 K2
K2 M3 K3
K3 M1 K10
"""
ETHICS = """E1: A promise binds the one who gave it.
E2: Who bears the cost should have a say.
E1 M1 E2
"""
GRAPHS = {"ethics.txt": ETHICS, "knowledge.txt": KNOWLEDGE}
IDS = (
    ("knowledge", "K1"),
    ("knowledge", "K2"),
    ("knowledge", "K3"),
    ("knowledge", "K10"),
    ("ethics", "E1"),
    ("ethics", "E2"),
)
COLUMNS = ["Cost of delay", "Trust in the team"]
SCORES = {"K1": [8, 1], "K2": [7, 2], "K3": [3, 6], "K10": [0, 9], "E1": [6, 0], "E2": [5, 0]}

ASKED = "Should we rewrite the billing service?"
GOOD = "Wait until the next release, and then begin with the smallest part."
FAIR = {
    "reasoning": "It reads well.",
    "mentions_internal_processing": False,
    "follows_required_format": True,
    "traces_only_within_it": True,
    "trace_became_a_section": False,
}
UNFAIR = {**FAIR, "reasoning": "It talks of its columns.", "mentions_internal_processing": True}

UNREACHABLE = Failure("unreachable", "nobody there")

Said = str | Mapping[str, Any] | Failure
Reply = Callable[[Request], Said]


def unfolded(columns: Sequence[Any] = COLUMNS, only: Sequence[tuple[str, str]] = IDS, **changed: Any) -> dict[str, Any]:
    """A reply in the format of coherence 3.4; `changed` replaces the values of a relation, None leaves it out."""
    values = {**SCORES, **changed}
    return {
        "columns": list(columns),
        "scores": [
            {"observed_relation": {"graph": graph, "id": id_}, "values": values[id_]}
            for graph, id_ in only
            if values[id_] is not None
        ],
    }


def demanding(*demands: tuple[str, str], open_words: str | None = None, **changed: Any) -> dict[str, Any]:
    """A first reply that names these demands, each with its words, and says whether the organisation is open."""
    return {
        **unfolded(**changed),
        "demanded_form": [{"demand": demand, "words": words} for demand, words in demands],
        "open_organisation": {"open": open_words is not None, "words": open_words or ""},
    }


def answering(
    unfold: Said | Sequence[Said] = "", responses: Sequence[Said] = (GOOD,), judges: Sequence[Said] = (FAIR,)
):
    """Return a function of the request: the first member by its calls in order, the others by their version."""
    unfolds = [unfold or unfolded()] if isinstance(unfold, str | Mapping | Failure) else list(unfold)

    def reply(request: Request) -> Said:
        kind, _, rest = request.step.partition("/")
        if kind == "response":
            return responses[min(int(rest), len(responses)) - 1]
        if kind == "judge":
            return judges[min(int(rest), len(judges)) - 1]
        return unfolds.pop(0) if len(unfolds) > 1 else unfolds[0]

    return reply


def course(
    reply: Reply, seen: list[Request], *, question: str | Question = ASKED, seats: int = 2, **options: Any
) -> Course:
    budget: Budget = options.pop("budget", COHERENCE.budget)
    graphs = options.pop("graphs", GRAPHS)
    chosen = CoherenceSettings(graphs=GraphFiles(path="mine", texts=graphs) if graphs else None, **options)

    def react(request: Request, number: int) -> Any:
        seen.append(request)
        said = reply(request)
        return json.dumps(said, ensure_ascii=False) if isinstance(said, Mapping) else said

    header = Header(
        question=Question(text=question) if isinstance(question, str) else question,
        protocol=COHERENCE.name,
        protocol_version=COHERENCE.version,
        moot_version="0",
        settings=plain(chosen),
        panel=seated([f"script:{number}" for number in range(seats)]),
        budget=budget,
        seed=11,
        data=COHERENCE.made_from(chosen),
    )
    return Course(header=header, row=COHERENCE, reactions={member.model: react for member in header.panel})


def run(
    unfold: Said | Sequence[Said] = "",
    responses: Sequence[Said] = (GOOD,),
    judges: Sequence[Said] = (FAIR,),
    **options: Any,
) -> Ended:
    """Ended `coherence` with members that reply so."""
    seen: list[Request] = []
    made = course(answering(unfold, responses, judges), seen, **options)
    return Ended(made.run(), made, seen)
