"""`interrogation` in words: runs and their arguments, disputed claims and what fresh contexts say of them."""

from collections.abc import Mapping
from typing import Any

from moot.core.telling import Telling, Told
from moot.methods.runs.run_words import RUN_NOTES, prose_told, run_place, runs_phase
from moot.methods.tellings import first_few, other_rows, quoted, step_parts, text_rows, words_of_notes
from moot.protocols.interrogation.graph.argument_words import argument_told


def _phase(step: str, settings: Mapping[str, Any]) -> str:
    match step_parts(step):
        case ["verify", number, *_]:
            return f"verification round {number}: what do the sources say of disputed claims?"
        case ["follows", number, *_]:
            return f"verification round {number}: does a step follow from its sentences?"
    most = settings["most"]
    return runs_phase(step, most=most, fixed=settings["n"] or (most if settings["stop"] == "all" else None))


def _reply(step: str, reply: Mapping[str, Any]) -> Told:
    if "says" in reply:
        return _verification(step_parts(step)[2], reply)
    if "follows" in reply:
        return _following(step_parts(step)[2], reply)
    return prose_told(reply["text"]) if "text" in reply else argument_told(reply)


def _verification(claim: str, reply: Mapping[str, Any]) -> Told:
    number = reply["sentence"]
    by = "" if number in (None, "") else f", by sentence {number}"
    rows = (*text_rows("", reply["reason"]), *text_rows("the sources", reply["says"]))
    return Told(f"{claim}: the sources {reply['says']}{by}", (*rows, *other_rows(reply, "reason", "says")))


def _following(claim: str, reply: Mapping[str, Any]) -> Told:
    follows = "follows" if reply["follows"] == "yes" else "does not follow"
    rows = (*text_rows("", reply["reason"]), *text_rows("it follows", reply["follows"]))
    return Told(f"{claim} {follows}", (*rows, *other_rows(reply, "reason", "follows")))


def _read_words(data: Mapping[str, Any]) -> str:
    found = [
        *(f"read otherwise than written: {repair}" for repair in data["repairs"]),
        *(f"{node} is not in the sources: {why}" for node, why in data["ungrounded"].items()),
        *(f"{node} computes wrongly: {why}" for node, why in data["refuted"].items()),
        *([data["no_line"]] if data["no_line"] else []),
    ]
    return f"run {data['run']}: {'; '.join(found)}"


def _merged_words(data: Mapping[str, Any]) -> str:
    against = [" and ".join(pair) for pair in data["contradictions"]]
    contradict = f"; these contradict each other: {first_few(against)}" if against else ""
    return f"{len(data['merges'])} claims say what another says, and are merged with it{contradict}"


def _assessed_words(data: Mapping[str, Any]) -> str:
    return f"disputed: {', '.join(data['disputed'])}" if data["disputed"] else "nothing is disputed"


def _verified_words(data: Mapping[str, Any]) -> str:
    return _settled_words(data, data["verdict"].replace("_", " "))


def _followed_words(data: Mapping[str, Any]) -> str:
    words = {"supported": "follows from its sentences", "refuted": "does not follow from its sentences"}
    return _settled_words(data, words.get(data["verdict"], data["verdict"]))


def _settled_words(data: Mapping[str, Any], verdict: str) -> str:
    said = ", ".join(word.replace("_", " ") for word in data["verdicts"]) or "nothing"
    found = f"; found in {', '.join(data['reinstated'])}" if data.get("reinstated") else ""
    return f"{data['node']} {quoted([data['claim']])}: {verdict} (said: {said}){found}"


INTERROGATION_TELLING = Telling(
    _phase,
    _reply,
    words_of_notes(
        {
            **RUN_NOTES,
            "run read": _read_words,
            "merged": _merged_words,
            "assessed": _assessed_words,
            "verified": _verified_words,
            "followed": _followed_words,
        }
    ),
    run_place,
)
