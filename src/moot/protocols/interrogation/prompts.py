"""The words in which `interrogation` asks (interrogation 4.2).

The documents stand first and are the same in every prompt, so that a prefix cache reads them once; what varies comes
last. A verification shows the claim and the documents, and nothing of the graph or of other runs.
"""

from moot.core.calls import Message
from moot.core.question import Document, Question
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents

READING = f"""You work from documents alone. What you know from elsewhere does not count.
{FENCE_RULE}

{{documents}}"""

INTERROGATION = """Answer the question below by building an explicit, rigorous argument: a graph of claims.

Rules:
- Every claim comes from the documents or is labelled as an assumption. Use no outside knowledge.
- A claim is one plain sentence that can be understood by itself. Put in only the claims that the answer needs.
- Look for at least {k} independent lines of support for the conclusion, but never invent one: a single honest chain \
is better than two made-up ones.
- If you find evidence against a claim, add it as a node with an "attacks" edge to that claim. Objections make the \
graph stronger, not weaker.
- If the documents do not settle the question, "documents_say" is false and "answer" is empty.

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reasoning": a few sentences: which passages matter, and what follows from them.
"documents_say": true, or false where the documents do not settle the question.
"answer": the answer alone, as short as it can be{form}.
"conclusion_node": the id of the conclusion, which is c.
"nodes": the claims. First the one conclusion, which states the answer as a sentence; then its reasons. A given is \
what a document states: it has "type" (given), "id" (g1, g2 and so on), "document" (the document's number), "quote" \
(the words of the document, copied letter by letter) and "claim" (what just those words say). An inference (i1 and so \
on) is derived from other nodes, an assumption (a1 and so on) is taken for granted; they and the conclusion have \
"type", "id" and "claim". Any node may have a "confidence" from 0 to 1.
"edges": the links. Each has "from" (the id of the reason), "to" (the id of the claim it speaks for or against) and \
"relation": supports, attacks, or assumes (from an assumption to the claim that needs it). Every inference, and the \
conclusion, has at least one supports edge coming in. Any edge may have a "confidence" from 0 to 1.

{task}"""

VERIFICATION = """Check one claim against the documents, and use nothing else.

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reason": one sentence that points to the place in the documents, or to what is missing there;
"verdict": "supported" if the documents say so, "refuted" if they say otherwise, "not_determinable" if they do not \
settle it.

{claim}"""

TESTED_CLAIM = """Question: is this claim true? Build the best argument that the documents allow, for it or against \
it. The conclusion states the claim, or its denial.
{claim}"""


def interrogation_messages(question: Question, *, k: int, claim: str = "") -> tuple[Message, ...]:
    """Return the prompt of one run."""
    task = TESTED_CLAIM.format(claim=fenced("Claim:", claim)) if claim else f"Question: {question.text}"
    form = "true or false" if claim else question.form
    asked = INTERROGATION.format(k=k, form=f", as {form}" if form else "", task=task)
    return (_reading(sources(question)), Message("user", asked))


def verification_messages(question: Question, claim: str) -> tuple[Message, ...]:
    """Return the prompt of one verification: the claim and the documents, and nothing else (ruling I2)."""
    return (_reading(sources(question)), Message("user", VERIFICATION.format(claim=fenced("Claim:", claim))))


def sources(question: Question) -> tuple[Document, ...]:
    """Return the documents; without any, the question's text is the one document (ruling I5)."""
    return question.documents or (Document(name="the question", text=question.text),)


def _reading(documents: tuple[Document, ...]) -> Message:
    return Message("system", READING.format(documents=fenced_documents(documents)))
