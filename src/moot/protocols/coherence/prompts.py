"""The words in which `coherence` asks (coherence 3.3, 5.3, rulings K8 to K10)."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.core.calls import Message
from moot.core.canonical import canonical
from moot.core.question import Question
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents
from moot.protocols.coherence.form import Form
from moot.protocols.coherence.graph_files import MODULATIONS, Graph
from moot.protocols.coherence.in_words import Relations, graphs_in_words, ids_in_words, paths_in_words, score_table
from moot.protocols.coherence.rules import Values
from moot.protocols.coherence.schemas import MOST_COLUMNS
from moot.protocols.coherence.verification import FailedCheck

UNFOLDING = f"""You prepare the ground for somebody who will answer a prompt. You do not answer it.

You unfold the prompt into its dimensions: the different respects in which it has to be thought through, as many as
this case needs and no more, between 2 and {MOST_COLUMNS}. Each is a column with a short name of its own, in the
prompt's own subject matter: never the id of a relation, never the name of a graph.

And you score observed relations, in every column, with a number from 0 to 10: how much that relation matters for that
dimension of this prompt. 0 means not at all; 6 and more means that an answer has to reckon with it; 10 means that
everything turns on it. Most relations matter little for most columns: keep high scores for those that do.

{FENCE_RULE}

Reply with one JSON object on one line and nothing else. "columns" is the list of names, in words. "scores" has one row
for each relation that you are asked to score, in the order asked: its "observed_relation" with "graph" and "id", and
"values", one number for each column in the order of the columns.

Only where you are asked for the form too, two fields stand behind these and say what the prompt demands of the form of
its answer. "demanded_form" is a list with an item for each thing that it asks of the form, the language, the
length, the parts or their order, and for each part that it names: "words" are the words of the prompt that ask for it,
copied, and "demand" is what they ask for. A prompt that asks for no form has an empty list; what it is about is no
form: one about tables, letters or JSON need not ask for any. "open_organisation" has as "words" the words of the
prompt that say outright that the answer may be organised freely, and "open" is then true; with no such words "open" is
false.

The graphs. Each line is an observed relation; in brackets stands what it leads to, by modulation ({{modulations}}).
An adjacency can be walked both ways and is listed once.
{{graphs}}"""

UNFOLD_NOW = """Name the dimensions of this prompt, as its own subject has them, and score relations in them. Behind the
scores, copy what the prompt asks of the form of its answer, if anything."""
COLUMNS_FIXED = "The columns are already fixed. Repeat them as they are: {columns}"
SCORE_ALL = "Score every relation of the graphs, in their order."
SCORE_SOME = "Score these relations, in this order, and no others: {ids}"
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

NOTES = "Working notes on the prompt below, which the reader of the answer never sees"
TRACES = """Columns: {columns}

Scores, one line for each relation, in the order of the columns; a relation that is not listed has 0 in all of them:
{scores}

Paths, column by column, with what each relation says where it first comes and how one leads to the next:
{paths}"""

REVISION = """This answer was written to the prompt:
{response}

It cannot be sent. What is wrong with it:
{failures}

Write the whole answer again with these faults gone and its merits kept, and nothing around it."""

JUDGING = f"""You check an answer before it is sent. It was written with private working notes, which you get too:
columns (dimensions of the prompt), scores from 0 to 10 (how much an observed relation matters in a column) and paths
(chains of such relations through graphs). The reader must not notice them. Ordinary use of such words is no fault: an
answer about a career may speak of a path, one about statistics of a graph or a score, one about a table of its columns.

Below the prompt stands what somebody read out of it about the form. Look at the prompt itself too: it decides.

