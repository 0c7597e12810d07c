"""A council in words: three stages, what each member sends, and what was counted between them."""

from collections.abc import Mapping
from typing import Any

from moot.protocol import Telling, Told
from moot_council.wording import count_text, listing

STAGES = {
    "answer": "stage 1 of 3: each answers alone",
    "ranking": "stage 2 of 3: each ranks all answers",
    "chairman": "stage 3 of 3: the chairman writes",
}


def phase_words(step: str, settings: Mapping[str, Any]) -> str:
    """Return the stage that a step belongs to."""
    return STAGES[step.partition("/")[0]]


def reply_words(step: str, reply: Mapping[str, Any]) -> Told:
    """Return what a member sent: the ranking or the answer in one line, then all of it, reasons first."""
    if "order" in reply:
        order = " > ".join(reply["order"])
        return Told(f"ranks {order}", rows_of(("", reply["reason"]), ("order", order)))
    follows = ("follows", reply.get("follows", ""))
    return Told(reply["answer"], rows_of(("", reply["reasons"]), ("answer", reply["answer"]), follows))


def note_words(name: str, data: Any) -> str:
    """Return what was found between two stages."""
    if name == "answers":
        return count_text(len(data), "different answer")
    if name == "ranking":
        first = [line["entry"] for line in data["ranking"] if line["place"] == 1]
        unusable = [f"{paper['seat']}: {paper['unusable']}" for paper in data["rankers"] if "unusable" in paper]
        lost = f"; rankings that cannot be used: {'; '.join(unusable)}" if unusable else ""
        return f"ranked first: {listing(first) or 'none'}{lost}"
    return ""


def rows_of(*rows: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the rows that say something."""
    return tuple(row for row in rows if row[1])


COUNCIL_TELLING = Telling(phase_words, reply_words, note_words)
