"""Independent runs build argument graphs; merged, they are assessed, and what is disputed is asked again, afresh.

The six steps of interrogation 4.1, in order: fan out, merge, assess, re-interrogate, stop, report.
"""

from fractions import Fraction

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Missing
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolRow
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Verdict
from moot.methods.search import first_shown, setting_of, showing, shown_question
from moot.protocols.interrogation.case import Assessment, Case
from moot.protocols.interrogation.prompts import interrogation_messages, sources, verification_messages
from moot.protocols.interrogation.report import markdown_report, not_stated, nothing_usable, reported
from moot.protocols.interrogation.rules import (
    FanOut,
    Run,
    Undetermined,
    Unusable,
    affordable_claims,
    fan_out_size,
    majority,
    mostly_undetermined,
    read_run,
)
from moot.protocols.interrogation.schemas import Argument, InterrogationSettings, Verification

VERIFICATION_TOKENS = 160
TYPICAL_RUN = 500
TYPICAL_VERIFICATION = 50


async def interrogation(question: Question, deliberation: Deliberation, settings: InterrogationSettings) -> Verdict:
    """Return the conclusion with the widest support, and what would have to be wrong for it to fall."""
    question, _ = await shown_question(question, deliberation, settings.passages)
    runs = await _fan_out(question, deliberation, settings)
    if mostly_undetermined(runs.undetermined, runs.asked):
        return not_stated(runs)
    if not runs.arguing:
        return nothing_usable(runs)

    case = Case()
    answers = case.take_in(runs.arguing, setting_of(question))
    groups = [
        {"answer": group.answer, "runs": [runs.arguing[place].id for place in group.places], "by": group.reasons}
        for group in answers.groups
    ]
    await deliberation.note("answers", {"groups": groups, "between": answers.between})
    merged = case.merge()
    await deliberation.note("merged", {"merges": case.merges(), "contradictions": merged["contradictions_created"]})

    assessment, previous, round_number = case.assess(), None, 0
    await _note(assessment, deliberation)
    while not (stop := _stop(assessment, previous, deliberation, settings)):
        round_number += 1
        await _re_interrogate(case, assessment, question, deliberation, settings, round_number)
        assessment, previous = case.assess(), assessment
        await _note(assessment, deliberation)
    return reported(case, assessment, stop, runs=runs, models=len(deliberation.panel.models))


async def _fan_out(question: Question, deliberation: Deliberation, settings: InterrogationSettings) -> FanOut:
    """Step 1: N runs in flight together, each in a fresh context (interrogation 4.1)."""
    size = fan_out_size(settings.n, deliberation.budget.calls, settings.verifications)
    messages = interrogation_messages(question, k=settings.k, claim=settings.claim)
    asks = [
        Ask(
            f"run/r{number}", _seat(deliberation, number), messages, Argument, settings.temperature, settings.max_tokens
        )
        for number in range(1, size + 1)
    ]
    replies = await deliberation.ask_all(asks)
    runs = {
        ask: read_run(ask.step.removeprefix("run/"), reply, sources(question))
        for ask, reply in zip(asks, replies, strict=True)
        if not isinstance(reply, Missing)
    }
    for run in runs.values():
        match run:
            case Unusable():
                await deliberation.note("run dropped", {"run": run.id, "problem": run.problem})
            case Undetermined():
                await deliberation.note("the documents do not say", {"run": run.id})
            case Run() if run.repairs or run.ungrounded:
                repaired = {"run": run.id, "repairs": run.repairs, "ungrounded": run.ungrounded}
                await deliberation.note("run repaired", repaired)
    return FanOut(
        asked=size,
        arguing=tuple(run for run in runs.values() if isinstance(run, Run)),
        undetermined=sum(isinstance(run, Undetermined) for run in runs.values()),
        dropped=tuple(
            Missing(ask.seat, ask.step, "unusable", run.problem)
            for ask, run in runs.items()
            if isinstance(run, Unusable)
        ),
    )


