"""Step 0, which calls no model: the kind of task, the structure, and whether the question speaks of itself (S6).

The task is read from how a sentence begins and not from words anywhere in it: a two-story house is no story. Every
decision names its rule and the words that led to it, and a setting can overrule it. The rules are English; a question
in another language is analysed, and the record says so.
"""

from dataclasses import dataclass
from typing import Literal

from moot.argument.wording.languages import ENGLISH, language_of
from moot.protocols.spiral.structure.sentences import WORDS, excerpt, sentences_of, unquoted
from moot.protocols.spiral.structure.step_rules import leading_words, step_rules

Structure = Literal["fugue", "sonata", "concert"]
Task = Literal["analysis", "conflict", "creation"]

STRUCTURE_OF: dict[Task, Structure] = {"analysis": "fugue", "conflict": "sonata", "creation": "concert"}
NO_TASK_RULE = "no sentence asks to make something, to choose or to judge"
NO_SELF_REFERENCE = "none: it speaks of no model, protocol or programming language, nor of itself"


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
    """Return the task, its structure and the scan for self-reference; what is given overrules the rules (S6)."""
    task, why = _task(question)
    said = self_reference_in(question)
    because = [f"{task}: {why}"]
    if structure:
        because.append(f"the structure {structure} was chosen by setting")
    if self_reference is None:
        because.append(f"self-reference: {'; '.join(said[:5]) or _not_self_referential(question)}")
    else:
        because.append(f"self-reference {'yes' if self_reference else 'no'} was chosen by setting")
    refers = bool(said) if self_reference is None else self_reference
    return Initialization(task, structure or STRUCTURE_OF[task], refers, tuple(because))


def self_reference_in(text: str) -> tuple[str, ...]:
    """Return what of models, protocols, programming languages or itself an English text speaks, with its words."""
    if _language(text) != ENGLISH:
        return ()
    read = unquoted(text)
    rules = step_rules("self_reference")
    return tuple(dict.fromkeys(f"{rule.rule}, {words!r}" for rule in rules for words in rule.spoken_of(read)))


def _task(question: str) -> tuple[Task, str]:
    """The task by the first rule that a sentence begins with, and the rule with its words."""
    if (language := _language(question)) != ENGLISH:
        return "analysis", f"the rules are English, and the question reads as {language}"
    sentences = [leading_words().sub("", sentence, count=1) for sentence in sentences_of(question)]
    tasks: tuple[Task, ...] = ("creation", "conflict")
    for task in tasks:
        for sentence in sentences:
            for rule in step_rules(task):
                if words := rule.opening(sentence):
                    return task, f"{rule.rule}, {words!r}"
    return "analysis", NO_TASK_RULE


def _language(text: str) -> str:
    return language_of([word.lower() for word in WORDS.findall(excerpt(text))])


def _not_self_referential(question: str) -> str:
    return NO_SELF_REFERENCE if _language(question) == ENGLISH else "not looked for in another language"
