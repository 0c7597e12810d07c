"""`spiral` in words: loops by the level of their axioms, positions, judgements of two, who moved."""

from collections.abc import Iterator, Mapping
from typing import Any

from moot.core.telling import Telling, Told, reply_rows
from moot.methods.tellings import first_few, other_rows, quoted, step_parts, text_rows, words_of_notes
from moot.protocols.spiral.agreement.measures import LOOPS
from moot.protocols.spiral.axioms.registry import LEVELS
from moot.protocols.spiral.evidence import ORACLE_LEVEL

JUDGING = "judging whether two answers agree"
MEASURING = "measuring agreement"


def _phase(step: str, settings: Mapping[str, Any]) -> str:
    match step_parts(step):
        case ["exposition", *_]:
            return "exposition: each answers alone"
        case ["judge" | "embed" as kind, tag, *_]:
            return f"{_when(tag)}{JUDGING if kind == 'judge' else MEASURING}"
        case ["oracles", *_]:
            return f"{_loop(ORACLE_LEVEL)}: what is put to the oracles"
        case ["self", loop, *_]:
            return f"{_loop(loop)}: does a position deny what it rests on?"
        case ["accept", loop, *_]:
            return f"{_loop(loop)}: who accepts the draft"
        case ["stretto", loop, *_]:
            return f"{_loop(loop)}: stretto"
        case [_, loop, *_]:
            return f"{_loop(loop)}: {LEVELS[int(loop)]} axioms"
    return ""


def _loop(number: Any) -> str:
    return f"loop {number} of {LOOPS}"


def _when(tag: str) -> str:
    """The loop that is measured, by the tag of its steps: `0` is the exposition, `5s` the stretto of loop 5."""
    loop = tag.removesuffix("s")
    return "" if loop == "0" else f"{_loop(loop)}{', stretto' if tag != loop else ''}: "


def _reply(step: str, reply: Mapping[str, Any]) -> Told:
    if "a_to_b" in reply:
        return _comparison(step_parts(step)[2], reply)
    if "denies" in reply:
        return _examined(step_parts(step)[2], reply)
    if "checks" in reply:
        return _checks(reply)
    if "accepts" in reply:
        gist = "accepts the draft" if reply["accepts"] else "keeps its own answer"
        return Told(gist, (*text_rows("", reply["why"]), *other_rows(reply, "why")))
    return _position("reasoning" if "reasoning" in reply else "why", reply)


def _position(reasons: str, reply: Mapping[str, Any]) -> Told:
    rows = (
        *text_rows("", reply[reasons]),
        *text_rows("answer", reply["answer"]),
        *text_rows("claim", *reply["claims"]),
        *other_rows(reply, reasons, "answer", "claims"),
    )
    return Told(reply["answer"], rows)


def _comparison(pair: str, reply: Mapping[str, Any]) -> Told:
    one, other = pair.split("-")
    rows = (
        *text_rows("", reply["reasoning"]),
        *text_rows(f"from {one} to {other}", reply["a_to_b"]),
        *text_rows(f"from {other} to {one}", reply["b_to_a"]),
        *text_rows("the same", *_claim_pairs(one, other, reply["same"])),
        *text_rows("contradicting", *_claim_pairs(one, other, reply["contradicting"])),
        *other_rows(reply, "reasoning", "a_to_b", "b_to_a", "same", "contradicting"),
    )
    return Told(_standing(one, other, reply["a_to_b"], reply["b_to_a"]), rows)


def _claim_pairs(one: str, other: str, pairs: Any) -> Iterator[str]:
    return (f"claim {a} of {one} and claim {b} of {other}" for a, b in pairs)


def _standing(one: str, other: str, forward: str, backward: str) -> str:
    if "contradicts" in (forward, backward):
        return f"{one} and {other} contradict each other"
    if forward == backward == "entails":
        return f"{one} and {other} say the same"
    if "entails" in (forward, backward):
        more, less = (one, other) if forward == "entails" else (other, one)
        return f"{more} says what {less} says, and more"
    return f"{one} and {other} differ, and both may be true"


