"""What the tellings of several protocols share: the parts of a step's name, rows of a reply, notes by name."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from moot.core.telling import Rows, Told, plain_note, reply_rows

NoteWords = Mapping[str, Callable[[Any], str]]
"""The words for a note, by its name."""


def step_parts(step: str) -> list[str]:
    """Return the parts of a step's name, without the number of a sample and without the agent who was asked."""
    return step.partition("#")[0].partition("@")[0].split("/")


def text_rows(name: str, *texts: Any) -> Rows:
    """Return a row under one name for each text that says something."""
    return tuple((name, str(text)) for text in texts if text not in ("", None))


def other_rows(reply: Mapping[str, Any], *told: str) -> Rows:
    """Return what a reply says beside the fields that are told, so that nothing is lost; empty fields say nothing."""
    rest = {name: value for name, value in reply.items() if name not in told and value not in ("", None, [], (), {})}
    return tuple(reply_rows(rest))


def with_confidence(words: str, confidence: float | None) -> str:
    """Return words with how sure their author is: `water is heavier (0.9)`."""
    return words if confidence is None else f"{words} ({confidence:g})"


def first_line(text: str) -> str:
    """Return the first line of a text that has words."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def told_answer(reply: Mapping[str, Any], reasons: str) -> Told:
    """Return an answer with its confidence, where one was given, after the reasons that lead to it."""
    rows = (*text_rows("", reply[reasons]), *text_rows("answer", reply["answer"]))
    gist = with_confidence(reply["answer"], reply.get("confidence"))
    return Told(gist, (*rows, *other_rows(reply, reasons, "answer")))


def words_of_notes(words: NoteWords) -> Callable[[str, Any], str]:
    """Return what words a protocol's notes: `shown` is every protocol's, and one that is not known keeps its values."""
    known = {"shown": shown_words, **words}

    def note(name: str, data: Any) -> str:
        return known[name](data) if name in known else plain_note(name, data)

    return note


def unsaid(data: Any) -> str:
    """Return no words, for a note that is of use with `--full` alone."""
    return ""


def shown_words(data: Mapping[str, Any]) -> str:
    """Return which paragraphs of the documents members were shown."""
    paragraphs = data["paragraphs"]
    return f"{len(paragraphs)} of {data['of']} paragraphs are shown: {'; '.join(paragraphs)}"


def quoted(texts: Iterable[str]) -> str:
    """Return texts as they were written, between quotation marks, with commas between them."""
    return ", ".join(f"“{text}”" for text in texts)


def first_few(items: Iterable[str], most: int = 3) -> str:
    """Return the first items with semicolons between them, and how many more there are."""
    listed = list(items)
    more = [f"and {len(listed) - most} more"] if len(listed) > most else []
    return "; ".join([*listed[:most], *more])
