"""Whether two texts, two claims or two answers are the same: decided here and nowhere else (rulings G11, G12).

The program decides what letters settle. `compared` says `same` only of texts that are equal in the strict form and
`opposed` only where a guard holds; everything else is undecided, for a judge or for nobody. Two named exceptions live
here too, each under its own word: `merging`, the similarity of the argument graph (interrogation 3.3), and the
containment of `same_answer`. Every outcome says who decided.
"""

from moot.methods.sameness.answers import AnswerGroup, AnswerGroups, Setting, answer_groups, same_answer
from moot.methods.sameness.merging import Merging, merging
from moot.methods.sameness.texts import UNDECIDED, Decision, compared, is_equal, strict_form

__all__ = [
    "UNDECIDED",
    "AnswerGroup",
    "AnswerGroups",
    "Decision",
    "Merging",
    "Setting",
    "answer_groups",
    "compared",
    "is_equal",
    "merging",
    "same_answer",
    "strict_form",
]
