"""Every check of a response in one table, and what the program has counted of them (debate 2 P0, P2, P4; D7, D8).

A check has a name, the question that the agent asks itself (none where the contract forbids and the program looks),
what computes it, and what follows where it fails: `revise` (once), `tell` (the agent, once) or `count`. Where only the
agent can tell, it admits by `unmetChecks` what its response does not meet. None of them stops the debate.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

from moot.methods.sameness import compared, is_equal, merging, strict_form
from moot.protocols.debate.modes import Role
from moot.protocols.debate.safety import harm_in
from moot.protocols.debate.state.speech import VOTES, Agent, Speech, Statement, bare, spoken_text
from moot.protocols.debate.state.state import DebateState

ALTERNATIVES, RISKS, FEWEST_WORDS = 2, 3, 3
MOST_QUESTIONS = 10

_ORDER = re.compile(
    r"\b(?:(?:all|other|every|the other|you)\b[^.!?]{0,40}\b(?:must|have to|shall|should|are to)\b[^.!?]{0,30}"
    r"\b(?:agree|accept|vote|follow|adopt)|(?:ignore|disregard)\b[^.!?]{0,30}\b(?:instructions|rules|previous|others))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class JudgedResponse:
    """A response beside what it is judged by: who speaks, and the debate as it was shown to the speaker."""

    speech: Speech
    agent: Agent
    state: DebateState
    last: Speech | None = None
    """What the agent said when it last spoke."""
    others: Collection[str] = ()
    raised: Collection[str] = ()
    """Concerns of earlier rounds."""

    @property
    def facts(self) -> list[Statement]:
        """The statements that are called FACT."""
        return [item for item in self.speech.statements if item.label == "FACT"]


Faults = Iterable[str] | None
"""The words for each fault; none where it is met, None where only the agent can tell."""


@dataclass(frozen=True, slots=True)
class ResponseCheck:
    """One row of the table."""

    name: str
    question: str
    computed_by: Callable[[JudgedResponse], Faults]
    on_failure: Literal["count", "tell", "revise"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A check that a response fails, in words that its author can use."""

    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class ResponseJudgement:
    """What a response fails, found once."""

    breaches: tuple[Fault, ...] = ()
    """Of the contract: each kind is told once and counted every time (ruling D7)."""
    unmet: tuple[Fault, ...] = ()
    """Of the nine or ten questions (decision 6)."""
    is_grave: bool = False
    """Whether a revision is asked for: then for all of the questions (rulings D8 and D17)."""


def judged(said: JudgedResponse, *, high_stakes: bool = False) -> ResponseJudgement:
    """Return every fault of a response, in the order of the table."""
    breaches = [Fault(check.name, words) for check in CONTRACT for words in check.computed_by(said) or ()]
    admitted = {_key(name) for name in said.speech.said.unmet_checks}
    asked = questions_of(said.agent.role, high_stakes=high_stakes)
    failed = [check for check in asked if _key(check.name) in admitted or _is_failed(check, said)]
    unmet = tuple(Fault(check.name, f"{check.name}: {check.question}") for check in failed)
    return ResponseJudgement(tuple(breaches), unmet, is_grave=any(check.on_failure == "revise" for check in failed))


def questions_of(role: Role, *, high_stakes: bool) -> tuple[ResponseCheck, ...]:
    """Return the questions that this role answers: seven, two of its mode, one more where asked for (decision 6)."""
    of_mode = tuple(MODE_QUESTIONS[name] for name in role.checks)
    return (*UNIVERSAL_QUESTIONS, *of_mode, *((STAKES_QUESTION,) if high_stakes else ()))[:MOST_QUESTIONS]


def order_in(speech: Speech) -> str:
    """Return the words by which a response gives the others orders, or nothing: an attempt at injection (G4)."""
    found = _ORDER.search(spoken_text(speech))
    return " ".join(found[0].split()) if found else ""


def _is_failed(check: ResponseCheck, said: JudgedResponse) -> bool:
    found = check.computed_by(said)
    return found is not None and any(True for _ in found)


def _key(name: str) -> str:
    return str(name).strip().casefold().replace(" ", "_")


# What the program computes. A question's faults need no words: the question has them.


def _unless(met: bool) -> tuple[str, ...]:
    return () if met else ("",)


def _agent_alone(said: JudgedResponse) -> None:
    return None


