"""What `interrogation` lets its user choose (interrogation 4; rulings I9, I14, I16, I17, I20)."""

from typing import Literal

from pydantic import Field

from moot.core.protocol import Settings
from moot.methods.candidates import RankBy
from moot.methods.sampling import MOST, Stop
from moot.methods.search import Passages


class InterrogationSettings(Settings):
    """The settings of `interrogation`, with the paper's defaults where no ruling has others (interrogation 4)."""

    form: Literal["auto", "plain", "numbered", "program", "both", "graph"] = Field(
        default="auto",
        description="plain: free text; numbered: over numbered sentences; program: assignments; both: half plain, half "
        "the second way; graph: the paper's, as steps; auto: both for embedded members, graph for others",
    )
    n: int | None = Field(default=None, ge=1, le=100, description="exactly so many runs, whatever the votes say")
    stop: Stop = Field(
        default="lead",
        description="lead: when the leader is ahead with 0.95; sure: when no run could change the winner; all: never",
    )
    most: int = Field(default=MOST, ge=1, le=100, description="runs at most")
    k: int = Field(default=2, ge=1, le=20, description="lines of support that are enough")
    temperature: float = Field(default=0.8, ge=0, le=2, description="how freely runs and verifications sample")
    rank_by: RankBy = Field(default="votes", description="votes: who most runs give; width: the paper's letter")
    verify: Literal["auto", "always", "other", "never"] = Field(
        default="auto",
        description="always: disputed claims are verified; other: only by a model that did not write them; never; "
        "auto: always in the form graph, else other",
    )
    verifications: int = Field(default=3, ge=1, le=15, description="fresh verifications of a disputed claim")
    claims_a_round: int = Field(default=3, ge=1, le=50, description="disputed claims verified in a round at most")
    max_tokens: int | None = Field(
        default=None, ge=64, le=100_000, description="tokens of a run's reply; by default 400, in the form graph 1,500"
    )
    passages: Passages = "auto"
    claim: str = Field(default="", max_length=2_000, description="a claim to test instead of a question to answer")
