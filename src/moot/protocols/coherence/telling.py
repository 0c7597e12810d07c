"""`coherence` in words: columns and scores, versions of the response, and the checks that each passes or fails."""

from collections.abc import Iterator, Mapping
from typing import Any

from moot.core.telling import Rows, Telling, Told, reply_rows
from moot.methods.tellings import first_few, first_line, other_rows, step_parts, text_rows, unsaid, words_of_notes

CHECKS = {
    "mentions_internal_processing": ("mentions internal processing", True),
    "follows_required_format": ("follows the form of the prompt", False),
    "traces_only_within_it": ("keeps traces within that form", False),
    "trace_became_a_section": ("makes a section of a trace", True),
}
"""The judge's four conditions in words, and the answer by which a response fails (coherence 5.3)."""


def _phase(step: str, settings: Mapping[str, Any]) -> str:
    versions = settings["revisions"] + 1
    match step_parts(step):
        case ["unfold", *_]:
            return "the first member unfolds the prompt into columns"
        case ["scores", number]:
            return f"the first member scores relations: part {number}"
        case ["again", *_]:
            return "the first member scores again what was missing or refused"
        case ["response", number]:
            return f"the second member responds: version {number} of at most {versions}"
        case ["judge", number]:
            return f"verifying version {number} of at most {versions}"
    return ""


def _reply(step: str, reply: Mapping[str, Any]) -> Told:
    if "text" in reply:
        return Told(first_line(reply["text"]), text_rows("", reply["text"]))
    return _judged(reply) if "trace_became_a_section" in reply else _unfolded(reply)


def _unfolded(reply: Mapping[str, Any]) -> Told:
    columns = [_column(column) for column in reply["columns"]]
    rows: Rows = (
        *text_rows("column", *columns),
        *(row for item in reply["scores"] for row in _scores(item, columns)),
        *other_rows(reply, "columns", "scores"),
    )
    gist = f"columns: {', '.join(columns)}; {len(reply['scores'])} relations scored"
    return Told(gist, rows or (("", "no column and no score"),))


def _column(column: Any) -> str:
    return column if isinstance(column, str) else "; ".join(words for _, words in reply_rows({"column": column}))


def _scores(item: Mapping[str, Any], columns: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the scores of one relation by the names of their columns; a row of another shape as it was written."""
    relation, values = item.get("observed_relation"), item.get("values")
    is_named = isinstance(relation, Mapping) and set(relation) == {"graph", "id"}
    if not is_named or not isinstance(values, list) or len(values) != len(columns):
        yield from reply_rows(item)
        return
    scores = [f"{column} {value}" for column, value in zip(columns, values, strict=True)]
    yield f"{relation['graph']} {relation['id']}", ", ".join(scores)


def _judged(reply: Mapping[str, Any]) -> Told:
    failed = [_condition(name, reply[name]) for name, (_, fails) in CHECKS.items() if reply[name] is fails]
    answers = tuple((f"it {words}", "yes" if reply[name] else "no") for name, (words, _) in CHECKS.items())
    rows = (*text_rows("", reply["reasoning"]), *answers, *other_rows(reply, "reasoning", *CHECKS))
    return Told(f"it fails: it {'; it '.join(failed)}" if failed else "it meets all four conditions", rows)


def _condition(name: str, answer: bool) -> str:
    words = CHECKS[name][0]
    verb, _, rest = words.partition(" ")
    return words if answer else f"does not {verb.removesuffix('s')} {rest}"


def _verified_words(data: Mapping[str, Any]) -> str:
    failed = [f"{item['check']} ({item['by']}: {item['detail']})" for item in data["failures"]]
    outcome = f"fails: {'; '.join(failed)}" if failed else "passes every check"
    return f"version {data['version']} {outcome}{'' if data['judged'] else '; no judge has seen it'}"


def _form_words(data: Mapping[str, Any]) -> str:
    demands = [f"{item['demand']} (“{item['words']}”)" for item in data["demanded"]]
    parts = [f"the prompt demands: {'; '.join(demands)}" if demands else "the prompt demands no form"]
    parts += [f"it leaves the organisation open: “{data['open_organisation']}”"] if data["open_organisation"] else []
    parts += [f"dropped: {'; '.join(data['dropped'])}"] if data["dropped"] else []
    return "; ".join(parts)


def _repaired_words(data: Mapping[str, Any]) -> str:
    refused = [f"scores refused: {first_few(data['refused'])}"] if data["refused"] else []
    noted = [f"read otherwise than written: {first_few(data['noted'])}"] if data["noted"] else []
    return "; ".join([*refused, *noted])


COHERENCE_TELLING = Telling(
    _phase,
    _reply,
    words_of_notes(
        {
            "graphs in parts": lambda data: f"the graphs are shown in parts: {data['shown']} relations in the first",
            "columns refused": lambda data: f"columns refused: {data['problem']}",
            "columns dropped": lambda data: f"of {', '.join(data['sent'])} only {', '.join(data['kept'])} stay columns",
            "scores repaired": _repaired_words,
            "form": _form_words,
            "counted as 0": lambda data: f"no score came, so they count as 0: {', '.join(data['relations'])}",
            "traces": unsaid,
            "verified": _verified_words,
        }
    ),
)