def _clarity(said: JudgedResponse) -> Faults:
    return _unless(_says_something(said.speech.said.position))


def _grounding(said: JudgedResponse) -> Faults:
    return (*_uncited_facts(said), *_unlisted(said, said.facts))


def _uncited_facts(said: JudgedResponse) -> Iterator[str]:
    return ("a FACT had no citation" for item in said.facts if not item.cited and not item.evidence)


def _unlisted(said: JudgedResponse, statements: Iterable[Statement]) -> Iterator[str]:
    listed = {item.number for item in said.speech.said.references}
    known = {item.id for item in said.state.evidence}
    for item in statements:
        for number in item.cited:
            if number not in listed:
                yield f"[{number}] is cited and not among your {len(listed)} references"
        for name in item.evidence:
            if name not in known:
                yield f"[{name}] is cited and no such evidence exists"


def _alternatives(said: JudgedResponse) -> Faults:
    given = said.speech.said.alternatives
    return _unless(sum(bool(item.option and item.rejected_because) for item in given) >= ALTERNATIVES)


def _risks(said: JudgedResponse) -> Faults:
    given = said.speech.said.risks
    return _unless(sum(bool(item.risk and item.mitigation) for item in given) >= RISKS)


def _uncertainty(said: JudgedResponse) -> Faults:
    return _unless(_says_something(said.speech.said.uncertainty))


def _steelman(said: JudgedResponse) -> Faults:
    """A view is not at its strongest in two words, nor where it is one's own position again."""
    text = said.speech.said.steelman
    return _unless(_says_something(text) and not is_equal(text, said.speech.said.position))


def _says_something(text: str) -> bool:
    return len(text.split()) >= FEWEST_WORDS


def _consistency(said: JudgedResponse) -> Faults:
    pairs = combinations([item.text for item in said.speech.statements], 2)
    return _unless(not any(compared(*pair).outcome == "opposed" for pair in pairs))


def _safety(said: JudgedResponse) -> Faults:
    return _unless(not harm_in(spoken_text(said.speech)))


def _inquiry(said: JudgedResponse) -> Faults:
    return _unless(bool(said.speech.said.questions) or "?" in said.speech.said.position + said.speech.said.reasoning)


def _evidence(said: JudgedResponse) -> Faults:
    return _unless(any(item.label in ("FACT", "INFER") for item in said.speech.statements))


def _stance(said: JudgedResponse) -> Faults:
    return _unless(said.speech.stance == said.agent.role.stance)


def _threats(said: JudgedResponse) -> Faults:
    return _unless(bool(said.speech.said.vulnerabilities)) if "vulnerabilities" in said.agent.role.fields else None


def _mitigations(said: JudgedResponse) -> Faults:
    spoken = said.speech.said
    if "vulnerabilities" in said.agent.role.fields:
        return _unless(all(item.mitigation for item in spoken.vulnerabilities))
    answered = {item.vulnerability.upper() for item in spoken.mitigations if item.text}
    return _unless({item.id for item in said.state.vulnerabilities if not item.mitigations} <= answered)


def _unlabelled(said: JudgedResponse) -> Faults:
    labelled = any(item.label != "OPEN" for item in said.speech.statements)
    return () if labelled or said.speech.said.questions else ("no claim was labelled FACT, INFER or ASSUME",)


def _cited_assumptions(said: JudgedResponse) -> Faults:
    cited = (item for item in said.speech.statements if item.label == "ASSUME" and (item.cited or item.evidence))
    return ("an ASSUME carried a citation" for _ in cited)


def _missing_references(said: JudgedResponse) -> Faults:
    return _unlisted(said, said.speech.statements)


def _unknown_claims(said: JudgedResponse) -> Faults:
    named = (*said.speech.said.challenged, *said.speech.said.reinforced)
    return (f"{name} is no claim of this debate" for name in named if said.state.claim(name) is None)


def _vote_outside(said: JudgedResponse) -> Faults:
    outside = said.state.proposal and said.speech.said.vote and said.speech.vote is None
    return (f"a vote is one of {', '.join(VOTES)}",) if outside else ()


def _no_vote(said: JudgedResponse) -> Faults:
    proposal = said.state.proposal
    return (f"there was no vote on {proposal.id}",) if proposal and not said.speech.said.vote else ()


