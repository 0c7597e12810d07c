"""How a chat is put to a panel as one question."""

from collections.abc import Sequence

INSTRUCTED = "Asked under these instructions:"
SAID_BEFORE = "Said before this question, as its context:"


def with_context(question: str, instructions: Sequence[str], said: Sequence[tuple[str, str]]) -> str:
    """Return a question with the instructions it is asked under and what was said before it; alone, as it is."""
    if not question:
        return ""
    parts = [question]
    if told := [text for text in instructions if text]:
        parts.append("\n".join([INSTRUCTED, *told]))
    if lines := [f"{role}: {text}" for role, text in said if text]:
        parts.append("\n".join([SAID_BEFORE, *lines]))
    return "\n\n".join(parts)
