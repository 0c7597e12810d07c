"""The verification loop (debate 1 layer 4, decision 6, ruling D8): what can be computed is, the agent answers the rest.

A failed check means one revision. An agent admits by `unmetChecks` what its response does not meet.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from moot.methods.sameness import compared, is_equal
from moot.protocols.debate.modes import Role, checks_of
from moot.protocols.debate.safety import harm_in
from moot.protocols.debate.speech import Speech
from moot.protocols.debate.state import DebateState

ALTERNATIVES, RISKS = 2, 3


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of one question, and whose word it is."""

    name: str
    question: str
    passed: bool
    by: Literal["program", "agent"]


def verified(speech: Speech, role: Role, state: DebateState, *, high_stakes: bool) -> tuple[Checked, ...]:
    """Return the outcome of each of the nine or ten questions (decision 6)."""
    admitted = {_key(name) for name in speech.said.unmet_checks}
    outcomes: list[Checked] = []
    for check in checks_of(role, high_stakes=high_stakes):
        computed = COMPUTED[check.name](speech, role, state) if check.name in COMPUTED else None
        passed = computed is not False and _key(check.name) not in admitted
        outcomes.append(Checked(check.name, check.question, passed, "agent" if computed is None else "program"))
    return tuple(outcomes)


def failures(outcomes: Collection[Checked]) -> tuple[Checked, ...]:
    """Return the questions that were not met."""
    return tuple(item for item in outcomes if not item.passed)


Computed = Callable[[Speech, Role, DebateState], bool | None]
"""True or False where the program can tell, None where only the agent can."""


def _clarity(speech: Speech, role: Role, state: DebateState) -> bool:
    return len(speech.said.position.split()) >= 3


def _grounding(speech: Speech, role: Role, state: DebateState) -> bool:
    listed = {item.number for item in speech.said.references}
    known = {item.id for item in state.evidence}
    facts = [item for item in speech.statements if item.label == "FACT"]
    return all(
        (item.cited or item.evidence) and listed.issuperset(item.cited) and known.issuperset(item.evidence)
        for item in facts
    )


def _alternatives(speech: Speech, role: Role, state: DebateState) -> bool | None:
    given = speech.said.alternatives
    return sum(bool(item.option and item.rejected_because) for item in given) >= ALTERNATIVES if given else None


def _risks(speech: Speech, role: Role, state: DebateState) -> bool | None:
    given = speech.said.risks
    return sum(bool(item.risk and item.mitigation) for item in given) >= RISKS if given else None


def _uncertainty(speech: Speech, role: Role, state: DebateState) -> bool | None:
    return True if speech.said.uncertainty else None


def _consistency(speech: Speech, role: Role, state: DebateState) -> bool | None:
    pairs = combinations([item.text for item in speech.statements], 2)
    return False if any(compared(*pair).outcome == "opposed" for pair in pairs) else None


def _safety(speech: Speech, role: Role, state: DebateState) -> bool | None:
    return False if harm_in(spoken_text(speech)) else None


def _built_on_others(speech: Speech, role: Role, state: DebateState) -> bool | None:
    if speech.round == 1:
        return None
    said = speech.said
    named = any(item.builds_on for item in speech.statements) or said.reinforced or said.challenged
    known = any(
        speech.agent not in claim.labels and is_equal(claim.text, item.text)
        for claim in state.claims
        for item in speech.statements
    )
    others = set(state.participants) - {speech.agent}
    return bool(named or known or any(name in f"{said.position} {said.reasoning}" for name in others)) or None


def _steelman(speech: Speech, role: Role, state: DebateState) -> bool | None:
    return True if speech.said.steelman else None


def _inquiry(speech: Speech, role: Role, state: DebateState) -> bool:
    return bool(speech.said.questions) or "?" in speech.said.position + speech.said.reasoning


def _evidence(speech: Speech, role: Role, state: DebateState) -> bool:
    return any(item.label in ("FACT", "INFER") for item in speech.statements)


def _stance(speech: Speech, role: Role, state: DebateState) -> bool:
    return speech.stance == role.stance


def _threats(speech: Speech, role: Role, state: DebateState) -> bool | None:
    return bool(speech.said.vulnerabilities) if "vulnerabilities" in role.fields else None


def _mitigations(speech: Speech, role: Role, state: DebateState) -> bool | None:
    if "vulnerabilities" in role.fields:
        return all(item.mitigation for item in speech.said.vulnerabilities)
    answered = {item.vulnerability.upper() for item in speech.said.mitigations if item.text}
    open_ids = {item.id for item in state.vulnerabilities if not item.mitigations}
    return open_ids <= answered


COMPUTED: Mapping[str, Computed] = {
    "clarity": _clarity,
    "grounding": _grounding,
    "alternatives": _alternatives,
    "risks": _risks,
    "uncertainty": _uncertainty,
    "consistency": _consistency,
    "safety": _safety,
    "built_on_others": _built_on_others,
    "steelman": _steelman,
    "inquiry": _inquiry,
    "evidence": _evidence,
    "stance": _stance,
    "threats": _threats,
    "mitigations": _mitigations,
}


def spoken_text(speech: Speech) -> str:
    """Return all the free text of a response, for patterns to look at."""
    said = speech.said
    listed = (*said.key_points, *(item.text for item in speech.statements), *said.questions)
    risks = (f"{item.risk} {item.mitigation}" for item in (*said.vulnerabilities, *said.risks))
    mended = (item.text for item in said.mitigations)
    options = (f"{item.option} {item.rejected_because}" for item in said.alternatives)
    own = (said.position, said.reasoning, said.answer, said.concern, said.objection, said.steelman, said.uncertainty)
    return "\n".join((*own, *listed, *risks, *mended, *options))


def _key(name: str) -> str:
    return str(name).strip().casefold().replace(" ", "_")
