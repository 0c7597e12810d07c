"""A claim, or a step, put to fresh contexts: the words, the replies and what their majority says (I2, I14).

A verification sees the claim and numbered sentences, and nothing of the graph or of other runs. It names the sentence
that decides, and the program looks whether that sentence can. The second kind of check sees a step and its own
sentences alone: does it follow?
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, WithJsonSchema, model_validator

from moot.core.calls import Message, Reply
from moot.methods.fencing import FENCE_RULE, fenced
from moot.methods.grounding import SHORTEST_QUOTE, Grounds, cover_by
from moot.methods.quoting import quoted_span
from moot.methods.sameness import covered, merging, rarity_of
from moot.methods.sentences import Sentence, shown_with_numbers
from moot.protocols.interrogation.graph.reasons import read_sentences

Verdict = Literal["supported", "refuted", "not_determinable"]
Majority = Literal["supported", "refuted", "not_determinable", "split"]
Says = Literal["say this", "say the contrary", "do not say"]

VERDICTS: dict[str, Verdict] = {
    "say this": "supported",
    "say the contrary": "refuted",
    "do not say": "not_determinable",
}
SAYS: dict[str, Says] = {"supported": "say this", "refuted": "say the contrary", "not_determinable": "do not say"}

LONGEST_REASON = 400
"""Characters that are asked for at most; a longer reason is read and kept whole."""

VERIFYING = f"""You check one claim against numbered sentences. Use only these sentences: what you know from elsewhere \
does not count.
{FENCE_RULE}

{{sentences}}"""

VERIFICATION = """{claim}

What do the sentences say of this claim? If they do not settle it, they do not say.
Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reason": one sentence that points to the sentence which decides, or to what is missing;
"sentence": the number of that sentence; null if there is none;
"says": "say this" if the sentences state the claim or it plainly follows from them, "say the contrary" if they state \
something that cannot be true together with it, "do not say" if they do not settle it. A sentence that is only about \
the same thing says neither."""

FOLLOWING_RULE = f"""You check one step of an argument. You see a claim and the sentences it is drawn from, and \
nothing else.
{FENCE_RULE}

{{sentences}}"""

FOLLOWING = """{claim}

Take the sentences as true. Does the claim follow from these sentences alone?
Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reason": one sentence: how it follows, or what is missing;
"follows": "yes" or "no"."""


def _worded(value: Any) -> Any:
    return "" if value is None else str(value) if isinstance(value, int | float) else value


def _flat(value: Any) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", value.casefold()).split()) if isinstance(value, str) else ""


def _says(value: Any) -> Any:
    """The words that were asked for, also behind "the sentences", and the paper's own (interrogation 4.2)."""
    flat = re.sub(r"^(?:the )?(?:documents?|sentences?|they|it) ", "", _flat(value))
    flat = re.sub(r"^(says|does)\b", lambda found: {"says": "say", "does": "do"}[found[0]], flat)
    return SAYS.get(flat.replace(" ", "_"), flat if flat in VERDICTS else value)


def _yes_or_no(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    first = _flat(value).partition(" ")[0]
    return first if first in ("yes", "no") else value


Reason = Annotated[
    str, BeforeValidator(_worded), WithJsonSchema({"type": "string", "minLength": 1, "maxLength": LONGEST_REASON})
]
NUMBER = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 99_999}, {"type": "null"}]}


class Verification(Reply):
    """What a fresh context makes of one claim, and the sentence that decides (interrogation 4.2, ruling I14)."""

    model_config = ConfigDict(json_schema_extra={"required": ["reason", "sentence", "says"]})

    reason: Reason = ""
    sentence: Annotated[Any, WithJsonSchema(NUMBER)] = None
    says: Annotated[Says, BeforeValidator(_says)]

    @model_validator(mode="before")
    @classmethod
    def _in_the_papers_words(cls, value: Any) -> Any:
        """A `verdict` is read where `says` is missing."""
        if isinstance(value, dict) and value.get("says") is None and value.get("verdict") is not None:
            return {**value, "says": value["verdict"]}
        return value

    @property
    def verdict(self) -> Verdict:
        """The verdict in the paper's words."""
        return VERDICTS[self.says]


