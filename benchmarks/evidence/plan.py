"""The plan: all that is fixed before anything is sampled, in a file; and what no longer agrees with it.

What is asked (data, items, prompts, member, temperature, numbers) may not change once it is fixed. The rules by which
replies are read may: then the plan is amended, and the tables say so.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from moot.core.errors import UsageError
from moot.version import __version__

FORMAT = 1
PLAN = "plan.json"

MEMBER, SEED = "embedded:1.5b", 18
FORM_REPLIES, TEMPERATURE, MAX_TOKENS = 4, 0.8, 400

DEFINITIONS = {
    "pool": "4 replies in free text and 4 in the second form (programs for a number, numbered sentences over "
    "documents) to each item, over what Moot shows a small member first; every arm is computed from these",
    "order": "replies are taken in the order in which `vote` draws them: 2 plain, 2 second, 2 second, 2 plain",
    "tokens": "tokens in and out; one ask reads its prompt once, by however many replies it is answered; a second wave "
    "reads it again",
    "vote at equal tokens": "a vote over as many replies of the pool, in that order, as fit the tokens that the arm "
    "took on the same item; at least one, at most those that were drawn",
    "right": "exact match after SQuAD's normalisation, or the final number; a tie has no answer and is wrong; on an "
    "item that its documents do not settle, an abstention is right",
    "lenient": "right, or an answer of at most 12 words that holds the gold answer's words in a row, or the other way "
    "round; never for yes and no",
    "most confident half": "of the answers with a confidence, the half with most of it; where equals straddle the "
    "edge, their share of right ones",
    "seconds": "printed only where the load stayed below 1.5 times the cores throughout a stage",
}

HYPOTHESIS = {
    "says": "agreement between two forms of asking says more than unanimity within one",
    "confirmed where": "over the items of the pool, (a) those on which the two forms come to the same answer are right "
    "more often than those on which they differ (Fisher's exact test, one-sided, p < 0.05), and (b) their share of "
    "right answers is above that of the items on which all four replies of one form agree, for either form",
}

GOALS = {
    "accuracy": "interrogation is right on no fewer items than vote at equal tokens with the same retrieval",
    "covered": "above 85 % of the sentences of plain replies on HotpotQA that name an entity or a number are covered",
    "auroc": "the AUROC of the confidence of interrogation is above 0.7",
    "adaptive": "adaptive is right on at most one item fewer than the fixed eight, at two thirds of its tokens, in and "
    "out, or less",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """One part of the run: its items in order."""

    name: str
    items: tuple[str, ...]
    beside: int = 8
    """Replies of the pool, at most, that `vote` at equal tokens may take."""


@dataclass(frozen=True, slots=True)
class ArmOrder:
    """A protocol with its settings, as an arm of a stage."""

    stage: str
    arm: str
    protocol: str
    settings: Mapping[str, Any]
    pooled: bool
    """Whether it is run over the pool's replies; else it asks the member itself."""
    calls: int | None = None
    """What it may ask at most, where that is not the protocol's own limit."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """That the rules of reading were changed when so many rows had been sampled."""

    date: str
    rows: int
    changed: tuple[str, ...]
    """The protocols, arms and modules that decide otherwise."""
    rules: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is fixed."""

    made: str
    member: str
    seed: int
    replies: int
    temperature: float
    max_tokens: int
    files: Mapping[str, str]
    """The SHA-256 of each data file."""
    left_out: Mapping[str, tuple[int, ...]]
    stages: tuple[Stage, ...]
    arms: tuple[ArmOrder, ...]
    """The arms beside those that are votes over the pool's first replies; as last amended."""
    prompts: Mapping[str, str]
    """A digest of all prompts of each set in each form, as they are sent."""
    rules: Mapping[str, str]
    """The versions of the protocols, the settings of the arms, and a digest of each module that decides."""
    definitions: Mapping[str, str]
    hypothesis: Mapping[str, str]
    goals: Mapping[str, str]
    moot: str = __version__
    amended: tuple[Amendment, ...] = ()
    format: int = FORMAT

    @property
    def current_rules(self) -> Mapping[str, str]:
        """The rules as last amended."""
        return self.amended[-1].rules if self.amended else self.rules

    def stage(self, name: str) -> Stage:
        """Return the stage of this name.

        Raises:
            UsageError: where there is none.
        """
        for stage in self.stages:
            if stage.name == name:
                return stage
        raise UsageError(f"there is no stage {name!r}; there are {', '.join(each.name for each in self.stages)}.")


