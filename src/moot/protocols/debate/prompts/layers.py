"""The four layers of a prompt as four functions of a mode's data (debate 1, 2; decisions 2 to 6)."""

from collections.abc import Iterable
from dataclasses import dataclass

from moot.protocols.debate.checks import questions_of
from moot.protocols.debate.modes import Anchor, Mode
from moot.protocols.debate.state.speech import Agent

PERSIST = "Stay in this role in every round, whatever the others say or ask of you."

LABELS = """Label every claim that matters, one label each: FACT can be verified and must be cited; INFER follows from \
facts that are stated; ASSUME is a premise or a choice of values that nobody has verified and carries no citation.
Citations are numbers in square brackets and nothing else: [1], [1][2] or [1-3]. Every number stands in your list of \
references; a reference is a document with the words you quote, a tool's result by its id (E3), or a calculation."""

SAFETY = """Allowed: threats and weaknesses in general terms, ways to fail or to be misused, safer designs. Never: \
instructions for an attack, help in getting around safeguards, manipulation or harassment of a person. Every weakness \
that you name comes with at least one mitigation."""

CONFORMITY = """Before you agree with the others, raise one concern that nobody has raised ("concern") and one other \
way to answer ("alternatives"), even a worse one. Before you criticise, restate the strongest reason for what you \
criticise. Dissent rests on a cited FACT or on a gap in an INFER that you name."""

FORMAT = """Reply with one JSON object on one line and nothing else. "reasoning" comes first, in the parts above, in \
few words; then "position" (one sentence), "answer" (the answer alone, short{form}), "confidence" (0 to 1), \
"epistemicClaims" with "facts", "inferences" and "assumptions" (each claim one sentence of at most 15 words; facts end \
with their citation), "references" (number, title, quote). {further}"""

OPTIONAL = """You may add "concern", "alternatives", "risks" (three, each with its mitigation), "uncertainty", \
"keyPoints" (two or three) and "alignment" (-1 against to 1 for)."""

NAMING_CLAIMS = """Name claims of the state by id instead of repeating them: "reinforced", "challenged", \
"retracted" (your own claims or objections). Say in "confidenceChange" why your confidence moved."""

VOTING = """The debate ends when at least 80% vote ACCEPT or MINOR, no BLOCKER stands and everybody is at least 0.7 \
sure; or when two rounds change nothing; or at the last round. Your "vote" is on the numbered proposal: ACCEPT as it \
is, MINOR with small edits, BLOCKER if it must change first. A BLOCKER says in "objection" what must change, gets an \
id, and stands until you vote otherwise or retract it."""

ROLE_FIELDS = {
    "steelman": '"steelman": the view you oppose, at its strongest.',
    "questions": '"questions": what you ask the others.',
    "stance": '"stance": the stance you were assigned.',
    "vulnerabilities": '"vulnerabilities": each with "risk" and "mitigation".',
    "mitigations": '"mitigations": each with "vulnerability" (its id, such as V1) and "text".',
}


@dataclass(frozen=True, slots=True)
class Brief:
    """What the layers depend on beside the role."""

    first_round: bool
    form: str = ""
    high_stakes: bool = False
    focus: bool = False


def role_anchor(agent: Agent, mode: Mode) -> str:
    """Return layer 1: identity, mission, persistence, what being helpful means (debate 1)."""
    role = agent.role
    known = "You are anonymous" if mode.anonymous else "The others know you as"
    name = f"{known}; here you are called {agent.name}." if mode.anonymous else f"{known} {agent.name}."
    return "\n".join(("LAYER 1: ROLE", role.anchor, f"Mission: {role.mission}", PERSIST, role.helpful, name))


def behavioral_contract(agent: Agent, mode: Mode) -> str:
    """Return layer 2: must, must not, priorities, failure, labels and, where called for, safety (debate 1, P0, P3)."""
    role = agent.role
    parts = [
        "LAYER 2: CONTRACT",
        "You must:",
        *(f"[ ] {item}" for item in role.must),
        "You must not:",
        *(f"[x] {item}" for item in role.must_not),
        f"Priorities: {' '.join(f'{number}. {item}' for number, item in enumerate(role.priority, 1))}",
        role.failure,
        LABELS,
    ]
    return "\n".join([*parts, SAFETY] if mode.guarded else parts)


def structural_enforcement(agent: Agent, mode: Mode, anchor: Anchor, brief: Brief) -> str:
    """Return layer 3: the parts of the answer, the anchor, anti-conformity, the reply's form (debate 1, P2)."""
    role = agent.role
    sections = role.opening if brief.first_round else role.later
    form = f", as {brief.form}" if brief.form else ""
    further = [OPTIONAL, *(ROLE_FIELDS[name] for name in role.fields)]
    if not brief.first_round:
        further.append(NAMING_CLAIMS)
    if mode.alignments:
        further.append(f'"debateAlignment" may be one of: {", ".join(mode.alignments)}.')
    perspective = (
        f"Your permanent perspective is {anchor.name}: {anchor.focus}. Use it as far as the topic calls for it."
    )
    return "\n".join(
        (
            "LAYER 3: STRUCTURE",
            f"Parts of your reasoning: {'; '.join(sections)}.",
            perspective,
            CONFORMITY,
            FORMAT.format(form=form, further=" ".join(further)),
        )
    )


def verification_loop(agent: Agent, brief: Brief) -> str:
    """Return layer 4: the questions, what to do when one fails, focus, exits and votes (debate 1, P1, decision 6)."""
    checks = questions_of(agent.role, high_stakes=brief.high_stakes)
    focus = "Answer the focus question of this round before anything else." if brief.focus else ""
    return _lines(
        (
            "LAYER 4: VERIFICATION",
            "Before you send, ask yourself:",
            *(f"[ ] {check.name}: {check.question}" for check in checks),
            'If one fails, revise before you send. Name in "unmetChecks" those that still fail.',
            focus,
            "" if brief.first_round else VOTING,
        )
    )


def mode_prompt(agent: Agent, mode: Mode, anchor: Anchor, brief: Brief) -> str:
    """Return the four layers, one after the other (debate 1)."""
    return "\n\n".join(
        (
            role_anchor(agent, mode),
            behavioral_contract(agent, mode),
            structural_enforcement(agent, mode, anchor, brief),
            verification_loop(agent, brief),
        )
    )


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part)
