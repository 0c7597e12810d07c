"""Whether a claim that is said to be given in a document really is: decided by the program (ruling I5).

The quote must be found in the document, to the letter or nearly so, with the same numbers and the same negations; and
every number and every proper name of the claim must occur in that document. That much can be computed; whether the
quote means the claim cannot, and is left to verification.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from moot.argument.normal_form import normal_form
from moot.core.question import Document
from moot.methods.sameness import compared
from moot.methods.sameness.covering import numbers, proper_names
from moot.methods.search import passages_of

FLOOR = 90.0
"""Of 100: how well a passage must match a quote that is not there to the letter."""

SHORTEST_QUOTE = 3
"""Words. Fewer than these are found anywhere."""

LONGEST_INEXACT_QUOTE = 1_000
"""Characters. A longer quote must be there to the letter: aligning it would take minutes."""

_COUNTING = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|billion|half|once|twice|first|second|third|fourth|fifth|last)\b"
)

_NUMBERED = re.compile(r"(?:document|doc)?\s*#?(\d+)\b(.*)")
_WORD = re.compile(r"[^\W_][\w'\u2019-]*")


@dataclass(frozen=True, slots=True)
class Grounding:
    """Whether a given holds, in which document, and if not why not."""

    document: str | None
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.problem


def grounding(claim: str, document: str, quote: str, documents: Sequence[Document]) -> Grounding:
    """Return whether the claim is given in the document that it names, by the quote that it gives.

    A claim without a quote of its own is taken to quote itself: it may repeat the document word by word.
    """
    is_own = len(_WORD.findall(quote)) < SHORTEST_QUOTE
    quote = claim if is_own else quote
    named = named_document(document, documents)
    if named is None and (beyond := _NUMBERED.fullmatch(_folded(document))) and not beyond[2]:
        return Grounding(None, f"there is no document {beyond[1][:6]}")
    candidates = [named] if named else documents
    found = next((item for item in candidates if _is_quoted(quote, item.text, to_the_letter=is_own)), None)
    if found is None:
        where = f"in {named.name!r}" if named else "in any document"
        return Grounding(named.name if named else None, f"the quote is not found {where}")
    if compared(claim, quote).outcome == "opposed":
        return Grounding(found.name, "the quoted words say the opposite")
    said = numbers(found.text)
    if missing := sorted(numbers(claim) - said - {number.lstrip("-") for number in said}):
        return Grounding(found.name, f"{found.name!r} does not have the number {missing[0]}")
    words = {_bare(word) for word in _WORD.findall(found.text)}
    if absent := [name for name in proper_names(claim) if _bare(name) not in words]:
        return Grounding(found.name, f"{found.name!r} does not have the name {absent[0]}")
    return Grounding(found.name)


@dataclass(frozen=True, slots=True)
class Located:
    """The passages that a citation points to, of one document or of all; or why it points to none."""

    document: str
    passages: tuple[str, ...]
    problem: str = ""


def located(document: str, quote: str, documents: Sequence[Document]) -> Located:
    """Return what a citation points to: the passages with its quote, or all of the document where it quotes nothing."""
    named = named_document(document, documents)
    if named is None and (beyond := _NUMBERED.fullmatch(_folded(document))) and not beyond[2]:
        return Located(document, (), f"there is no document {beyond[1][:6]}")
    quotes = len(_WORD.findall(quote)) >= SHORTEST_QUOTE
    if named is None and not quotes:
        return Located(document, (), "it names no document and quotes nothing")
    for item in [named] if named else documents:
        if quotes and not _is_quoted(quote, item.text, to_the_letter=False):
            continue
        parts = [part.text for part in passages_of([item])]
        holding = [part for part in parts if not quotes or _is_quoted(quote, part, to_the_letter=False)]
        # A quote may run from one passage into the next.
        return Located(item.name, tuple(holding or [quote]))
    where = f"in {named.name!r}" if named else "in any document"
    return Located(named.name if named else document, (), f"the quote is not found {where}")


def named_document(name: str, documents: Sequence[Document]) -> Document | None:
    """Return the document that a model means by its number, its name, or both."""
    wanted = _folded(name)
    for item in documents:
        if wanted and wanted == _folded(item.name):
            return item
    if number := _NUMBERED.fullmatch(wanted):
        place = int(number[1][:6]) - 1
        return documents[place] if 0 <= place < len(documents) else None
    return None


def _is_quoted(quote: str, text: str, *, to_the_letter: bool) -> bool:
    flat_quote, flat_text = _flat(quote), _flat(text)
    # "was 10" is not quoted from "was 100" or "was 10.5", nor "5 degrees" from "-5 degrees".
    if re.search(rf"(?<!\w)(?<!\d[.,])(?<!\s-){re.escape(flat_quote)}(?!\w|[.,]\d)", flat_text):
        return True
    if to_the_letter or len(flat_quote) > min(len(flat_text), LONGEST_INEXACT_QUOTE):
        return False
    aligned = fuzz.partial_ratio_alignment(flat_quote, flat_text, score_cutoff=FLOOR)
    return aligned is not None and _decisive(flat_quote) == _decisive(
        _whole_words(flat_text, aligned.dest_start, aligned.dest_end)
    )


def _decisive(text: str) -> tuple[set[str], set[str], int]:
    """What must be the same in a quote and its passage, however alike the two are: numbers and negations."""
    return numbers(text), set(_COUNTING.findall(text)), normal_form(text).negations


def _whole_words(text: str, start: int, end: int) -> str:
    """The part of a text between two places, with the words that these places cut through."""
    after = text.find(" ", max(end - 1, 0))
    return text[text.rfind(" ", 0, start + 1) + 1 : len(text) if after < 0 else after]


def _flat(text: str) -> str:
    """White space, case, quotation marks and dashes are how a passage is set, not what it says."""
    text = re.sub(r"n['\u2019]t\b", " not", unicodedata.normalize("NFKC", text).casefold())
    text = re.sub(r"[\u2010-\u2015\u2212]", "-", re.sub(r"[\u2018\u2019\u201c\u201d\"'`*_]", "", text))
    return " ".join(text.split()).rstrip(".…")


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _bare(word: str) -> str:
    return re.sub(r"['\u2019]s?$", "", word.casefold())
