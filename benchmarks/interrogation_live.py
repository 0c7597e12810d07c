"""A live run of `interrogation` with the embedded model over multi-hop questions, reported as it comes out.

    MOOT_DATA=… python benchmarks/interrogation_live.py --items 5 --n 2 --budget-calls 5

Takes minutes for each item on two cores. Prints the verdicts, the share of ungrounded givens and the cost.
"""

import argparse
import json
import os
import re
import string
import sys
import time
from pathlib import Path

from moot import ask_sync
from moot.core.budget import Budget
from moot.core.question import Document

FILE = "hotpotqa_distractor_dev.jsonl"


def items(most: int) -> list[dict]:
    folder = os.environ.get("MOOT_DATA")
    if not folder or not (Path(folder) / FILE).exists():
        sys.exit(f"set MOOT_DATA to the folder that holds {FILE}")
    with (Path(folder) / FILE).open(encoding="utf-8") as lines:
        return [json.loads(line) for _, line in zip(range(most), lines, strict=False)]


def documents(item: dict) -> list[Document]:
    named = [text.partition(": ") for text in item["documents"]]
    return [Document(name=title, text=f"{title}: {text}") for title, _, text in named]


def normal(answer: str | None) -> str:
    """An answer as HotpotQA's own script compares it: lower case, no punctuation, no articles."""
    bare = "".join(letter for letter in (answer or "").lower() if letter not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=5)
    parser.add_argument("--n", type=int, default=2)
    parser.add_argument("--budget-calls", type=int, default=5)
    parser.add_argument("--member", default="embedded")
    given = parser.parse_args()
    right = ungrounded = givens = calls = 0
    begun = time.monotonic()
    for item in items(given.items):
        result = ask_sync(
            item["question"],
            documents=documents(item),
            protocol="interrogation",
            members=[given.member],
            settings={"n": given.n, "max_tokens": 900},
            budget=Budget(calls=given.budget_calls),
            seed=1,
        )
        told = result.json()
        nodes = told["detail"].get("graph", {}).get("asserted", {}).get("nodes", [])
        bad = len(told["detail"].get("ungrounded", []))
        stated = sum(node["type"] == "given" for node in nodes) + bad
        is_right = normal(result.answer) == normal(item["answer"])
        right, ungrounded, givens = right + is_right, ungrounded + bad, givens + stated
        calls += told["cost"]["calls"]
        mark, width = "right" if is_right else "wrong", told["detail"].get("support_width")
        print(f"{mark}  {told['status']}, width {width}, {told['stop_reason']}")
        print(f"       {item['question']}\n       Moot: {result.answer}\n       gold: {item['answer']}", flush=True)
    share = f"{ungrounded} of {givens}" if givens else "none were stated"
    took = f"{calls} calls; {time.monotonic() - begun:.0f} s"
    print(f"exact match {right} of {given.items}; ungrounded givens {share}; {took}")


if __name__ == "__main__":
    main()
