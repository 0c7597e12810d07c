"""How each published set writes an item, and how that becomes an `Item`.

Covers GSM8K, HotpotQA, 2WikiMultihopQA, MuSiQue, StrategyQA, TruthfulQA, SciFact and FEVEROUS as their authors publish
them and as one JSON object a line, and Moot's own form. Reading files is the business of `datasets`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from moot.core.question import Document
from moot.evals.items.grading import ABSTAINED, final_number, normalise
from moot.evals.items.items import AnswerKind, Item

Record = Mapping[str, Any]

NUMBER_FORM = "a number"
SPAN_FORM = "a name, a date or a few words, as short as possible"
BOOLEAN_FORM = "yes or no"
LABEL_FORM = "one of SUPPORTS, REFUTES, NOT_ENOUGH_INFO"
FREE_FORM = "one short sentence"
_NORMAL_FORMS = ("number", "boolean", "label")
"""Kinds whose answers are right by a normal form that not every text has."""

CLAIM_QUESTION = "Do the documents support or refute this claim? {claim}"


class BadRecord(ValueError):
    """A record that is no item of its format; the message says why."""


@dataclass(frozen=True, slots=True)
class Format:
    """One set's way of writing an item."""

    name: str
    is_like: Callable[[Record], bool]
    read: Callable[[Record, str], Item]
    """The record and the id to use where it has none of its own, to the item."""


def format_of(record: Record) -> Format | None:
    """Return the format that the record's fields show, if any."""
    return next((known for known in FORMATS if known.is_like(record)), None)


def gsm8k(record: Record, number: str) -> Item:
    """Return an item of GSM8K: its final number stands after `####`."""
    answer = final_number(_text(record, "answer"))
    if not answer:
        raise BadRecord("field 'answer' holds no final number")
    return Item(_id(record, number), "gsm8k", _text(record, "question"), answer, "number", form=NUMBER_FORM)


def hotpotqa(record: Record, number: str, name: str = "hotpotqa") -> Item:
    """Return an item of HotpotQA; without its gold passages, and its answer in no document, it is unsettled."""
    answer = _text(record, "answer")
    absent = bool(record.get("missing_supporting_titles")) and record.get("answer_string_in_documents") is False
    return Item(
        _id(record, number),
        name,
        _text(record, "question"),
        answer,
        "span",
        documents=_documents(record),
        aliases=_texts(record, "answer_aliases", required=False),
        abstain=absent and answer.lower() not in ("yes", "no"),
        form=SPAN_FORM,
    )


def two_wiki(record: Record, number: str) -> Item:
    """Return an item of 2WikiMultihopQA, which is written as HotpotQA is."""
    return hotpotqa(record, number, "2wikimultihopqa")


def musique(record: Record, number: str) -> Item:
    """Return an item of MuSiQue; `answerable: false` (MuSiQue-Full) makes it one that the documents do not settle."""
    return Item(
        _id(record, number),
        "musique",
        _text(record, "question"),
        _text(record, "answer"),
        "span",
        documents=_documents(record),
        aliases=_texts(record, "answer_aliases", required=False),
        abstain=record.get("answerable") is False,
        form=SPAN_FORM,
    )


def strategyqa(record: Record, number: str) -> Item:
    """Return an item of StrategyQA. Its gold facts stay out: with them there is no strategy left to find."""
    if not isinstance(_field(record, "answer"), bool):
        raise BadRecord("field 'answer' is neither true nor false")
    answer = "yes" if record["answer"] else "no"
    return Item(_id(record, number), "strategyqa", _text(record, "question"), answer, "boolean", form=BOOLEAN_FORM)


def truthfulqa(record: Record, number: str) -> Item:
    """Return an item of TruthfulQA, from its CSV (answers divided by `;`) or from lists."""
    return Item(
        _id(record, number),
        "truthfulqa",
        _text(record, "question", "Question"),
        _text(record, "best_answer", "Best Answer"),
        "free",
        aliases=_texts(record, "correct_answers", "Correct Answers"),
        wrong=_texts(record, "incorrect_answers", "Incorrect Answers"),
        form=FREE_FORM,
    )


def scifact(record: Record, number: str, name: str = "scifact") -> Item:
    """Return an item of SciFact. Not enough information is an item that the documents do not settle."""
    label = _claim_label(record)
    claim = _text(record, "claim")
    return Item(
        _id(record, number),
        name,
        CLAIM_QUESTION.format(claim=claim),
        label,
        "label",
        documents=_documents(record),
        abstain=label == "NOT_ENOUGH_INFO",
        form=LABEL_FORM,
    )


def feverous(record: Record, number: str) -> Item:
    """Return a claim of FEVEROUS with its gold sentences."""
    return scifact(record, number, "feverous")


def own(record: Record, number: str) -> Item:
    """Return an item in Moot's own form: the fields of `Item` by name, documents as `{name, text}`."""
    kind = _text(record, "kind")
    if kind not in get_args(AnswerKind):
        raise BadRecord(f"field 'kind' is {kind!r} and must be one of {', '.join(get_args(AnswerKind))}")
    abstain = record.get("abstain", False)
    if not isinstance(abstain, bool):
        raise BadRecord("field 'abstain' is neither true nor false")
    answer = "" if abstain and not record.get("answer") else _text(record, "answer")
    chosen = next(known for known in get_args(AnswerKind) if known == kind)
    if not abstain and chosen in _NORMAL_FORMS and normalise(chosen, answer) in ("", ABSTAINED):
        raise BadRecord(f"field 'answer' is {answer!r}, which no answer of the kind {kind} can equal")
    dataset = _text(record, "dataset") if record.get("dataset") else "moot"
    return Item(
        _id(record, number),
        dataset,
        _text(record, "question"),
        answer,
        chosen,
        documents=_documents(record) if record.get("documents") else (),
        aliases=_texts(record, "aliases", required=False),
        wrong=_texts(record, "wrong", required=False),
        abstain=abstain,
        form=_text(record, "form") if record.get("form") else "",
    )


