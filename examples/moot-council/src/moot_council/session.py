"""What the three stages brought, before anybody says what it comes to."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from moot.protocol import Missing, Panel
from moot_council.replies import Answer, Final
from moot_council.rules import Ballot, Entry, Spoilt, Standing, followed_entry, merged_entries, standings
from moot_council.settings import CouncilSettings, chairman_seat

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
    def answers(self) -> int:
        """How many members answered."""
        return sum(len(entry.held_by) for entry in self.entries)

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
    def followed(self) -> Entry | None:
        """The answer that the chairman's is or follows, as far as that is plain."""
        final = self.final
        return followed_entry(self.best_first, final.answer, final.follows) if isinstance(final, Final) else None

    @property
    def best_first(self) -> tuple[Entry, ...]:
        """All answers as the chairman sees them: in the order of the ranking, then those that nobody ranked."""
        ranked = tuple(standing.entry for standing in self.standings)
        return (*ranked, *(entry for entry in self.entries if entry not in ranked))


def opened_session(answers: Mapping[str, Answer | Missing], panel: Panel, settings: CouncilSettings) -> Session:
    """Return a session with the different answers that came in, before anybody has ranked them."""
    given = [(seat, reply) for seat, reply in answers.items() if isinstance(reply, Answer)]
    return Session(
        panel=panel,
        entries=merged_entries((seat, reply.answer, reply.reasons) for seat, reply in given),
        chairman=chairman_seat(settings, panel),
        is_named=bool(settings.chairman),
    )
