"""What `spiral` asks for and lets its user choose (spiral 5.1, rulings S1, S7, S8, S10 and S14)."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema

from moot.core.calls import Reply
from moot.core.protocol import Settings
from moot.methods.offering import FurtherOracles
from moot.methods.search import Passages
from moot.protocols.spiral.axioms.shipped import AxiomFiles

MOST_CLAIMS = 6
LONGEST_ANSWER, LONGEST_CLAIM = 600, 300

SHORT = {"type": "string", "maxLength": 300}
ANSWER = {"type": "string", "minLength": 1, "maxLength": 240}
CLAIM = {"type": "string", "minLength": 8, "maxLength": 160}
CLAIMS = {"type": "array", "items": CLAIM, "maxItems": MOST_CLAIMS}


def _worded(value: Any) -> Any:
    """A number stands for its digits."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _answering(value: str) -> str:
    """Return the answer without signs that lead nowhere; signs alone are no answer."""
    if not any(letter.isalnum() for letter in value):
        raise ValueError("the answer has no word and no number in it")
    return value.strip().lstrip(",;: ")


def _sentences(value: Any) -> Any:
    """What is no sentence is no claim; one claim may come without its list."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        return ()
    said = [" ".join(item.split()) for item in items if isinstance(item, str)]
    return tuple(dict.fromkeys(item[:LONGEST_CLAIM] for item in said if item))[:MOST_CLAIMS]


Answer = Annotated[
    str,
    BeforeValidator(_worded),
    Field(min_length=1, max_length=20_000),
    AfterValidator(_answering),
    WithJsonSchema(ANSWER),
]
Claims = Annotated[tuple[str, ...], BeforeValidator(_sentences), WithJsonSchema(CLAIMS)]
Words = Annotated[str, BeforeValidator(_worded), WithJsonSchema(SHORT)]


class PositionReply(Reply):
    """A typed position: a short answer and its atomic claims (ruling S8)."""

    model_config = ConfigDict(json_schema_extra={"required": ["reasoning", "answer", "claims"]})

    reasoning: Words = ""
    answer: Answer
    claims: Claims = ()


class RevisedReply(Reply):
    """A position after a loop, and what moved it or kept it where it was."""

    model_config = ConfigDict(json_schema_extra={"required": ["why", "answer", "claims"]})

    why: Words = ""
    answer: Answer
    claims: Claims = ()


class AcceptReply(Reply):
    """Whether a member takes a draft for its own answer (ruling S10)."""

    model_config = ConfigDict(json_schema_extra={"required": ["why", "accepts"]})

    why: Words = ""
    accepts: bool


class SelfReferenceReply(Reply):
    """Whether a position denies what it rests on, and the axiom that says so (ruling S14)."""

    model_config = ConfigDict(json_schema_extra={"required": ["why", "denies", "axiom"]})

    why: Words = ""
    denies: bool
    axiom: Annotated[str, WithJsonSchema({"type": "string", "maxLength": 20})] = ""


def _checks(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else ()


class OracleQuestions(Reply):
    """Typed checks that a member puts to the oracles (ruling S7)."""

    model_config = ConfigDict(json_schema_extra={"required": ["checks"]})

    checks: Annotated[
        tuple[dict[str, Any], ...],
        BeforeValidator(_checks),
        WithJsonSchema({"type": "array", "maxItems": 3, "items": {"type": "object"}}),
    ] = ()


class SpiralSettings(Settings):
    """The settings of `spiral`."""

    structure: Literal["auto", "fugue", "sonata", "concert"] = Field(
        default="auto", description="how positions are revised; auto: by rules that the record explains"
    )
    self_reference: Literal["auto", "yes", "no"] = Field(
        default="auto", description="whether the question speaks of models, protocols or languages; auto: by rules"
    )
    similarity_weight: float = Field(default=0.30, ge=0, le=1, description="weight of similarity in agreement")
    entailment_weight: float = Field(default=0.40, ge=0, le=1, description="weight of entailment in agreement")
    facts_weight: float = Field(default=0.30, ge=0, le=1, description="weight of shared facts in agreement")
    axioms: AxiomFiles | None = Field(default=None, description="a folder of axiom files of your own, beside Moot's")
    oracles: FurtherOracles = ()
    passages: Passages = "auto"
    temperature: float = Field(default=0.7, ge=0, le=2, description="how freely positions are sampled")
    max_tokens: int = Field(default=600, ge=64, le=100_000, description="how long a position may be, in tokens")
