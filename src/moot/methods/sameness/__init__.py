"""Whether two texts, two claims or two answers are the same: decided here and nowhere else (rulings G11, G12).

The program decides what letters settle. `compared` says `same` only of texts that are equal in the strict form and
`opposed` only where a guard holds; everything else is undecided, for a judge or for nobody. Three named exceptions
live here too, each under its own word: `merging`, the similarity of the argument graph (interrogation 3.3), `covered`,
a claim found in sentences (I12, D13), and the containment of `same_answer`. Every outcome says who decided.
"""

from moot.methods.sameness.answers import AnswerGroup, AnswerGroups, Setting, answer_groups, same_answer
from moot.methods.sameness.covering import Cover, Rarity, covered, rarity_of, sentences_of
from moot.methods.sameness.merging import Merging, merging
from moot.methods.sameness.texts import UNDECIDED, Decision, compared, is_equal, strict_form

__all__ = [
    "UNDECIDED",
    "AnswerGroup",
    "AnswerGroups",
    "Cover",
    "Decision",
    "Merging",
    "Rarity",
    "Setting",
    "answer_groups",
    "compared",
    "covered",
    "is_equal",
    "merging",
    "rarity_of",
    "same_answer",
    "sentences_of",
    "strict_form",
]
