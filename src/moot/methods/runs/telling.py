"""What a count of runs comes to, in words and figures, for every protocol that votes over samples (I16 to I20)."""

from collections.abc import Iterator, Sequence
from typing import Any

from moot.core.canonical import plain
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.methods.programs import in_digits, is_rounded
from moot.methods.runs.counting import Count, VotedAnswer, winner_by_form
from moot.methods.runs.drawing import Drawn
from moot.methods.runs.forms import FORM_WORDS, Form
from moot.methods.runs.run import Run
from moot.methods.sampling import Sampling, laplace, stop_words

SHOWN_DOES_NOT_SAY = "What was shown does not say."


def stop_reason(count: Count, sampling: Sampling) -> str:
    """Return where the drawing ended, how the votes stood, and why nobody won where nobody did."""
    ended = stop_words(sampling, count.tally)
    if not count.candidates:
        return f"{ended}; none of {_runs(len(count.runs))} brought an answer that could be used"
    if count.barred:
        share = f"{count.barred.votes} of {_runs(len(count.runs))}"
        return f"{ended}; {share} say that there is no answer, which is not more than half"
    if len(count.winners) > 1:
        return f"{ended}; a tie between {' and '.join(item.answer for item in count.winners)}"
    return ended


def answer_of(votes: Drawn, winners: Sequence[VotedAnswer]) -> str | None:
    """Return the answer, or both in a tie; only where all was shown do the documents not say (I20)."""
    if does_not_say_yet(votes, winners):
        return SHOWN_DOES_NOT_SAY
    return " or ".join(item.answer for item in winners) or None


def does_not_say_yet(votes: Drawn, winners: Sequence[VotedAnswer]) -> bool:
    """Return whether the winner is that there is no answer while some of the documents have not been shown."""
    return not votes.shown.is_all and any(item.abstains for item in winners)


def votes_confidence(count: Count, winners: Sequence[VotedAnswer]) -> Confidence:
    """Return the winner's share of the runs asked, with Laplace's correction (I19)."""
    if not winners:
        return no_confidence("there is no answer")
    votes, asked = winners[0].votes, len(count.runs)
    each = " each" if len(winners) > 1 else ""
    why = f"{votes} of {_runs(asked)}{each}, as ({votes} + 1) / ({asked} + 2)"
    return Confidence(round(float(laplace(votes, asked)), 4), Basis.VOTES, why)


def vote_caveats(votes: Drawn, forms: Sequence[Form], models: int) -> Iterator[str]:
    """Return what stands beside the share of votes and is not in it (I19)."""
    count = votes.count
    if models == 1 and len(count.runs) > 1:
        yield (
            f"All {len(count.runs)} runs are samples of one model: samples of one model agree more often than they "
            "are right."
        )
    if votes.shown.caveat:
        yield f"{votes.shown.caveat}."
    if count.set_aside:
        told = ", ".join(run.id for run in count.set_aside)
        yield f"Over the first paragraphs {told} found no answer; later ones had one."
    ways = _ways(count, forms)
    if ways["agree"] is False:
        told = ", ".join(f"{FORM_WORDS[form]} {ways['leaders'][form] or 'nothing'}" for form in forms)
        yield f"The two ways of asking differ: {told}."
    for run in count.runs:
        for item in run.refuted:
            yield f"{run.id} computes wrongly: {item.sentence} (read as {item.reading}; {item.how})."
    for text in count.groups.between:
        yield f"{text!r} fits two other answers and counts for neither."


def votes_detail(votes: Drawn, winners: Sequence[VotedAnswer], forms: Sequence[Form], models: int) -> dict[str, Any]:
    """Return the votes as a verdict's detail has them."""
    count = votes.count
    return {
        "votes": [_run_detail(run) for run in count.runs],
        "tied": [item.answer for item in winners] if len(winners) > 1 else [],
        "between": list(count.groups.between),
        "models": models,
        "ways": _ways(count, forms),
        "shown": {"paragraphs": votes.shown.seen, "of": votes.shown.of},
    }


def _ways(count: Count, forms: Sequence[Form]) -> dict[str, Any]:
    """The answer that each form comes to, and whether they agree: None where there is one form, or none leads in it."""
    leaders = {form: winner_by_form(count, form) for form in forms}
    agree = len(set(leaders.values())) == 1 if len(forms) > 1 and any(leaders.values()) else None
    return {"leaders": leaders, "agree": agree}


def _run_detail(run: Run) -> dict[str, Any]:
    steps = run.program.steps if run.program else ()
    return {
        "run": run.id,
        "step": run.step,
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


def _runs(count: int) -> str:
    return f"{count} run{'' if count == 1 else 's'}"
