"""One question put to one member in one form, and what of the reply could be read and covered (ruling I9)."""

from dataclasses import dataclass
from fractions import Fraction

from pydantic import Field

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Message, Missing, Prose, Reply
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.core.record import Record
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Status, Verdict
from moot.evals.arms.telling import ARM_TELLING
from moot.evals.schemas import ArmSettings
from moot.methods.citing import cited, programmed
from moot.methods.runs import Form, Run, abstention, read_run, run_messages
from moot.methods.search import first_shown, over_what_was_shown, shown_question
from moot.methods.written import Written
from moot.protocols.interrogation.graph.form import written_graph
from moot.protocols.interrogation.graph.prompts import graph_messages
from moot.protocols.interrogation.graph.schemas import Argument

RUN = "r1"
TYPICAL_REPLY = 250
LINES = 2
"""Lines of support that a graph is asked for, as interrogation asks (interrogation 4.1)."""


class FormSettings(ArmSettings):
    """The settings of one question in one form."""

    form: Form = Field(default="plain", description="plain, numbered, program or graph")
    max_tokens: int = Field(default=1_200, ge=16, le=100_000, description="how long a reply may be, in tokens")


@dataclass(frozen=True, slots=True)
class ReplyReading:
    """What the program reads of a reply: its answer or why there is none, its claims, and how many are covered."""

    answer: str = ""
    problem: str = ""
    claims: int = 0
    covered: int = 0


async def asked_in_form(question: Question, deliberation: Deliberation, settings: FormSettings) -> Verdict:
    """Return what one member answers in one form; without a readable answer it fails."""
    panel, shape = deliberation.panel, Argument if settings.form == "graph" else Prose
    _, caveats = await shown_question(question, deliberation, settings.passages)
    messages = form_messages(question, panel, settings)
    reply = await deliberation.ask(
        Ask("answer", panel[0].name, messages, shape, settings.temperature, settings.max_tokens)
    )
    read = (
        ReplyReading(problem="no reply came") if isinstance(reply, Missing) else reading(settings.form, reply, question)
    )
    verdict = Verdict(
        answer=read.answer or None,
        status=Status.COMPLETE if read.answer else Status.FAILED,
        stop_reason="answered" if read.answer else read.problem,
        confidence=no_confidence("nobody was asked for one"),
        detail={"claims": read.claims, "covered": read.covered},
    )
    return over_what_was_shown(verdict, caveats)


def form_messages(question: Question, panel: Panel, settings: FormSettings) -> tuple[Message, ...]:
    """Return the prompt, as `vote` and `interrogation` put it."""
    shown = first_shown(question, panel, settings.passages)
    if settings.form == "graph":
        return graph_messages(question, shown.sentences(question.documents), k=LINES)
    return run_messages(question, settings.form, shown)


def reading(form: Form, reply: Reply, question: Question) -> ReplyReading:
    """Return what the program reads of a reply in this form."""
    documents = question.documents
    if isinstance(reply, Argument):
        written = written_graph(RUN, reply, question, documents)
        answer = abstention(reply.answer, question) or reply.answer.strip()
        return ReplyReading(problem=written) if isinstance(written, str) else _read(answer, written)
    if not isinstance(reply, Prose):
        return ReplyReading(problem="it is no text")
    run = read_run(Run(RUN, "", form), reply, question)
    if not run.answer:
        return ReplyReading(problem=run.problem)
    if run.program:
        return _read(run.answer, programmed(RUN, run.program, run.answer, question, documents))
    return _read(run.answer, cited(RUN, run.text, run.answer, question, documents))


def is_read_at_once(record: Record) -> bool:
    """Return whether the first reply could be read: one that was asked for again was not (interrogation 4.3)."""
    kept = all(item.first_time == item.asked for item in record.compliance.values())
    return kept and record.verdict is not None and record.verdict.answer is not None


def _read(answer: str, written: Written) -> ReplyReading:
    claims = [node["id"] for node in written.nodes if node["type"] in ("inference", "assumption")]
    covered = [claim for claim in claims if claim not in written.ungrounded and claim not in written.refuted]
    return ReplyReading(answer, "", len(claims), len(covered))


def expected(question: Question, panel: Panel, settings: FormSettings) -> Expectation:
    """Return what one call takes."""
    prompt = prompt_tokens(form_messages(question, panel, settings))
    return Expectation(
        calls=1,
        tokens_in=prompt,
        tokens_out=min(TYPICAL_REPLY, settings.max_tokens),
        longest=prompt + settings.max_tokens,
    )


FORM = ProtocolSpec(
    name="form",
    version=1,
    summary="one answer in one form: is it right, readable at once, covered?",
    run=asked_in_form,
    settings=FormSettings,
    seats=1,
    minimum=1,
    budget=Budget(calls=4),
    expected=expected,
    quorum=Fraction(1),
    telling=ARM_TELLING,
)
