"""The conclusion of a run, and whether what it names holds it up (ruling I12)."""

import re
from collections.abc import Iterable

from moot.core.question import Question
from moot.methods.sameness import content_words, names_in, stated_numbers
from moot.methods.sameness.covering import ENOUGH

LONGEST_ASKED, LONGEST_ANSWER = 600, 600
"""Characters of the question and of the answer in a conclusion."""

_ASKING = re.compile(r"[^.!?\u3002\uff01\uff1f\n]*[?\uff1f\u061f]|[^.!?\u3002\uff01\uff1f\n]+")
# Thai, Lao, Burmese, Khmer, Japanese and Chinese.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_JUDGEMENT = re.compile(r"\W*(?:yes|no|true|false)\W*(?:$|[,;:.]\s)", re.IGNORECASE)


def conclusion_claim(question: Question, answer: str) -> str:
    """Return a run's conclusion in words: what was asked, and the answer to it."""
    asked = asked_sentence(question.text)[:LONGEST_ASKED]
    return f"The answer to “{asked}” is {' '.join(answer.split())[:LONGEST_ANSWER].removesuffix('.')}."


def asked_sentence(text: str) -> str:
    """Return the last sentence of a question that asks; where none does, its last."""
    flat = [" ".join(part.split()) for part in _ASKING.findall(text)]
    parts = [part for part in flat if part]
    asking = [part for part in parts if part[-1] in "?\uff1f\u061f"]
    return (asking or parts or [" ".join(text.split())])[-1]


def is_judgement(answer: str) -> bool:
    """Return whether an answer is yes or no, true or false, which no sentence has to say."""
    return _JUDGEMENT.match(answer) is not None


def own_words(answer: str, question: str) -> frozenset[str]:
    """Return the words by which an answer differs from the question; all of its words where none does."""
    words = content_words(answer)
    return words - content_words(question) or words


def has_answer(sentence: str, answer: str, question: str) -> bool:
    """Return whether a sentence has the answer's own words: its names and numbers all, of the others most.

    Where the script puts no space between words, or none is left, the answer stands there as it is written.
    """
    own, there = own_words(answer, question), content_words(sentence)
    if not own or _UNSPACED.search(answer):
        return bool(answer.strip(" .")) and " ".join(answer.casefold().split()).strip(" .") in " ".join(
            sentence.casefold().split()
        )
    named = {word for name in names_in(answer) for word in content_words(name)} & own
    exact = named | (stated_numbers(answer) & own)
    return exact <= there and len(own & there) >= ENOUGH * len(own)


def is_restated(sentence: str, answer: str, question: str) -> bool:
    """Return whether a sentence only repeats the question and the answer: the conclusion, and no reason for it."""
    words, own = content_words(sentence), own_words(answer, question)
    return bool(words) and own <= words and words <= content_words(question) | content_words(answer) | _CONCLUDING


def any_has_answer(sentences: Iterable[str], answer: str, question: str) -> bool:
    """Return whether one of the sentences has the answer's own words."""
    return any(has_answer(sentence, answer, question) for sentence in sentences)


_CONCLUDING = content_words("therefore thus hence so answer correct final conclude conclusion based information given")
