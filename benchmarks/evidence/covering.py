"""How many sentences of a plain reply over documents are covered by them (ruling I12)."""

import re
from dataclasses import dataclass

from moot.core.question import Question
from moot.methods.citing import cited
from moot.methods.runs import Run
from moot.methods.sameness import names_in, stated_numbers

_SENTENCE = re.compile(r"s\d+")
"""The ids that citing gives to sentences of a reply; other nodes are sentences of documents, numbers, the answer."""


@dataclass(frozen=True, slots=True)
class Cover:
    """The sentences of one reply that argue, and what was found of them."""

    sentences: int
    """Those before the answer that say something of their own: what only repeats question and answer is none."""
    naming: int
    """Those that name an entity or a number."""
    covered: int
    """Those of the naming ones that sentences of the documents cover."""
    has_line: bool
    """Whether its reasons are a line of support to its answer."""


def cover_of(run: Run, question: Question) -> Cover | None:
    """Return what is covered of a plain run; None without documents, in another form, and where it has no answer."""
    if run.form != "plain" or not question.documents or not run.answer or run.abstains:
        return None
    written = cited(run.id, run.text, run.answer, question, question.documents)
    argued = [node for node in written.nodes if _SENTENCE.fullmatch(node["id"].rpartition(":")[2])]
    naming = [node for node in argued if names_in(node["claim"]) or stated_numbers(node["claim"])]
    covered = sum(node["type"] == "inference" and node["id"] not in written.refuted for node in naming)
    return Cover(len(argued), len(naming), covered, not written.no_line)
