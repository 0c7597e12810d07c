"""What a user may choose, and what follows from it before anybody is asked."""

from fractions import Fraction

from pydantic import Field

from moot.protocol import Panel, Passages, Settings

QUORUM = Fraction(2, 3)


class CouncilSettings(Settings):
    """Who chairs, who is ranked, and how freely members answer."""

    chairman: str = Field(
        default="",
        pattern=r"^(m[1-9][0-9]?)?$",
        description="the seat that writes the final answer, such as m2; empty: the first member, m1",
    )
    rank_own: bool = Field(
        default=True, description="whether a member finds its own answer, unmarked, among those it ranks"
    )
    temperature: float = Field(
        default=0.7, ge=0, le=2, description="of the answers; at 0 the seats of one model answer alike"
    )
    max_tokens: int = Field(default=1024, ge=64, le=32_768, description="tokens that one reply may take")
    passages: Passages = "auto"


def chairman_seat(settings: CouncilSettings, panel: Panel) -> str:
    """Return the seat that writes the final answer: the one that was named, or the first."""
    return settings.chairman or panel[0].name


def fewest_members(settings: CouncilSettings) -> int:
    """Return how many members there must be for the named chairman to be one of them."""
    return int(settings.chairman.removeprefix("m") or 1)
