"""What the arms of an evaluation let their user choose. All of them reply in prose, so there is no shape of a reply."""

from pydantic import Field

from moot.core.protocol import Settings
from moot.methods.search import Passages
from moot.protocols.vote.schemas import VoteSettings


class ArmSettings(Settings):
    """The settings of an arm that asks for free text."""

    passages: Passages = "auto"
    temperature: float = Field(default=0.0, ge=0, le=2, description="how freely the member samples")
    max_tokens: int = Field(default=700, ge=16, le=100_000, description="how long a reply may be, in tokens")


class SamplingSettings(ArmSettings):
    """The settings of self-consistency: the temperature of arm 6, and as many samples as arm 6 may make calls."""

    temperature: float = Field(default=0.8, ge=0, le=2, description="how freely the samples are drawn")
    samples: int = Field(default=20, ge=1, le=200, description="independent samples")

    def as_vote(self) -> VoteSettings:
        """Return the settings of the vote that this is."""
        return VoteSettings(
            n=self.samples,
            form="plain",
            passages=self.passages,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
        )


class ScreenSettings(ArmSettings):
    """The settings of the screen: temperature 0, one call an item (interrogation 2)."""

    max_tokens: int = Field(default=120, ge=16, le=10_000, description="how long an answer may be, in tokens")
