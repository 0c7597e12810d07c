"""The words in which `spiral` asks (spiral 5.1). Nobody is named: a member hears positions, not who holds them."""

from collections.abc import Iterable, Mapping, Sequence

from moot.core.calls import Message
from moot.core.question import Question
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents
from moot.oracles import ORACLES, Oracle
from moot.protocols.spiral.axioms.registry import LEVELS, Axiom
from moot.protocols.spiral.evidence import Consulted, Evidence, SelfDenial
from moot.protocols.spiral.positions import Disagreement, Position

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
which are final; and positions that deny what they rest on, in another member's word, which cannot be the answer.

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

DRAFTING = f"""Several members have answered one question. Their answers differ, and none of them contradicts another.
You are one of them. You get your own position and what others hold now. Work towards one answer that all of you could
give: take over what is better than yours, and keep what is better in yours. Do not take over what you hold to be wrong.
{FENCE_RULE}

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"why": a string, one or two sentences: what you changed, or why you changed nothing;
{{typed}}"""

ACCEPTING = f"""Several members have answered one question, each in its own way, and have worked out a draft. You are
one of them. You get your own position and the draft. Say whether you accept the draft as your answer too, or keep your
own. Accept what you can stand by, also in other words than yours; keep your own where the draft is wrong or worse.
{FENCE_RULE}

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"why": a string, one short sentence;
"accepts": true if you accept the draft, false if you keep your own."""

EXAMINING = f"""You examine one position on a question; it is not yours. You get axioms on models, protocols and
language. Every position rests on some of them merely by being stated: it is made by a model, passed on by a protocol
and said in a language. Say whether the position denies one of these axioms and so denies what it rests on. To speak of
what an axiom speaks of, to quote, to doubt or to limit is no denial. Where you are not sure, it denies nothing.
{FENCE_RULE}

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"why": a string, one short sentence;
"denies": true or false;
"axiom": a string, the id of the axiom that is denied, and empty where none is."""

ORACLES_ASKED = f"""Members contradict each other on a question. Oracles can decide some things by computation. Put up
to three checks to them that would settle one of the open points; put none where nothing can be computed. {FENCE_RULE}

Each check is a claim that is true or false. The kinds:
{{kinds}}

Reply with one JSON object on one line and nothing else. Its field is "checks", a list of objects, each with "kind" and
the fields of that kind."""

SOLO = "You speak first in this loop: the others will hear your position and refine it."
REFINING = "The last of these positions is the draft as it stands. Where you can hold it, take it over and better it."
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
        *_brought([evidence], evidence.denials, own.seat),
        *([fenced("What others hold now", _positions(heard))] if heard else []),
        *([note] if note else []),
    ]
    return (Message("system", REVISING.format(typed=_typed(question))), Message("user", "\n\n".join(parts)))


def draft_messages(question: Question, own: Position, heard: Sequence[Position], note: str) -> tuple[Message, ...]:
    """Return the prompt by which a member works on a draft where nothing is contradicted (ruling S10)."""
    parts = [
        _asked(question),
        fenced("Your position", _shown(own)),
        *([fenced("What others hold now", _positions(heard))] if heard else []),
        *([note] if note else []),
    ]
    return (Message("system", DRAFTING.format(typed=_typed(question))), Message("user", "\n\n".join(parts)))


def accept_messages(question: Question, own: Position, draft: Position) -> tuple[Message, ...]:
    """Return the prompt by which a member accepts a draft or keeps its own answer (ruling S10)."""
    parts = [_asked(question), fenced("Your position", _shown(own)), fenced("The draft", _shown(draft))]
    return (Message("system", ACCEPTING), Message("user", "\n\n".join(parts)))


def self_reference_messages(question: Question, position: Position, axioms: Sequence[Axiom]) -> tuple[Message, ...]:
    """Return the prompt by which a member examines another's position for self-reference (5.1 step 3, ruling S14)."""
    shown = "\n".join(f"{axiom.id} ({LEVELS[axiom.level]}): {axiom.statement}" for axiom in axioms)
    parts = [_asked(question), fenced("Axioms", shown), fenced("The position", _shown(position))]
    return (Message("system", EXAMINING), Message("user", "\n\n".join(parts)))


def stretto_messages(
    question: Question,
    own: Position,
    others: Sequence[Position],
    open_: Sequence[Disagreement],
    gathered: Sequence[Evidence],
    denials: Sequence[SelfDenial] = (),
) -> tuple[Message, ...]:
    """Return the prompt by which a member seeks a compromise, with all evidence so far (spiral 5.1 step 4)."""
    parts = [
        _asked(question),
        fenced("Your position", _shown(own)),
        fenced("The positions that remain", _positions(others)),
        _open_points(open_),
        *_brought(gathered, denials, own.seat),
    ]
    return (Message("system", STRETTO.format(typed=_typed(question))), Message("user", "\n\n".join(parts)))


def oracle_messages(
    question: Question, own: Position, open_: Sequence[Disagreement], further: Mapping[str, Oracle]
) -> tuple[Message, ...]:
    """Return the prompt by which a member puts checks to the oracles (spiral 5.1 step 3, ruling S7)."""
    offered = (*ORACLES.values(), *further.values())
    kinds = "\n".join(f'- "{row.kind}": {row.help}; fields: {_fields(row.takes)}' for row in offered)
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


def _brought(gathered: Sequence[Evidence], denials: Sequence[SelfDenial], seat: str) -> Iterable[str]:
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
    if denials:
        yield fenced("Positions that deny what they rest on", "\n".join(_denial(item, seat) for item in denials))


def _result(item: Consulted) -> str:
    return f"{item.check}: {item.finding.verdict}; {item.finding.value} ({item.finding.explanation})"


def _denial(item: SelfDenial, seat: str) -> str:
    whose = "Your position" if item.seat == seat else "A position"
    return f"{whose} is said to deny {item.axiom}, on which it rests: {item.statement} ({item.why})"
