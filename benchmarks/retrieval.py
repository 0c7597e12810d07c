"""How often the paragraphs shown hold all that an answer needs (ruling I20). No model is asked.

    MOOT_DATA=… python benchmarks/retrieval.py

For each item of the sets: are all paragraphs that its authors name as needed among the first four? By BM25 alone, by
BM25 with the title hop, and by what `narrowed` shows within 600 tokens by Moot's upper estimate. Targets: 90 % of
HotpotQA and 75 % of 2WikiMultihopQA by the title hop; MuSiQue, twenty paragraphs and up to four hops, has none.
The rule was chosen on the first 130 items of HotpotQA and the first 20 of 2WikiMultihopQA; the others are
printed apart.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from moot.evals.items.datasets import load
from moot.evals.items.items import Item
from moot.methods.search import Passage, best_passages, narrowed, ordered, passages_of

MOST, TOKENS = 4, 600
SETS = (("hotpotqa_distractor_dev", 130, 0.90), ("2wikimultihopqa_dev", 20, 0.75), ("musique_ans", 0, None))

WAYS: dict[str, Callable[[Item], Sequence[Passage]]] = {
    "BM25": lambda item: best_passages(item.question, passages_of(item.documents), MOST),
    "title hop": lambda item: ordered(item.question, passages_of(item.documents))[:MOST],
    f"{TOKENS} tokens": lambda item: narrowed(item.question, item.documents, TOKENS).shown,
}


def main() -> int:
    """Print the figures; return 1 where a target is missed."""
    folder = os.environ.get("MOOT_DATA")
    if not folder:
        print("MOOT_DATA names no folder with the outside data: nothing to measure")
        return 0
    print(f"  {'set':<26} {'items':<12}" + "".join(f"{way:>14}" for way in WAYS) + "   target")
    met = [row for name, looked_at, target in SETS for row in rows(Path(folder) / f"{name}.jsonl", looked_at, target)]
    print("\nall targets met" if all(met) else "\na target was missed")
    return 0 if all(met) else 1


def rows(path: Path, looked_at: int, target: float | None) -> list[bool]:
    """Print a set's rows, all items and those that nobody had looked at; return whether the target is met."""
    if not path.exists():
        print(f"  {path.stem:<26} is not there: skipped")
        return []
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    needed = [set(record["supporting_titles"]) for record in records]
    items = load(path).items
    kept = {way: [is_kept(*pair, show) for pair in zip(items, needed, strict=True)] for way, show in WAYS.items()}
    for start in (0, looked_at) if looked_at else (0,):
        shares = "".join(
            f"{sum(each[start:]):>6} {sum(each[start:]) / len(each[start:]):>7.1%}" for each in kept.values()
        )
        print(f"  {path.stem:<26} {f'[{start}:{len(items)}]':<12}{shares}   {f'{target:.0%}' if target else '-'}")
    return [sum(kept["title hop"]) >= (target or 0) * len(items)]


def is_kept(item: Item, needed: set[str], show: Callable[[Item], Sequence[Passage]]) -> bool:
    """Return whether all that is needed is shown."""
    return needed <= {item.documents[passage.document].name for passage in show(item)}


if __name__ == "__main__":
    sys.exit(main())
