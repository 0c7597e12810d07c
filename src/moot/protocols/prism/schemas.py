"""What a slot takes: prose, the structured output of its layer in the paper's spelling, and a confidence (prism).

One type serves people, outside agents and the house. What the house is shown is bounded more tightly, so that a small
model comes to an end; what is read is strict in shape and kind, and generous in length.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from moot.core.calls import Reply
from moot.core.protocol import Settings
from moot.methods.search import Passages
from moot.protocols.prism.layers import Shape, TableFile

LONGEST_PROSE = 10_000
LONGEST_POINT = 1_000
MOST_POINTS = 12

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def _printable(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("it holds control characters; send plain text with line ends and tabs at most")
    return text


def _worded(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank; write what you have to say")
    return text


def _said(longest: int, least: int = 1) -> Any:
    return Field(min_length=least, max_length=longest, strict=True)


def _shown(longest: int, least: int = 1) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "minLength": least, "maxLength": longest})


def _list_shown(most: int, least: int = 0) -> WithJsonSchema:
    item = {"type": "string", "minLength": 1, "maxLength": 160}
    return WithJsonSchema({"type": "array", "items": item, "minItems": least, "maxItems": most})


_PRINTABLE, _WORDED = AfterValidator(_printable), AfterValidator(_worded)

Prose = Annotated[str, _said(LONGEST_PROSE), _PRINTABLE, _WORDED, _shown(500)]
Slug = Annotated[str, StringConstraints(strip_whitespace=True), _said(200), _PRINTABLE, _shown(60)]
Abstract = Annotated[str, _said(4_000), _PRINTABLE, _WORDED, _shown(500)]
ShortAnswer = Annotated[str, _said(500, least=0), _PRINTABLE, _shown(120, least=0)]
Point = Annotated[str, _said(LONGEST_POINT), _PRINTABLE, _WORDED]
Points = Annotated[tuple[Point, ...], Field(max_length=MOST_POINTS), _list_shown(4)]
SomePoints = Annotated[tuple[Point, ...], Field(min_length=1, max_length=MOST_POINTS), _list_shown(4, least=1)]
ManyPoints = Annotated[tuple[Point, ...], Field(max_length=MOST_POINTS), _list_shown(6)]

Confidence = Annotated[
    float,
    Field(strict=True, ge=0, le=1, allow_inf_nan=False),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]

Severity = Literal["high", "moderate", "low"]
Recommendation = Literal["accept", "accept-with-caveats", "reject", "needs-more-evidence"]


def _confidence_last(schema: dict[str, Any]) -> None:
    """A model states how sure it is when it has said all else, and leaves nothing out."""
    fields = schema["properties"]
    if "confidence" in fields:
        fields["confidence"] = fields.pop("confidence")
    schema["required"] = list(fields)


class Output(Reply):
    """What every slot takes: prose and how sure its author is."""

    model_config = ConfigDict(json_schema_extra=_confidence_last)

    content: Prose
    confidence: Confidence


class FramingOutput(Output):
    """Layer shape `framing`: prose only."""


class ClassificationOutput(Output):
    """Layer shape `classification`: the domain as a slug with dashes."""

    domain: Slug


class EvidenceOutput(Output):
    """Layer shape `evidence`."""

    key_points: SomePoints = Field(alias="keyPoints")
    strength: Literal["strong", "moderate", "weak"]


class CritiqueOutput(Output):
    """Layer shape `critique`."""

    weaknesses: Points
    questions: Points
    severity: Severity


class DefenseOutput(Output):
    """Layer shape `defense`."""

    response_to_weaknesses: ManyPoints = Field(alias="responseToWeaknesses")
    answered_questions: ManyPoints = Field(alias="answeredQuestions")


class DeliberationOutput(Output):
    """Layer shape `deliberation`."""

    verdict: Literal["advance-to-synthesis", "flag"]
    caveats: Points


class SynthesisOutput(Output):
    """Layer shape `synthesis`; `answer` is Moot's addition, for a question that asks for a form of answer."""

    summary: Abstract
    recommendation: Recommendation
    answer: ShortAnswer = ""


class Summary(Reply):
    """One summary, written from those of all who synthesised (ruling P6)."""

    summary: Abstract


class FlagReview(Reply):
    """How a person clears a flag (ruling P5)."""

    decision: Literal["advance", "redo", "close"]
    note: Abstract


OUTPUTS: dict[Shape, type[Output]] = {
    "framing": FramingOutput,
    "classification": ClassificationOutput,
    "evidence": EvidenceOutput,
    "critique": CritiqueOutput,
    "defense": DefenseOutput,
    "deliberation": DeliberationOutput,
    "synthesis": SynthesisOutput,
}


class PrismSettings(Settings):
    """The settings of `prism`."""

    table: Literal["prism-v1", "prism-v1-solo"] | TableFile = Field(
        default="prism-v1", description="the layers: a table that comes with Moot, or a TOML or JSON file"
    )
    house: Literal["all", "work", "consensus", "none"] = Field(
        default="all", description="which slots the panel fills; the others wait for people and outside agents"
    )
    on_flag: Literal["wait", "end"] = Field(
        default="wait", description="whether a flag waits for a person, or ends the run as flagged"
    )
    passages: Passages = "auto"
    temperature: float = Field(default=0.6, ge=0, le=2, description="how freely agents of the house sample")
    max_tokens: int = Field(default=900, ge=64, le=100_000, description="how long a reply of the house may be")
