"""Whether two texts, two claims or two answers are the same: decided here and nowhere else (rulings G11, G12).

The program decides what letters settle. `compared` says `same` only of texts that are equal in the strict form and
`opposed` only where a guard holds; everything else is undecided, for a judge or for nobody. Three named exceptions
live here too, each under its own word: `merging`, the similarity of the argument graph (interrogation 3.3), `covered`,
a claim found in sentences (I12, D13), and the containment of `same_answer`. Every outcome says who decided.
"""

from moot.methods.sameness.answers import AnswerGroup, AnswerGroups, Setting, answer_groups, same_answer
from moot.methods.sameness.covering import (
    Cover,
    Indexed,
    Rarity,
    content_words,
    covered,
    indexed,
    names_in,
    rarity_of,
    sentences_of,
    stated_numbers,
)
from moot.methods.sameness.merging import Merging, merging
from moot.methods.sameness.texts import UNDECIDED, PairDecision, compared, is_equal, strict_form

__all__ = [
    "UNDECIDED",
    "AnswerGroup",
    "AnswerGroups",
    "Cover",
    "Indexed",
    "Merging",
    "PairDecision",
    "Rarity",
    "Setting",
    "answer_groups",
    "compared",
    "content_words",
    "covered",
    "indexed",
    "is_equal",
    "merging",
    "names_in",
    "rarity_of",
    "same_answer",
    "sentences_of",
    "stated_numbers",
    "strict_form",
]
