"""The pure rules of `interrogation`: how a run's argument is written, what is asked first, who may verify."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from moot.core.panel import Panel
from moot.core.question import Question
from moot.methods.citing import cited, programmed
from moot.methods.programs import Program
from moot.methods.runs import Form, Forms, Run, forms_of
from moot.methods.search import READS_WELL
from moot.methods.votes import NumberAsked
from moot.methods.written import Written

Verify = Literal["always", "other", "never"]


def interrogation_forms(
    wanted: Forms | Literal["graph"], panel: Panel, asked: NumberAsked, question: Question
) -> tuple[Form, ...]:
    """Return the forms of the runs: of small members free text and its second way, of others graphs (ruling I9)."""
    if wanted == "auto":
        wanted = "both" if any(model.partition(":")[0] in READS_WELL for model in panel.models) else "graph"
    return ("graph",) if wanted == "graph" else forms_of(wanted, asked, question)


def verify_of(wanted: Verify | Literal["auto"], forms: Sequence[Form]) -> Verify:
    """Return who verifies: in graphs always somebody, in the other forms only a model that did not write it (I14)."""
    if wanted != "auto":
        return wanted
    return "always" if forms == ("graph",) else "other"


def argument_of(run: Run, question: Question) -> Written:
    """Return a run's argument as the program writes it; a graph was read with its reply (rulings I9 and I12)."""
    if isinstance(run.argument, Written):
        return run.argument
    if run.form == "program":
        return programmed(run.id, run.program or Program(), run.answer, question, question.documents)
    return cited(run.id, run.text, run.answer, question, question.documents)


def verifying_seats(verify: Verify, panel: Panel, authors: Iterable[str]) -> tuple[str, ...]:
    """Return the seats that may verify a claim which these models put forward (ruling I14)."""
    if verify == "never":
        return ()
    written_by = set(authors) if verify == "other" else set()
    return tuple(member.name for member in panel if member.model not in written_by)


def affordable_claims(wanted: int, calls_left: int | None, verifications: int) -> int:
    """Return how many disputed claims the budget lets a round verify."""
    return wanted if calls_left is None else min(wanted, calls_left // verifications)


def disputes_in_order(
    ungrounded: Iterable[str],
    pairs: Iterable[Sequence[str]],
    isolated: Iterable[str],
    is_leading: Callable[[str], bool] = lambda node: False,
) -> tuple[str, ...]:
    """Return the claims to re-interrogate: the leading candidate's first, in each part ungrounded ones, contradictions,
    then isolated ones (interrogation 4.1, rulings I5 and I14)."""
    ordered = dict.fromkeys([*ungrounded, *(node for pair in pairs for node in pair), *isolated])
    return tuple(sorted(ordered, key=lambda node: not is_leading(node)))
