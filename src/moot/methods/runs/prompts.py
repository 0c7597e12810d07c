"""The words in which a run is asked: documents first, then the question, and behind it how to reply (ruling I13)."""

from collections.abc import Sequence

from moot.core.calls import Message
from moot.core.question import Document, Question
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents
from moot.methods.programs import PROGRAM_RULE
from moot.methods.runs.forms import Form
from moot.methods.search import Narrowed
from moot.methods.sentences import Sentence, shown_with_numbers

FROM_DOCUMENTS = f"""Answer from these documents alone. What they do not settle, the documents do not say.
{FENCE_RULE}

{{documents}}"""

FROM_THE_QUESTION = """You answer one question.
What the question states is given. Work out what follows from it, and use what you know."""

THINKING = "Think it through in a few short sentences, step by step."

# Asked to think step by step over documents, small members plan what to look for and state nothing.
FACTS = "Say in a few short sentences which facts of the documents settle it, and what follows from them."

NUMBERED_FACTS = """Say in one to three sentences which facts settle it and why, and behind each fact put the number \
of the sentence that states it, in square brackets."""

ANSWER_LINE = 'Then end with one line that begins with "Answer:" and gives only the answer, {form}.'

UNSETTLED = " Where the documents do not settle it, write that the documents do not say."
"""How a program abstains: it has no line for it."""

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
    return (Message("system", FROM_DOCUMENTS.format(documents=documents)), Message("user", f"{ask}\n\n{how}"))


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
        return f"{PROGRAM_RULE}{UNSETTLED if question.documents else ''}"
    facts = FACTS if question.documents else THINKING
    asked = "true or false" if claim else question.form
    answer = ANSWER_LINE.format(form=f"as {asked}" if asked else "in a few words")
    return f"{NUMBERED_FACTS if form == 'numbered' else facts} {answer}"
