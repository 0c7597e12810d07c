"""The words in which the arms of an evaluation ask, and those of the screen.

Documents stand before what is asked, so that a prefix cache reads them once for all that differ in that alone. Whatever
a model wrote before is shown to it between fences, as material (ruling G4), except where it is a turn of its own
conversation.
"""

from typing import NamedTuple

from moot.core.calls import Message
from moot.core.question import Question
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents

SYSTEM = """You answer one question.
{ground}
{manner}
The last line of your reply begins with "Answer:" and then gives the answer alone{form}."""

# What a small model was told before pages of documents, it has forgotten behind them.
BEHIND_DOCUMENTS = """

Reply in two parts: {reasoning}, and then one last line that begins with "Answer:" and gives the answer alone{form}."""

FROM_DOCUMENTS = f"""Use the documents, and only them. If they do not settle the question, the answer is that the \
documents do not say.
{FENCE_RULE}"""

FROM_KNOWLEDGE = f"""Use what you know.
{FENCE_RULE}"""


class Manner(NamedTuple):
    """How a member is to think, as it is told before the documents and behind them."""

    rule: str
    reasoning: str


STEP_BY_STEP = Manner(
    "Think it through in a few plain sentences before you answer.", "the reasoning, in a few plain sentences"
)

# No example: small models copy one instead of following it.
ARROWS = Manner(
    """Think in arrow notation and in nothing else. Each step is one line: what is known, an arrow (→), and what \
follows from it. Every line starts from what was given or from an earlier line. Before the last line, write no other \
sentences.""",
    "the reasoning in arrow notation, a line for each step",
)

CHECKING = Manner(
    "Check before you answer: accept nothing that you have not followed yourself.",
    "what you find when you check, in a few plain sentences",
)

REVISIT = """Revisit your reasoning. If you find a mistake, correct it; if not, keep your answer. The last line again \
begins with "Answer:" and gives the answer alone{form}."""

REINJECTED = """{question}

This is the reasoning that was given before, in full.
{trace}

Go through it and give the final answer."""

COMPRESS = """Below are a question and the reasoning that was given for it. Rewrite the reasoning as a chain in arrow \
notation: one line for each step, what is known, an arrow, what follows from it. Keep every number and name, leave \
out all else, add nothing. The last line ends in the answer that the reasoning comes to.

Question: {question}

{trace}"""

COMPRESSOR = f"""You shorten reasoning without changing it.
{FENCE_RULE}"""

VERIFY = """{question}

This chain of steps was proposed. Each line says what is known, an arrow, and what is said to follow.
{chain}

Check every line: is its left side given or shown before, and does its right side follow? Where a line is wrong, \
correct it and go on from there. Then give the final answer."""

SCREEN_SYSTEM = f"""You answer a question from documents.
Use the documents, and only them, also where they differ from what you know. Answer in one short sentence. If the \
documents do not settle the question, answer: The documents do not say.
{FENCE_RULE}"""


def answer_messages(question: Question, manner: Manner = STEP_BY_STEP) -> tuple[Message, ...]:
    """Return the prompt of a single pass."""
    return _messages(question, f"Question: {question.text}", manner)


def revisit_messages(question: Question, first: str) -> tuple[Message, ...]:
    """Return the conversation that goes on after a first answer with the request to revisit it."""
    again = REVISIT.format(form=_form(question))
    return (*answer_messages(question), Message("assistant", first), Message("user", again))


def reinjection_messages(question: Question, trace: str) -> tuple[Message, ...]:
    """Return a new prompt that shows the whole trace of a first answer."""
    asked = REINJECTED.format(question=f"Question: {question.text}", trace=fenced("Reasoning:", trace))
    return _messages(question, asked, STEP_BY_STEP)


def compression_messages(question: Question, trace: str) -> tuple[Message, ...]:
    """Return the prompt that has a trace rewritten as a chain of arrows."""
    asked = COMPRESS.format(question=question.text, trace=fenced("Reasoning:", trace))
    return (Message("system", COMPRESSOR), Message("user", asked))


def chain_messages(question: Question, chain: str) -> tuple[Message, ...]:
    """Return the prompt of a fresh context that verifies a chain: it sees the chain and nothing of the trace."""
    asked = VERIFY.format(question=f"Question: {question.text}", chain=fenced("Chain:", chain))
    return _messages(question, asked, CHECKING)


def screen_messages(question: Question) -> tuple[Message, ...]:
    """Return the prompt of one item of the screen."""
    return (Message("system", SCREEN_SYSTEM), Message("user", f"{_documents(question)}Question: {question.text}"))


def _messages(question: Question, asked: str, manner: Manner) -> tuple[Message, ...]:
    form = _form(question)
    ground = FROM_DOCUMENTS if question.documents else FROM_KNOWLEDGE
    told = SYSTEM.format(ground=ground, manner=manner.rule, form=form)
    behind = BEHIND_DOCUMENTS.format(reasoning=manner.reasoning, form=form) if question.documents else ""
    return (Message("system", told), Message("user", f"{_documents(question)}{asked}{behind}"))


def _form(question: Question) -> str:
    return f", as {question.form}" if question.form else ", as short as it can be"


def _documents(question: Question) -> str:
    return f"{fenced_documents(question.documents)}\n\n" if question.documents else ""