def _examined(seat: str, reply: Mapping[str, Any]) -> Told:
    axiom = f" (axiom {reply['axiom']})" if reply["axiom"] else ""
    gist = f"{seat} denies what it rests on{axiom}" if reply["denies"] else f"{seat} denies nothing that it rests on"
    return Told(gist, (*text_rows("", reply["why"]), *other_rows(reply, "why")))


def _checks(reply: Mapping[str, Any]) -> Told:
    rows = tuple(reply_rows({"check": reply["checks"]}))
    if not rows:
        return Told("puts nothing to the oracles", (("", "nothing is to be computed"),))
    return Told(f"puts to the oracles: {first_few(words for _, words in rows)}", rows)


def _start_words(data: Mapping[str, Any]) -> str:
    return f"played as a {data['structure']}; {'; '.join(data['because'])}"


def _measured_words(data: Mapping[str, Any]) -> str:
    tag = data["after"]
    loop = tag.removesuffix("s")
    after = "the exposition" if loop == "0" else f"{'the stretto of ' if tag != loop else ''}loop {loop}"
    return f"harmony after {after}: {data['harmony']:.2f}"


def _loop_words(data: Mapping[str, Any]) -> str:
    return f"loop {data['loop']}: {'; '.join(_findings(data))}"


def _stretto_words(data: Mapping[str, Any]) -> str:
    return f"stretto of loop {data['loop']}: {'; '.join(_findings(data))}"


def _findings(data: Mapping[str, Any]) -> Iterator[str]:
    points = [
        " against ".join(_side(*side) for side in zip(item["claims"], item["held_by"], strict=True))
        for item in data["disagreements"]
    ]
    if points:
        yield f"in dispute: {first_few(points)}"
    if data.get("no_call"):
        yield f"nobody is asked, since {data['no_call']}"
    axioms = dict.fromkeys(axiom["id"] for item in data["disagreements"] for axiom in item["axioms"])
    if axioms:
        yield f"axioms that bear on it: {', '.join(axioms)}"
    for item in data["oracles"]:
        finding = item["finding"]
        yield f"oracle {finding['oracle']} on “{item['check']}”: {finding['verdict']}"
    for item in data["self_reference"]:
        yield f"{item['by']} finds that {item['seat']} denies {item['axiom']}"
    yield from _movements(data)


def _side(claim: str, seats: list[str]) -> str:
    return f"{quoted([claim])} ({', '.join(seats)})"


def _movements(data: Mapping[str, Any]) -> Iterator[str]:
    for item in data["moved"]:
        same = item["from"] == item["to"]
        yield f"{item['seat']} changes its claims" if same else f"{item['seat']} moves to {quoted([item['to']])}"
    stayed = [item["seat"] for item in data["stayed"]]
    if stayed and not data.get("no_call"):
        yield f"{', '.join(stayed)} {'stays' if len(stayed) == 1 else 'stay'}"


def _draft_words(data: Mapping[str, Any]) -> str:
    draft = data["draft"]
    if draft is None:
        return f"loop {data['loop']}: nothing is contradicted, and no draft came"
    accepted = ", ".join(data["accepted_by"]) or "nobody"
    written = f"loop {data['loop']}: nothing is contradicted, so {draft['by']} drafts {quoted([draft['answer']])}"
    return f"{written}, accepted by {accepted}"


def _dropped_words(data: Mapping[str, Any]) -> str:
    named = f"axiom {data['axiom']}, which was not shown" if data["axiom"] else "no axiom"
    return f"{data['by']} says that {data['seat']} denies what it rests on, and names {named}: dropped"


SPIRAL_TELLING = Telling(
    _phase,
    _reply,
    words_of_notes(
        {
            "initialization": _start_words,
            "measured": _measured_words,
            "loop": _loop_words,
            "stretto": _stretto_words,
            "draft": _draft_words,
            "axioms not searched": lambda data: f"axioms of level {data['level']} are not searched: {data['reason']}",
            "self-reference not examined": lambda data: f"self-reference is not examined: {data['reason']}",
            "denial dropped: no axiom that was shown is named": _dropped_words,
        }
    ),
)