def _stop(
    assessment: Assessment, previous: Assessment | None, deliberation: Deliberation, settings: InterrogationSettings
) -> str:
    """Step 5: return why to stop, or nothing (interrogation 4.1, ruling I7)."""
    if not assessment.disputed:
        return "(a) nothing is disputed"
    top = assessment.standing[0].width if assessment.standing else 0
    if assessment.is_stable_since(previous) and top >= settings.k:
        return f"(b) the candidates are stable and the first has {top} disjoint lines of support"
    if not assessment.open:
        return "(d) nothing is left to ask"
    if affordable_claims(1, _calls_left(deliberation), settings.verifications) < 1:
        return "(c) the budget of calls is used up"
    return ""


async def _re_interrogate(
    case: Case,
    assessment: Assessment,
    question: Question,
    deliberation: Deliberation,
    settings: InterrogationSettings,
    round_number: int,
) -> None:
    """Step 4: put disputed claims to fresh contexts, several times each; majorities take effect (interrogation 4.1)."""
    wanted = min(settings.claims_a_round, len(assessment.open))
    claims = assessment.open[: affordable_claims(wanted, _calls_left(deliberation), settings.verifications)]
    replies = await deliberation.ask_all(
        [
            Ask(
                f"verify/{round_number}/{node}/{number}",
                _seat(deliberation, number),
                verification_messages(question, case.claim(node)),
                Verification,
                settings.temperature,
                VERIFICATION_TOKENS,
            )
            for node in claims
            for number in range(1, settings.verifications + 1)
        ]
    )
    for place, node in enumerate(claims):
        mine = replies[place * settings.verifications : (place + 1) * settings.verifications]
        usable = [reply for reply in mine if isinstance(reply, Verification)]
        verdict = majority([reply.verdict for reply in usable], settings.verifications)
        claim = case.claim(node)
        case.settle(node, verdict, usable, f"v{round_number}")
        verdicts = [reply.verdict for reply in usable]
        await deliberation.note("verified", {"node": node, "claim": claim, "verdict": verdict, "verdicts": verdicts})


async def _note(assessment: Assessment, deliberation: Deliberation) -> None:
    candidates = [{"id": item.id, "width": item.width, "refuted": item.refuted} for item in assessment.candidates]
    await deliberation.note("assessed", {"candidates": candidates, "disputed": assessment.disputed})


def _calls_left(deliberation: Deliberation) -> int | None:
    limit = deliberation.budget.calls
    return None if limit is None else max(0, limit - deliberation.spent.calls)


def _seat(deliberation: Deliberation, number: int) -> str:
    """Runs go round the panel, so that several models all have their say."""
    return deliberation.panel[(number - 1) % len(deliberation.panel)].name


def expected(question: Question, panel: Panel, settings: InterrogationSettings) -> Expectation:
    """Return what the runs and one round of verifications take."""
    question = showing(question, first_shown(question, panel, settings.passages))
    run = prompt_tokens(interrogation_messages(question, k=settings.k, claim=settings.claim))
    check = prompt_tokens(verification_messages(question, "x" * 100))
    checks = settings.verifications * settings.claims_a_round
    return Expectation(
        calls=settings.n + checks,
        tokens_in=settings.n * run + checks * check,
        tokens_out=settings.n * min(TYPICAL_RUN, settings.max_tokens) + checks * TYPICAL_VERIFICATION,
        longest=run + settings.max_tokens,
        note="with one round of verifications; further rounds go on until nothing is disputed or the budget ends",
    )


INTERROGATION = ProtocolRow(
    name="interrogation",
    version=3,
    summary="independent runs build argument graphs, merged, checked mechanically and cross-examined",
    run=interrogation,
    settings=InterrogationSettings,
    seats=1,
    minimum=1,
    budget=Budget(calls=20),
    expected=expected,
    quorum=Fraction(1, 2),
    report=markdown_report,
)
