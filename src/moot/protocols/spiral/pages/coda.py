"""The coda as a page shows it, and why a spiral's answer is believed: in the words of its verdict."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from moot.core.panes import ItemList, Pane, PaneItem
from moot.core.verdict import Status, Verdict
from moot.protocols.spiral.pages.figures import loop_name
from moot.protocols.spiral.pages.progress import SpiralProgress
from moot.views.words import counted, one_line

PARTS = (("common", "All hold"), ("nuances", "Some add"), ("caveats", "Disputed"))
MOST_REASONS = 3

Held = Mapping[str, Any]


def coda_pane(verdict: Verdict, progress: SpiralProgress) -> Pane:
    """Return what all hold, what some add and what is disputed; without these, why there is no coda."""
    ending = ItemList((PaneItem(ending_words(verdict, progress)),))
    if "common" not in verdict.detail:
        return Pane("coda", "Coda", (ending,), side=True)
    ids = _claim_ids(verdict.detail)
    lists = [
        ItemList(tuple(_held(item, next(ids)) for item in verdict.detail[name]), title)
        for name, title in PARTS
        if verdict.detail[name]
    ]
    return Pane("coda", "Coda", (ending, *lists), side=True)


def reasons(verdict: Verdict, progress: SpiralProgress) -> tuple[PaneItem, ...]:
    """Return why the answer is believed, or why only so far, in at most three lines."""
    if verdict.answer is None:
        return ()
    lines = [PaneItem(ending_words(verdict, progress), link="argument" if "graph" in verdict.detail else "")]
    if verdict.confidence.value is not None:
        lines.append(PaneItem(f"Harmony H is {verdict.confidence.value:.2f}: {verdict.confidence.reason}."))
    return (*lines, *_decisive(verdict, progress))[:MOST_REASONS]


def ending_words(verdict: Verdict, progress: SpiralProgress) -> str:
    """Return how it ended. Answers that differ in words and contradict nothing are said to do just that."""
    reason = f"{verdict.stop_reason[:1].upper()}{verdict.stop_reason[1:]}."
    if verdict.status is not Status.FORCED or _is_disputed(verdict, progress):
        return reason
    answers = [item for name, _ in PARTS for item in verdict.detail.get(name, ()) if item["is_answer"]]
    if len(answers) < 2:
        return reason
    everybody = len(answers) == len(progress.positions)
    who = "The members all answer differently in words" if everybody else "The members answer differently in words"
    return f"{who}, and nothing is contradicted: it was forced to an end. {reason}"


def _is_disputed(verdict: Verdict, progress: SpiralProgress) -> bool:
    """Whether something is contradicted at the end, or somebody would have had to say and nobody did."""
    unjudged = "not every pair was judged" in verdict.stop_reason
    return unjudged or progress.loops[-1].is_open


def _decisive(verdict: Verdict, progress: SpiralProgress) -> Iterator[PaneItem]:
    """What moved the members: what was computed, then who came to the answer when."""
    for loop in progress.loops:
        for note in loop.notes:
            for item in note.data.get("oracles", ()) if note.name == "loop" else ():
                if item["finding"]["verdict"] in ("true", "false"):
                    told = f"An oracle computed “{one_line(item['check'], 80)}”: {item['finding']['verdict']}."
                    yield PaneItem(told, link=f"e{note.event}")
    came = [held for held in progress.positions.values() if held.loop and held.answer == verdict.answer]
    if came:
        words = f"{counted(len(came), 'member')} came to it after {loop_name(0)}."
        yield PaneItem(words, tuple(held.seat for held in came), link=f"e{came[0].event}")


def _held(item: Held, claim: str) -> PaneItem:
    against = tuple(PaneItem(other, tuple(item["against"]), "against", "bad") for other in item["contradicts"])
    refuted = f"a computation refutes it: {item['refuted']}" if item["refuted"] else ""
    mark = "refuted" if refuted else "answer" if item["is_answer"] else ""
    return PaneItem(
        item["claim"],
        tuple(item["held_by"]),
        mark,
        "bad" if refuted else "",
        refuted,
        link=f"claim:{claim}",
        under=against,
    )


def _claim_ids(detail: Mapping[str, Any]) -> Iterator[str]:
    """Yield the id of each entry in the coda's argument: answers and claims are numbered apart, in their order."""
    numbers = {True: count(1), False: count(1)}
    for name, _ in PARTS:
        for item in detail[name]:
            is_answer = item["is_answer"]
            yield f"{item['held_by'][0]}:{'a' if is_answer else 'c'}{next(numbers[is_answer])}"
