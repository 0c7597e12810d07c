"""The verdict on a count, and its part of the Markdown view (rulings I16, I17 and I19)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.core.calls import Missing
from moot.core.canonical import plain
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.record import Record
from moot.core.verdict import Dissent, Status, Verdict
from moot.methods.programs import in_digits, is_rounded
from moot.methods.sampling import Sampling, is_decided, laplace, stop_words
from moot.protocols.vote.rules import Candidate, Count, Run, winner_by_form
from moot.protocols.vote.schemas import Form
from moot.views.words import counted as numbered
from moot.views.words import escaped, one_line

FORM_WORDS: Mapping[Form, str] = {"plain": "free text", "program": "programs"}


def verdict_on(
    count: Count, sampling: Sampling, *, forms: Sequence[Form], models: int, dropped: Sequence[Missing]
) -> Verdict:
    """Return what a count comes to."""
    winners = count.winners
    losers = [item for item in count.candidates if item not in winners]
    return Verdict(
        answer=" or ".join(item.answer for item in winners) or None,
        status=_status(count, sampling),
        stop_reason=_stop_reason(count, sampling),
        confidence=_confidence(count),
        dissent=tuple(Dissent(item.answer, tuple(run.id for run in item.runs)) for item in losers),
        caveats=tuple(_caveats(count, forms, models)),
        missing=tuple(dropped),
        asked=len(count.runs),
        answered=len(count.usable),
        counted="runs",
        detail=_detail(count, forms, models),
    )


def _status(count: Count, sampling: Sampling) -> Status:
    if not is_decided(sampling, count.tally):
        return Status.EXHAUSTED
    if len(count.winners) != 1 or count.barred:
        return Status.PARTIAL
    return Status.COMPLETE


def _stop_reason(count: Count, sampling: Sampling) -> str:
    ended = stop_words(sampling, count.tally)
    if not count.candidates:
        return f"{ended}; none of {numbered(len(count.runs), 'run')} brought an answer that could be used"
    if count.barred:
        share = f"{count.barred.votes} of {numbered(len(count.runs), 'run')}"
        return f"{ended}; {share} say that there is no answer, which is not more than half"
    if len(count.winners) > 1:
        return f"{ended}; a tie between {' and '.join(item.answer for item in count.winners)}"
    return ended


def _confidence(count: Count) -> Confidence:
    if not count.winners:
        return no_confidence("there is no answer")
    votes, asked = count.winners[0].votes, len(count.runs)
    each = " each" if len(count.winners) > 1 else ""
    why = f"{votes} of {numbered(asked, 'run')}{each}, as ({votes} + 1) / ({asked} + 2)"
    return Confidence(round(float(laplace(votes, asked)), 4), Basis.VOTES, why)


def _caveats(count: Count, forms: Sequence[Form], models: int) -> Iterator[str]:
    if models == 1 and len(count.runs) > 1:
        yield (
            f"All {len(count.runs)} runs are samples of one model: samples of one model agree more often than they "
            "are right."
        )
    ways = _ways(count, forms)
    if ways["agree"] is False:
        told = ", ".join(f"{FORM_WORDS[form]} {ways['leaders'][form] or 'nothing'}" for form in forms)
        yield f"The two ways of asking differ: {told}."
    for run in count.runs:
        for item in run.refuted:
            yield f"{run.id} computes wrongly: {item.sentence} (read as {item.reading}; {item.how})."
    for text in count.groups.between:
        yield f"{text!r} fits two other answers and counts for neither."


def _detail(count: Count, forms: Sequence[Form], models: int) -> dict[str, Any]:
    return {
        "votes": [_run_detail(run) for run in count.runs],
        "candidates": [_candidate_detail(item) for item in count.candidates],
        "tied": [item.answer for item in count.winners] if len(count.winners) > 1 else [],
        "between": list(count.groups.between),
        "models": models,
        "ways": _ways(count, forms),
    }


def _ways(count: Count, forms: Sequence[Form]) -> dict[str, Any]:
    """The answer that each form comes to, and whether they agree: None where there is one form, or none leads in it."""
    leaders = {form: winner_by_form(count, form) for form in forms}
    agree = len(set(leaders.values())) == 1 if len(forms) > 1 and any(leaders.values()) else None
    return {"leaders": leaders, "agree": agree}


def _candidate_detail(item: Candidate) -> dict[str, Any]:
    return {"answer": item.answer, "votes": item.votes, "runs": [run.id for run in item.runs]}


def _run_detail(run: Run) -> dict[str, Any]:
    steps = run.program.steps if run.program else ()
    return {
        "run": run.id,
        "seat": run.seat,
        "form": run.form,
        "answer": run.answer,
        "problem": run.problem,
        "equations": plain(run.equations),
        "steps": [
            {
                "name": step.name,
                "expression": step.expression,
                "value": in_digits(step.value),
                "rounded": is_rounded(step.value),
            }
            for step in steps
        ],
        "assumed": list(run.assumed),
    }


def markdown_report(record: Record) -> str:
    """Return the votes, run by run."""
    verdict = record.verdict
    if verdict is None or "votes" not in verdict.detail:
        return ""
    return "\n".join(_lines(verdict.detail)).rstrip() + "\n"


def _lines(detail: Mapping[str, Any]) -> Iterator[str]:
    yield "## Votes"
    yield ""
    for item in detail["candidates"]:
        yield f"- {_cell(item['answer'])}: {item['votes']} ({', '.join(item['runs'])})"
    yield ""
    yield "| run | seat | form | answer | found |"
    yield "|---|---|---|---|---|"
    for vote in detail["votes"]:
        wrong = [f"false: {item['sentence']}" for item in vote["equations"] if item["verdict"] == "false"]
        assumed = [f"assumes {', '.join(vote['assumed'])}"] if vote["assumed"] else []
        found = "; ".join([*([vote["problem"]] if vote["problem"] else []), *wrong, *assumed])
        yield f"| {vote['run']} | {vote['seat']} | {vote['form']} | {_cell(vote['answer'])} | {_cell(found)} |"


def _cell(text: str) -> str:
    return escaped(one_line(text, 200))
