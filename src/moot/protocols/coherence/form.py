"""The form that a prompt demands, as far as a program can read it, and whether a response has it (ruling K6).

It reads English. What it does not recognise it leaves alone: the judge sees the prompt too.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
COUNT = rf"(?P<count>{'|'.join(NUMBERS)}|\d{{1,2}})"
UNITS = {
    "part": "numbered",
    "section": "numbered",
    "step": "numbered",
    "point": "listed",
    "bullet": "listed",
    "item": "listed",
    "paragraph": "paragraph",
}
WANTED = r"(?:\b(?:in|with|into|as|using|use|give|list|write|provide|name|exactly)\s+)"
FILLER = r"(?:(?:me|exactly|your|answer|in|the|just|only)\s+){0,4}"
COUNTED = re.compile(
    rf"{WANTED}{FILLER}{COUNT}\s+(?P<adjectives>(?:[a-z-]+\s+){{0,2}}?)"
    rf"(?P<unit>part|section|step|point|bullet|item|paragraph)s?\b",
    re.IGNORECASE,
)
TABLE = re.compile(
    r"\b(?:as|in|into|with|using|make|give|draw|produce|include|return|write|create)\s+(?:me\s+)?"
    r"(?:an?\s+)?(?:[a-z-]+\s+){0,2}?table\b(?!\s+(?:of\s+elements|tennis))",
    re.IGNORECASE,
)
LETTER = re.compile(r"\b(?:write|draft|compose|as)\s+(?:me\s+)?an?\s+(?:[a-z-]+\s+){0,3}?letter\b", re.IGNORECASE)
JSON_FORM = re.compile(r"\b(?:as|in|valid)\s+(?:valid\s+)?json\b", re.IGNORECASE)
WORDS = re.compile(
    r"\b(?:at most|no more than|under|fewer than|less than|within|up to|maximum of|max)\s+(\d{1,5})\s+words\b"
    r"|\bin\s+(\d{1,5})\s+words\s+or\s+(?:less|fewer)\b",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"\b(?:parts|sections|headings|chapters|(?:this|following) (?:order|structure|format))\b[^:\n.]{0,60}:"
    r"[ \t]*(?P<inline>[^\n]*)",
    re.IGNORECASE,
)
LISTED = re.compile(r"\s*(?:\(?(?:\d{1,2}|[a-z])[.)]|[-*•])\s+(?P<title>\S.*)", re.IGNORECASE)
NUMBERED_LINE = re.compile(r"\s*(?:#{1,6}\s*)?(?:\*\*|__)?(?:part|section|step)?\s*\(?(\d{1,2})[.):\s]", re.IGNORECASE)
BULLET_LINE = re.compile(r"(?:[-*•]|\(?\d{1,2}[.)])\s+\S")
TABLE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*")
GREETING = re.compile(r"\s*(?:dear|to whom|hello|hi|good (?:morning|day|evening))\b", re.IGNORECASE)
CLOSING = re.compile(
    r"\b(?:sincerely|regards|yours|faithfully|respectfully|best wishes|warmly|with thanks|love)\b", re.IGNORECASE
)
LONGEST_READ = 20_000


@dataclass(frozen=True, slots=True)
class Form:
    """What a prompt demands of the shape of its answer."""

    parts: tuple[str, ...] = ()
    """Parts by name, in the order wanted."""
    count: int | None = None
    unit: str = ""
    """What is counted: `numbered` parts, `listed` points, or a `paragraph`."""
    table: bool = False
    letter: bool = False
    json: bool = False
    words: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the prompt leaves the organisation open, as far as a program sees; a word limit organises nothing."""
        return not (self.parts or self.count or self.table or self.letter or self.json)


def demanded_form(prompt: str) -> Form:
    """Return the form that a prompt demands."""
    prompt = prompt[:LONGEST_READ]
    parts = _named_parts(prompt)
    counted = COUNTED.search(prompt)
    unit = counted["unit"].lower() if counted else ""
    numbered = counted is not None and "numbered" in counted["adjectives"].lower()
    words = WORDS.search(prompt)
    return Form(
        parts=parts,
        count=_number(counted["count"]) if counted else None,
        unit="numbered" if numbered else UNITS.get(unit, ""),
        table=bool(TABLE.search(prompt)),
        letter=bool(LETTER.search(prompt)),
        json=bool(JSON_FORM.search(prompt)),
        words=int(words[1] or words[2]) if words else None,
    )


