"""Positions that deny what they rely on to be stated (spiral 5.1 step 3, levels 5 to 7; rulings S5, S6).

An axiom of these levels may list denials: short templates such as `no statement/claim is ever? true`, where `/` parts
words of which one stands there and `?` marks a word that may be left out. A position denies the axiom if one of its
clauses is such a template as a whole. Words in quotation marks are mentioned and not used; a question, a supposition
or the report of what others hold asserts nothing. So "if no statement is true, …", "Gorgias says that no statement is
true" and "no statement is true of all numbers" deny nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SELF_REFERENTIAL = frozenset({5, 6, 7})
"""The levels whose subject a position itself is an instance of."""

LONGEST_POSITION = 20_000
"""Characters of a position that are read."""

_CONTRACTIONS = (
    (re.compile(r"\bcan't\b|\bcan not\b"), "cannot"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(it|that|there|what)'s\b"), r"\1 is"),
    (re.compile(r"\b(we|they|you)'re\b"), r"\1 are"),
)
# A quotation is at most so long, else a text full of opening marks takes time with the square of its length.
_QUOTED = re.compile(
    r'"[^"]{0,400}"|“[^”]{0,400}”|«[^»]{0,400}»|„[^“”]{0,400}[“”]|`[^`]{0,400}`|'
    r"(?<!\w)['\u2018](?=\w)[^\n]{0,400}?['\u2019](?!\w)"
)
_SPACES = re.compile(r"[^\S\n]+")
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]?")
_JOINT = re.compile(r",? (?:and|but|so|because|since|therefore|hence|thus|which) ")
_GROUND = re.compile(r"^ ?(?:because|since) ([^,]*),")
_WORD = re.compile(r"[^\W_]+")

_QUOTE_MARK = " quotedwords "
"""What a quotation leaves behind, so that the words around it do not close up."""

_FILLERS = frozenset(
    ["really", "simply", "actually", "absolutely", "literally", "ultimately", "truly", "whatsoever", "just", "indeed"]
)

_NOT_ASSERTED = frozenset(
    [
        "if",
        "unless",
        "whether",
        "suppose",
        "supposing",
        "assume",
        "assuming",
        "imagine",
        "would",
        "were",
        "according",
        "says",
        "said",
        "claims",
        "claimed",
        "holds",
        "held",
        "argues",
        "argued",
        "thinks",
        "thought",
        "believes",
        "believed",
        "absurd",
        "contradicts",
        "contradictory",
        "contradiction",
        "paradox",
        "paradoxical",
    ]
)

_OPENERS: tuple[tuple[str, ...], ...] = tuple(
    tuple(opener.split())
    for opener in (
        "and",
        "but",
        "so",
        "because",
        "since",
        "therefore",
        "hence",
        "thus",
        "that",
        "clearly",
        "obviously",
        "of course",
        "in fact",
        "in truth",
        "in the end",
        "yes",
        "no",
        "i think",
        "i believe",
        "i hold",
        "i say",
        "i claim",
        "i maintain",
        "i conclude",
        "we conclude",
        "it is true",
        "it is clear",
        "it is obvious",
        "it is a fact",
        "the fact is",
        "the truth is",
        "the answer is",
        "answer",
        "my answer",
        "my answer is",
        "position",
        "my position",
        "my position is",
        "my view is",
    )
)


@dataclass(frozen=True, slots=True)
class DenialTemplate:
    """A template of words, each a set of alternatives and whether it may be left out."""

    places: tuple[tuple[frozenset[str], bool], ...]

    @classmethod
    def parse(cls, text: str) -> "DenialTemplate":
        """Return the template that a text writes.

        Raises:
            ValueError: it has fewer than two words, or something that is no word.
        """
        places = tuple(_place(part) for part in text.split())
        if sum(not optional for _, optional in places) < 2:
            raise ValueError(f"the denial {text!r} needs two words or more that may not be left out")
        return cls(places)

    def is_said_by(self, clause: Sequence[str]) -> bool:
        """Tell whether the words of a clause are this template and nothing else."""
        ends = {0}
        for alternatives, optional in self.places:
            moved = {end + 1 for end in ends if end < len(clause) and clause[end] in alternatives}
            ends = moved | (ends if optional else set())
        return len(clause) in ends


@dataclass(frozen=True, slots=True)
class Denial:
    """A template that a position says, and the clause that says it."""

    template: str
    clause: str


def asserted_clauses(position: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each clause that a position asserts outright, and again without what opens it."""
    text = _SPACES.sub(" ", position[:LONGEST_POSITION].casefold())
    text = _QUOTED.sub(_QUOTE_MARK, text).replace("\u2019", "'")
    for pattern, written_out in _CONTRACTIONS:
        text = pattern.sub(written_out, text)
    clauses: list[tuple[str, ...]] = []
    for sentence in _SENTENCE.findall(text):
        if not sentence.endswith("?"):
            clauses += [words for part in _outright(sentence) for words in _readings(part)]
    return tuple(dict.fromkeys(clauses))


def denial_in(position: str, denials: Iterable[str]) -> Denial | None:
    """Return the first denial that a position asserts, or nothing."""
    clauses = asserted_clauses(position)
    for denial in denials:
        template = DenialTemplate.parse(denial)
        for clause in clauses:
            if template.is_said_by(clause):
                return Denial(denial, " ".join(clause))
    return None


def _place(part: str) -> tuple[frozenset[str], bool]:
    optional = part.endswith("?")
    alternatives = [word.casefold().replace("'s", "s") for word in part.removesuffix("?").split("/")]
    wrong = [word for word in alternatives if not _WORD.fullmatch(word)]
    if wrong:
        raise ValueError(f"{part!r} in a denial is no word, nor words parted by /")
    return frozenset(alternatives), optional


def _outright(sentence: str) -> list[str]:
    """The parts of a sentence of which no other part says that they are supposed or reported."""
    parts = _JOINT.split(_GROUND.sub(r"\1 and ", sentence))
    marked = [bool(_NOT_ASSERTED & set(_WORD.findall(part))) for part in parts]
    return [part for part, mark in zip(parts, marked, strict=True) if sum(marked) == mark]


def _readings(part: str) -> Iterable[tuple[str, ...]]:
    """The words as they stand, and without each opener that comes off in turn."""
    words = tuple(word for word in _WORD.findall(part.replace("'s", "s").replace("'", "")) if word not in _FILLERS)
    words = words[:-2] if words[-2:] == ("at", "all") else words
    while words:
        yield words
        opener = next((opener for opener in _OPENERS if words[: len(opener)] == opener), None)
        if opener is None:
            return
        words = words[len(opener) :]
