"""What `debate` lets its user choose."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from moot.core.protocol import Settings
from moot.protocols.debate.modes import MODES


def _rounds(value: Any) -> Any:
    return tuple(part.strip() for part in value.split("|")) if isinstance(value, str) and value.strip() else value or ()


def _known_mode(value: Any) -> Any:
    if value not in MODES:
        raise ValueError(f"there is no such mode; it is one of {', '.join(MODES)}")
    return value


class DebateSettings(Settings):
    """The settings of `debate`, with the paper's defaults (debate 2 P1, 7.5; rulings D3 and D10)."""

    mode: Annotated[str, BeforeValidator(_known_mode)] = Field(
        default="collaborative", description=f"how to debate: {', '.join(MODES)}"
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