def form_failures(form: Form, response: str) -> Iterator[str]:
    """Yield what of the demanded form a response lacks."""
    lines = response.splitlines()
    yield from _missing_parts(form.parts, lines)
    if form.count and (found := _counted(form.unit, lines)) != form.count:
        what = {"numbered": "numbered parts", "listed": "listed points", "paragraph": "paragraphs"}[form.unit]
        yield f"the prompt asks for {form.count} {what} and the response has {found}"
    if form.table and not any(TABLE_RULE.fullmatch(line) for line in lines):
        yield "the prompt asks for a table and the response has none"
    if form.letter:
        yield from _letter_failures(lines)
    if form.json and not _is_json(response):
        yield "the prompt asks for JSON and the response is not JSON"
    if form.words and (count := len(response.split())) > form.words:
        yield f"the prompt allows {form.words} words and the response has {count}"


def _named_parts(prompt: str) -> tuple[str, ...]:
    for found in NAMED.finditer(prompt):
        inline = found["inline"].strip()
        titles = _listed_after(prompt[found.end() :]) if not inline else _split(inline)
        if len(titles) >= 2:
            return tuple(titles)
    return ()


def _listed_after(rest: str) -> list[str]:
    """Return the titles of the list that begins on the next line."""
    titles: list[str] = []
    for line in rest.splitlines():
        if found := LISTED.fullmatch(line):
            titles.append(_title(found["title"]))
        elif line.strip():
            break
    return titles


def _split(inline: str) -> list[str]:
    """Return the titles of a list on one line, such as `Causes, Effects and Remedies.`"""
    inline = re.split(r"(?<=[\w)\"'”])\.(?:\s|$)", inline, maxsplit=1)[0]
    marked = re.split(r"\s*\(?(?:\d{1,2}|[a-z])\)\s+|\s*\b\d{1,2}\.\s+", inline)
    pieces = marked[1:] if len(marked) > 2 else re.split(r"\s*[,;]\s*(?:and\s+|then\s+)?|\s+(?:and|then)\s+", inline)
    titles = [_title(piece) for piece in pieces if piece.strip()]
    return titles if all(len(title.split()) <= 6 for title in titles) else []


def _title(text: str) -> str:
    return text.strip(" \t\"'“”\u2018\u2019*_`.,;:").removeprefix("and ").strip()


def _number(word: str) -> int:
    return NUMBERS.get(word.lower()) or int(word)


def _missing_parts(parts: tuple[str, ...], lines: list[str]) -> Iterator[str]:
    """Yield the parts that do not begin a line, or that come before one they should follow."""
    at = 0
    for part in parts:
        places = [number for number, line in enumerate(lines) if _begins_with(line, part)]
        following = next((place for place in places if place >= at), None)
        if following is not None:
            at = following + 1
        elif places:
            yield f"the part {part!r} is not in the order that the prompt asks for"
        else:
            yield f"the part {part!r} that the prompt asks for is missing"


def _begins_with(line: str, part: str) -> bool:
    bare = re.sub(r"^[\s#>*_\-•|]*(?:(?:part|section|step)?\s*\(?\d{1,2}[.):]\s*)?[\s*_]*", "", line.casefold())
    return bare.startswith(part.casefold())


def _counted(unit: str, lines: list[str]) -> int:
    if unit == "paragraph":
        return len([block for block in "\n".join(lines).split("\n\n") if block.strip()])
    if unit == "listed":
        return sum(bool(BULLET_LINE.match(line)) for line in lines)
    expected = 1
    for line in lines:
        found = NUMBERED_LINE.match(line)
        if found and int(found[1]) == expected:
            expected += 1
    return expected - 1


def _letter_failures(lines: list[str]) -> Iterator[str]:
    said = [line for line in lines if line.strip()]
    if not any(GREETING.match(line) for line in said[:6]):
        yield "the prompt asks for a letter and the response greets nobody"
    if not any(CLOSING.search(line) for line in said[-4:]):
        yield "the prompt asks for a letter and the response has no closing"


def _is_json(response: str) -> bool:
    text = re.sub(r"^```(?:json)?\s*|\s*```$", "", response.strip())
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
