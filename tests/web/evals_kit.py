"""Evaluations as they lie in a server's folder: rows of arms over items, written as a run writes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from moot.evals.items.datasets import Dataset
from moot.evals.items.items import ArmRow
from moot.evals.runs.harness import Access, EvalOrder, run
from moot.evals.runs.results import Results, RunInfo
from moot.testing import scripted
from tests.evals.kit import MEMBER, items, reply
from tests.evals.test_metrics import ROW

ARMS = ("single-pass", "revisit", "self-consistency", "interrogation")
COSTS = {
    "single-pass": 391,
    "revisit": 1100,
    "self-consistency": 4100,
    "interrogation": 5500,
    "verbatim": 833,
    "arrows": 607,
    "compressed": 1700,
}
RIGHT = {
    "single-pass": "rrrrrwwwaw",
    "revisit": "rrrrwwwwwf",
    "self-consistency": "rrrrrrwwww",
    "interrogation": "wwrrrrwwww",
}
"""Right, wrong, abstained or failed, item by item."""


def eval_row(arm: str, number: int, outcome: str, **more: Any) -> ArmRow:
    """Return a row that came out so."""
    tokens = COSTS.get(arm, 700)
    votes = {"votes": ("7", "7", "5"), "detail": {"right_votes": [outcome == "r", outcome == "r", number % 2 == 0]}}
    own: dict[str, dict[str, Any]] = {
        "self-consistency": {
            "confidence": 0.9 if outcome == "r" else 0.4 + number % 10 / 50,
            "basis": "votes",
            **votes,
        },
        "interrogation": {
            "confidence": 0.3 + number % 10 / 20,
            "basis": "votes",
            "support_width": number % 4,
            "detail": {"resilience": None if number == 9 else number % 3, "auditable": True},
        },
        "single-pass": {"confidence": 0.8, "basis": "stated"},
    }
    row = replace(
        ROW,
        arm=arm,
        item=f"q{number}",
        dataset="apples",
        answer={"r": "7", "w": "5", "a": "It is not said.", "f": None}[outcome],
        correct=outcome == "r",
        abstained=outcome == "a",
        status="failed" if outcome == "f" else "complete",
        problem="the member answers nothing" if outcome == "f" else "",
        tokens_in=tokens - 100,
        tokens_out=100,
        usd=0.0,
        **own.get(arm, {}),
    )
    return replace(row, **more)


def keep_run(
    folder: Path,
    name: str = "first",
    right: Mapping[str, str] = RIGHT,
    *,
    rows: Sequence[ArmRow] | None = None,
    **info: Any,
) -> Results:
    """Write a run into a server's folder of evaluations, and return its folder."""
    results = Results(folder / "evals" / name)
    items = max(map(len, right.values()), default=0)
    told: dict[str, Any] = {
        "data": "apples.jsonl",
        "dataset": "apples",
        "digest": "0" * 64,
        "items": items,
        "members": ("scripted:a", "scripted:a"),
        "arms": dict.fromkeys(right, 1),
        "seed": 0,
        "command": "moot evals run --data apples.jsonl",
        "started": "2026-11-16T10:00:00+00:00",
        **info,
    }
    results.write_info(RunInfo(**told))
    for row in rows if rows is not None else every_row(right):
        results.end(row)
    return results


def every_row(right: Mapping[str, str] = RIGHT) -> list[ArmRow]:
    """Return the rows item by item, as a run writes them."""
    most = max(map(len, right.values()), default=0)
    return [
        eval_row(arm, number, outcomes[number])
        for number in range(most)
        for arm, outcomes in right.items()
        if number < len(outcomes)
    ]


async def ask_run(folder: Path, name: str = "asked", arms: Sequence[str] = ("single-pass",), count: int = 2) -> Results:
    """Put items to arms whose members follow a script, with a record of every deliberation; return the run's folder."""
    results = Results(folder / "evals" / name)
    reach = Access({"MOOT_HOME": str(folder / "elsewhere"), "MOOT_CONFIG": "none"}, models={MEMBER: scripted(reply)})
    order = EvalOrder(data="apples", arms=tuple(arms), members=(MEMBER,), started="2026-11-17T10:00:00+00:00")
    await run(order, Dataset("apples", tuple(items(count))), results, reach=reach)
    return results
