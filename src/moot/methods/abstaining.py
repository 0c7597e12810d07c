"""Whether an answer is that there is no answer: abstaining is one answer among others (rulings G8 and I13)."""

import re
import string

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
BARE = frozenset(
    (
        *("abstain", "abstained", "unknown", "undetermined", "unanswerable", "undeterminable", "na", "n a", "unclear"),
        *("no answer", "no comment", "i have no comment", "not known", "not stated", "not specified", "not mentioned"),
        *("not given", "not provided", "not determinable", "not answerable", "not said", "not settled", "not sure"),
        "what was shown does not say",
        *("not enough info", "notenoughinfo", "noinfo", "nei", "cannot determine", "cannot say", "cannot tell"),
    )
)
_SOURCE = r"(?:documents?|passages?|texts?|context|sources?|articles?|paragraphs?|abstracts?|information)(?: \w+){0,2}?"
_TELL = r"(?:say|state|mention|specify|contain|provide|settle|tell|give|include|indicate|answer|determine|reveal)"
_TOLD = r"(?:said|stated|mentioned|specified|contained|provided|settled|given|included|indicated|answered|determined)"
_NOT = r"(?:do not|does not|did not|dont|doesnt|didnt)"
_IGNORANT = r"\b(?:i|we) (?:do not|dont) know\b"
ABSTAINING = re.compile(
    rf"\b{_SOURCE} {_NOT} (?:\w+ )?{_TELL}\b"
    rf"|\b(?:they|it) {_NOT} (?:say|settle|state|specify)\b"
    rf"|\b(?:cannot|can not|cant|could not|couldnt) be (?:\w+ )?(?:{_TOLD}|known|inferred|established)\b"
    rf"|\b(?:not|nowhere) (?:\w+ )?{_TOLD} (?:in|by|from|anywhere)\b"
    r"|\b(?:not enough|insufficient|no) (?:information|info|data)\b|\b(?:not enough|insufficient) evidence\b"
    r"|\b(?:cannot|can not|cant) (?:tell|say|determine|answer)\b|\bimpossible to (?:say|tell|know|determine)\b"
    rf"|{_IGNORANT}"
)
_IGNORANCE = re.compile(_IGNORANT)
_TURN = re.compile(r"\b(?:but|however|therefore|thus|so|hence|still|yet)\b")


def is_abstention(text: str, *, free: bool = False) -> bool:
    """Return whether the answer is that there is no answer.

    A text that goes on to answer after all ("…, but it must be 5") is none. Of free text only a bare abstention
    counts: "there is no information about it" may be what the question was after.
    """
    plain = squad(text)
    if plain in BARE:
        return True
    matches = list((_IGNORANCE if free else ABSTAINING).finditer(plain))
    return bool(matches) and not _TURN.search(plain, matches[-1].end())


def squad(text: str) -> str:
    """Return SQuAD's normal form: lower case, without punctuation and articles, single spaces.

    Beyond its authors' rule, a curly apostrophe is read as a straight one.
    """
    return " ".join(_ARTICLES.sub(" ", words_of(text)).split())


def words_of(text: str) -> str:
    """Return the text in lower case and without punctuation, its articles kept: to TruthfulQA one `a` can matter."""
    return " ".join(text.replace("\u2019", "'").lower().translate(_NO_PUNCTUATION).split())
