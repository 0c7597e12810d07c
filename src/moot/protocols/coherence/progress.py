"""How far a run of `coherence` has come, as its events tell: columns, scores, paths, versions of the response."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.core.events import Answered, Noted
from moot.core.record import Record
from moot.methods.tellings import step_parts
from moot.protocols.coherence.graph_files import Graph
from moot.protocols.coherence.report import graphs_of
from moot.protocols.coherence.schemas import Named, ScoreRow
from moot.protocols.coherence.scores import read_columns, read_scores, usable_columns

Scores = Mapping[Named, Sequence[float]]
Paths = Mapping[str, Sequence[Mapping[str, Any]]]
"""The paths of each column: of which graph, and the relations and modulations that it goes through."""


@dataclass(frozen=True, slots=True)
class ShownVersion:
    """A version of the response, and what was found wrong with it; None as long as nobody has verified it."""

    number: int
    text: str
    event: int
    failures: tuple[Mapping[str, str], ...] | None = None
    judged: bool = False


@dataclass(frozen=True, slots=True)
class NotedFinding:
    """A finding with the seq of its event."""

    event: int
    name: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TraceProgress:
    """What is known of the columns, the scores, the paths and the versions."""

    graphs: tuple[Graph, ...]
    columns: tuple[str, ...] = ()
    scores: Scores = field(default_factory=dict)
    paths: Paths | None = None
    """None as long as the engine has not run."""
    versions: tuple[ShownVersion, ...] = ()
    findings: tuple[NotedFinding, ...] = ()

    def noted(self, name: str) -> bool:
        """Whether there is a finding of this name."""
        return any(item.name == name for item in self.findings)


def trace_progress(record: Record) -> TraceProgress:
    """Return how far a run has come."""
    reading = _Reading(graphs_of(record))
    for seq, event in enumerate(record.events):
        if isinstance(event, Answered):
            reading.take_reply(event, seq)
        elif isinstance(event, Noted) and isinstance(event.data, Mapping):
            reading.take_note(event, seq)
    if record.verdict and reading.paths is None and "columns" in record.verdict.detail:
        reading.take_traces(record.verdict.detail)
    return reading.as_it_is


@dataclass(slots=True)
class _Reading:
    """A record while it is read. The engine's own note, or the verdict's detail, replaces what replies brought."""

    graphs: tuple[Graph, ...]
    columns: tuple[str, ...] = ()
    sent: tuple[str, ...] = ()
    """The columns as they were last sent, refused ones too."""
    scores: dict[Named, Sequence[float]] = field(default_factory=dict)
    paths: Paths | None = None
    versions: dict[int, ShownVersion] = field(default_factory=dict)
    findings: list[NotedFinding] = field(default_factory=list)

    def take_reply(self, event: Answered, seq: int) -> None:
        kind, *rest = step_parts(event.step)
        if kind == "response":
            number = int(rest[0])
            self.versions[number] = ShownVersion(number, str(event.reply["text"]), seq)
        elif kind == "unfold":
            self.sent, problem = read_columns(event.reply["columns"], self.graphs)
            self.columns = () if problem else self.sent
            self.scores = self._scores(event)
        elif kind in ("scores", "again"):
            for named, row in self._scores(event).items():
                self.scores.setdefault(named, row)

    def take_note(self, event: Noted, seq: int) -> None:
        data = event.data
        if event.name == "traces":
            self.take_traces(data)
        elif event.name == "verified":
            known = self.versions[data["version"]]
            failures = tuple(data["failures"])
            self.versions[known.number] = ShownVersion(known.number, known.text, known.event, failures, data["judged"])
        elif event.name == "columns dropped":
            places, self.columns = usable_columns(self.sent, self.graphs)
            self.scores = {named: [row[place] for place in places] for named, row in self.scores.items()}
        self.findings.append(NotedFinding(seq, event.name, data))

    def take_traces(self, data: Mapping[str, Any]) -> None:
        self.columns = tuple(data["columns"])
        named = ((row["observed_relation"], row["values"]) for row in data["scores"])
        self.scores = {(relation["graph"], relation["id"]): values for relation, values in named}
        self.paths = data.get("paths")

    @property
    def as_it_is(self) -> TraceProgress:
        columns, versions = (self.columns, tuple(self.versions.values()))
        return TraceProgress(self.graphs, columns, self.scores, self.paths, versions, tuple(self.findings))

    def _scores(self, event: Answered) -> dict[Named, Sequence[float]]:
        rows = [ScoreRow.model_validate(row) for row in event.reply["scores"]]
        return dict(read_scores(rows, len(self.sent), self.graphs).values)
