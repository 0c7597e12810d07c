"""`debate` in words: rounds, positions and votes, look-ups, safety, and what a person says and decides."""

from collections.abc import Iterator, Mapping
from typing import Any

from moot.core.telling import Rows, Telling, Told
from moot.methods.tellings import first_few, other_rows, quoted, step_parts, text_rows, with_confidence, words_of_notes

KINDS = {
    "lookup": "look-ups",
    "revision": "revisions",
    "mitigations": "mitigations",
    "safety": "safety review",
    "positions": "measuring how positions moved",
}
VOTES = {"ACCEPT": "accepts", "MINOR": "accepts with a minor objection", "BLOCKER": "blocks"}
RULINGS = {"accept": "accepts the answer", "reject": "rejects the answer", "continue": "lets the debate go on"}
CLAIMS = {"facts": "fact", "inferences": "inference", "assumptions": "assumption"}
PROSE = ("position", "reasoning", "answer", "confidence", "vote", "objection")
LISTS = {
    "alternatives": "alternative",
    "risks": "risk",
    "vulnerabilities": "vulnerability",
    "mitigations": "mitigation",
}
PARTED = ("epistemicClaims", "references", *LISTS)


def _phase(step: str, settings: Mapping[str, Any]) -> str:
    match step_parts(step):
        case ["turn", number]:
            return f"after round {number}: a person's turn"
        case ["escalation", number]:
            return f"after round {number}: a person rules"
        case ["round", number, *rest]:
            kind = next((KINDS[part] for part in reversed(rest) if part in KINDS), None)
            said = kind or ("positions" if number == "1" else "positions and votes")
            return f"round {number} of at most {settings['rounds']}: {said}"
    return ""


def _reply(step: str, reply: Mapping[str, Any]) -> Told:
    if "position" in reply:
        return _response(step_parts(step)[1], reply)
    if "clear" in reply:
        return _review(reply)
    if "decision" in reply:
        note = f": {reply['note']}" if reply["note"] else ""
        rows = (*text_rows("", reply["note"]), *text_rows("decision", reply["decision"]))
        return Told(f"{RULINGS[reply['decision']]}{note}", rows)
    if "calls" in reply:
        return _listed(reply["calls"], "looks nothing up", lambda call: f"{call['tool']} {quoted([call['input']])}")
    if "mitigations" in reply:
        return _listed(reply["mitigations"], "has no mitigation", _mitigation)
    rows = (*text_rows("", reply["text"]), *text_rows("question to look at", reply["focus_question"]))
    return Told(reply["text"] or reply["focus_question"] or "passes", rows or (("", "passes"),))


def _response(number: str, reply: Mapping[str, Any]) -> Told:
    rows: Rows = (
        *text_rows("", reply["position"]),
        *(row for name in PROSE[1:] for row in text_rows(name, reply.get(name))),
        *(row for field, name in CLAIMS.items() for row in text_rows(name, *_claims(reply, field))),
        *text_rows("reference", *map(_reference, reply.get("references", ()))),
        *(row for field, name in LISTS.items() for row in text_rows(name, *map(_pair, reply.get(field, ())))),
        *other_rows(reply, *PROSE, *PARTED),
    )
    answer = with_confidence(reply.get("answer") or reply["position"], reply["confidence"])
    # In the first round there is no proposal yet, and a vote on nothing does not count.
    vote = VOTES.get(reply.get("vote", "")) if number != "1" else None
    objection = f" ({reply['objection']})" if reply.get("objection") else ""
    return Told(f"{vote} P{number}{objection}: {answer}" if vote else answer, rows)


def _claims(reply: Mapping[str, Any], field: str) -> Iterator[str]:
    yield from reply.get("epistemicClaims", {}).get(field, ())


def _reference(item: Mapping[str, Any]) -> str:
    quote = f": {quoted([item['quote']])}" if item.get("quote") else ""
    return f"[{item['number']}] {item['title']}{quote}"


def _pair(item: Mapping[str, Any]) -> str:
    """Both halves of an alternative, a risk or a mitigation: what it is, and what is said to it."""
    first, second = (str(value) for value in (*_halves(item), "", "")[:2])
    return f"{first} ({second})" if first and second else first or second


def _halves(item: Mapping[str, Any]) -> tuple[Any, ...]:
    order = ("vulnerability", "text", "option", "rejectedBecause", "risk", "mitigation")
    return tuple(item[name] for name in order if name in item)


def _mitigation(item: Mapping[str, Any]) -> str:
    return ": ".join(part for part in (item["vulnerability"], item["text"]) if part)


def _listed(items: Any, none: str, words: Any) -> Told:
    rows = text_rows("", *map(words, items))
    return Told(first_few(text for _, text in rows), rows) if rows else Told(none, (("", none),))


def _review(reply: Mapping[str, Any]) -> Told:
    blocks = [f"{item['agent']}: {item['reason']}" if item["reason"] else item["agent"] for item in reply["blocks"]]
    clear = "finds the round clear" if reply["clear"] else "does not find the round clear"
    rows = (*text_rows("", reply["reasoning"]), *text_rows("blocks", *blocks), *text_rows("", clear))
    return Told(f"would block {first_few(blocks)}" if blocks else clear, rows)


def _seating_words(data: Mapping[str, Any]) -> str:
    roles = [f"{name}: {who['role']}, {who['anchor']}" for name, who in data["participants"].items()]
    return f"mode {data['mode']}; {'; '.join(roles)}"


def _round_words(data: Mapping[str, Any]) -> str:
    consensus, proposal = data["consensus"], data["proposal"]
    voted = f"{consensus['accepting']} of {consensus['asked']} accept {proposal['id']}" if proposal else "no vote yet"
    parts = [f"round {data['round']}: consensus {consensus['status']} ({consensus['score']:.0%}), {voted}"]
    unsettled = [item["about"] for item in data["disagreements"]]
    parts += [f"not settled: {first_few(unsettled)}"] if unsettled else []
    parts += [f"{item['id']} computes wrongly" for item in data["refuted"]]
    parts += [f"{item['agent']} tries to give orders: {quoted([item['words']])}" for item in data["injections"]]
    parts += [f"next: {data['next']}"] if data["next"] else []
    return "; ".join(parts)


def _withheld_words(data: Mapping[str, Any]) -> str:
    by = f", by {', '.join(data['by'])}" if data.get("by") else ""
    return f"what {data['agent']} said in round {data['round']} is withheld: {data['reason']}{by}"


def _tool_words(data: Mapping[str, Any]) -> str:
    found = data["problem"] or f"it gave {', '.join(data['evidence'])}"
    return f"{data['agent']} used {data['tool']} on {quoted([data['input']])}: {found}"


def _groupthink_words(data: Mapping[str, Any]) -> str:
    return f"agreement may come too easily ({data['trigger']}): {'; '.join(data['why'])}"


DEBATE_TELLING = Telling(
    _phase,
    _reply,
    words_of_notes(
        {
            "seating": _seating_words,
            "round": _round_words,
            "withheld": _withheld_words,
            "tool": _tool_words,
            "groupthink": _groupthink_words,
        }
    ),
)
