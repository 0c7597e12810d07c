"""Independent runs argue; their arguments are merged, assessed, and what is disputed is asked again, afresh.

The six steps of interrogation 4.1, in order: fan out, merge, assess, re-interrogate, stop, report.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.calls import Missing, Prose, Reply
from moot.core.confidence import Basis
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Verdict
from moot.methods.runs import Form, Run, Way, abstention, calls_left, drawn, read_run, run_messages, wave_forms
from moot.methods.sampling import sampling_of
from moot.methods.search import Narrowed, first_shown
from moot.methods.sentences import sentences_of
from moot.methods.votes import number_asked
from moot.protocols.interrogation.case import GRAPH, Assessment, Case
from moot.protocols.interrogation.graph.form import written_graph
from moot.protocols.interrogation.graph.prompts import graph_messages
from moot.protocols.interrogation.graph.schemas import Argument
from moot.protocols.interrogation.panes import panes
from moot.protocols.interrogation.report import OUT_OF_CALLS, markdown_report, reported, without_argument
from moot.protocols.interrogation.rules import affordable_claims, argument_of, interrogation_forms, verify_of
from moot.protocols.interrogation.schemas import InterrogationSettings
from moot.protocols.interrogation.so_far import argued
from moot.protocols.interrogation.telling import INTERROGATION_TELLING
from moot.protocols.interrogation.verification import verification_messages
from moot.protocols.interrogation.verifying import Verifying, askable, put_steps, re_interrogate, sources
from moot.views.graph_file import graph_file

TYPICAL_RUN: dict[Form, int] = {"plain": 150, "numbered": 150, "program": 80, "graph": 500}
LONGEST_RUN: dict[Form, int] = {"plain": 400, "numbered": 400, "program": 400, "graph": 1500}
TYPICAL_VERIFICATION = 60


async def interrogation(question: Question, deliberation: Deliberation, settings: InterrogationSettings) -> Verdict:
    """Return the answer that most runs give, what holds it up, and what would have to be wrong for it to fall."""
    way = _way(question, deliberation.panel, settings)
    asked = number_asked(question)
    await deliberation.note("forms", {"forms": way.forms, "is_number": asked.is_number, "by": asked.by})
    votes = await drawn(question, deliberation, way)
    if not any(not item.abstains for item in votes.count.candidates) or any(
        item.abstains for item in votes.count.winners
    ):
        return without_argument(votes, way, deliberation.panel)

    case = Case(settings.rank_by)
    case.take_in(votes.count, {run.id: argument_of(run, question) for run in votes.count.voting if not run.abstains})
    await _note_runs(case, deliberation)
    merged = case.merge()
    found = {"merges": case.merges(), "contradictions": merged["contradictions_created"]}
    await deliberation.note("merged", {**found, "graph": case.graph.to_json(GRAPH)})

    verifying = Verifying(question, settings, verify_of(settings.verify, way.forms))
    assessment, previous = case.assess(), None
    await _note(assessment, deliberation)
    while not (stop := _stop(case, assessment, previous, deliberation, verifying)):
        verifying = replace(verifying, round=verifying.round + 1)
        if claims := askable(case, assessment, deliberation.panel, verifying):
            await re_interrogate(case, claims, deliberation, verifying)
        else:
            await put_steps(case, assessment, deliberation, verifying)
        assessment, previous = case.assess(), assessment
        await _note(assessment, deliberation)
    return reported(case, assessment, stop, votes=votes, way=way, panel=deliberation.panel)


def _stop(
    case: Case, assessment: Assessment, previous: Assessment | None, deliberation: Deliberation, verifying: Verifying
) -> str:
    """Step 5: return why to stop, or nothing (interrogation 4.1, rulings I7 and I14)."""
    top = assessment.standing[0] if assessment.standing else None
    claims = askable(case, assessment, deliberation.panel, verifying)
    steps = verifying.steps(case, assessment, deliberation.panel)
    if not assessment.disputed and not claims and not steps:
        return "nothing is disputed"
    lines = top.surviving_width if top else 0
    if assessment.is_stable_since(previous) and lines >= verifying.settings.k:
        return f"the candidates are stable and the first has {lines} lines of support"
    if not claims and not steps:
        return "nothing is left to ask"
    if affordable_claims(1, calls_left(deliberation), verifying.settings.verifications) < 1:
        return OUT_OF_CALLS
    return ""


def _way(question: Question, panel: Panel, settings: InterrogationSettings) -> Way:
    """How the runs are drawn: a fan-out of fresh contexts that leaves room for one verification (4.1, ruling I3)."""
    forms = interrogation_forms(settings.form, panel, number_asked(question), question)

    def messages(form: Form, shown: Narrowed) -> Any:
        if form != "graph":
            return run_messages(question, form, shown, settings.claim)
        sentences = shown.sentences(question.documents) if question.documents else sentences_of(sources(question))
        return graph_messages(question, sentences, k=settings.k, claim=settings.claim)

    return Way(
        forms=forms,
        sampling=sampling_of(settings.stop, settings.most, settings.n),
        passages=settings.passages,
        messages=messages,
        reply=lambda form: Argument if form == "graph" else Prose,
        read=lambda run, reply: _read(run, reply, question),
        temperature=settings.temperature,
        max_tokens=lambda form: settings.max_tokens or LONGEST_RUN[form],
        reserve=settings.verifications if verify_of(settings.verify, forms) == "always" else 0,
    )


def _read(run: Run, reply: Reply | Missing, question: Question) -> Run:
    """What a reply brings: an argument, that there is no answer, or why it is neither (interrogation 4.3)."""
    if not isinstance(reply, Argument):
        return read_run(run, reply, question)  # ty: ignore[invalid-argument-type]
    came = replace(run, came=True)
    if abstained := abstention(reply.answer, question):
        return replace(came, answer=abstained)
    written = written_graph(run.id, reply, question, question.documents)
    if isinstance(written, str):
        return replace(came, problem=written)
    return replace(came, answer=reply.answer.strip(), argument=written)


async def _note_runs(case: Case, deliberation: Deliberation) -> None:
    """What was read otherwise than it was written, not found, or came out otherwise, run by run."""
    for run, written in case.written.items():
        found = {
            "repairs": written.repairs,
            "ungrounded": written.ungrounded,
            "refuted": written.refuted,
            "no_line": written.no_line,
        }
        if any(found.values()):
            await deliberation.note("run read", {"run": run, **found})


async def _note(assessment: Assessment, deliberation: Deliberation) -> None:
    figures = ("id", "votes", "width", "surviving_width", "resilience", "refuted")
    candidates = [{name: getattr(item, name) for name in figures} for item in assessment.candidates]
    found = {"candidates": candidates, "disputed": assessment.disputed, "structure": assessment.structure}
    await deliberation.note("assessed", found)


def expected(question: Question, panel: Panel, settings: InterrogationSettings) -> Expectation:
    """Return what the first wave of runs takes, and one round of verifications where claims are verified."""
    way = _way(question, panel, settings)
    shown, size = first_shown(question, panel, settings.passages), min(way.sampling.wave, way.sampling.most)
    forms = wave_forms(way.forms, size, 1)
    runs = [prompt_tokens(way.messages(form, shown)) for form in forms]
    checks = settings.verifications * settings.claims_a_round if way.reserve else 0
    check = prompt_tokens(verification_messages("x" * 100, sentences_of(sources(question)))) if checks else 0
    further = f"up to {way.sampling.most} runs where the first {size} do not decide" if size < way.sampling.most else ""
    rounds = "with one round of verifications; further rounds go on until nothing is disputed" if checks else ""
    return Expectation(
        calls=size + checks,
        tokens_in=sum(runs) + checks * check,
        tokens_out=sum(min(TYPICAL_RUN[form], way.max_tokens(form)) for form in forms) + checks * TYPICAL_VERIFICATION,
        longest=max(prompt + way.max_tokens(form) for prompt, form in zip(runs, forms, strict=True)),
        note="; ".join(filter(None, (further, rounds))),
    )


INTERROGATION = ProtocolSpec(
    name="interrogation",
    version=5,
    summary="independent runs argue; the program cites, recomputes, votes and says what must be wrong",
    run=interrogation,
    settings=InterrogationSettings,
    seats=1,
    minimum=1,
    budget=Budget(calls=20),
    expected=expected,
    quorum=Fraction(1, 2),
    report=markdown_report,
    files=graph_file,
    telling=INTERROGATION_TELLING,
    basis=Basis.VOTES,
    argued=argued,
    panes=panes,
)
