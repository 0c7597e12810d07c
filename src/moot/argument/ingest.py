"""What may enter a graph: each item is checked alone and refused with a reason (interrogation 3.1, ruling A8)."""

import json
import sys
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from moot.argument.graph import DEFAULT_CONFIDENCE, NODE_TYPES, RELATIONS, SUPER_SOURCE, UNNAMED_RUN
from moot.argument.json_words import kind_of, listed
from moot.argument.sources import Sentence, Source, distinct_sources

MAX_ID_LENGTH = 1_000
MAX_CLAIM_LENGTH = 2_000
MAX_SENTENCES = 1_000
MAX_NUMBER = 10**9

_TOLD_OF_NODES = ("refuted", "refute_reason", "aliases", "stated", "node")
"""What `to_json` tells of a node, and `read_node` leaves alone."""
NODE_FIELDS = frozenset(
    ("id", "claim", "type", "confidence", "run_ids", "run_id", "source", "sources", "ungrounded", *_TOLD_OF_NODES)
)
_ENDS = (("src", "from", "source"), ("dst", "to", "target"))
EDGE_FIELDS = frozenset((*_ENDS[0], *_ENDS[1], "relation", "confidence", "group", "run_ids", "run_id"))
_SOURCE_FIELDS = frozenset(("document", "sentences"))

_ECHO_LENGTH = 200
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class AssertedNode:
    """One node as a caller asserted it, checked."""

    id: str
    claim: str
    type: str
    confidence: float
    run_ids: frozenset[str]
    refuted: bool = False
    refute_reason: str | None = None
    ungrounded: bool = False
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class AssertedEdge:
    """One edge as a caller asserted it, checked."""

    src: str
    dst: str
    relation: str
    confidence: float
    run_ids: frozenset[str]
    group: str | None = None


class Rejection(Exception):
    """An item may not enter the graph; the message says why. Never leaves this package."""


def read_node(item: Any, run_id: str | None) -> AssertedNode:
    """Return the node an item describes.

    Raises:
        Rejection: the item is not a node.
    """
    fields = _with(_fields(item), ("id", "claim", "type"), NODE_FIELDS)
    node_id = _text(fields, "id", MAX_ID_LENGTH)
    if node_id == SUPER_SOURCE:
        raise Rejection(f"the id {SUPER_SOURCE} is reserved")
    claim = _text(fields, "claim", MAX_CLAIM_LENGTH)
    node_type = _one_of(fields, "type", NODE_TYPES)
    confidence = read_confidence(fields.get("confidence", DEFAULT_CONFIDENCE))
    sources = read_sources(fields.get("source", fields.get("sources")))
    if sources and node_type != "given":
        raise Rejection(f"only a given has a source, not the {node_type} {_short(node_id)!r}")
    return AssertedNode(
        node_id,
        claim,
        node_type,
        confidence,
        _runs(fields, run_id, node_id),
        ungrounded=fields.get("ungrounded") is True,
        sources=sources,
    )


def read_sources(value: Any) -> tuple[Source, ...]:
    """Return the sources of a given: one object with `document` and `sentences`, or a list of such (A22).

    Raises:
        Rejection: it is no such object.
    """
    named = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
    return distinct_sources(_source(one) for one in named)


def _source(value: Any) -> Source:
    if not isinstance(value, Mapping):
        raise Rejection(f"a source is an object with document and sentences, not {kind_of(value)}")
    _with(value, ("document", "sentences"), _SOURCE_FIELDS)
    document = _text(value, "document", MAX_ID_LENGTH)
    named = value["sentences"]
    if not isinstance(named, (list, tuple)) or not 0 < len(named) <= MAX_SENTENCES:
        raise Rejection(f"the sentences of a source are a list of 1 to {MAX_SENTENCES} numbers")
    sentences = {sentence.number: sentence for sentence in (_sentence(document, one) for one in named)}
    return Source(document, tuple(sentences[number] for number in sorted(sentences)))


def _sentence(document: str, value: Any) -> Sentence:
    fields = value if isinstance(value, Mapping) else {"number": value}
    number = _with(fields, ("number",), ("number", "text"))["number"]
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < MAX_NUMBER:
        raise Rejection(f"a sentence has a whole number from 0 on, not {_shown(number)}")
    text = _text(fields, "text", sys.maxsize)[:MAX_CLAIM_LENGTH] if fields.get("text") else ""
    return Sentence(document, number, text)


