"""Step 0, which calls no model: the kind of task, the structure, and whether the question speaks of itself (S6).

Every decision names the words that led to it, and a setting can overrule it.
"""

import re
from dataclasses import dataclass
from typing import Literal

Structure = Literal["fugue", "sonata", "concert"]
Task = Literal["analysis", "conflict", "creation"]

STRUCTURE_OF: dict[Task, Structure] = {"analysis": "fugue", "conflict": "sonata", "creation": "concert"}

CREATION = re.compile(
    r"\b(?:write|compose|invent|imagine|brainstorm|draft|design|create|come up with|suggest (?:a )?names?|"
    r"poem|story|slogan|title|haiku|limerick)\b",
    re.IGNORECASE,
)
CONFLICT = re.compile(
    r"\b(?:should|ought|versus|vs|better|worse|best|rather than|pros and cons|for and against|debate|dispute|"
    r"disagree|controvers\w{0,8}|fair|unfair|justif\w{0,8}|moral\w{0,3}|ethical\w{0,2}|"
    r"right or wrong|ban(?:ned)?|compare)\b",
    re.IGNORECASE,
)
SELF_REFERENCE = re.compile(
    r"\b(?:language models?|large language|neural networks?|transformers?|artificial intelligence|AI|chatbots?|"
    r"your (?:weights|training|architecture|prompt|instructions|answers?)|are you|do you|can you|yourself|"
    r"protocols?|consensus|deliberation|programming languages?|compilers?|source code|python|javascript|rust|java|"
    r"this (?:question|sentence|statement|answer))\b",
    re.IGNORECASE,
)
CASED = frozenset({"ai", "rust", "java", "python"})
"""Words that count only as written for names: rust on a roof is no programming language."""


@dataclass(frozen=True, slots=True)
class Initialization:
    """What step 0 decides, and why."""

    task: Task
    structure: Structure
    self_reference: bool
    because: tuple[str, ...]


def initialization(
    question: str, *, structure: Structure | None = None, self_reference: bool | None = None
) -> Initialization:
    """Return the task, its structure and the scan for self-reference; what is given overrules the rules."""
    task, why = _task(question)
    found = _names(question)
    because = [why]
    if structure:
        because.append(f"the structure {structure} was chosen by setting")
    if self_reference is not None:
        because.append(f"self-reference {'yes' if self_reference else 'no'} was chosen by setting")
    elif found:
        because.append(f"self-reference: the question says {', '.join(repr(word) for word in found[:5])}")
    else:
        because.append("self-reference: none of the words for models, protocols or programming languages occur")
    refers = bool(found) if self_reference is None else self_reference
    return Initialization(task, structure or STRUCTURE_OF[task], refers, tuple(because))


def _task(question: str) -> tuple[Task, str]:
    if found := CREATION.search(question):
        return "creation", f"creation: the question says {found[0]!r}"
    if found := CONFLICT.search(question):
        return "conflict", f"conflict: the question says {found[0]!r}"
    return "analysis", "analysis: neither words of making nor words of conflict occur"


def _names(question: str) -> list[str]:
    words = [found[0] for found in SELF_REFERENCE.finditer(question)]
    return list(dict.fromkeys(word for word in words if word.lower() not in CASED or word[0].isupper()))
