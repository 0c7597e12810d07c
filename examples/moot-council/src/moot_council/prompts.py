"""What members read. Shared text comes first and what varies last, so that a server may read it once for all.

What a document says or a member wrote stands between fences. Peers stand under letters, never under names.
"""

from collections.abc import Sequence

from moot.protocol import FENCE_RULE, Message, Question, fenced, fenced_documents
from moot_council.rules import Entry, Standing, labels
from moot_council.wording import count_text

ANSWER = """You are a member of a council. Every member answers the same question alone: you see nobody's answer, and
nobody sees yours before all are in. Where documents are given, answer from them and from nothing else. If you do not
know, say so in the answer rather than guess.

Send a JSON object with two fields. The field reasons holds a few sentences on why. The field answer holds the answer
itself, complete and in the form that is asked for."""

RANKING = """You are a member of a council. Its members have answered one question, each alone. You are shown the
answers under letters; who wrote which is not told, and the order they stand in means nothing.

Put them in order, the best first. What counts is whether an answer is right; then whether its reasons carry it; then
whether it is complete and clear. Length, tone and confidence count for nothing. Check facts and sums yourself. Every
letter appears once, and no two share a place.

Send a JSON object with two fields. The field reason holds one or two sentences on what decided. The field order holds
the list of letters, from the best to the worst."""

CHAIRMAN = """You chair a council. Its members have answered one question, each alone, and have then ranked the answers
without knowing who wrote which. You are shown the answers with their places in the common ranking.

Write the council's answer. Begin from the answer in first place, correct it where another is plainly right, and add
what the others have and it lacks. The ranking is a judgement of many and may be wrong: if you depart from it, let the
reasons say why. The answer speaks to whoever asked: it mentions no letters, no ranking and no council.

Send a JSON object with three fields. The field reasons holds a few sentences on what the answer rests on. The field
follows holds the letter of the answer that yours follows, or the word none. The field answer holds the answer itself,
complete and in the form that is asked for."""

HEADING = "The common ranking, by mean rank; 1 is the best:"
UNRANKED = "no place: no ranking of it could be used"


def answer_messages(question: Question) -> tuple[Message, ...]:
    """Return the prompt of the first stage: the same for every member."""
    return _messages(ANSWER, question, "Give your reasons, then your answer.")


def ranking_messages(question: Question, shown: Sequence[Entry]) -> tuple[Message, ...]:
    """Return the prompt of the second stage: the answers under letters, in the order that this ranker sees."""
    letters = labels(len(shown))
    return _messages(RANKING, question, *_answers(letters, shown), f"Rank these answers: {', '.join(letters)}.")


def chairman_messages(
    question: Question, entries: Sequence[Entry], standings: Sequence[Standing]
) -> tuple[Message, ...]:
    """Return the prompt of the third stage: the answers, best first, with what the rankings came to."""
    letters = labels(len(entries))
    table = {standing.entry.name: _place(standing) for standing in standings}
    places = [table.get(entry.name, UNRANKED) for entry in entries]
    ranking = "\n".join(f"Answer {letter}: {place}" for letter, place in zip(letters, places, strict=True))
    return _messages(CHAIRMAN, question, *_answers(letters, entries), f"{HEADING}\n{ranking}", "Write the answer.")


def _messages(task: str, question: Question, *parts: str) -> tuple[Message, ...]:
    documents = [fenced_documents(question.documents)] if question.documents else []
    form = [f"Form of the answer: {question.form}"] if question.form else []
    user = "\n\n".join([*documents, f"Question: {question.text}", *form, *parts])
    return (Message("system", f"{task}\n\n{FENCE_RULE}"), Message("user", user))


def _answers(letters: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """Return each answer under its letter; its reasons stand between fences of their own, or members copy the two."""
    parts: list[str] = []
    for letter, entry in zip(letters, entries, strict=True):
        parts.append(fenced(f"Answer {letter}", entry.answer))
        if entry.reasons:
            parts.append(fenced(f"Reasons given for answer {letter}", entry.reasons))
    return parts


def _place(standing: Standing) -> str:
    rankings = count_text(standing.ballots, "ranking")
    return f"place {standing.place}, mean rank {float(standing.mean_rank):.2f} over {rankings}"
