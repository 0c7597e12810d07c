"""The words in which a run is asked: documents first, then the question, and behind it how to reply (ruling I13)."""

from collections.abc import Sequence

from moot.core.calls import Message
from moot.core.question import Document, Question
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents
from moot.methods.programs import PROGRAM_RULE
from moot.methods.runs.forms import Form
from moot.methods.search import Narrowed
from moot.methods.sentences import Sentence, shown_with_numbers

FROM_DOCUMENTS = f"""You answer one question from the documents below, and from nothing else.
{FENCE_RULE}

{{documents}}"""

FROM_THE_QUESTION = """You answer one question.
What the question states is given. Work out what follows from it, and use what you know."""

PLAIN = """Think it through in a few short sentences, step by step. Then end with one line that begins with "Answer:" \
and gives the answer alone{form}."""

NUMBERED = """Think it through in a few short sentences, step by step, each with the number of the sentence that it \
comes from in square brackets. Then end with one line that begins with "Answer:" and gives the answer alone{form}."""

UNSETTLED = {
    "plain": 'Where the documents do not settle it, that line is "Answer: the documents do not say".',
    "program": "Where the documents do not settle it, write instead that the documents do not say.",
}

TESTED_CLAIM = """Question: is this claim true? Look for the best reasons for it and against it.
{claim}"""


def run_messages(question: Question, form: Form, shown: Narrowed, claim: str = "") -> tuple[Message, ...]:
    """Return the prompt of one run over what is shown of the documents: the same for all runs of a form."""
    ask = TESTED_CLAIM.format(claim=fenced("Claim:", claim)) if claim else f"Question: {question.text}"
    how = _how(question, form, claim)
    if not question.documents:
        return (Message("system", FROM_THE_QUESTION), Message("user", f"{ask}\n\n{how}"))
    if form == "numbered":
        documents = numbered_documents(question.documents, shown.sentences(question.documents))
    else:
        documents = fenced_documents(shown.over(question.documents))
    unsettled = UNSETTLED["program" if form == "program" else "plain"]
    return (
        Message("system", FROM_DOCUMENTS.format(documents=documents)),
        Message("user", f"{ask}\n\n{how} {unsettled}"),
    )


def numbered_documents(documents: Sequence[Document], sentences: Sequence[Sentence]) -> str:
    """Return the documents as numbered sentences, each document between fences; those that show none are left out."""
    parts = [[sentence for sentence in sentences if sentence.document == place] for place in range(len(documents))]
    return "\n\n".join(
        fenced(f"Document {place}: {document.name}", shown_with_numbers(part))
        for place, (document, part) in enumerate(zip(documents, parts, strict=True), 1)
        if part
    )


def _how(question: Question, form: Form, claim: str) -> str:
    if form == "program":
        return PROGRAM_RULE
    asked = "true or false" if claim else question.form
    words = NUMBERED if form == "numbered" else PLAIN
    return words.format(form=f", as {asked}" if asked else ", in a few words and not as a sentence")
