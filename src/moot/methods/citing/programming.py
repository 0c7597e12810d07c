"""A program that was worked out, written down as an argument: each assignment a step (ruling I18)."""

from collections.abc import Sequence

from moot.core.question import Document, Question
from moot.methods.citing.concluding import conclusion_claim
from moot.methods.citing.draft import GraphDraft
from moot.methods.citing.origins import origins_of
from moot.methods.citing.sums import ComputedNumbers, canonical
from moot.methods.programs import RESULT, Assignment, Program, in_digits
from moot.methods.written import Written


def programmed(
    run_id: str, program: Program, answer: str, question: Question, documents: Sequence[Document]
) -> Written:
    """Return the argument of a program: its numbers are givens or assumptions, its last value holds the answer up."""
    origins = origins_of(question, documents)
    draft = GraphDraft(run_id, repairs=[origins.unsearched] if origins.unsearched else [])
    results = ComputedNumbers(origins, draft)
    named: dict[str, str] = {}
    for place, step in enumerate(program.steps, 1):
        premises, _ = results.premises(map(canonical, dict.fromkeys(step.numbers)), _in_words(step))
        premises += [named[name] for name in step.uses if name in named]
        named[step.name] = draft.inference(f"s{place}", _claim(step), premises)
    answers = [step for step in program.steps if step.name.lower() == RESULT]
    last = named[(answers or program.steps)[-1].name] if program.steps else ""
    return draft.written(conclusion_claim(question, answer), [last] if last else [], _no_line(program, draft))


def _claim(step: Assignment) -> str:
    value = in_digits(step.value)
    written = f"{_in_words(step)} = {step.expression}"
    return f"{written}." if step.expression.strip() == value else f"{written} = {value}."


def _in_words(step: Assignment) -> str:
    return " ".join(step.name.replace("_", " ").split()) or step.name


def _no_line(program: Program, draft: GraphDraft) -> str:
    if program.problem:
        return f"its program was ended: {program.problem}"
    if not any(node["type"] == "given" for node in draft.nodes.values()):
        return "no number of its program stands in the question or in a document"
    return ""
