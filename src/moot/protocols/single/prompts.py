"""The words in which `single` asks."""

from moot.core.calls import Message
from moot.core.question import Question
from moot.methods.fencing import FENCE_RULE, fenced_documents

SYSTEM = """You answer one question.
{ground}
Think first, briefly; then give the answer itself, without repeating the question.
Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reasoning": a string, the few sentences that lead to the answer;
"answer": a string, the answer alone{form};
"confidence": a number from 0 to 1, how likely the answer is to be right."""

FROM_DOCUMENTS = f"""Use the documents, and only them. If they do not settle the question, answer that they do not say.
{FENCE_RULE}"""

FROM_KNOWLEDGE = "Use what you know. If you do not know, say so in the answer and give a low confidence."


def answer_messages(question: Question) -> tuple[Message, ...]:
    """Return the prompt: documents first, so that a prefix cache can serve them, the question last."""
    ground = FROM_DOCUMENTS if question.documents else FROM_KNOWLEDGE
    form = f", as {question.form}" if question.form else ""
    system = Message("system", SYSTEM.format(ground=ground, form=form))
    documents = f"{fenced_documents(question.documents)}\n\n" if question.documents else ""
    return (system, Message("user", f"{documents}Question: {question.text}"))
