"""Where a quote stands in a text: to the letter, or nearly so with the same numbers and the same negations (I5)."""

import heapq
import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from rapidfuzz import fuzz

from moot.argument.wording.normal_form import normal_form
from moot.methods.sameness.covering import numbers

FLOOR = 90.0
"""Of 100: how well a passage must match a quote that is not there to the letter."""

LONGEST_INEXACT_QUOTE = 1_000
"""Characters. A longer quote must be there to the letter: aligning it would take minutes."""

MOST_COMPARED, LIKELIEST_PARTS = 16_000_000, 8
"""Characters of a quote times those of a text up to which all of the text is compared with it, a third of a second at
worst; in a longer text, so many of its parts are."""

_COUNTING = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|billion|half|once|twice|first|second|third|fourth|fifth|last)\b"
)
_SPACELESS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text, in whole words."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Flat:
    """A text as it is compared, and where each word of it starts, there and in the text itself."""

    text: str
    starts: tuple[int, ...]
    spans: tuple[Span, ...]

    def words(self, start: int, end: int) -> tuple[int, int]:
        """The first and the last word that a part of the flat text touches."""
        return bisect_right(self.starts, start) - 1, bisect_right(self.starts, max(start, end - 1)) - 1

    def whole(self, first: int, last: int) -> str:
        """The flat text from one word to another."""
        end = self.starts[last + 1] - 1 if last + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[first] : end]


def quoted_span(quote: str, text: str, *, to_the_letter: bool = False) -> Span | None:
    """Return where a text has a quote, or nothing."""
    flat, wanted = _flattened(text), _flattened(quote).text.rstrip(".…")
    if not wanted or not flat.spans:
        return None
    # "was 10" is not quoted from "was 100" or "was 10.5", nor "5 degrees" from "-5 degrees".
    exact = re.search(rf"(?<!\w)(?<!\d[.,])(?<!\s-){re.escape(wanted)}(?!\w|[.,]\d)", flat.text)
    if exact:
        return _span(flat, *flat.words(*exact.span()))
    if to_the_letter or len(wanted) > min(len(flat.text), LONGEST_INEXACT_QUOTE):
        return None
    aligned = _aligned(wanted, flat.text)
    if aligned is None:
        return None
    first, last = flat.words(*aligned)
    return _span(flat, first, last) if _decisive(wanted) == _decisive(flat.whole(first, last)) else None


def _aligned(wanted: str, text: str) -> tuple[int, int] | None:
    """Where a text has what is most like a quote; of a long text, its parts that have most of the quote's letters."""
    whole = len(wanted) * len(text) <= MOST_COMPARED
    best, place = FLOOR, None
    for start, end in [(0, len(text))] if whole else _likeliest_parts(wanted, text):
        found = fuzz.partial_ratio_alignment(wanted, text[start:end], score_cutoff=best)
        if found is not None and (place is None or found.score > best):
            best, place = found.score, (start + found.dest_start, start + found.dest_end)
    return place


def _likeliest_parts(wanted: str, text: str) -> list[tuple[int, int]]:
    """The parts, twice as long as the quote, that have most of its runs of three letters, in the order of the text."""
    runs = {wanted[at : at + 3] for at in range(len(wanted) - 2)}
    had = [0, *accumulate(text[at : at + 3] in runs for at in range(len(text)))]
    parts = [(start, min(len(text), start + 2 * len(wanted))) for start in range(0, len(text), len(wanted))]
    return sorted(heapq.nlargest(LIKELIEST_PARTS, parts, key=lambda part: (had[part[1]] - had[part[0]], -part[0])))


def _span(flat: _Flat, first: int, last: int) -> Span:
    return Span(flat.spans[first].start, flat.spans[last].end)


def _decisive(text: str) -> tuple[set[str], set[str], int]:
    """What must be the same in a quote and its passage, however alike the two are: numbers and negations."""
    return numbers(text), set(_COUNTING.findall(text)), normal_form(text).negations


@lru_cache(maxsize=128)
def _flattened(text: str) -> _Flat:
    parts, starts, spans, at = [], [], [], 0
    for found in _SPACELESS.finditer(text):
        if word := _letters(found.group()):
            parts.append(word)
            starts.append(at)
            spans.append(Span(*found.span()))
            at += len(word) + 1
    return _Flat(" ".join(parts), tuple(starts), tuple(spans))


def _letters(word: str) -> str:
    """Case, quotation marks and dashes are how a passage is set, not what it says."""
    word = re.sub(r"n['\u2019]t\b", " not", unicodedata.normalize("NFKC", word).casefold())
    word = re.sub(r"[\u2010-\u2015\u2212]", "-", re.sub(r"[\u2018\u2019\u201c\u201d\"'`*_]", "", word))
    return " ".join(word.split())
