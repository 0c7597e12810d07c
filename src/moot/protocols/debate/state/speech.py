"""An agent's response as the program reads it: labelled statements, citations, a vote (debate 2 P0, decision 4).

Labels stand in `epistemicClaims`, or in the text itself as `A claim.[FACT][1]`; both are read. What the program knows
better than the agent (who speaks, in which round, from which anchor, how the confidence moved) it fills in here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel

from moot.core.canonical import rounded
from moot.methods.sameness import strict_form
from moot.protocols.debate.modes import Role
from moot.protocols.debate.schemas import AgentResponse

Label = Literal["FACT", "INFER", "ASSUME", "OPEN"]
Vote = Literal["ACCEPT", "MINOR", "BLOCKER"]
VOTES = get_args(Vote)
STANCES: Mapping[str, float] = {"YES": 1.0, "NEUTRAL": 0.0, "NO": -1.0}

CITATION = re.compile(r"\[(\d{1,3})(?:-(\d{1,3}))?\]")
"""The paper's strict numeric form: [1], or [1-3] (decision 4)."""

WIDEST_RANGE = 50
_EVIDENCE = re.compile(r"\[(E\d{1,4})\]")
_LEDGER_ID = re.compile(r"\b[CE]\d{1,4}\b|\band\b")
_CLAIM_ID = re.compile(r"\bC\d{1,4}\b")
_TAG = re.compile(r"\[(?:FACT|INFER|ASSUME|OPEN)\]", re.IGNORECASE)
_LABELLED = re.compile(r"\[(FACT|INFER|ASSUME)\]((?:\s?\[[\dE-]{1,9}\])*)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")


@dataclass(frozen=True, slots=True)
class Agent:
    """One who debates: the seat that is asked, and the name that the others see."""

    seat: str
    name: str
    place: int
    role: Role
    model: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """One labelled claim as it was said."""

    text: str
    label: Label
    cited: tuple[int, ...] = ()
    evidence: tuple[str, ...] = ()
    """Evidence of the ledger that it names by id."""
    builds_on: tuple[str, ...] = ()
    """Claims of the ledger that it names by id."""

    @property
    def is_reference(self) -> bool:
        """Whether it says nothing of its own and only names what the ledger has, as in `C3` or `C1, E2`."""
        return not _LEDGER_ID.sub("", self.text).strip(" ,.;:&")


@dataclass(frozen=True, slots=True)
class Speech:
    """What one agent said in one round."""

    agent: str
    round: int
    said: AgentResponse
    statements: tuple[Statement, ...]
    vote: Vote | None
    anchor: str
    delta: float | None = None
    """By how much its confidence moved since it last spoke."""
    since: int | None = None
    """The round in which it last spoke."""
    stance: str = ""
    """Only where the mode assigns one (decision 1)."""

    @property
    def answer(self) -> str:
        """The short answer; without one, the position. What is cited is no part of it."""
        return self.said.answer or bare(self.said.position)

    @property
    def leaning(self) -> float | None:
        """Stance as a number where there is one, else the stated alignment, else nothing (ruling D2)."""
        return STANCES.get(self.stance, self.said.alignment)


def read_speech(
    said: AgentResponse, agent: Agent, round_number: int, anchor: str, last: "Speech | None" = None, *, voting: bool
) -> Speech:
    """Return a response as the program reads it; a vote counts only where there is something to vote on."""
    vote = said.vote.upper() if voting else ""
    stance = said.stance.upper() if agent.role.stance else ""
    said, statements = _with_references(said, list(_distinct(_statements(said))))
    return Speech(
        agent=agent.name,
        round=round_number,
        said=said,
        statements=statements,
        vote=vote if vote in VOTES else None,  # ty: ignore[invalid-argument-type]
        anchor=anchor,
        delta=None if last is None else rounded(said.confidence - last.said.confidence),
        since=None if last is None else last.round,
        stance=stance if stance in STANCES else "",
    )


def citations(text: str) -> tuple[int, ...]:
    """Return the numbers that a text cites, ranges expanded, each once, in order (decision 4, ruling D7)."""
    found: list[int] = []
    for match in CITATION.finditer(text):
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        found += range(first, min(last, first + WIDEST_RANGE) + 1)
    return tuple(dict.fromkeys(found))


def bare(text: str) -> str:
    """Return a claim without its label and its citations."""
    return " ".join(CITATION.sub("", _EVIDENCE.sub("", _TAG.sub(" ", text))).split())


