"""The words for the parts of a debate, the same in a round's block and in the final synthesis (debate 5.2, 5.3)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from moot.protocols.debate.checks import MODE_QUESTIONS, STAKES_QUESTION, UNIVERSAL_QUESTIONS, Counts
from moot.protocols.debate.state.speech import VOTES
from moot.views.sections import Entry, Section, entries
from moot.views.words import counted

Item = Mapping[str, Any]

BREACHES = {
    "unlabelled": "no claim labelled FACT, INFER or ASSUME",
    "fact without citation": "a FACT without a citation",
    "assumption with citation": "an ASSUME with a citation",
    "missing reference": "a citation without a reference",
    "unknown claim": "a claim named that nobody made",
    "vote outside the rubric": "a vote that is none of ACCEPT, MINOR and BLOCKER",
    "no vote": "no vote on the proposal",
    "blocker without objection": "a BLOCKER that does not say what must change",
    "objection of another": "an attempt to take back another agent's objection",
    "agreement without a concern": "agreement without a concern that is new",
    "agreement without an alternative": "agreement without an alternative",
    "untethered dissent": "dissent without a cited FACT or an INFER",
    "name of another": "words in the name of another agent",
    "orders to others": "orders to the other agents",
    "repetition": "a round that repeats the one before",
    "silence": "a round without an answer",
    "withheld": "words that were withheld for safety",
}

ABSENT = {
    "refused": "it declined",
    "unusable": "its reply could not be used",
    "unreachable": "it could not be reached",
    "timeout": "it took too long",
    "budget": "the budget was gone",
}

_QUESTIONS = (*UNIVERSAL_QUESTIONS, *MODE_QUESTIONS.values(), STAKES_QUESTION)
FAULTS = {**BREACHES, **{check.name: check.question for check in _QUESTIONS}}

_OBJECTION = re.compile(r"O\d+")


def listed(names: Iterable[str]) -> str:
    """Return names with commas between them."""
    return ", ".join(names)


def share(value: float) -> str:
    """Return a share in per cent."""
    return f"{100 * value:.0f}%"


def votes(cast: Iterable[str | None]) -> str:
    """Return how many voted what."""
    counts = Counter(vote or "no vote" for vote in cast)
    told = {"MINOR": "MINOR, which accepts with small edits"}
    return listed(f"{counts[vote]} {told.get(vote, vote)}" for vote in (*VOTES, "no vote") if counts[vote]) or "no vote"


def proposal(item: Item | None) -> Section | None:
    """Return what was voted on: the answer, the claims that it rests on, those of them that are contested."""
    if not item:
        return None
    rests = f"; rests on {listed(item['rests_on'])}" if item["rests_on"] else "; rests on no claim"
    contested = f"; contested: {listed(item['contested'])}" if item["contested"] else ""
    tied = f"; a tie: as many hold {listed(f'“{answer}”' for answer in item['tied'])}" if item["tied"] else ""
    return Section(f"Proposal {item['id']}", f"{item['answer']}{rests}{contested}{tied}")


def claims(items: Sequence[Item]) -> tuple[Entry, ...]:
    """Return claims of the ledger, each with its holders and what it was found in."""
    return entries(
        f"{item['id']} [{item['label']}]: {item['text']} ({listed(item['held_by']) or 'withdrawn'}{_standing(item)})"
        for item in items
    )


def _standing(item: Item) -> str:
    """What the program knows of a claim: that it is wrong, where it was found, that it is only computed, or nothing."""
    if item.get("refuted"):
        return f"; refuted by the program: {item['refuted']}"
    words = f"found in {listed(item['found_in'])}" if item["verified"] else _short_of(item)
    return f"; {words}" if words else ""


def disagreements(items: Sequence[Item]) -> tuple[Entry, ...]:
    """Return what is not settled, side against side; objections have a section of their own."""
    return tuple(_disagreement(item) for item in items if not _OBJECTION.fullmatch(item["about"]))


def _disagreement(item: Item) -> Entry:
    first, *others = item["sides"]
    return Entry(f"{item['about']}: {_side(first)}", entries(_against(item["about"], side) for side in others))


def _side(side: Item) -> str:
    return f"{side['says']} ({listed(side['held_by'])})"


def _against(about: str, side: Item) -> str:
    is_bare = side["says"] == f"challenges {about}"
    return f"challenged by {listed(side['held_by'])}" if is_bare else f"vs {_side(side)}"


def objections(items: Sequence[Item]) -> tuple[Entry, ...]:
    """Return every objection: to what, by whom, and whether it stands."""
    return entries(
        f"{item['id']} by {item['by']} to {item['proposal']}, round {item['round']},"
        f" {_resolved(item['resolved_round'])}: {item['text']}"
        for item in sorted(items, key=lambda item: item["resolved_round"] is not None)
    )


def _resolved(number: int | None) -> str:
    return "stands" if number is None else f"resolved in round {number}"


def other_claims(items: Sequence[Item]) -> tuple[Entry, ...]:
    """Return the claims of the ledger that are neither agreed nor contested."""
    others = [item for item in items if item["status"] in ("open", "retracted")]
    return claims([{**item, "computed": bool(item["computed_by"])} for item in others])


def vulnerabilities(items: Sequence[Item]) -> Section:
    """Return what the red team found and what mends it; what nothing mends comes first (ruling D5)."""
    mended = [item for item in items if item["mitigations"]]
    unmended = [item for item in items if not item["mitigations"]]
    lead = f"{len(unmended)} of {len(items)} have no mitigation" if items else ""
    return Section("Vulnerabilities", lead, tuple(map(_vulnerability, (*unmended, *mended))))


def _vulnerability(item: Item) -> Entry:
    mends = [f"mitigation by {mending['by']}: {mending['text']}" for mending in item["mitigations"]]
    return Entry(
        f"{item['id']}, found by {item['by']}: {item['text']}", entries(mends or ["open: nothing mends it yet"])
    )


def questions(items: Sequence[Item]) -> tuple[Entry, ...]:
    """Return the questions that are open, with who asked (ruling D15)."""
    return entries(f"{item['id']}, {item['by']} in round {item['round']}: {item['text']}" for item in items)


def group_figures(agents: Sequence[Item]) -> tuple[Entry, ...]:
    """Return the group's figures, where its members are anonymous (ruling D6)."""
    spoke = [item for item in agents if item["state"] == "spoke" and is_pseudonym(item)]
    if not spoke:
        return ()
    sure, cast = [item["confidence"] for item in spoke], [item["vote"] for item in spoke if item["vote"]]
    spread = f"mean {share(fmean(sure))}, median {share(median(sure))}, from {share(min(sure))} to {share(max(sure))}"
    return entries([f"confidence: {spread}", *([f"votes: {votes(cast)}"] if cast else [])])


