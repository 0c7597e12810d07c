"""What `single` asks for and lets its user choose."""

from pydantic import Field

from moot.core.calls import Reply
from moot.core.protocol import Settings
from moot.methods.search import Passages


class Answer(Reply):
    """A direct answer, with the reasons first so that they can carry it."""

    reasoning: str = Field(description="why, in a few sentences")
    answer: str = Field(min_length=1, description="the answer alone, in the form asked for")
    confidence: float = Field(ge=0, le=1, description="how likely the answer is to be right")


class SingleSettings(Settings):
    """The settings of `single`."""

    passages: Passages = "auto"
    temperature: float = Field(default=0.0, ge=0, le=2, description="how freely the member samples")
    max_tokens: int = Field(default=1024, ge=16, le=100_000, description="how long its reply may be, in tokens")