class Following(Reply):
    """Whether a step follows from its sentences alone (ruling I14)."""

    model_config = ConfigDict(json_schema_extra={"required": ["reason", "follows"]})

    reason: Reason = ""
    follows: Annotated[Literal["yes", "no"], BeforeValidator(_yes_or_no)]

    @property
    def verdict(self) -> Verdict:
        """The verdict in the paper's words, so that one rule of majority serves both kinds of check."""
        return "supported" if self.follows == "yes" else "refuted"


def verification_messages(claim: str, sentences: Sequence[Sentence]) -> tuple[Message, ...]:
    """Return the prompt of one verification: the claim and the sentences, and nothing else (ruling I2)."""
    return _messages(VERIFYING, VERIFICATION, claim, sentences)


def following_messages(claim: str, sentences: Sequence[Sentence]) -> tuple[Message, ...]:
    """Return the prompt that asks whether a step follows from its own sentences alone (ruling I14)."""
    return _messages(FOLLOWING_RULE, FOLLOWING, claim, sentences)


def majority(verdicts: Sequence[str], asked: int) -> Majority:
    """Return what more than half of the verifications say; all undetermined counts, a split does not (ruling I2)."""
    counts = Counter(verdicts)
    for verdict in ("supported", "refuted"):
        if counts[verdict] > asked // 2:
            return verdict
    return "not_determinable" if asked and counts["not_determinable"] == asked else "split"


def settled(replies: Sequence[Verification], asked: int, claim: str, sentences: Sequence[Sentence]) -> Majority:
    """Return what the verifications of a claim come to; a refutation without its sentence does not count (I14)."""
    return majority([reply.verdict for reply in replies if counts(reply, claim, sentences)], asked)


def followed(replies: Sequence[Following], asked: int) -> Majority:
    """Return whether a step follows, by the same rule of majority (I14)."""
    return majority([reply.verdict for reply in replies], asked)


def counts(reply: Verification, claim: str, sentences: Sequence[Sentence]) -> bool:
    """Return whether a reply counts: a refutation only with a sentence that can speak against the claim (I14)."""
    return reply.verdict != "refuted" or any(can_refute(one, claim) for one in named_by(reply, sentences))


def can_refute(sentence: Sentence, claim: str) -> bool:
    """Return whether a sentence shares a content word with the claim and does not say the same (I14).

    A sentence that a graph would make one with the claim was named because it is about it, not because it denies it.
    """
    return covered(claim, [sentence.said]).share > 0 and merging(sentence.said, claim) is None


def refuting(replies: Sequence[Verification], claim: str, sentences: Sequence[Sentence]) -> Verification | None:
    """Return the first refutation that counts: its reason is why the claim falls, whole."""
    return next((one for one in replies if one.verdict == "refuted" and counts(one, claim, sentences)), None)


def reinstating_sentences(
    replies: Sequence[Verification], claim: str, sentences: Sequence[Sentence], question: str = ""
) -> tuple[Sentence, ...]:
    """Return the sentences that supporting replies name and that cover the claim, each by itself (I12, I14).

    Each is a source of its own for a given that is reinstated.
    """
    grounds = _grounds(sentences, question)
    named = (one for reply in replies if reply.verdict == "supported" for one in named_by(reply, sentences))
    return tuple(one for one in dict.fromkeys(named) if cover_by(claim, [one], grounds).holds)


def named_by(reply: Verification, sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return the sentence that a reply names, by its number or in its words; none where there is none."""
    if by_number := read_sentences(reply.sentence, _grounds(sentences)):
        return by_number
    words = reply.sentence if isinstance(reply.sentence, str) else ""
    if len(words.split()) < SHORTEST_QUOTE:
        return ()
    return next(((one,) for one in sentences if quoted_span(words, one.said)), ())


def _grounds(sentences: Sequence[Sentence], question: str = "") -> Grounds:
    return Grounds((), tuple(sentences), rarity_of(tuple(sentence.said for sentence in sentences)), question)


def _messages(rule: str, asked: str, claim: str, sentences: Sequence[Sentence]) -> tuple[Message, ...]:
    told = rule.format(sentences=fenced("Sentences:", shown_with_numbers(sentences)))
    return (Message("system", told), Message("user", asked.format(claim=fenced("Claim:", claim))))
