"""What the tools take: types with the JSON schemas that agents are shown, and what hosts are told of each tool.

Nodes, edges and pairs are shown whole and read one by one by the graph, which refuses a bad item alone (A8).
"""

from typing import Annotated, Any

from mcp.types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from moot.argument.graph import NODE_TYPES, RELATIONS
from moot.core.question import Document

MOST_ITEMS = 100
"""Entries of a list in one answer, where the caller names no limit of its own."""

_CONFIDENCE = {"type": "number", "minimum": 0, "maximum": 1, "description": "how sure, 0 to 1; left out, 0.8"}
_RUNS = {
    "type": "array",
    "items": {"type": "string"},
    "description": "the independent runs that found this; left out, `run_id`",
}
_SOURCE = {
    "type": "object",
    "description": "of a given: where a document says so",
    "properties": {
        "document": {"type": "string"},
        "sentences": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1},
    },
    "required": ["document", "sentences"],
}
_NODE = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "a name of your choice, one for each claim"},
        "claim": {"type": "string", "maxLength": 2000, "description": "one sentence"},
        "type": {"type": "string", "enum": list(NODE_TYPES)},
        "confidence": _CONFIDENCE,
        "run_ids": _RUNS,
        "source": _SOURCE,
    },
    "required": ["id", "claim", "type"],
}
_EDGE = {
    "type": "object",
    "properties": {
        "src": {"type": "string", "description": "the id of the claim that supports, attacks or is assumed"},
        "dst": {"type": "string", "description": "the id of the claim that it bears on"},
        "relation": {"type": "string", "enum": list(RELATIONS)},
        "confidence": _CONFIDENCE,
        "group": {"type": "string", "description": "supports of one claim that hold only together have the same group"},
        "run_ids": _RUNS,
    },
    "required": ["src", "dst", "relation"],
}
_PAIR = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}


def _list_of(item: dict[str, Any], description: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "array", "items": item, "description": description})


Text = Annotated[str, Field(max_length=200_000)]
Asked = Annotated[Text, Field(description="the question, unless `resume` is given")]
Reason = Annotated[Text, Field(description="why it is wrong, as it is kept and shown")]
Computed = Annotated[Text, Field(description="an equation, a plain sentence, or a typed check as a JSON object")]
Id = Annotated[str, Field(max_length=100, description="a deliberation's id, or the beginning of it")]
StepName = Annotated[str, Field(max_length=300, description="an open step, as `waiting` names it")]
GraphId = Annotated[
    str, Field(min_length=1, max_length=200, description="a name of your choice; `list_graphs` lists those there are")
]
NodeId = Annotated[str, Field(description="the id of a claim, or of a sentence as `document#number`")]
Conclusion = Annotated[str, Field(description="the id of the claim to assess")]
Nodes = Annotated[list[Any], _list_of(_NODE, "claims")]
Edges = Annotated[
    # A default in the schema would be null, which is no list.
    list[Any] | None,
    _list_of(_EDGE, "relations between claims of this call or of the graph"),
    Field(default_factory=list),
]
RunId = Annotated[
    str | None, Field(max_length=200, description="the independent run that found all of these; left out, one author")
]
_PAIRS = _list_of(_PAIR, "pairs of ids of claims that must never be merged")
Pairs = Annotated[list[Any], _PAIRS]
MaybePairs = Annotated[list[Any] | None, _PAIRS, Field(default_factory=list)]
ByWords = Annotated[float, Field(gt=0, le=1, description="share of common words from which claims merge")]
ByLetters = Annotated[float, Field(gt=0, le=1, description="likeness of letters from which claims merge")]
_LIMIT = Field(ge=1, le=10_000, description="at most so many entries of each list")
Limit = Annotated[int, _LIMIT]
MaybeLimit = Annotated[int | None, _LIMIT]
Offset = Annotated[int, Field(ge=0, description="leave out so many entries: `next_offset` of the page before")]
Documents = Annotated[
    list[Document] | None, Field(max_length=100, description="what to answer from: name and text of each document")
]
Members = Annotated[
    list[str] | None,
    Field(
        max_length=24,
        description="who is asked; one that is not on offer is refused with those that are. Left out, the usual ones",
    ),
]


class ToolLimits(BaseModel):
    """What the deliberation may spend, each in the place of the protocol's own limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int | None = Field(default=None, gt=0)
    usd: float | None = Field(default=None, gt=0)
    seconds: float | None = Field(default=None, gt=0)


Limits = Annotated[
    ToolLimits | None, Field(description="the most that it may spend; left out, what the protocol allows")
]


def reads(title: str) -> ToolAnnotations:
    """Return what a host is told of a tool that changes nothing."""
    return ToolAnnotations(title=title, read_only_hint=True, open_world_hint=False)


def changes(
    title: str, *, destroys: bool = False, again_changes_nothing: bool = True, reaches_out: bool = False
) -> ToolAnnotations:
    """Return what a host is told of a tool that changes something, and may ask its user about."""
    return ToolAnnotations(
        title=title,
        read_only_hint=False,
        destructive_hint=destroys,
        idempotent_hint=again_changes_nothing,
        open_world_hint=reaches_out,
    )
