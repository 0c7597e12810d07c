"""What `vote` lets its user choose. Its runs reply in prose, so there is no shape of a reply."""

from pydantic import Field

from moot.core.protocol import Settings
from moot.methods.runs import Forms
from moot.methods.sampling import MOST, Stop
from moot.methods.search import Passages


class VoteSettings(Settings):
    """The settings of `vote`."""

    n: int | None = Field(default=None, ge=1, le=200, description="exactly so many runs, whatever the votes say")
    stop: Stop = Field(
        default="lead",
        description="lead: when the leader is ahead with 0.95; sure: when no run could change the winner; all: never",
    )
    most: int = Field(default=MOST, ge=1, le=200, description="runs at most")
    form: Forms = Field(
        default="auto",
        description="plain: free text; numbered: over numbered sentences; program: assignments; both: half plain, half "
        "the second way; auto: plain, and half as programs for a number",
    )
    temperature: float = Field(default=0.8, ge=0, le=2, description="how freely the runs are drawn")
    max_tokens: int = Field(default=400, ge=16, le=100_000, description="how long a reply may be, in tokens")
    passages: Passages = "auto"
