"""What the three stages brought, before anybody says what it comes to."""

from dataclasses import dataclass, replace

from moot.protocol import Missing, Panel
from moot_council.replies import Final
from moot_council.rules import Ballot, Entry, Spoilt, Standing, standings

Paper = Ballot | Spoilt | Missing


@dataclass(frozen=True)
class Session:
    """Answers, rankings and the chairman's text. What was not asked for is empty."""

    panel: Panel
    entries: tuple[Entry, ...]
    chairman: str
    is_named: bool
    papers: tuple[Paper, ...] = ()
    final: Final | Missing | None = None

    def with_papers(self, papers: tuple[Paper, ...]) -> "Session":
        """Return the session with its rankings."""
        return replace(self, papers=papers)

    def with_final(self, final: Final | Missing) -> "Session":
        """Return the session with what its chairman sent."""
        return replace(self, final=final)

    @property
    def ballots(self) -> tuple[Ballot, ...]:
        """The rankings that can be used."""
        return tuple(paper for paper in self.papers if isinstance(paper, Ballot))

    @property
    def spoilt(self) -> tuple[Spoilt, ...]:
        """The rankings that came and cannot be used."""
        return tuple(paper for paper in self.papers if isinstance(paper, Spoilt))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """What the usable rankings come to, best first."""
        return standings(self.entries, self.ballots)

    @property
    def unranked(self) -> tuple[Entry, ...]:
        """The answers that no usable ranking ranks."""
        ranked = {standing.entry.name for standing in self.standings}
        return tuple(entry for entry in self.entries if entry.name not in ranked)