{FENCE_RULE}

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reasoning": a string, at most two sentences;
"mentions_internal_processing": true if the answer mentions the notes themselves: their columns, scores, paths, graphs,
codes, or that there were any;
"follows_required_format": true if the overall structure is the one that the prompt asks for, with all of its parts in
their order and with the language and the length that it asks for; true also if the prompt asks for no form;
"traces_only_within_it": true if the notes show only in what is said where, inside that structure;
"trace_became_a_section": true if a column, a path or something derived from them was made into a main section, unless
words of the prompt leave the overall organisation open or ask for that section."""

DEMANDED = "What the prompt demands of the form, each with its words in brackets"
NO_FORM = "No words of the prompt were found that demand a form."
IS_OPEN = "These words of the prompt are said to leave the overall organisation open"
NOT_OPEN = "No words of the prompt were found that leave the overall organisation open."


def unfolding_messages(
    question: Question, shown: Relations, rows: Relations, *, columns: Sequence[str] = (), problem: str = ""
) -> tuple[Message, ...]:
    """Return the prompt of the first member (coherence 3): the graphs, the prompt, and then what this call is for."""
    modulations = "; ".join(f"{code} {name}" for code, name in MODULATIONS.items())
    parts = [_prompt_to_read(question)]
    parts.append(COLUMNS_FIXED.format(columns=canonical(list(columns))) if columns else UNFOLD_NOW)
    parts.append(SCORE_ALL if list(rows) == list(shown) else SCORE_SOME.format(ids=ids_in_words(rows)))
    if problem:
        parts.append(AGAIN.format(problem=problem))
    system = UNFOLDING.format(modulations=modulations, graphs=graphs_in_words(shown))
    return (Message("system", system), Message("user", "\n\n".join(parts)))


def response_messages(question: Question, traces: str) -> tuple[Message, ...]:
    """Return the prompt of the second member (coherence 5)."""
    return (Message("system", RESPONDING), Message("user", f"{traces}\n\n{_prompt(question)}"))


def revision_messages(
    question: Question, traces: str, response: str, failures: Sequence[FailedCheck]
) -> tuple[Message, ...]:
    """Return the prompt that names to the writer what is wrong with a response (ruling K6)."""
    listed = "\n".join(dict.fromkeys(f"- {failure.detail}" for failure in failures))
    asked = REVISION.format(response=fenced("The answer", response), failures=fenced("Faults", listed))
    system, user = response_messages(question, traces)
    return (system, Message("user", f"{user.content}\n\n{asked}"))


def judge_messages(question: Question, traces: str, form: Form, response: str) -> tuple[Message, ...]:
    """Return the prompt of the judge, who gets the writer's notes and what was read of the form (rulings K9, K10)."""
    shown = [traces, _prompt_to_read(question), _form(form), fenced("The answer", response)]
    return (Message("system", JUDGING), Message("user", "\n\n".join(shown)))


def traces_of(columns: Sequence[str], values: Values, paths: Mapping[str, Any], graphs: Sequence[Graph]) -> str:
    """Return columns, all scores, and the paths with the text of each active relation beside its id (ruling K10)."""
    lines = "\n".join(_column(column, walked) for column, walked in paths_in_words(columns, paths, graphs))
    notes = TRACES.format(columns=canonical(list(columns)), scores=score_table(values, graphs), paths=lines)
    return fenced(NOTES, notes)


def whole_prompt(question: Question) -> str:
    """Return the prompt as it is preserved: its text, the form asked for and the documents (coherence 6)."""
    documents = f"\n\n{fenced_documents(question.documents)}" if question.documents else ""
    return f"{_asked(question)}{documents}"


def _column(column: str, walked: Sequence[Sequence[str]]) -> str:
    lines = ["- " + "\n  ".join(steps) for steps in walked]
    return "\n".join([f"{column}:", *(lines or ["- no relation reaches the threshold"])])


def _form(form: Form) -> str:
    listed = "\n".join(f"- {demand.demand} [{demand.words}]" for demand in form.demands)
    demanded = fenced(DEMANDED, listed) if listed else NO_FORM
    return f"{demanded}\n{fenced(IS_OPEN, form.open_words) if form.is_open else NOT_OPEN}"


def _prompt(question: Question) -> str:
    return f"{_documents(question)}The prompt:\n{_asked(question)}"


def _prompt_to_read(question: Question) -> str:
    """The prompt for those who do not answer it: what it asks for is not asked of them."""
    return _documents(question) + fenced("The prompt", _asked(question))


def _documents(question: Question) -> str:
    return f"{fenced_documents(question.documents)}\n\n" if question.documents else ""


def _asked(question: Question) -> str:
    form = f"\n\nThe form asked for: {question.form}" if question.form else ""
    return f"{question.text}{form}"
