"""What a citation resolves to: a document, a tool's result, a calculation, or nothing (decision 4, ruling D7)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from moot.core.question import Document
from moot.methods.grounding import grounding, named_document
from moot.oracles import consult
from moot.protocols.debate.schemas import Reference

Kind = Literal["citation", "tool_output", "calculation"]

_SUM = re.compile(r"([\d\s.,()+\-*/\u00d7\u00f7]+)=\s*(-?[\d.,]+)\s*")
_ID = re.compile(r"\bE\d{1,4}\b")


@dataclass(frozen=True, slots=True)
class Source:
    """What a reference stands for."""

    kind: Kind
    title: str
    url: str
    gist: str
    verified: bool
    problem: str = ""
    known_as: str = ""
    """The evidence of the ledger that it names, where it names one."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two references one piece of evidence."""
        return self.kind, " ".join(self.title.casefold().split()), " ".join(self.gist.casefold().split())


def resolve(reference: Reference, claim: str, documents: Sequence[Document], known: Mapping[str, str]) -> Source:
    """Return what a reference to this claim's support stands for; `known` are the tools' results by evidence id."""
    words = f"{reference.title} {reference.quote}"
    if (named := _ID.search(words)) and named[0] in known:
        return Source("tool_output", reference.title, "", reference.quote, verified=True, known_as=named[0])
    if found := _SUM.search(words):
        right = is_right(found[1], found[2])
        problem = "" if right else "the calculation is wrong"
        return Source("calculation", found[0].strip(), "", found[0].strip(), verified=right, problem=problem)
    checked = grounding(claim, reference.title, reference.quote, documents)
    if checked.holds:
        title = checked.document or reference.title
        return Source("citation", title, "", reference.quote or claim, verified=True)
    named_title = named_document(reference.title, documents)
    title = named_title.name if named_title else reference.title or reference.url or "untitled"
    problem = checked.problem if documents else "there is no document that it could be found in"
    return Source("citation", title, reference.url, reference.quote, verified=False, problem=problem)


def is_right(calculation: str, result: str) -> bool:
    """Return whether a calculation comes to this result, by the arithmetic oracle."""
    claim = f"{calculation.strip()} = {result.strip().rstrip('.')}"
    return consult({"kind": "arithmetic", "claim": claim}).holds


def computed(calculation: str) -> str:
    """Return the value of a calculation in digits, or nothing for what the arithmetic oracle does not take."""
    found = consult({"kind": "arithmetic", "claim": f"{calculation.strip()} = 0"})
    return found.value if calculation.strip() and "=" not in calculation else ""
