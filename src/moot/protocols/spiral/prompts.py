"""The words in which `spiral` asks (spiral 5.1). Nobody is named: a member hears positions, not who holds them."""

from collections.abc import Iterable, Sequence

from moot.core.calls import Message
from moot.core.question import Question
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents
from moot.oracles import ORACLES
from moot.protocols.spiral.evidence import Consulted, Evidence, SelfDenial
from moot.protocols.spiral.positions import Disagreement, Position
from moot.protocols.spiral.registry import LEVELS

TYPED = """"answer": a string, the answer alone, as short as it can be{form};
"claims": a list of at most three sentences, each one fact without which the answer would not hold, plain and complete
in itself. Leave the list empty where the answer is a plain fact or a plain figure."""

EXPOSITION = """You answer one question, alone: you do not know what others say.
{ground}
Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reasoning": a string, the two or three sentences that lead to the answer;
{typed}"""

FROM_DOCUMENTS = f"""Use the documents, and only them. If they do not settle the question, answer that they do not say.
{FENCE_RULE}"""
FROM_KNOWLEDGE = "Use what you know. If you do not know, say so in the answer."

REVISING = f"""Several members have answered one question and contradict each other. You are one of them. You get your
own position, what is contradicted, and what bears on it: axioms, which hold for everybody; results of computations,
which are final; and positions that deny what they rely on to be stated, which cannot be held.

Hold your position against the axioms and the results. Where it conflicts with one of them, give it up and say what
follows instead. Where it does not, keep it: that others disagree is no reason to move. Do not invent axioms or results.
{FENCE_RULE}

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"why": a string, one or two sentences: which axiom or result moved you, or why you stay;
{{typed}}"""

STRETTO = f"""Several members have answered one question and still contradict each other after several loops. You are
one of them. You get your position, the positions that remain, the points that are open, and all the evidence so far.

Revise in the light of all of it. Look for what you can agree on and do not defend what you cannot support: name the
answer that you and the others could hold together, and keep apart only what truly stays in dispute. Attend to the open
points alone; what is agreed stays as it is. Never agree to what a computation has shown to be false.
{FENCE_RULE}

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"why": a string, one or two sentences: what you gave up for agreement, or what you cannot give up;
{{typed}}"""

ORACLES_ASKED = f"""Members contradict each other on a question. Oracles can decide some things by computation. Put up
to three checks to them that would settle one of the open points; put none where nothing can be computed. {FENCE_RULE}

Each check is a claim that is true or false. The kinds:
{{kinds}}

Reply with one JSON object on one line and nothing else. Its field is "checks", a list of objects, each with "kind" and
the fields of that kind."""

SOLO = "You speak first in this loop: the others will hear your position and refine it."
SYNTHESIS = "Two sides have answered each other. Draw together what both can hold."


def exposition_messages(question: Question) -> tuple[Message, ...]:
    """Return the prompt of the conclave: the question, and nothing of anybody else (spiral 5.1 step 1)."""
    ground = FROM_DOCUMENTS if question.documents else FROM_KNOWLEDGE
    return (
        Message("system", EXPOSITION.format(ground=ground, typed=_typed(question))),
        Message("user", _asked(question)),
    )


def revision_messages(
    question: Question, own: Position, evidence: Evidence, heard: Sequence[Position], note: str = ""
) -> tuple[Message, ...]:
    """Return the prompt by which a member revises its position (spiral 5.1 step 3)."""
    parts = [
        _asked(question),
        fenced("Your position", _shown(own)),
        _open_points(evidence.disagreements),
        *_brought([evidence], own.seat),
        *([fenced("What others hold now", _positions(heard))] if heard else []),
        *([note] if note else []),
    ]
    return (Message("system", REVISING.format(typed=_typed(question))), Message("user", "\n\n".join(parts)))


def stretto_messages(
    question: Question,
    own: Position,
    others: Sequence[Position],
    open_: Sequence[Disagreement],
    gathered: Sequence[Evidence],
) -> tuple[Message, ...]:
    """Return the prompt by which a member seeks a compromise, with all evidence so far (spiral 5.1 step 4)."""
    parts = [
        _asked(question),
        fenced("Your position", _shown(own)),
        fenced("The positions that remain", _positions(others)),
        _open_points(open_),
        *_brought(gathered, own.seat),
    ]
    return (Message("system", STRETTO.format(typed=_typed(question))), Message("user", "\n\n".join(parts)))


def oracle_messages(question: Question, own: Position, open_: Sequence[Disagreement]) -> tuple[Message, ...]:
    """Return the prompt by which a member puts checks to the oracles (spiral 5.1 step 3, ruling S7)."""
    kinds = "\n".join(f'- "{row.kind}": {row.help}; fields: {_fields(row.takes)}' for row in ORACLES.values())
    user = f"{_asked(question)}\n\n{fenced('Your position', _shown(own))}\n\n{_open_points(open_)}"
    return (Message("system", ORACLES_ASKED.format(kinds=kinds)), Message("user", user))


def _fields(takes: type) -> str:
    schema = takes.model_json_schema()  # ty: ignore[missing-attribute]
    return ", ".join(_field(name, shown) for name, shown in schema["properties"].items() if name != "kind")


def _field(name: str, shown: dict[str, object]) -> str:
    allowed = shown.get("enum")
    return f"{name} (one of {', '.join(map(str, allowed))})" if isinstance(allowed, list) else name


def _typed(question: Question) -> str:
    return TYPED.format(form=f", as {question.form}" if question.form else "")


def _asked(question: Question) -> str:
    documents = f"{fenced_documents(question.documents)}\n\n" if question.documents else ""
    return f"{documents}Question: {question.text}"


def _shown(position: Position) -> str:
    return "\n".join([f"answer: {position.answer}", *(f"claim: {claim}" for claim in position.claims)])


def _positions(positions: Sequence[Position]) -> str:
    return "\n\n".join(_shown(position) for position in positions)


def _open_points(open_: Sequence[Disagreement]) -> str:
    points = "\n".join(
        f"{number}. One side: {item.first}\n   The other side: {item.second}" for number, item in enumerate(open_, 1)
    )
    return fenced("What is contradicted", points)


def _brought(gathered: Sequence[Evidence], seat: str) -> Iterable[str]:
    axioms = {
        item.axiom.id: f"{item.axiom.id} ({LEVELS[item.axiom.level]}): {item.axiom.statement} [{item.axiom.formal}]"
        for evidence in gathered
        for item in evidence.found
    }
    if axioms:
        yield fenced("Axioms that bear on it", "\n".join(axioms.values()))
    results = list(dict.fromkeys(_result(item) for evidence in gathered for item in evidence.decided))
    if results:
        yield fenced("Results of computations", "\n".join(results))
    denied = list(dict.fromkeys(_denial(item, seat) for evidence in gathered for item in evidence.denials))
    if denied:
        yield fenced("Positions that deny what they rely on", "\n".join(denied))


def _result(item: Consulted) -> str:
    return f"{item.check}: {item.finding.verdict}; {item.finding.value} ({item.finding.explanation})"


def _denial(item: SelfDenial, seat: str) -> str:
    whose = "Your position" if item.seat == seat else "A position"
    return (
        f'{whose} says "{item.clause}", which denies {item.axiom}: {item.statement} It relies on it: {item.relied_on}'
    )