def renumbered(text: str, evidence: Mapping[int, str]) -> str:
    """Return the text with an agent's own citation numbers replaced by evidence ids; [?] has no reference (D18)."""

    def ids(match: re.Match[str]) -> str:
        return "".join(f"[{evidence.get(number, '?')}]" for number in citations(match[0]))

    return CITATION.sub(ids, text)


def marks(statement: Statement, evidence: Mapping[int, str]) -> str:
    """Return the citations of a statement as evidence ids, as in [E1][E4]; those of an ASSUME give it nothing."""
    if statement.label == "ASSUME":
        return ""
    cited = [evidence.get(number, "?") for number in statement.cited]
    return "".join(f"[{mark}]" for mark in (*cited, *statement.evidence))


def with_evidence_ids(said: AgentResponse, evidence: Mapping[int, str]) -> AgentResponse:
    """Return a response whose texts cite evidence ids: so it reaches the others, people and the record (ruling D18)."""
    answer = CITATION.sub(lambda found: "" if set(citations(found[0])) & evidence.keys() else found[0], said.answer)
    return _renumbered_parts(said, evidence).model_copy(update={"answer": " ".join(answer.split())})


def _renumbered_parts(value: Any, evidence: Mapping[int, str]) -> Any:
    if isinstance(value, str):
        return renumbered(value, evidence)
    if isinstance(value, tuple):
        return tuple(_renumbered_parts(item, evidence) for item in value)
    if not isinstance(value, BaseModel):
        return value
    names = [name for name in type(value).model_fields if name != "references"]
    return value.model_copy(update={name: _renumbered_parts(getattr(value, name), evidence) for name in names})


def labelled(text: str, label: Label) -> Statement:
    """Return the statement that a claim with its label makes."""
    return Statement(
        text=bare(text),
        label=label,
        cited=citations(text),
        evidence=evidence_in(text),
        builds_on=tuple(dict.fromkeys(_CLAIM_ID.findall(text))),
    )


def inline_statements(text: str) -> Iterator[Statement]:
    """Give the claims that a text labels itself, as in `It holds.[FACT][1]` (debate 2 P0)."""
    end = 0
    for match in _LABELLED.finditer(text):
        sentence = _SENTENCE_END.split(text[end : match.start()].strip())[-1]
        end = match.end()
        if bare(sentence):
            yield labelled(f"{sentence} {match[2]}", match[1])  # ty: ignore[invalid-argument-type]


def _statements(said: AgentResponse) -> Iterator[Statement]:
    claims = said.epistemic_claims
    yield from (labelled(text, "FACT") for text in claims.facts)
    yield from (labelled(text, "INFER") for text in claims.inferences)
    yield from (labelled(text, "ASSUME") for text in claims.assumptions)
    yield from inline_statements(said.position)
    yield from inline_statements(said.reasoning)


def _with_references(said: AgentResponse, statements: list[Statement]) -> tuple[AgentResponse, tuple[Statement, ...]]:
    """Take what only names claims for their reinforcement: small models write an id where a claim is asked for."""
    named = [name for item in statements if item.is_reference for name in item.builds_on]
    if named:
        said = said.model_copy(update={"reinforced": tuple(dict.fromkeys((*said.reinforced, *named)))})
    return said, tuple(item for item in statements if not item.is_reference)


def _distinct(statements: Iterable[Statement]) -> Iterator[Statement]:
    seen: set[str] = set()
    for item in statements:
        form = strict_form(item.text)
        if form and form not in seen:
            seen.add(form)
            yield item


def evidence_in(text: str) -> tuple[str, ...]:
    """Return the evidence that a text names by its id, each once, in order."""
    return tuple(dict.fromkeys(_EVIDENCE.findall(text)))


def spoken_text(speech: Speech) -> str:
    """Return all the free text of a response, for patterns to look at."""
    said = speech.said
    listed = (*said.key_points, *(item.text for item in speech.statements), *said.questions)
    risks = (f"{item.risk} {item.mitigation}" for item in (*said.vulnerabilities, *said.risks))
    mended = (item.text for item in said.mitigations)
    options = (f"{item.option} {item.rejected_because}" for item in said.alternatives)
    own = (said.position, said.reasoning, said.answer, said.concern, said.objection, said.steelman, said.uncertainty)
    return "\n".join((*own, *listed, *risks, *mended, *options))