def _is_gsm8k(record: Record) -> bool:
    answer = record.get("answer")
    return "question" in record and ("solution" in record or (isinstance(answer, str) and "####" in answer))


FORMATS: tuple[Format, ...] = (
    Format("moot", lambda r: "kind" in r and "question" in r, own),
    Format("gsm8k", _is_gsm8k, gsm8k),
    Format("musique", lambda r: "paragraphs" in r or ("hops" in r and "documents" in r), musique),
    Format("2wikimultihopqa", lambda r: "evidences" in r or ("supporting_titles" in r and "level" not in r), two_wiki),
    Format("hotpotqa", lambda r: "supporting_titles" in r or ("context" in r and "question" in r), hotpotqa),
    Format("truthfulqa", lambda r: "incorrect_answers" in r or "Incorrect Answers" in r, truthfulqa),
    Format("strategyqa", lambda r: "question" in r and ("qid" in r or ("facts" in r and "term" in r)), strategyqa),
    Format(
        "scifact", lambda r: "claim" in r and bool({"evidence", "evidence_kind", "cited_doc_ids"} & set(r)), scifact
    ),
    Format("feverous", lambda r: "claim" in r and "label" in r, feverous),
)
"""In the order in which they are tried: the more telling fields first."""


def _field(record: Record, *names: str) -> Any:
    for name in names:
        if record.get(name) is not None:
            return record[name]
    raise BadRecord(f"field {names[0]!r} is missing")


def _text(record: Record, *names: str) -> str:
    value = _field(record, *names)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise BadRecord(f"field {names[0]!r} is no text")
    return value.strip()


def _texts(record: Record, *names: str, required: bool = True) -> tuple[str, ...]:
    if not required and all(record.get(name) is None for name in names):
        return ()
    value = _field(record, *names)
    parts = value.split(";") if isinstance(value, str) else value
    if not isinstance(parts, Sequence) or not all(isinstance(part, str) for part in parts):
        raise BadRecord(f"field {names[0]!r} is no list of texts")
    found = tuple(part.strip() for part in parts if part.strip())
    if required and not found:
        raise BadRecord(f"field {names[0]!r} is empty")
    return found


def _id(record: Record, number: str) -> str:
    for name in ("id", "_id", "qid"):
        if record.get(name) not in (None, ""):
            return str(record[name])
    return number


def _claim_label(record: Record) -> str:
    """Return SUPPORTS, REFUTES or NOT_ENOUGH_INFO; the published SciFact has its labels inside `evidence`."""
    if "label" in record:
        label = normalise("label", _text(record, "label"))
        if not label:
            raise BadRecord(f"field 'label' is {record['label']!r}, which is no label")
        return label
    evidence = _field(record, "evidence")
    if not isinstance(evidence, Mapping):
        raise BadRecord("field 'evidence' is no object")
    found = {normalise("label", str(part.get("label"))) for parts in evidence.values() for part in parts}
    if len(found) > 1 or "" in found:
        raise BadRecord("field 'evidence' has labels that differ or are unknown")
    return found.pop() if found else "NOT_ENOUGH_INFO"


def _documents(record: Record) -> tuple[Document, ...]:
    """Return the passages in any of the published shapes, each under a name of its own."""
    if "paragraphs" in record:
        pairs = [(_text(part, "title"), _text(part, "paragraph_text")) for part in _records(record, "paragraphs")]
    elif "context" in record:
        pairs = _context(record["context"])
    else:
        parts = _field(record, "documents")
        if not isinstance(parts, list):
            raise BadRecord("field 'documents' is no list")
        pairs = [_passage(part, number) for number, part in enumerate(parts, 1)]
    if not pairs:
        raise BadRecord("there are no documents")
    seen: dict[str, int] = {}
    named: list[Document] = []
    for title, text in pairs:
        seen[title] = seen.get(title, 0) + 1
        named.append(Document(name=title if seen[title] == 1 else f"{title} ({seen[title]})", text=text))
    return tuple(named)


def _records(record: Record, name: str) -> Sequence[Record]:
    parts = _field(record, name)
    if not isinstance(parts, list) or not all(isinstance(part, Mapping) for part in parts):
        raise BadRecord(f"field {name!r} is no list of objects")
    return parts


def _context(context: Any) -> list[tuple[str, str]]:
    """Return title and text of HotpotQA's `context`: pairs as published, or two columns."""
    try:
        pairs = zip(context["title"], context["sentences"], strict=True) if isinstance(context, Mapping) else context
        return [(str(title), "".join(sentences).strip()) for title, sentences in pairs]
    except (KeyError, TypeError, ValueError):
        raise BadRecord("field 'context' is no list of titles with their sentences") from None


def _passage(part: Any, number: int) -> tuple[str, str]:
    if isinstance(part, Mapping):
        return _text(part, "name"), _text(part, "text")
    if not isinstance(part, str) or not part.strip():
        raise BadRecord("field 'documents' holds something that is no text")
    title = re.match(r"([^\n:]{1,120}): (?=\S)", part)
    return (title[1], part[title.end() :].strip()) if title else (f"document {number}", part.strip())
