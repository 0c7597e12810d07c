"""The words in which a run is asked for steps (interrogation 4.2, Template A; rulings I9 to I11, I13).

The documents stand first and are the same in every prompt, so that a prefix cache reads them once; the question and how
to reply come behind them. Without documents the question's own sentences are what is given.
"""

from collections.abc import Sequence
from itertools import groupby

from moot.core.calls import Message
from moot.core.question import Question
from moot.methods.fencing import FENCE_RULE, fenced
from moot.methods.sentences import Sentence, shown_with_numbers

FROM_DOCUMENTS = f"""You build a rigorous argument from documents. Their sentences have numbers. What you know from \
elsewhere does not count.
{FENCE_RULE}

{{documents}}"""

FROM_THE_QUESTION = """You build a rigorous argument. The question gives the facts; what follows from them by \
reasoning or arithmetic is an inference. The question's sentences have numbers.

{sentences}"""

EVERY_CLAIM = {
    True: "Every claim comes from the documents or is labelled as an assumption. Use no outside knowledge.",
    False: "Every claim follows from the question's sentences or is labelled as an assumption. Write a sum as an "
    "equation, such as 12 * 3 = 36.",
}

UNSETTLED = """- If the documents do not settle the question, that is the answer: "the documents do not say".
"""

STEPS = """{task}

Answer it by steps. A step is one claim and what it holds because of.
- {every_claim}
- A claim is one plain sentence that can be understood by itself. Write only the steps that the answer needs.
- All reasons of one step hold it up together. Every step has at least one reason: a sentence, an earlier step or an \
assumption.
- Look for at least {k} independent lines of support for the conclusion, but never invent one: a single honest chain \
is better than two made-up ones. A second line is a further step with the same claim, word for word, on other \
sentences.
- If you find evidence against a claim, add it as an objection. Objections make the argument stronger, not weaker.
{unsettled}
Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reasoning": which sentences matter, and what follows from them;
"assumptions": what is taken for granted, each with "id" (a1, a2 and so on) and "claim"; often empty;
"steps": each with "id" (s1, s2 and so on), "claim" and "because": the numbers of sentences, the ids of earlier steps \
and of assumptions; it may have a "confidence" from 0 to 1;
"objections": each with "id" (o1 and so on), "claim", "because", and "against": the id of a step, or c for the \
conclusion; often empty;
"conclusion": its "claim", which states the answer as a sentence, and its "because";
"answer": the answer alone, as short as it can be{form}.

An example with other content, over these sentences: [1] The red boat left at noon. [2] Whatever leaves at noon is \
back by dusk. [3] The harbour book has the red boat back by dusk.
{example}"""

EXAMPLE = (
    '{"reasoning":"[1] and [2] together give the return; [3] says the same by itself.","assumptions":[],'
    '"steps":[{"id":"s1","claim":"The red boat left at noon.","because":[1]},'
    '{"id":"s2","claim":"The red boat was back by dusk.","because":["s1",2]},'
    '{"id":"s3","claim":"The red boat was back by dusk.","because":[3]}],"objections":[],'
    '"conclusion":{"claim":"The red boat was back by dusk.","because":["s2"]},"answer":"by dusk"}'
)

TESTED_CLAIM = """Question: is this claim true? Build the best argument that can be made, for it or against it. The \
conclusion states the claim, or its denial.
{claim}"""


def graph_messages(question: Question, shown: Sequence[Sentence], *, k: int, claim: str = "") -> tuple[Message, ...]:
    """Return the prompt of one run; `shown` may be a part of the sentences, `question` has all of its documents."""
    documents = bool(question.documents)
    told = (
        FROM_DOCUMENTS.format(documents=_fenced(question, shown))
        if documents
        else FROM_THE_QUESTION.format(sentences=shown_with_numbers(shown))
    )
    task = TESTED_CLAIM.format(claim=fenced("Claim:", claim)) if claim else f"Question: {question.text}"
    form = "true or false" if claim else question.form
    asked = STEPS.format(
        task=task,
        every_claim=EVERY_CLAIM[documents],
        k=k,
        unsettled=UNSETTLED if documents else "",
        form=f", as {form}" if form else "",
        example=EXAMPLE,
    )
    return (Message("system", told), Message("user", asked))


def _fenced(question: Question, shown: Sequence[Sentence]) -> str:
    """The sentences that are shown, each document's between its own fences, under the numbers of the whole."""
    blocks = []
    for place, sentences in groupby(shown, key=lambda sentence: sentence.document):
        name = question.documents[place].name if place < len(question.documents) else str(place + 1)
        blocks.append(fenced(f"Document: {name}", shown_with_numbers(tuple(sentences))))
    return "\n\n".join(blocks)
