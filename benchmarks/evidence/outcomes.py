"""What an arm comes to on an item, read with the texts at hand and kept without them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.evidence.bank import Bank, Drawn, prompt_key, prompt_tokens_of
from benchmarks.evidence.covering import cover_of
from benchmarks.evidence.draw import Prompt
from benchmarks.evidence.grading import NOTHING, Graded, graded
from benchmarks.evidence.rows import Outcome, RunFacts

from moot.core.budget import Spent
from moot.core.calls import Prose
from moot.core.events import Answered
from moot.core.question import Question
from moot.core.record import spent_on
from moot.evals.items.items import Item
from moot.methods.runs import (
    SHOWN_DOES_NOT_SAY,
    Count,
    Form,
    Run,
    counted,
    read_run,
    votes_confidence,
    winner_by_form,
)
from moot.service.results import Result


@dataclass(frozen=True, slots=True)
class Sample:
    """One reply of the pool, read."""

    run: Run
    reply: Drawn
    prompt_tokens: int | None


def samples_of(question: Question, prompts: Iterable[Prompt], bank: Bank) -> dict[Form, list[Sample]]:
    """Return the replies to the pool's prompts by form, read by Moot's own rule."""
    samples: dict[Form, list[Sample]] = {}
    for wanted in prompts:
        form: Form = wanted.name  # ty: ignore[invalid-assignment]
        replies = bank.get(prompt_key(wanted.asked()), ())
        runs = [
            read_run(Run(f"{form}{number}", "m1", form), Prose(text=reply.text), question)
            for number, reply in enumerate(replies, 1)
        ]
        tokens = prompt_tokens_of(replies)
        samples[form] = [Sample(run, reply, tokens) for run, reply in zip(runs, replies, strict=True)]
    return samples


def in_order(samples: Mapping[Form, Sequence[Sample]], order: Iterable[Form]) -> list[Sample]:
    """Return the samples in an order of forms, each form's own in theirs; those that nobody drew are left out."""
    left = {form: iter(each) for form, each in samples.items()}
    return [sample for form in order if form in left and (sample := next(left[form], None))]


def first_replies(samples: Sequence[Sample], item: Item) -> tuple[Outcome, ...]:
    """Return what a vote over the first 1, 2, 3 … samples comes to."""
    return tuple(vote_over(samples[:size], item) for size in range(1, len(samples) + 1))


def vote_over(samples: Sequence[Sample], item: Item) -> Outcome:
    """Return what a vote over these samples comes to; a tie has no answer (I16). Each form's prompt is read once."""
    count = counted([sample.run for sample in samples], item.asked())
    winners = count.winners
    worth = graded(item, winners[0].answer) if len(winners) == 1 else NOTHING
    prompts = {sample.run.form: sample.prompt_tokens for sample in samples}
    return Outcome(
        replies=len(samples),
        tokens_in=total(prompts.values()),
        tokens_out=total(sample.reply.tokens_out for sample in samples),
        right=worth.right,
        lenient=worth.lenient,
        abstained=worth.abstained,
        tied=len(winners) > 1,
        votes=count.tally.leader,
        second=count.tally.second,
        confidence=votes_confidence(count, winners).value,
        agree=do_forms_agree(count, tuple(prompts)),
    )


def do_forms_agree(count: Count, forms: Sequence[Form]) -> bool | None:
    """Return whether two forms lead to one answer; None where there is one form, or neither leads anywhere."""
    leaders = [winner_by_form(count, form) for form in forms]
    return len(set(leaders)) == 1 if len(forms) > 1 and any(leaders) else None


def run_facts(samples: Sequence[Sample], item: Item) -> tuple[RunFacts, ...]:
    """Return the facts of every sample, with the number of its answer's group among all of them."""
    count = counted([sample.run for sample in samples], item.asked())
    groups = {run.id: number for number, each in enumerate(count.candidates) for run in each.runs}
    return tuple(_facts(sample, item, groups.get(sample.run.id)) for sample in samples)


def _facts(sample: Sample, item: Item, group: int | None) -> RunFacts:
    run = sample.run
    worth = graded(item, run.answer)
    cover = cover_of(run, item.asked())
    return RunFacts(
        form=run.form,
        group=group,
        right=worth.right,
        lenient=worth.lenient,
        abstains=run.abstains,
        answer=worth.trace,
        tokens_out=sample.reply.tokens_out,
        steps=len(run.program.steps) if run.program else 0,
        assumed=len(run.assumed),
        true_sums=sum(equation.verdict == "true" for equation in run.equations),
        false_sums=len(run.refuted),
        sentences=None if cover is None else cover.sentences,
        naming=None if cover is None else cover.naming,
        covered=None if cover is None else cover.covered,
        has_line=None if cover is None else cover.has_line,
    )


def outcome_of(result: Result, item: Item, unasked: int = 0) -> Outcome:
    """Return what a protocol's own deliberation comes to."""
    verdict = result.record.verdict
    detail: Mapping[str, Any] = verdict.detail if verdict else {}
    tied = bool(detail.get("tied"))
    answer = verdict.answer if verdict and not tied else None
    worth = _shown_or_graded(item, answer)
    sizes = sorted((each.get("votes", 0) for each in detail.get("candidates", ())), reverse=True)
    spent = _spent(result)
    return Outcome(
        replies=sum(isinstance(event, Answered) for event in result.record.asked),
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        right=worth.right,
        lenient=worth.lenient,
        abstained=worth.abstained,
        tied=tied,
        votes=next(iter(sizes), 0),
        second=next(iter(sizes[1:]), 0),
        confidence=verdict.confidence.value if verdict else None,
        agree=detail.get("ways", {}).get("agree"),
        width=_whole(detail.get("support_width")),
        resilience=_whole(detail.get("resilience")),
        status=result.status.value,
        seconds=spent.seconds,
        unasked=unasked,
    )


def _spent(result: Result) -> Spent:
    """What it took; a call that was lost with a killed process is no cost of the arm, and was made again."""
    return spent_on(call for call in result.record.calls if call.state != "lost").wholly_known


def _shown_or_graded(item: Item, answer: str | None) -> Graded:
    """What was shown does not say: an abstention, if a partial one (I20)."""
    if answer == SHOWN_DOES_NOT_SAY:
        return Graded(right=item.abstain, lenient=item.abstain, abstained=True, trace="")
    return graded(item, answer)


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def total(parts: Iterable[int | None]) -> int | None:
    """Return the sum, or None where a part is not known."""
    listed = list(parts)
    return None if any(part is None for part in listed) else sum(part for part in listed if part is not None)
