"""What the members of the scenes say."""

from collections.abc import Callable, Mapping
from typing import Any

from moot.core.calls import Request

Script = Callable[[Request], Any]

X9 = (
    "The handbook says that a machine can take a nightly job only if it runs Linux and is switched on at 02:00. "
    "The survey says that server x9 runs Linux and stays on around the clock. {}\nAnswer: server x9"
)
LINUX_TOO = "Server x8 runs Linux too, but it is switched off between 22:00 and 06:00."
WINDOWS = "Server x12 runs Windows, and machines that run Windows are never given nightly jobs."

SERVERS: Mapping[str, Any] = {
    "qwen": [X9.format(more) for more in (LINUX_TOO, WINDOWS, "", LINUX_TOO, WINDOWS, "") * 2]
}

WATER = {
    "reasoning": "A litre is a volume, so the denser one is heavier.",
    "answer": "water",
    "claims": ["A litre of water weighs about 1.0 kg.", "A litre of oil weighs about 0.92 kg."],
}
OIL = {
    "reasoning": "Oil is thicker, so I take it to be heavier.",
    "answer": "oil",
    "claims": ["Oil is denser than water."],
}
MOVED = {"why": "Oil floats on water, so it is the lighter one.", "answer": "water", "claims": WATER["claims"]}
KEPT = {"why": "Nothing speaks against it.", "answer": "water", "claims": WATER["claims"]}


def _speaks(first: Mapping[str, Any], later: Mapping[str, Any]) -> Script:
    def reply(request: Request) -> Any:
        kind, _, rest = request.step.partition("/")
        if kind == "exposition":
            return first
        if kind == "judge":
            return _judged(rest)
        if kind == "oracles":
            return {"checks": []}
        if kind == "self":
            return {"why": "It rests on what was measured.", "denies": False, "axiom": ""}
        if kind == "accept":
            return {"why": "It is what I hold.", "accepts": True}
        return later

    return reply


def _judged(pair: str) -> dict[str, Any]:
    """Whoever is paired with b in the exposition is contradicted; afterwards all say the same."""
    against = pair.startswith("0/") and "m2" in pair
    one = "contradicts" if against else "entails"
    shared = {"same": [], "contradicting": [[1, 1]]} if against else {"same": [[1, 1], [2, 2]], "contradicting": []}
    why = "One says that oil is denser, the other that it is lighter." if against else "Both say water, for one reason."
    return {"reasoning": why, "a_to_b": one, "b_to_a": one, **shared}


HEAVIER: Mapping[str, Script] = {"a": _speaks(WATER, KEPT), "b": _speaks(OIL, MOVED), "c": _speaks(WATER, KEPT)}

STORED = (
    (
        "1e1e8ff3ab",
        "interrogation",
        "complete",
        "Which server in the Tallow Street hall can take a nightly job?",
        3,
        0.0,
    ),
    (
        "49c0d5b2f7",
        "debate",
        "paused",
        "Should we move the nightly jobs to the new machines before the audit?",
        55,
        0.0421,
    ),
    ("c7a2603d19", "spiral", "running", "Which is heavier, a litre of water or a litre of oil?", 190, 0.0),
    ("88f0b6e4c2", "vote", "exhausted", "How many crates fit into a container of forty feet?", 4400, 1.38),
)
"""What is stored: id, protocol, status, question, minutes since it began, dollars."""
