"""`prism` in words: layers, what a slot says with its confidence, gates and flags."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from moot.core.telling import Telling, Told
from moot.methods.tellings import first_line, other_rows, step_parts, text_rows, unsaid, with_confidence, words_of_notes
from moot.protocols.prism.layers import TABLES, LayerTable, TableFile, table_of

PHASES = {
    "work": "work",
    "consensus": "consensus",
    "review": "a reviewer clears the flag",
    "summary": "one summary of all",
}
FINDINGS = {"domain": "domain", "strength": "evidence", "severity": "weaknesses", "verdict": "", "recommendation": ""}
"""The field in which an output says what it comes to, and the word before it."""


def _phase(step: str, settings: Mapping[str, Any]) -> str:
    group, kind, *_ = step_parts(step)
    layer, _, attempt = group.removeprefix("L").partition(".")
    table = table_in(settings["table"])
    again = f", attempt {attempt}" if attempt != "1" else ""
    name = table.layers[int(layer) - 1].name
    return f"layer {layer} of {len(table.layers)}: {name}, {PHASES[kind]}{again}"


def table_in(chosen: Any) -> LayerTable:
    """Return the table that a record's settings name or hold."""
    if isinstance(chosen, str):
        return TABLES[chosen]
    [(file, text)] = chosen["texts"].items()
    return _own_table(chosen["path"], file, text)


@cache
def _own_table(path: str, file: str, text: str) -> LayerTable:
    """A user's table, read once: a phase is asked for with every token that comes."""
    return table_of(TableFile(path=path, texts={file: text}))


def _reply(step: str, reply: Mapping[str, Any]) -> Told:
    if "decision" in reply:
        rows = (*text_rows("", reply["note"]), *text_rows("decision", reply["decision"]))
        return Told(f"{reply['decision']}: {reply['note']}", rows)
    if "content" not in reply:
        return Told(reply["summary"], text_rows("", reply["summary"]))
    rows = (*text_rows("", reply["content"]), *other_rows(reply, "content"))
    return Told(gist_of(reply), rows)


def gist_of(reply: Mapping[str, Any]) -> str:
    """Return what an output comes to, how sure its author is, and the start of its prose."""
    finding, words = finding_of(reply)
    if not finding:
        return with_confidence(words, reply["confidence"])
    return f"{with_confidence(finding, reply['confidence'])}: {words}"


def finding_of(reply: Mapping[str, Any]) -> tuple[str, str]:
    """Return what an output comes to, where it says so in a field, and the start of its prose."""
    words = first_line(str(reply.get("summary") or reply["content"]))
    field = next((name for name in FINDINGS if name in reply), None)
    if field is None:
        return "", words
    return f"{FINDINGS[field]} {reply[field].replace('-', ' ') if field != 'domain' else reply[field]}".strip(), words


def _gate_words(data: Mapping[str, Any]) -> str:
    return f"layer {data['layer']} passes: {data['average']:.0%} sure on average, {data['threshold']:.0%} is enough"


def _flag_words(data: Mapping[str, Any]) -> str:
    return f"layer {data['layer']} is flagged at attempt {data['attempt']}: {'; '.join(data['reasons'])}"


def _house_words(data: Mapping[str, Any]) -> str:
    agents, models = len(data["agents"]), data["distinct_models"]
    return f"the house has {agents} agents of {models} distinct models" if agents else "the house fills no slot"


def _consensus_words(data: Mapping[str, Any]) -> str:
    answer = f" (answer: {data['answer']})" if data["answer"] else ""
    return f"consensus, {data['recommendation']}{answer}: {data['summary']} Written by {data['written_by']}."


PRISM_TELLING = Telling(
    _phase,
    _reply,
    words_of_notes(
        {
            "protocol": unsaid,
            "claim": unsaid,
            "house": _house_words,
            "gate": _gate_words,
            "flag": _flag_words,
            "domain": lambda data: f"the domain of the claim is {data['domain']}",
            "consensus": _consensus_words,
        }
    ),
)
