"""Independent runs answer, in free text and as programs; their votes are counted, wave by wave, until it is decided."""

from fractions import Fraction

from moot.core.budget import Budget, Expectation
from moot.core.calls import Prose
from moot.core.confidence import Basis
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Verdict
from moot.methods.runs import Way, drawn, forms_of, read_run, run_messages, wave_forms
from moot.methods.sampling import sampling_of
from moot.methods.search import first_shown
from moot.methods.votes import number_asked
from moot.protocols.vote.panes import panes
from moot.protocols.vote.report import markdown_report, verdict_on
from moot.protocols.vote.schemas import VoteSettings
from moot.protocols.vote.telling import VOTE_TELLING

TYPICAL_REPLY = 200


async def vote(question: Question, deliberation: Deliberation, settings: VoteSettings) -> Verdict:
    """Return the answer that most runs give, with its share of the runs asked as confidence."""
    asked = number_asked(question)
    way = _way(question, settings)
    await deliberation.note("forms", {"forms": way.forms, "is_number": asked.is_number, "by": asked.by})
    votes = await drawn(question, deliberation, way)
    seats = {run.seat for run in votes.count.runs}
    models = {member.model for member in deliberation.panel if member.name in seats}
    return verdict_on(votes, way.sampling, forms=way.forms, models=len(models))


def _way(question: Question, settings: VoteSettings) -> Way:
    return Way(
        forms=forms_of(settings.form, number_asked(question), question),
        sampling=sampling_of(settings.stop, settings.most, settings.n),
        passages=settings.passages,
        messages=lambda form, shown: run_messages(question, form, shown),
        reply=lambda form: Prose,
        read=lambda run, reply: read_run(run, reply, question),
        temperature=settings.temperature,
        max_tokens=lambda form: settings.max_tokens,
    )


def expected(question: Question, panel: Panel, settings: VoteSettings) -> Expectation:
    """Return what the first wave takes, or all runs where their number is fixed."""
    way = _way(question, settings)
    shown, sampling = first_shown(question, panel, settings.passages), way.sampling
    size = min(sampling.wave, sampling.most)
    prompts = [prompt_tokens(way.messages(form, shown)) for form in wave_forms(way.forms, size, 1)]
    further = f"the first wave; up to {sampling.most} runs where it does not decide" if size < sampling.most else ""
    return Expectation(
        calls=size,
        tokens_in=sum(prompts),
        tokens_out=size * min(TYPICAL_REPLY, settings.max_tokens),
        longest=max(prompts) + settings.max_tokens,
        note=further,
    )


VOTE = ProtocolSpec(
    name="vote",
    version=2,
    summary="independent runs of free text and programs, counted until the vote is decided",
    run=vote,
    settings=VoteSettings,
    seats=1,
    minimum=1,
    budget=Budget(calls=24),
    expected=expected,
    quorum=Fraction(1, 2),
    report=markdown_report,
    telling=VOTE_TELLING,
    basis=Basis.VOTES,
    panes=panes,
)
