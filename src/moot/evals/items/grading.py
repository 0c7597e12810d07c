"""What an answer is worth, by the rule of the set it belongs to. Pure; no model judges anything here.

| kind | sets | rule |
|---|---|---|
| `number` | GSM8K | the number after `####`, else the last number in the text, compared as decimals |
| `span` | HotpotQA, MuSiQue, 2WikiMultihopQA | exact match after SQuAD's normalisation, with the answer or any alias |
| `boolean` | StrategyQA | yes, no, true or false: the first word, else the only one of the two that occurs |
| `label` | SciFact, FEVEROUS | the label or a synonym of it |
| `free` | TruthfulQA | nearer, by token F1, to the nearest correct answer than to the nearest incorrect one |

TruthfulQA's authors use people and tuned models as judges; closeness by token F1 is Moot's stand-in, in the manner of
their metrics by reference (BLEU, ROUGE). An abstention is right only where the item is one that its documents do not
settle, or where the set itself lists it among the correct answers.
"""

import re
from collections import Counter
from collections.abc import Iterable

from moot.evals.items.items import AnswerKind, Grade, Item
from moot.methods.abstaining import ABSTAINING, BARE, is_abstention, squad, words_of

ABSTAINED = "(abstained)"
"""The normal form of every abstention, so that abstaining votes are votes for one thing."""

NOT_ENOUGH = "NOT_ENOUGH_INFO"

_DIGITS = r"[0-9]+(?:(?:,[0-9]{2,3})*,[0-9]{3}(?![0-9]))?(?:\.[0-9]+)?|\.[0-9]+"
_NUMBER = re.compile(rf"((?<![\w)%])[-\u2212])?(?:[$€£]\s?([-\u2212]?))?({_DIGITS})")
_FINAL = re.compile(r"####\s*([-\u2212]?)[$€£]?\s*([-\u2212]?)([0-9.,]*[0-9])")

_YES = frozenset(("yes", "true"))
_NO = frozenset(("no", "false"))
_LABELS = {
    "SUPPORTS": ("supports", "support", "supported", "supporting", "entails", "entailment", "true", "yes", "correct"),
    "REFUTES": (
        *("refutes", "refute", "refuted", "refuting", "contradicts", "contradict", "contradicted", "contradiction"),
        *("false", "no", "incorrect", "not true"),
    ),
    NOT_ENOUGH: ("notenoughinfo", "noinfo", "nei", "neutral", "neither", "not determinable", "not settled"),
}
_LABEL_OF = {word: label for label, words in _LABELS.items() for word in words}
_LABEL_WORD = re.compile(rf"\b({'|'.join(sorted(_LABEL_OF, key=len, reverse=True))})\b")
_DENIED = re.compile(r"\b(?:not|nt|never|doesnt|isnt|cannot)\s+(?:\w+\s+)?(?:support|refute|contradict|entail|false)")


def grade(item: Item, answer: str | None) -> Grade:
    """Return what the answer is worth on this item. No answer is wrong, and is no abstention."""
    if answer is None or not answer.strip():
        return Grade(correct=False, abstained=False, normalised="")
    normal = normalise(item.kind, answer)
    abstained = normal in (ABSTAINED, NOT_ENOUGH)
    if item.abstain:
        return Grade(correct=abstained, abstained=abstained, normalised=normal)
    if abstained and squad(answer) in {squad(known) for known in (item.answer, *item.aliases)}:
        return Grade(correct=True, abstained=False, normalised=squad(answer))
    return Grade(correct=not abstained and _is_right(item, normal), abstained=abstained, normalised=normal)


def normalise(kind: AnswerKind, answer: str) -> str:
    """Return the answer's normal form, by which votes are counted; empty where the kind's rule finds nothing.

    A normal form is its own normal form. Every abstention has the same one.
    """
    if kind == "number":
        return final_number(answer)
    if kind == "boolean":
        return _boolean(answer)
    if kind == "label":
        return _label(answer)
    if is_abstention(answer, free=kind == "free"):
        return ABSTAINED
    return words_of(answer) if kind == "free" else squad(answer)


def final_number(text: str) -> str:
    """Return GSM8K's final number as a plain decimal: after `####`, else the last number; empty if there is none."""
    if final := _FINAL.search(text):
        return _decimal(negative=bool(final[1] or final[2]), digits=final[3])
    if is_abstention(text):
        return ABSTAINED
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return ""
    last = numbers[-1]
    return _decimal(negative=bool(last[1] or last[2]), digits=last[3])


def token_f1(text: str, other: str) -> float:
    """Return the F1 of shared words; 0 where either text has none."""
    left, right = Counter(words_of(text).split()), Counter(words_of(other).split())
    shared = (left & right).total()
    return 2 * shared / (left.total() + right.total()) if shared else 0.0


def _is_right(item: Item, normal: str) -> bool:
    known = (item.answer, *item.aliases)
    if item.kind == "free":
        return _nearest(normal, known) > _nearest(normal, item.wrong)
    if item.kind == "span":
        return normal in {squad(text) for text in known}
    return bool(normal) and normal in {normalise(item.kind, text) for text in known}


def _nearest(text: str, known: Iterable[str]) -> float:
    return max((token_f1(text, other) for other in known), default=0.0)


def _decimal(*, negative: bool, digits: str) -> str:
    whole, _, rest = digits.replace(",", "").partition(".")
    fraction = rest.partition(".")[0].rstrip("0")
    plain = (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")
    return f"-{plain}" if negative and plain != "0" else plain


def _boolean(answer: str) -> str:
    words = squad(answer).split()
    first = words[0] if words else ""
    abstaining = is_abstention(answer)
    # "No, the documents do not say so" is a no; "No information is given" is none.
    told_first = first in _YES | _NO and not (abstaining and ABSTAINING.match(" ".join(words)))
    if abstaining and (not told_first or squad(answer) in BARE):
        return ABSTAINED
    found = {first} if told_first else set(words)
    says_yes, says_no = bool(found & _YES), bool(found & _NO)
    return "" if says_yes == says_no else "yes" if says_yes else "no"


def _label(answer: str) -> str:
    plain = squad(answer)
    if plain in _LABEL_OF:
        return _LABEL_OF[plain]
    if is_abstention(answer):
        return NOT_ENOUGH
    if _DENIED.search(plain):
        return ""
    found = {_LABEL_OF[word] for word in _LABEL_WORD.findall(plain)}
    return found.pop() if len(found) == 1 else ""
