"""The words in which `coherence` asks (coherence 3.3, 5.3, ruling K8)."""

from collections.abc import Sequence
from typing import Any

from moot.core.calls import Message
from moot.core.canonical import canonical
from moot.core.question import Question
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents
from moot.protocols.coherence.form import Form
from moot.protocols.coherence.graph_files import MODULATIONS, Graph
from moot.protocols.coherence.rules import Values
from moot.protocols.coherence.schemas import MOST_COLUMNS, Named
from moot.protocols.coherence.verification import Failure

UNFOLDING = f"""You prepare the ground for somebody who will answer a prompt. You do not answer it.

First unfold the prompt into its dimensions: the different respects in which it has to be thought through, as many as
this case needs and no more, between 2 and {MOST_COLUMNS}. Each is a column with a short name of its own, in the
prompt's own subject matter, in words and never by an id.

Then score every observed relation in the list, in every column, with a number from 0 to 10: how much that relation
matters for that dimension of this prompt. 0 means not at all; 6 and more means that an answer has to reckon with it;
10 means that everything turns on it. Most relations matter little for most columns: keep high scores for those that do.

{FENCE_RULE}

Reply with one JSON object on one line and nothing else. "columns" is the list of names. "scores" has one row for each
relation, in the order of the list: its "observed_relation" with "graph" and "id", and "values", one number for each
column in the order of the columns.

The observed relations:
{{relations}}"""

UNFOLD_NOW = "Name the dimensions of this prompt, as its own subject has them, and score the relations in them."
COLUMNS_FIXED = "The columns are already fixed. Repeat them as they are and score the relations in them: {columns}"
AGAIN = "An earlier reply could not be used: {problem}. Give exactly one number for each column."

RESPONDING = f"""You answer the prompt below. Beside it you get working notes: columns (the dimensions of the prompt),
scores from 0 to 10 (how much an observed relation matters in a column), and paths (chains of such relations, in the
order in which they lead to one another). Columns, scores, paths and whatever is derived from them are called traces.

What traces are for: they decide which content you choose, what comes first in your analysis, where the argument has to
be dense, and how one thought follows another inside a part. They are instruments of your own deliberation. They are no
template: they do not decide how the answer is laid out.

- Where the prompt asks for a form, parts, a sequence, deliverables or a way of organising, the answer has that
  structure before anything else. Traces then shape only how each part is developed, which connections are made
  explicit, which tensions may not be left out, and which points need more caution or more room.
- Never turn a trace into a main section, a block of its own, the overall order, or any visible structure of the
  answer, unless the prompt leaves the overall organisation open.
- The reader knows nothing of the notes. Never mention columns, scores, paths, graphs, codes, ids, or that there were
  notes at all.

Before you finish, make sure that all of this holds together: nothing of the internal processing is mentioned; the
overall structure is the one that the prompt requires; the traces show only in what is said where, inside that
structure; and no column, no path and nothing derived from them has become a main section unless the prompt allows it.

{FENCE_RULE}

Write the answer itself and nothing around it."""

TRACES = """Working notes, for you alone.

Relations that matter:
{relations}

Columns, each with its paths; the score of a relation in that column stands in brackets, and between two relations how
the first leads to the second:
{paths}"""

REVISION = """This answer was written to the prompt:
{response}

It cannot be sent. What is wrong with it:
{failures}

Write the whole answer again with these faults gone and its merits kept, and nothing around it."""

JUDGING = f"""You check an answer before it is sent. It was written with private working notes: columns (named below),
scores from 0 to 10, paths and graphs. The reader must not notice them. Ordinary use of such words is no fault: an
answer about a career may speak of a path, one about statistics of a graph or a score, one about a table of its columns.

{FENCE_RULE}

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reasoning": a string, at most two sentences;
"mentions_internal_processing": true if the answer mentions the notes themselves: their columns, scores, paths, graphs,
codes, or that there were any;
"follows_required_format": true if the overall structure is the one that the prompt asks for, or if it asks for none;
"traces_only_within_it": true if the notes show only in what is said inside that structure;
"trace_became_a_section": true if a column or a path was made into a main section although the prompt asks for another
organisation."""


def unfolding_messages(
    question: Question, relations: Sequence[tuple[Graph, str]], *, columns: Sequence[str] = (), problem: str = ""
) -> tuple[Message, ...]:
    """Return the prompt of the first member (coherence 3): its relations first, then the prompt."""
    listed = "\n".join(f"{graph.name} {id_}: {graph.text(id_)}" for graph, id_ in relations)
    parts = [_prompt(question)]
    parts.append(COLUMNS_FIXED.format(columns=canonical(list(columns))) if columns else UNFOLD_NOW)
    if problem:
        parts.append(AGAIN.format(problem=problem))
    return (Message("system", UNFOLDING.format(relations=listed)), Message("user", "\n\n".join(parts)))


def response_messages(question: Question, traces: str) -> tuple[Message, ...]:
    """Return the prompt of the second member (coherence 5)."""
    return (Message("system", RESPONDING), Message("user", f"{traces}\n\n{_prompt(question)}"))


def revision_messages(
    question: Question, traces: str, response: str, failures: Sequence[Failure]
) -> tuple[Message, ...]:
    """Return the prompt that names to the writer what is wrong with a response (ruling K6)."""
    listed = "\n".join(dict.fromkeys(f"- {failure.detail}" for failure in failures))
    asked = REVISION.format(response=fenced("The answer", response), failures=fenced("Faults", listed))
    system, user = response_messages(question, traces)
    return (system, Message("user", f"{user.content}\n\n{asked}"))


def judge_messages(question: Question, columns: Sequence[str], form: Form, response: str) -> tuple[Message, ...]:
    """Return the prompt of the judge, who sees the columns' names and nothing else of the notes."""
    names = fenced("The columns of the notes", "\n".join(columns))
    open_ = "The prompt seems to leave the organisation open.\n\n" if form.is_open else ""
    return (
        Message("system", JUDGING),
        Message("user", f"{_prompt(question)}\n\n{names}\n\n{open_}{fenced('The answer', response)}"),
    )


def traces_of(
    columns: Sequence[str], values: Values, paths: dict[str, Any], active: Sequence[tuple[Graph, str]]
) -> str:
    """Return columns, scores and paths with the text of each active relation beside its id (ruling K8)."""
    return TRACES.format(
        relations="\n".join(f"{graph.name} {id_}: {graph.text(id_)}" for graph, id_ in active) or "none",
        paths="\n".join(_column(column, place, values, paths) for place, column in enumerate(columns)),
    )


def _column(column: str, place: int, values: Values, paths: dict[str, Any]) -> str:
    lines = [f"  {path['graph']}: {_path(path, place, values)}" for path in paths["paths"][column]]
    return "\n".join([f"{column}:", *(lines or ["  no relation reaches the threshold"])])


def _path(path: dict[str, Any], place: int, values: Values) -> str:
    steps = path["path"]
    return " ".join(
        f"-{MODULATIONS[step]}->" if number % 2 else f"{step} ({values[_named(path, step)][place]:g})"
        for number, step in enumerate(steps)
    )


def _named(path: dict[str, Any], id_: str) -> Named:
    return (path["graph"], id_)


def _prompt(question: Question) -> str:
    documents = f"{fenced_documents(question.documents)}\n\n" if question.documents else ""
    form = f"\n\nThe form asked for: {question.form}" if question.form else ""
    return f"{documents}The prompt:\n{question.text}{form}"