def read_edge(item: Any, run_id: str | None, known_ids: Container[str]) -> AssertedEdge:
    """Return the edge an item describes; `from` and `to`, `source` and `target` are taken for `src` and `dst`.

    Raises:
        Rejection: the item is not an edge between known nodes.
    """
    fields = dict(_fields(item))
    for name, *others in _ENDS:
        for other in others:
            if other in fields:
                fields.setdefault(name, fields[other])
    _with(fields, ("src", "dst", "relation"), EDGE_FIELDS)
    src, dst = _text(fields, "src", MAX_ID_LENGTH), _text(fields, "dst", MAX_ID_LENGTH)
    for end in (src, dst):
        if end not in known_ids:
            raise Rejection(f"no node has the id {_short(end)!r}")
    relation = _one_of(fields, "relation", RELATIONS)
    confidence = read_confidence(fields.get("confidence", DEFAULT_CONFIDENCE))
    return AssertedEdge(src, dst, relation, confidence, _runs(fields, run_id, src), _group(fields, relation))


def _group(fields: Mapping[str, Any], relation: str) -> str | None:
    """The group within which an edge holds, a text or a number; none where none is named (A21)."""
    group = fields.get("group")
    if group is None:
        return None
    if relation == "attacks":
        raise Rejection("an attack has no group: only what supports a claim can hold together")
    if isinstance(group, int) and not isinstance(group, bool) and abs(group) < MAX_NUMBER:
        return str(group)
    return _text(fields, "group", MAX_ID_LENGTH)


def read_confidence(value: Any) -> float:
    """Return a confidence in [0,1], to six places.

    Raises:
        Rejection: it is no such number; a boolean is none (A8).
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Rejection(f"confidence must be a number from 0 to 1, not {_shown(value)}")
    if not 0 <= value <= 1:
        raise Rejection(f"confidence must be from 0 to 1, not {_short(value)}")
    return round(float(value), 6)


def echo(item: Any) -> object:
    """Return an item as it can be shown in a JSON report: unchanged where possible, long texts cut short."""
    if isinstance(item, Mapping):
        item = {str(key): _short(value) if isinstance(value, str) else value for key, value in item.items()}
    try:
        plain = json.dumps(item, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return _short(_repr(item))
    return item if len(plain) <= 10 * _ECHO_LENGTH else _short(plain)


def _fields(item: Any) -> Mapping[str, Any]:
    if not isinstance(item, Mapping):
        raise Rejection(f"expected an object, not {kind_of(item)}")
    return item


def _with(fields: Mapping[str, Any], needed: Collection[str], known: Collection[str]) -> Mapping[str, Any]:
    """Return fields in which nothing that is needed is missing; what stands there in its place is named."""
    missing = [name for name in needed if name not in fields]
    if not missing:
        return fields
    lack = f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    strange = list(unknown_fields([fields], known))[:_MOST_NAMED]
    which = "which is no field" if len(strange) == 1 else "which are no fields"
    raise Rejection(f"{lack}; it has {listed(strange)}, {which}" if strange else lack)


def unknown_fields(items: Iterable[Any], known: Collection[str]) -> dict[str, None]:
    """Return what items have beside the fields that are known, in order."""
    return {
        str(_short(name)): None for item in items if isinstance(item, Mapping) for name in item if name not in known
    }


def _text(fields: Mapping[str, Any], name: str, longest: int) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise Rejection(f"{name} must be a text, not {kind_of(value)}")
    if not value.strip():
        raise Rejection(f"{name} is empty")
    if len(value) > longest:
        raise Rejection(f"{name} has {len(value)} characters, at most {longest} are taken")
    if not value.isascii() and any(0xD800 <= ord(letter) <= 0xDFFF for letter in value):
        raise Rejection(f"{name} holds half of a surrogate pair and is no valid text")
    return value


def _one_of(fields: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or value not in allowed:
        raise Rejection(f"{name} must be one of {', '.join(allowed)}, not {_shown(value)}")
    return value


def _runs(fields: Mapping[str, Any], run_id: str | None, owner: str) -> frozenset[str]:
    """The runs an item names, else the caller's, else the prefix of its id, else one unnamed run (A8)."""
    named = fields.get("run_ids", fields.get("run_id"))
    if named is None or named == []:
        prefix, colon, _ = owner.partition(":")
        return frozenset((run_id or (prefix if colon and prefix else UNNAMED_RUN),))
    runs = [named] if isinstance(named, str) else named
    if not isinstance(runs, (list, tuple, set, frozenset)):
        raise Rejection(f"run_ids must be a list of texts, not {kind_of(named)}")
    return frozenset(_text({"run id": run}, "run id", MAX_ID_LENGTH) for run in runs)


def _shown(value: Any) -> str:
    """A text or a number as it was sent, cut short; of anything else, what it is."""
    is_plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return repr(_short(value)) if is_plain else kind_of(value)


def _short(value: Any) -> Any:
    text = value if isinstance(value, str) else _repr(value)
    if len(text) > _ECHO_LENGTH:
        return f"{text[:_ECHO_LENGTH]}…"
    return value if isinstance(value, (str, int, float)) else text


def _repr(value: Any) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError):
        return f"{kind_of(value)} too large to show"