def _bare_blocker(said: JudgedResponse) -> Faults:
    bare = said.state.proposal and said.speech.vote == "BLOCKER" and not said.speech.said.objection
    return ("a BLOCKER has to say in `objection` what must change",) if bare else ()


def _objection_of_another(said: JudgedResponse) -> Iterator[str]:
    open_ids = {item.id: item.by for item in said.state.open_objections}
    for name in said.speech.said.retracted if said.state.proposal else ():
        if name.startswith("O") and open_ids.get(name) != said.speech.agent:
            yield f"{name} is not an open objection of yours"


def _agrees(said: JudgedResponse) -> bool:
    return said.speech.vote in ("ACCEPT", "MINOR") and said.state.proposal is not None


def _no_new_concern(said: JudgedResponse) -> Faults:
    concern = said.speech.said.concern
    is_new = concern and not any(merging(earlier, concern) for earlier in said.raised)
    return ("agreement needs a concern that nobody has raised yet",) if _agrees(said) and not is_new else ()


def _no_alternative(said: JudgedResponse) -> Faults:
    given = any(item.option for item in said.speech.said.alternatives)
    return ("agreement needs at least one alternative",) if _agrees(said) and not given else ()


def _untethered(said: JudgedResponse) -> Faults:
    dissents = said.speech.vote == "BLOCKER" or bool(said.speech.said.challenged)
    tethered = any(item.label == "INFER" or _is_cited_fact(said, item) for item in said.speech.statements)
    return ("dissent needs a cited FACT or an INFER that shows the gap",) if dissents and not tethered else ()


def _is_cited_fact(said: JudgedResponse, item: Statement) -> bool:
    return item.label == "FACT" and bool(item.cited or item.evidence) and not any(_unlisted(said, [item]))


def _name_of_another(said: JudgedResponse) -> Faults:
    text = f"{said.speech.said.position} {said.speech.said.reasoning}"
    patterns = (rf"\b(?:i am|this is|speaking as|as)\s+{re.escape(name)}\b" for name in said.others)
    taken = any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)
    return (f"you speak as {said.agent.name} and as nobody else",) if taken else ()


def _orders(said: JudgedResponse) -> Faults:
    return ("you may persuade the others, not give them orders",) if order_in(said.speech) else ()


def _repetition(said: JudgedResponse) -> Faults:
    speech, last = said.speech, said.last
    if last is None:
        return ()
    before = {strict_form(item.text) for item in last.statements}
    new = any(strict_form(item.text) not in before for item in speech.statements)
    same = strict_form(bare(speech.said.reasoning)) == strict_form(bare(last.said.reasoning))
    repeated = same and not new and merging(bare(last.said.position), bare(speech.said.position)) is not None
    return ("you repeated what you said in the last round",) if repeated else ()


UNIVERSAL_QUESTIONS = (
    ResponseCheck("clarity", "Is the core position stated explicitly?", _clarity, "revise"),
    ResponseCheck("grounding", "Has every FACT its citation?", _grounding, "revise"),
    ResponseCheck(
        "alternatives",
        "Are two or more alternatives considered, with the reason why each is rejected?",
        _alternatives,
        "count",
    ),
    ResponseCheck("risks", "Are the three gravest ways to fail named, each with a mitigation?", _risks, "count"),
    ResponseCheck(
        "uncertainty",
        "Is it said what stays uncertain, and what evidence would settle it?",
        _uncertainty,
        "count",
    ),
    ResponseCheck("consistency", "Is it free of contradictions?", _consistency, "revise"),
    ResponseCheck("safety", "Does it avoid harmful guidance and consider misuse?", _safety, "revise"),
)

MODE_QUESTIONS: Mapping[str, ResponseCheck] = {
    check.name: check
    for check in (
        ResponseCheck("built_on_others", "Does it build on what another agent said?", _agent_alone, "revise"),
        ResponseCheck("synthesis", "Does it use an opportunity for synthesis?", _agent_alone, "revise"),
        ResponseCheck("steelman", "Is the opposed view first stated in its strongest form?", _steelman, "revise"),
        ResponseCheck("counterargument", "Is the strongest counter-argument made?", _agent_alone, "revise"),
        ResponseCheck("inquiry", "Does it open the inquiry further?", _inquiry, "revise"),
        ResponseCheck("closure", "Does it avoid closing the matter too early?", _agent_alone, "revise"),
        ResponseCheck("expertise", "Is knowledge of the field applied?", _agent_alone, "revise"),
        ResponseCheck("evidence", "Does the assessment rest on evidence?", _evidence, "revise"),
        ResponseCheck("stance", "Is the assigned stance kept?", _stance, "revise"),
        ResponseCheck("challenge", "Does it challenge what the others agree on?", _agent_alone, "revise"),
        ResponseCheck("independent", "Is it your own assessment?", _agent_alone, "revise"),
        ResponseCheck("anchoring", "Are you free of the figures you were shown?", _agent_alone, "revise"),
        ResponseCheck("threats", "Are the threats and those behind them covered?", _threats, "revise"),
        ResponseCheck("mitigations", "Is there a mitigation for every risk?", _mitigations, "revise"),
    )
}

