"""What `debate` asks for (debate 3.3, 5.1, decisions 1 and 4), and what it lets its user choose.

JSON keeps the paper's spelling. The schema that a member is shown is bounded and has few required fields; what is read
is lenient: a wrong item costs that item. What the program knows (who speaks, in which round, from which anchor, by how
much a confidence moved) is not asked for.
"""

from functools import cache
from typing import Annotated, Any, Literal, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
)
from pydantic.alias_generators import to_camel

from moot.core.calls import Reply
from moot.core.protocol import Settings
from moot.protocols.debate.modes import MODES
from moot.protocols.debate.state.lenient import (
    REFERENCE,
    by_label,
    ids,
    items,
    leaning,
    list_schema,
    number_in,
    one_word,
    plain_schema,
    reason_given,
    share,
    text_schema,
    words,
)

Short = Annotated[str, BeforeValidator(words(400)), WithJsonSchema(text_schema(100))]
Shorts = Annotated[
    tuple[Annotated[str, BeforeValidator(words(400))], ...],
    BeforeValidator(items),
    WithJsonSchema(list_schema(text_schema(110, 3), 3)),
]
ClaimIds = Annotated[
    tuple[str, ...],
    BeforeValidator(ids(r"C\d{1,4}")),
    WithJsonSchema(list_schema({"type": "string", "pattern": "^C[0-9]{1,3}$"}, 6)),
]
Withdrawn = Annotated[
    tuple[str, ...],
    BeforeValidator(ids(r"[CO]\d{1,4}")),
    WithJsonSchema(list_schema({"type": "string", "pattern": "^[CO][0-9]{1,3}$"}, 6)),
]


class _Part(BaseModel):
    """A part of a reply, in the paper's spelling."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True, allow_inf_nan=False
    )


class EpistemicClaims(_Part):
    """Claims by their label (debate 5.1): FACT, INFER, ASSUME."""

    facts: Shorts = ()
    inferences: Shorts = ()
    assumptions: Shorts = ()


class Reference(_Part):
    """A numbered source (decision 4): a document with the words quoted, a tool's result, or a calculation."""

    number: Annotated[
        int, BeforeValidator(number_in), WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 99})
    ] = 0
    title: Short = ""
    quote: Annotated[str, BeforeValidator(words(600)), WithJsonSchema(text_schema(120))] = ""


def _references(value: Any) -> Any:
    """Read references also where they are lines such as `[2] Handbook`, as the paper prints them."""
    listed = items(value)
    if not isinstance(listed, tuple):
        return ()
    read: list[Any] = []
    for place, item in enumerate(listed, 1):
        if isinstance(item, str) and (found := REFERENCE.fullmatch(item)):
            read.append({"number": int(found[1]), "title": found[2]})
        elif isinstance(item, str):
            read.append({"number": place, "title": item})
        elif isinstance(item, dict):
            read.append({**item, "number": item.get("number", item.get("id")) or place})
    return tuple(read)


class Alternative(_Part):
    """Another way to answer, and why it is not taken."""

    option: Short = ""
    rejected_because: Short = ""


class Risk(_Part):
    """A way to fail, and what would prevent it."""

    risk: Short = ""
    mitigation: Short = ""


class Mitigation(_Part):
    """What mends a vulnerability, by its id (ruling D5)."""

    vulnerability: Annotated[str, BeforeValidator(words(12)), WithJsonSchema(text_schema(8))] = ""
    text: Short = ""


class ConfidenceChange(_Part):
    """Why a confidence moved; by how much, and since which round, the program knows."""

    reason: Short = ""


def _objects(item: type[BaseModel], most: int) -> WithJsonSchema:
    schema = plain_schema(item.model_json_schema(by_alias=True))
    schema["required"] = list(schema["properties"])
    return WithJsonSchema(list_schema(schema, most))


def _lenient_objects(name: str) -> BeforeValidator:
    """A bare text in the place of an object is its main field."""

    def read(value: Any) -> Any:
        listed = items(value)
        kept = listed if isinstance(listed, tuple) else ()
        return tuple({name: item} if isinstance(item, str) else item for item in kept if isinstance(item, str | dict))

    return BeforeValidator(read)