def is_pseudonym(agent: Item) -> bool:
    """Return whether the others know an agent by another name than that of its seat."""
    return agent["agent"] != agent["seat"]


def references(items: Sequence[Item], labels: Mapping[str, str]) -> tuple[Entry, ...]:
    """Return the sources under the ids by which the positions cite them (decision 4), with the claims that do."""
    return entries(f"[{item['id']}] {_source(item)} ({listed(_citing(item, labels))})" for item in items)


def _source(item: Item) -> str:
    quoted = f": “{item['gist']}”" if item["gist"] and item["gist"] != item["title"] else ""
    return f"{item['title']}{quoted}"


def _citing(item: Item, labels: Mapping[str, str]) -> Iterator[str]:
    """Each claim that cites a source, and whether it was found there (ruling D13)."""
    for name in item["supports"]:
        yield f"{name} {cited_words(item, labels.get(name, ''), covered=name in item['covers'])}"
    if not item["supports"]:
        yield "for no claim" if item["verified"] else "for no claim; unverified"


def cited_words(source: Item, label: str, *, covered: bool) -> str:
    """Return what a source is to a claim that cites it, by the claim's label (ruling D13)."""
    if covered:
        return "found in it"
    if not source["verified"]:
        return "unverified"
    if source["kind"] == "calculation":
        return "computed"
    return "inferred from it" if label == "INFER" else "not found in it"


def claim(item: Item) -> str:
    """Return a claim as its agent put it, and of one called FACT that it was found nowhere (ruling D13)."""
    found_nowhere = f" ({_short_of(item)})" if _short_of(item) else ""
    return f"{item['id']} [{item['label']}]: {item['text']}{found_nowhere}"


def _short_of(item: Item) -> str:
    if item.get("refuted"):
        return "refuted by the program"
    if item["verified"]:
        return ""
    return "computed" if item["computed"] else "unverified" if item["label"] == "FACT" else ""


def new_evidence(items: Sequence[Item], sources: Sequence[Item]) -> tuple[Entry, ...]:
    """Return what was newly cited, with its label as it was given and whether the source has it (ruling D18)."""
    known = {item["id"]: item for item in sources}
    return entries(
        f"[{item['label']}][{item['evidence']}]: {item['claim']} ({_backing(item, known[item['evidence']])})"
        for item in items
    )


def _backing(item: Item, source: Item) -> str:
    standing = cited_words(source, item["label"], covered=item["verified"])
    return (
        f"{standing.removesuffix(' it')} {item['source']}"
        if standing.endswith(" it")
        else f"{standing}: {item['source']}"
    )


def injections(items: Sequence[Item]) -> tuple[Entry, ...]:
    """Return who tried to give the others orders, and with what words."""
    return entries(f"{item['agent']}: “{item['words']}”" for item in items)


def withheld(item: Item) -> str:
    """Return why something was kept back, and by whom."""
    by = f"judged by {listed(item['by'])}" if item["by"] else "found by a pattern"
    return f"withheld for safety: {item['reason']} (tier {item['tier']}, {by})"


def faults(counts: Counts) -> tuple[Entry, ...]:
    """Return which rules each agent broke and which questions its responses do not meet, with how often."""
    return tuple(
        Entry(
            f"{agent}:", entries(f"{counted(number, 'time')}: {FAULTS.get(kind, kind)}" for kind, number in by.items())
        )
        for agent, by in counts.items()
    )
