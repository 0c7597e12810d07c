"""Who said a claim, and what was found of it: told from run events, by the names that runs and steps have there."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from moot.core.events import Answered, Event, Header, Noted
from moot.core.question import Document
from moot.methods.argued.runs import authoring_runs
from moot.methods.argued.values import ClaimRun, ClaimVerdict, VerdictVote
from moot.methods.runs.forms import Form
from moot.methods.runs.run import Run
from moot.methods.runs.seating import alike_runs, seated_runs
from moot.methods.sentences import THE_QUESTION, Sentence, document_names, sentences_of

SeenEvents = Sequence[tuple[int, Event]]
"""Run events with their seqs."""

HOUSE = "house/"
CHECKS: Mapping[str, tuple[Literal["verified", "followed"], str]] = {
    "verify": ("verified", "says"),
    "follows": ("followed", "follows"),
}
"""The steps by which claims are put to fresh contexts: the note that tells what came of it, and the field that says."""

_CHECK = re.compile(r"(verify|follows)/\d+/(.+)/\d+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Author:
    """Where a run was asked, as far as that is known."""

    seat: str | None = None
    model: str | None = None
    step: str | None = None
    seq: int | None = None


@dataclass
class ClaimSources:
    """The run events that tell of claims, looked up by run and by claim."""

    header: Header
    detail: Mapping[str, Any]
    events: SeenEvents
    answered: dict[str, tuple[int, Answered]] = field(init=False)
    problems: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Look up steps and what no sentence covers."""
        self.answered = {event.step: (seq, event) for seq, event in self.events if isinstance(event, Answered)}
        self.problems = dict(self._problems())
        runs = list(self._votes()) or [{"run": run.id, "seat": run.seat, "step": run.step} for run in self._drawn()]
        self._steps = {item["run"]: item.get("step", "") for item in runs}
        self._seats = {item["run"]: item["seat"] for item in runs}

    def author(self, run: str) -> Author:
        """Return who was asked for a run: a member, or somebody who filled a step."""
        step = self._steps.get(run)
        seq, event = self.answered.get(step or f"run/{run}", (None, None))
        seat = self._seats.get(run) or self._seat_of(run)
        model = event.model if event else self._model_of(seat)
        return Author(seat, model, event.step if event else None, seq)

    def runs_of(self, asserted: Mapping[str, Any], merge: Mapping[str, Any] | None) -> Iterator[ClaimRun]:
        """Yield an asserted claim for each run that put it forward, in its words."""
        for run in sorted(authoring_runs(asserted["run_ids"])):
            author = self.author(run)
            yield ClaimRun(
                run=run,
                node=asserted["id"],
                claim=asserted["claim"],
                confidence=asserted["confidence"],
                seat=author.seat,
                model=author.model,
                step=author.step,
                seq=author.seq,
                measure=str(merge["by"]) if merge else "",
                similarity=merge["score"] if merge else None,
            )

    def verdicts(self) -> dict[str, list[ClaimVerdict]]:
        """Return what became of the claims that were put to fresh contexts, by the ids they had then."""
        votes: dict[tuple[str, str], list[VerdictVote]] = defaultdict(list)
        for seq, event in self.answered.values():
            if check := _CHECK.fullmatch(event.step):
                note, says = CHECKS[check[1]]
                votes[note, check[2]].append(_vote(seq, event, says))
        verdicts: dict[str, list[ClaimVerdict]] = defaultdict(list)
        for seq, event in self.events:
            if isinstance(event, Noted) and event.name in ("verified", "followed"):
                data: Mapping[str, Any] = event.data
                put = tuple(votes[event.name, data["node"]])
                reason = data.get("reason", "")
                verdicts[data["node"]].append(ClaimVerdict(event.name, data["verdict"], reason, put, seq))
        return verdicts

    def _votes(self) -> Iterator[Mapping[str, Any]]:
        for item in self.detail.get("votes", ()):
            if isinstance(item, Mapping) and "run" in item and "seat" in item:
                yield item

    def _drawn(self) -> Iterator[Run]:
        """The runs of a record that has not ended, as they were seated wave by wave."""
        forms: Sequence[Form] = ()
        before = 0
        for _, event in self.events:
            if isinstance(event, Noted) and event.name == "forms":
                forms = event.data["forms"]
            elif isinstance(event, Noted) and event.name == "counted" and forms:
                size, wave = event.data["asked"] - before, event.data["wave"]
                for group in alike_runs(seated_runs(forms, size, wave, before, 0, self.header.panel)):
                    yield from group
                before += size

    def _problems(self) -> Iterator[tuple[str, str]]:
        for _, event in self.events:
            if isinstance(event, Noted) and event.name == "run read":
                yield from event.data.get("ungrounded", {}).items()
        for item in self.detail.get("ungrounded", ()):
            yield item["id"], item["problem"]

    def _seat_of(self, run: str) -> str | None:
        name = run.removeprefix(HOUSE)
        return next((member.name for member in self.header.panel if member.name == name), None)

    def _model_of(self, seat: str | None) -> str | None:
        return next((member.model for member in self.header.panel if member.name == seat), None)


def numbered_sentences(header: Header) -> dict[str, tuple[int | None, Sentence]]:
    """Return the sentences of a question's documents by their ids, each with its document's place."""
    question = header.question
    documents = question.documents or (Document(name=THE_QUESTION, text=question.text),)
    names = document_names(documents)
    return {
        f"{names[one.document]}#{one.number}": (one.document if question.documents else None, one)
        for one in sentences_of(documents)
    }


def _vote(seq: int, event: Answered, says: str) -> VerdictVote:
    reply = event.reply
    said, reason = reply.get(says, reply.get("verdict", "")), reply.get("reason", "")
    return VerdictVote(event.seat, event.model, str(said), str(reason or ""), event.step, seq)