CLAIMS = {
    **plain_schema(EpistemicClaims.model_json_schema()),
    "required": ["facts", "inferences", "assumptions"],
}


class AgentResponse(Reply):
    """What an agent says in a round (debate 5.1, decisions 1 and 4). A position and a confidence are enough."""

    model_config = ConfigDict(alias_generator=to_camel)

    reasoning: Annotated[str, BeforeValidator(words(6_000)), WithJsonSchema(text_schema(600))] = ""
    position: Annotated[str, BeforeValidator(words(800)), WithJsonSchema(text_schema(240, 8))] = Field(min_length=1)
    answer: Annotated[str, BeforeValidator(words(600)), WithJsonSchema(text_schema(160, 1))] = ""
    confidence: Annotated[
        float,
        Field(ge=0, le=1),
        BeforeValidator(share),
        WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
    ]
    epistemic_claims: Annotated[EpistemicClaims, BeforeValidator(by_label), WithJsonSchema(CLAIMS)] = EpistemicClaims()
    references: Annotated[tuple[Reference, ...], BeforeValidator(_references), _objects(Reference, 3)] = ()
    vote: Annotated[
        str, BeforeValidator(one_word(40)), WithJsonSchema({"type": "string", "enum": ["ACCEPT", "MINOR", "BLOCKER"]})
    ] = ""
    objection: Short = ""
    reinforced: ClaimIds = ()
    challenged: ClaimIds = ()
    retracted: Withdrawn = ()
    concern: Short = ""
    alternatives: Annotated[tuple[Alternative, ...], _lenient_objects("option"), _objects(Alternative, 2)] = ()
    risks: Annotated[tuple[Risk, ...], _lenient_objects("risk"), _objects(Risk, 3)] = ()
    uncertainty: Short = ""
    key_points: Shorts = ()
    confidence_change: Annotated[
        ConfidenceChange,
        BeforeValidator(reason_given),
        WithJsonSchema(plain_schema(ConfidenceChange.model_json_schema())),
    ] = ConfidenceChange()
    debate_alignment: Short = ""
    alignment: Annotated[
        float | None, BeforeValidator(leaning), WithJsonSchema({"type": "number", "minimum": -1, "maximum": 1})
    ] = None
    unmet_checks: Annotated[
        tuple[Annotated[str, BeforeValidator(str)], ...],
        BeforeValidator(items),
        WithJsonSchema(list_schema(text_schema(20), 4)),
    ] = ()
    steelman: Short = ""
    questions: Shorts = ()
    stance: Annotated[
        str, BeforeValidator(words(20)), WithJsonSchema({"type": "string", "enum": ["YES", "NO", "NEUTRAL"]})
    ] = ""
    vulnerabilities: Annotated[tuple[Risk, ...], _lenient_objects("risk"), _objects(Risk, 4)] = ()
    mitigations: Annotated[tuple[Mitigation, ...], _lenient_objects("text"), _objects(Mitigation, 6)] = ()

    @model_serializer(mode="wrap")
    def _without_what_was_not_said(self, dumped: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in dumped(self).items() if value not in ("", None, (), [], {"reason": ""})}


REQUIRED = ("reasoning", "position", "answer", "confidence", "epistemicClaims")
ALWAYS = (*REQUIRED, "references", "concern", "alternatives", "risks", "uncertainty", "keyPoints", "alignment")
VOTING = ("vote", "objection", "reinforced", "challenged", "retracted", "confidenceChange")


@cache
def response_type(fields: tuple[str, ...], *, voting: bool, aligned: bool) -> type[AgentResponse]:
    """Return the reply of a role in a first or in a later round: one shape, shown without what is not asked for."""
    order = (*ALWAYS, *fields, *(VOTING if voting else ()), *(("debateAlignment",) if aligned else ()), "unmetChecks")
    required = (*REQUIRED, *(("vote",) if voting else ()), *(name for name in fields if name == "stance"))

    def shown(schema: dict[str, Any]) -> None:
        schema["properties"] = {name: plain_schema(schema["properties"][name]) for name in order}
        schema["required"] = list(required)

    config = ConfigDict(alias_generator=to_camel, json_schema_extra=cast("Any", shown))
    return cast(
        "type[AgentResponse]",
        type(AgentResponse)(
            "AgentResponse", (AgentResponse,), {"model_config": config, "__module__": __name__, "__doc__": None}
        ),
    )


