"""The words in which `vote` asks: documents first, then the question, and behind it how to reply (ruling I13)."""

from moot.core.calls import Message
from moot.core.question import Question
from moot.methods.fencing import FENCE_RULE, fenced_documents
from moot.methods.programs import PROGRAM_RULE
from moot.protocols.vote.schemas import Form

FROM_DOCUMENTS = f"""You answer one question from documents.
Use the documents, and only them. If they do not settle the question, the answer is that the documents do not say.
{FENCE_RULE}"""

FROM_THE_QUESTION = """You answer one question.
What the question states is given. Work out what follows from it, and use what you know."""

PLAIN = """Reply in two parts: the reasoning, in a few plain sentences, and then one last line that begins with \
"Answer:" and gives the answer alone{form}."""

UNSETTLED = "If the documents do not settle the question, write instead that the documents do not say."


def run_messages(question: Question, form: Form) -> tuple[Message, ...]:
    """Return the prompt of one run: the same for all runs of a form."""
    told = FROM_DOCUMENTS if question.documents else FROM_THE_QUESTION
    documents = f"{fenced_documents(question.documents)}\n\n" if question.documents else ""
    asked = f", as {question.form}" if question.form else ", as short as it can be"
    how = _program(question) if form == "program" else PLAIN.format(form=asked)
    return (Message("system", told), Message("user", f"{documents}Question: {question.text}\n\n{how}"))


def _program(question: Question) -> str:
    return f"{PROGRAM_RULE} {UNSETTLED}" if question.documents else PROGRAM_RULE
