"""A small plan over invented items, and a member that answers them from a script. No data set is touched."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.evidence.items import Slice
from benchmarks.evidence.plan import ArmOrder, Plan
from benchmarks.evidence.planning import Sources, planned
from benchmarks.evidence.rows import Row, Rows
from benchmarks.evidence.running import Wanted, Watch, run

from moot.core.calls import Completion, Request, Usage
from moot.evals.runs.harness import Access
from moot.testing import Scripted, scripted

MEMBER = "embedded:qwen2.5-coder-1.5b"
CANARY = "zanzibarine"
"""A word of every question, document, answer and reply; it must be in nothing that is kept."""

VOTE = {"form": "both", "temperature": 0.8, "max_tokens": 400}
ARMS = (
    ArmOrder("pool", "vote", "vote", VOTE, pooled=True),
    ArmOrder("abstention", "vote", "vote", VOTE, pooled=True),
    ArmOrder("graph", "graph", "vote", {"n": 2, "form": "plain", "temperature": 0.9}, pooled=False),
    ArmOrder("rounds", "debate", "vote", {"n": 3, "form": "plain", "temperature": 0.9}, pooled=False),
)
SAND = "Sand lies on the shore of it, and nobody has ever counted the grains or the shells that the sea brings in. " * 3
PARAGRAPHS = [f"Island {n}: The {CANARY} harbour of island {n} was dug. {SAND}" for n in range(12)]


def write_items(folder: Path, sums: int = 2, found: int = 1, unsettled: int = 1) -> None:
    """Write a file of sums and one of questions over documents, the last of which they do not settle."""
    numbers = [
        {
            "kind": "number",
            "dataset": "sums",
            "question": f"{CANARY} {n}: how many are 3 and {n}?",
            "answer": str(3 + n),
        }
        for n in range(1, sums + 1)
    ]
    worded = [
        {
            "kind": "span",
            "dataset": "islands",
            "question": f"Who dug the {CANARY} harbour {n}?",
            "answer": f"Nemo {CANARY}",
            "abstain": n > found,
            "form": "a name",
            "documents": [{"name": f"Island {n}", "text": text} for n, text in enumerate(PARAGRAPHS)],
        }
        for n in range(1, found + unsettled + 1)
    ]
    for name, lines in (("sums", [{**each, "form": "a number"} for each in numbers]), ("islands", worded)):
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def sources(folder: Path, *, sums: int = 2, arms: Sequence[ArmOrder] = ARMS) -> Sources:
    """Return the invented sets of a folder."""
    pool = (Slice("sums.jsonl", 0, sums), Slice("islands.jsonl", 0, 1))
    return Sources(folder, pool, (Slice("islands.jsonl", 0, 1, unsettled=True),), MEMBER, tuple(arms))


def answer(request: Request) -> Completion:
    """Answer every sum with 4, every other question with Nemo; in the form that is asked for."""
    asked = request.messages[-1].content
    if ("answer" in asked and "Python" in asked) or "assign" in asked:
        text = f"{CANARY} = 1\nanswer = 3 + {CANARY}"
    elif "how many" in asked:
        text = f"The {CANARY} ones are counted.\nAnswer: 4"
    else:
        text = f"Nemo {CANARY} dug it.\nAnswer: Nemo {CANARY}"
    return Completion(text, Usage(100, 10, 0.0))


def plan_of(folder: Path, **how: Any) -> Plan:
    """Return the plan over the invented items."""
    return planned(sources(folder, **how), date="2026-01-01")


def evaluate(
    folder: Path,
    member: Scripted | None = None,
    *,
    plan: Plan | None = None,
    wanted: Wanted = Wanted(),  # noqa: B008 (frozen)
    watch: Watch | None = None,
    **how: Any,
) -> list[Row]:
    """Run the plan and return the rows."""
    whence = sources(folder, **how)
    rows = Rows(folder / "rows.jsonl")
    models: Mapping[str, Scripted] = {MEMBER: member or scripted(answer)}
    reach = Access({"MOOT_HOME": str(folder / "home")}, models=models)
    quiet = watch or Watch(load=lambda: 0.5, today=lambda: "2026-01-02", cores=2)
    plan = plan or planned(whence, date="2026-01-01")
    asyncio.run(run(plan, whence.items(), rows, folder / "record", reach, wanted, quiet))
    return rows.read()


def stage(rows: Sequence[Row], name: str) -> list[Row]:
    return [row for row in rows if row.stage == name]