class ToolCall(BaseModel):
    """One use of a tool: search the documents, read a passage, or calculate."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    tool: Annotated[str, BeforeValidator(words(20)), WithJsonSchema({"enum": ["search", "read", "calculate"]})] = ""
    input: Annotated[str, BeforeValidator(words(200)), WithJsonSchema(text_schema(100, 1))] = ""


class ToolCalls(Reply):
    """What an agent looks up before it speaks."""

    model_config = ConfigDict(json_schema_extra={"required": ["calls"]})

    calls: Annotated[tuple[ToolCall, ...], BeforeValidator(items), _objects(ToolCall, 2)] = ()


class Mitigations(Reply):
    """What the blue team answers to vulnerabilities that were left open (ruling D5)."""

    model_config = ConfigDict(json_schema_extra={"required": ["mitigations"]})

    mitigations: Annotated[tuple[Mitigation, ...], _lenient_objects("text"), _objects(Mitigation, 8)] = ()


class SafetyBlock(_Part):
    """A contribution that must not be passed on, and why."""

    agent: Short = ""
    reason: Short = ""


class SafetyReview(Reply):
    """What the safety evaluator finds (decision 2, tier 3): whom to block, and whether the round is clear."""

    model_config = ConfigDict(json_schema_extra={"required": ["reasoning", "blocks", "clear"]})

    reasoning: Annotated[str, BeforeValidator(words(1_000)), WithJsonSchema(text_schema(200))] = ""
    blocks: Annotated[tuple[SafetyBlock, ...], _lenient_objects("agent"), _objects(SafetyBlock, 6)] = ()
    clear: bool


class PersonTurn(Reply):
    """What a person says between two rounds. Nothing at all passes the turn."""

    text: Annotated[str, BeforeValidator(words(3_000))] = Field(
        default="", title="What you want to say", description="every agent reads it before the next round"
    )
    focus_question: Annotated[str, BeforeValidator(words(300))] = Field(
        default="", title="A question for the next round", description="what the agents should look at, if anything"
    )


class Ruling(Reply):
    """What a person decides where a debate agrees too easily (decision 3)."""

    decision: Literal["accept", "reject", "continue"] = Field(
        title="Your decision", description="accept the answer, reject it, or let them continue"
    )
    note: Annotated[str, BeforeValidator(words(1_000))] = Field(default="", title="Why")


def _rounds(value: Any) -> Any:
    return tuple(part.strip() for part in value.split("|")) if isinstance(value, str) and value.strip() else value or ()


def _known_mode(value: Any) -> Any:
    if value not in MODES:
        raise ValueError(f"there is no such mode; it is one of {', '.join(MODES)}")
    return value


class DebateSettings(Settings):
    """The settings of `debate`, with the paper's defaults (debate 2 P1, 7.5; rulings D3 and D10)."""

    mode: Annotated[str, BeforeValidator(_known_mode)] = Field(
        default="collaborative",
        description=f"how to debate: {', '.join(MODES)}",
        json_schema_extra={"enum": list(MODES)},
    )
    rounds: int = Field(default=5, ge=1, le=30, description="rounds at most")
    focus_question: Annotated[tuple[str, ...], BeforeValidator(_rounds)] = Field(
        default=(), description="what to look at; one for all rounds, or one a round with | between them"
    )
    join: bool = Field(default=False, description="a person has a turn between rounds and rules where it is called for")
    high_stakes: bool = Field(default=False, description="ask the tenth question, on scope, approval and abort")
    audience: str = Field(default="", max_length=300, description="who the answer is for, where that matters to safety")
    evaluator: str = Field(default="", max_length=40, description="a seat that judges safety alone and does not debate")
    revise: bool = Field(default=True, description="let an agent revise an answer once where a check fails")
    lookups: int = Field(default=2, ge=0, le=5, description="tool calls of an agent a round, where there are documents")
    temperature: float = Field(default=0.7, ge=0, le=2, description="how freely the agents sample")
    max_tokens: int = Field(default=1_000, ge=64, le=4_000, description="how long a reply may be, in tokens")
    context: int = Field(default=7_000, ge=4_000, le=10_000, description="tokens of a whole prompt at most")
