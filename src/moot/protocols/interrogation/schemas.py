"""What `interrogation` asks for and lets its user choose (interrogation 4, 4.2).

The schema that a member is shown is strict and bounded, so that one which generates by it keeps to it. What is read is
lenient: a wrong item costs that item, which the graph rejects with a reason, and not the whole run.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from moot.core.calls import Reply
from moot.core.protocol import Settings
from moot.methods.search import Passages

MOST_NODES = 100
"""Nodes of one run that are read; a longer list is cut, and the record says so."""


def _named(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^{pattern}$"}


SENTENCE = {"type": "string", "minLength": 1, "maxLength": 160}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {**required, **optional}, "required": list(required)}


GIVEN = _object(
    {
        "type": {"const": "given"},
        "id": _named("g[1-9]"),
        "document": {"type": "integer", "minimum": 1, "maximum": 999},
        "quote": {**SENTENCE, "minLength": 12},
        "claim": SENTENCE,
    },
    confidence=SHARE,
)
INFERENCE = _object({"type": {"const": "inference"}, "id": _named("i[1-9]"), "claim": SENTENCE}, confidence=SHARE)
ASSUMPTION = _object({"type": {"const": "assumption"}, "id": _named("a[1-9]"), "claim": SENTENCE}, confidence=SHARE)
CONCLUSION = _object({"type": {"const": "conclusion"}, "id": {"const": "c"}, "claim": SENTENCE}, confidence=SHARE)
EDGE = _object(
    {
        "from": _named("[gia][1-9]"),
        "to": _named("(c|[gia][1-9])"),
        "relation": {"enum": ["supports", "attacks", "assumes"]},
    },
    confidence=SHARE,
)


def _worded(value: Any) -> Any:
    """A number stands for its digits, and null for nothing: 42 is an answer as good as "42"."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Words = Annotated[str, BeforeValidator(_worded)]


class GraphNode(BaseModel):
    """One claim of a run. A given names its document and quotes the words that state it (ruling I5)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: Any
    claim: Any
    type: Any
    confidence: Any = 0.8
    document: Any = ""
    quote: Any = ""


class GraphEdge(BaseModel):
    """One relation between two claims of a run."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    src: Any = Field(alias="from")
    dst: Any = Field(alias="to")
    relation: Any
    confidence: Any = 0.8


NODES = {
    "type": "array",
    "prefixItems": [CONCLUSION],
    "items": {"anyOf": [GIVEN, INFERENCE, ASSUMPTION]},
    "minItems": 2,
    "maxItems": 10,
}
EDGES = {"type": "array", "items": EDGE, "minItems": 1, "maxItems": 12}


ASKED = ("reasoning", "documents_say", "answer", "conclusion_node", "nodes", "edges")


class Argument(Reply):
    """One run's reasoning graph, and the short answer it comes to (interrogation 4.2, rulings I6 and I8)."""

    # What a reply may lack when it is read, a member is nevertheless asked for.
    model_config = ConfigDict(json_schema_extra={"required": list(ASKED)})

    reasoning: Annotated[Words, WithJsonSchema({"type": "string", "maxLength": 500})] = ""
    documents_say: bool = True
    answer: Annotated[Words, WithJsonSchema({"type": "string", "maxLength": 120})] = ""
    conclusion_node: Annotated[Any, WithJsonSchema({"const": "c"})] = ""
    nodes: Annotated[tuple[GraphNode, ...], WithJsonSchema(NODES)]
    edges: Annotated[tuple[GraphEdge, ...], WithJsonSchema(EDGES)]

    @model_validator(mode="before")
    @classmethod
    def _without_an_argument(cls, value: Any) -> Any:
        """Who finds that the documents do not say has nothing to argue, and may leave the graph out (ruling I8)."""
        if isinstance(value, dict) and value.get("documents_say") is False:
            return {**value, "nodes": value.get("nodes") or [], "edges": value.get("edges") or []}
        return value


class Verification(Reply):
    """What a fresh context makes of one claim (interrogation 4.2)."""

    model_config = ConfigDict(json_schema_extra={"required": ["reason", "verdict"]})

    reason: Annotated[Words, WithJsonSchema({"type": "string", "maxLength": 200})] = ""
    verdict: Literal["supported", "refuted", "not_determinable"]


class InterrogationSettings(Settings):
    """The settings of `interrogation`, with the paper's defaults (interrogation 4)."""

    n: int = Field(default=6, ge=1, le=100, description="independent runs")
    k: int = Field(default=2, ge=1, le=20, description="lines of support that are enough")
    temperature: float = Field(default=0.8, ge=0, le=2, description="how freely runs and verifications sample")
    verifications: int = Field(default=3, ge=1, le=15, description="fresh verifications of a disputed claim")
    claims_a_round: int = Field(default=3, ge=1, le=50, description="disputed claims verified in a round at most")
    max_tokens: int = Field(default=1500, ge=64, le=100_000, description="how long a run's reply may be, in tokens")
    passages: Passages = "all"
    claim: str = Field(default="", max_length=2_000, description="a claim to test instead of a question to answer")