STAKES_QUESTION = ResponseCheck(
    "stakes", "Are the scope's limits, human approval, and ways to abort or roll back stated?", _agent_alone, "revise"
)

CONTRACT = tuple(
    ResponseCheck(name, "", computed_by, "tell")
    for name, computed_by in (
        ("unlabelled", _unlabelled),
        ("fact without citation", _uncited_facts),
        ("assumption with citation", _cited_assumptions),
        ("missing reference", _missing_references),
        ("unknown claim", _unknown_claims),
        ("vote outside the rubric", _vote_outside),
        ("no vote", _no_vote),
        ("blocker without objection", _bare_blocker),
        ("objection of another", _objection_of_another),
        ("agreement without a concern", _no_new_concern),
        ("agreement without an alternative", _no_alternative),
        ("untethered dissent", _untethered),
        ("name of another", _name_of_another),
        ("orders to others", _orders),
        ("repetition", _repetition),
    )
)


Counts = Mapping[str, Mapping[str, int]]
"""How often, by agent and kind."""


@dataclass(frozen=True, slots=True)
class Breaches:
    """What the program has counted, whom it has told of what, and whom it still has to tell (rulings D7 and D17)."""

    counted: Counts = field(default_factory=dict)
    """Breaches of what was passed on."""
    unmet: Counts = field(default_factory=dict)
    """Questions that what was passed on does not meet."""
    drafts: Counts = field(default_factory=dict)
    """What a revision replaced: breaches and questions alike."""
    told: frozenset[tuple[str, str]] = frozenset()
    """Who has been told of which kind: each kind is told once."""
    to_tell: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def fresh(self, agent: str, found: Iterable[Fault]) -> tuple[str, ...]:
        """Return the words for those kinds that the agent has not been told of yet."""
        words: dict[str, str] = {}
        for item in found:
            if (agent, item.kind) not in self.told:
                words.setdefault(item.kind, item.words)
        return tuple(words.values())

    def passed_on(self, agent: str, judgement: ResponseJudgement) -> "Breaches":
        """Return the ledger with what a response fails that the others get to see."""
        unmet = _counted(self.unmet, agent, (item.kind for item in judgement.unmet))
        return replace(self, unmet=unmet).counting(agent, *judgement.breaches)

    def replaced(self, agent: str, draft: ResponseJudgement) -> "Breaches":
        """Return the ledger with what a draft failed whose author was told and revised it."""
        faults = (*draft.breaches, *draft.unmet)
        told = self.told | {(agent, item.kind) for item in draft.breaches}
        return replace(self, drafts=_counted(self.drafts, agent, (item.kind for item in faults)), told=told)

    def counting(self, agent: str, *found: Fault) -> "Breaches":
        """Return the ledger with breaches counted; of kinds that are new to it the agent is to be told next time."""
        words = (*self.to_tell.get(agent, ()), *self.fresh(agent, found))
        return replace(
            self,
            counted=_counted(self.counted, agent, (item.kind for item in found)),
            told=self.told | {(agent, item.kind) for item in found},
            to_tell={**self.to_tell, agent: words} if words else self.to_tell,
        )

    def having_told(self, agents: Iterable[str]) -> "Breaches":
        """Return the ledger once these agents have been told."""
        gone = set(agents)
        return replace(self, to_tell={name: words for name, words in self.to_tell.items() if name not in gone})


def _counted(counts: Counts, agent: str, kinds: Iterable[str]) -> Counts:
    mine = dict(counts.get(agent, {}))
    for kind in kinds:
        mine[kind] = mine.get(kind, 0) + 1
    return {**counts, agent: mine} if mine else counts
