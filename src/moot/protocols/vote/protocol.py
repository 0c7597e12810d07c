"""Independent runs answer, in free text and as programs; their votes are counted, wave by wave, until it is decided."""

from collections.abc import Sequence
from fractions import Fraction

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Missing, Prose
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolRow
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Verdict
from moot.methods.sampling import next_wave, sampling_of
from moot.methods.votes import number_asked
from moot.protocols.vote.prompts import run_messages
from moot.protocols.vote.report import markdown_report, verdict_on
from moot.protocols.vote.rules import Count, Run, counted, forms_of, read_run, wave_forms
from moot.protocols.vote.schemas import Form, VoteSettings

TYPICAL_REPLY = 200


async def vote(question: Question, deliberation: Deliberation, settings: VoteSettings) -> Verdict:
    """Return the answer that most runs give, with its share of the runs asked as confidence."""
    asked = number_asked(question)
    forms = forms_of(settings.form, asked)
    await deliberation.note("forms", {"forms": forms, "is_number": asked.is_number, "by": asked.by})

    sampling = sampling_of(settings.stop, settings.most, settings.n)
    count, wave = Count(), 0
    while size := next_wave(sampling, count.tally, _calls_left(deliberation)):
        wave += 1
        drawn = await _draw(wave_forms(forms, size, wave), len(count.runs), question, deliberation, settings)
        count = counted([*count.runs, *drawn], question)
        candidates = [{"answer": item.answer, "runs": [run.id for run in item.runs]} for item in count.candidates]
        await deliberation.note("counted", {"wave": wave, "asked": len(count.runs), "candidates": candidates})
        if any(run.problem == "budget" for run in drawn):
            break
    dropped = [Missing(run.seat, run.step, "unusable", run.problem) for run in count.runs if run.is_unusable]
    models = {member.model for member in deliberation.panel if member.name in {run.seat for run in count.runs}}
    return verdict_on(count, sampling, forms=forms, models=len(models), dropped=dropped)


async def _draw(
    forms: Sequence[Form], before: int, question: Question, deliberation: Deliberation, settings: VoteSettings
) -> list[Run]:
    """Return the runs of one wave, all in flight together, each in a fresh context."""
    panel = deliberation.panel
    runs = [
        Run(f"r{number}", panel[(number - 1) % len(panel)].name, form) for number, form in enumerate(forms, before + 1)
    ]
    asks = [
        Ask(run.step, run.seat, run_messages(question, run.form), Prose, settings.temperature, settings.max_tokens)
        for run in runs
    ]
    replies = await deliberation.ask_all(asks)
    return [read_run(run, reply, question) for run, reply in zip(runs, replies, strict=True)]


def _calls_left(deliberation: Deliberation) -> int | None:
    limit = deliberation.budget.calls
    return None if limit is None else max(0, limit - deliberation.spent.calls)


def expected(question: Question, panel: Panel, settings: VoteSettings) -> Expectation:
    """Return what the first wave takes, or all runs where their number is fixed."""
    forms = forms_of(settings.form, number_asked(question))
    sampling = sampling_of(settings.stop, settings.most, settings.n)
    size = min(sampling.wave, sampling.most)
    prompts = [prompt_tokens(run_messages(question, form)) for form in wave_forms(forms, size, 1)]
    further = f"the first wave; up to {sampling.most} runs where it does not decide" if size < sampling.most else ""
    return Expectation(
        calls=size,
        tokens_in=sum(prompts),
        tokens_out=size * min(TYPICAL_REPLY, settings.max_tokens),
        longest=max(prompts) + settings.max_tokens,
        note=further,
    )


VOTE = ProtocolRow(
    name="vote",
    version=1,
    summary="independent runs of free text and programs, counted until the vote is decided",
    run=vote,
    settings=VoteSettings,
    seats=1,
    minimum=1,
    budget=Budget(calls=24),
    expected=expected,
    quorum=Fraction(1, 2),
    report=markdown_report,
)