_PLAN = TypeAdapter(Plan)

ASKED = {
    "member": "the member",
    "seed": "the seed",
    "replies": "the number of replies",
    "temperature": "the temperature",
    "max_tokens": "the length of a reply",
    "files": "the data file",
    "left_out": "the items left out",
    "stages": "the stages",
    "prompts": "the prompts of",
    "definitions": "the definition of",
    "hypothesis": "the hypothesis",
    "goals": "the goal",
}
"""What may not change once something was sampled, and how it is called."""


def differences(fixed: Plan, today: Plan) -> list[str]:
    """Return what would be asked or judged otherwise today, by name."""
    return [
        told for field, word in ASKED.items() for told in _differing(word, getattr(fixed, field), getattr(today, field))
    ]


def changed_rules(fixed: Mapping[str, str], today: Mapping[str, str]) -> tuple[str, ...]:
    """Return the protocols and modules that decide otherwise, by name."""
    return tuple(sorted(name for name in fixed.keys() | today.keys() if fixed.get(name) != today.get(name)))


def check_agrees(fixed: Plan, today: Plan) -> None:
    """Do nothing where code and data are those of the plan.

    Raises:
        UsageError: naming what has changed, and the way out.
    """
    check_asked(fixed, today)
    if changed := changed_rules(fixed.current_rules, today.rules):
        raise UsageError(
            f"the rules are not those of the plan: {_listed(changed)}. `run --reread` reads every reply again by "
            "today's rules, amends the plan, and the tables will say so; nothing was asked."
        )


def check_asked(fixed: Plan, today: Plan) -> None:
    """Do nothing where what is asked is what the plan says.

    Raises:
        UsageError: naming what has changed.
    """
    if told := differences(fixed, today):
        raise UsageError(
            f"the plan no longer agrees with code or data: {_listed(told)}. Bring back what it was made with, or begin "
            "anew in another folder with --at; nothing was asked."
        )


def amended(fixed: Plan, today: Plan, *, rows: int, date: str) -> Plan:
    """Return the plan with today's rules; the same where they have not changed."""
    changed = changed_rules(fixed.current_rules, today.rules)
    if not changed:
        return fixed
    return replace(fixed, arms=today.arms, amended=(*fixed.amended, Amendment(date, rows, changed, today.rules)))


def read_plan(folder: Path) -> Plan:
    """Return the plan of a folder.

    Raises:
        UsageError: where there is none, or one that this version cannot read.
    """
    path = folder / PLAN
    try:
        return _PLAN.validate_json(path.read_bytes())
    except OSError:
        raise UsageError(f"{path} is not there; `python -m benchmarks.evidence plan` writes it.") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(
            f"{path}: {where}: {first['msg']}; write the plan anew, or use the version that made it."
        ) from None


def write_plan(folder: Path, plan: Plan) -> None:
    """Write the plan, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{PLAN}.draft"
    draft.write_text(json.dumps(as_json(plan), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    draft.replace(folder / PLAN)


def as_json(plan: Plan) -> Any:
    """Return the plan as the file has it."""
    return _PLAN.dump_python(plan, mode="json")


def _differing(word: str, fixed: Any, today: Any) -> list[str]:
    if fixed == today:
        return []
    if isinstance(fixed, Mapping) and isinstance(today, Mapping):
        names = sorted(name for name in fixed.keys() | today.keys() if fixed.get(name) != today.get(name))
        return [f"{word} {name}" for name in names]
    if isinstance(fixed, str | int | float):
        return [f"{word} ({fixed} there, {today} now)"]
    return [word]


def _listed(told: tuple[str, ...] | list[str], most: int = 12) -> str:
    more = f" and {len(told) - most} more" if len(told) > most else ""
    return f"{', '.join(told[:most])}{more}"
