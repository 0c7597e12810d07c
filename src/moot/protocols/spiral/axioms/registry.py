"""The axiom registry: seven levels of statements that a disagreement is held against (spiral 5.1 step 3, ruling S5).

Pure: files come in as texts by name, vectors come in as numbers, and axioms go out as values.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator, model_validator

from moot.core.errors import BadAxioms
from moot.oracles import OracleCheck

LEVELS: Mapping[int, str] = {
    1: "mathematical",
    2: "physical",
    3: "ontological",
    4: "computable",
    5: "architectural",
    6: "protocol",
    7: "linguistic",
}

SELF_REFERENTIAL = frozenset({5, 6, 7})
"""The levels whose subject a position itself is an instance of."""

LONGEST_FILE = 1_000_000
"""Characters of one file."""

_SET_BY_FILE = ("level", "file", "unused")
_UNUSED = ("relied_on", "denials")
_WORDS = re.compile(r"\w+")

Id = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,12}[0-9]{1,4}$")]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500, pattern=r"^[^\n\r]*$")]


class Axiom(BaseModel):
    """One axiom as its file writes it, with the level and the name of that file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: Id
    level: int
    file: str
    domain: Line
    statement: Line
    formal: Line
    question: Line
    """A question on which it bears; it is searched with the statement."""
    checks: tuple[OracleCheck, ...] = ()
    """What oracles can decide of it, or of an instance; each must come out true."""
    review: Line | None = None
    """Why no oracle can; every axiom has checks or this."""
    unused: tuple[str, ...] = Field(default=(), exclude=True)
    """Fields that earlier versions read and this one passes over (ruling S14)."""

    @property
    def search_text(self) -> str:
        """The text by whose vector it is found; the question counts twice, since disputes are nearer to it (S9)."""
        return f"{self.question} {self.domain}: {self.statement} {self.question}"

    @field_validator("checks", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        # TOML has lists, values here do not change; strict validation takes neither for the other.
        return tuple(value) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if bool(self.checks) == bool(self.review):
            raise ValueError("it needs either `checks` for an oracle or `review` with the reason why there are none")
        return self


def registry_from(files: Mapping[str, str]) -> tuple[Axiom, ...]:
    """Return the axioms of all files, by level and then by id; the user's files stand beside the shipped ones.

    Raises:
        BadAxioms: with every problem found, each by file and axiom.
    """
    return _registry(tuple(files.items()))


# Planning a run, checking its settings and running it each ask for the same files.
@lru_cache(maxsize=4)
def _registry(files: tuple[tuple[str, str], ...]) -> tuple[Axiom, ...]:
    axioms: list[Axiom] = []
    problems: list[str] = []
    for name, text in files:
        found, wrong = _read(name, text)
        axioms += found
        problems += wrong
    problems += _repeated(axioms)
    if problems:
        raise BadAxioms(problems=problems)
    return tuple(sorted(axioms, key=natural_order))


def natural_order(axiom: Axiom) -> tuple[int, str, int]:
    """Order by level, then MA2 before MA10."""
    letters = axiom.id.rstrip("0123456789")
    return axiom.level, letters, int(axiom.id[len(letters) :])


def at_level(axioms: Iterable[Axiom], level: int) -> tuple[Axiom, ...]:
    """Return the axioms of one level, in their order."""
    return tuple(axiom for axiom in axioms if axiom.level == level)


def _read(name: str, text: str) -> tuple[list[Axiom], list[str]]:
    if len(text) > LONGEST_FILE:
        return [], [f"{name}: it has more than {LONGEST_FILE:,} characters; part it into several files"]
    try:
        # Editors on Windows begin a file with a mark that TOML does not know.
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return [], [f"{name}: it is no TOML: {error}"]
    level, blocks = data.get("level"), data.get("axiom")
    if not isinstance(level, int) or isinstance(level, bool) or level not in LEVELS:
        return [], [f"{name}: `level` must be a number from 1 to {len(LEVELS)}, at the top of the file, not {level!r}"]
    if not isinstance(blocks, list) or not blocks or not all(isinstance(block, dict) for block in blocks):
        return [], [f"{name}: it holds no axiom; each begins with [[axiom]]"]
    problems = [f"{name}: {key!r} is not known at the top of a file" for key in data if key not in ("level", "axiom")]
    axioms: list[Axiom] = []
    for number, block in enumerate(blocks, start=1):
        try:
            axioms.append(_axiom(name, level, block))
        except ValueError as error:
            problems += [f"{name}, axiom {_named(block, number)}: {problem}" for problem in _problems(error)]
    return axioms, problems


def _axiom(name: str, level: int, block: dict[str, Any]) -> Axiom:
    for key in _SET_BY_FILE:
        if key in block:
            raise ValueError(f"`{key}` is set by the file and not by the axiom")
    read = {key: value for key, value in block.items() if key not in _UNUSED}
    unused = tuple(key for key in _UNUSED if key in block)
    axiom = Axiom.model_validate({**read, "level": level, "file": name, "unused": unused})
    for number, (written, check) in enumerate(zip(block.get("checks", ()), axiom.checks, strict=True), start=1):
        # An oracle overlooks what a member says too much; in a file it is a slip of the pen.
        if unknown := sorted(set(written) - set(type(check).model_fields)):
            raise ValueError(f"`checks.{number}.{unknown[0]}` is not known to the oracle {check.kind!r}")
    return axiom


def _named(block: dict[str, Any], number: int) -> str:
    named = block.get("id")
    return named[:40] if isinstance(named, str) and named else f"number {number}"


def _problems(error: ValueError) -> list[str]:
    if not isinstance(error, ValidationError):
        return [str(error)]
    return [_worded(found) for found in error.errors(include_url=False)]


def _worded(found: Any) -> str:
    place = ".".join(str(part + 1 if isinstance(part, int) else part) for part in found["loc"])
    if found["type"] == "missing":
        return f"`{place}` is missing"
    if found["type"] == "extra_forbidden":
        return f"`{place}` is not known"
    message = found["msg"].removeprefix("Value error, ")
    return f"`{place}`: {message}" if place else message


def _repeated(axioms: Sequence[Axiom]) -> list[str]:
    """An id or a statement that stands twice; the first that was read keeps it."""
    problems: list[str] = []
    ids: dict[str, Axiom] = {}
    statements: dict[tuple[str, ...], Axiom] = {}
    for axiom in axioms:
        words = tuple(_WORDS.findall(axiom.statement.casefold()))
        if first := ids.get(axiom.id):
            problems.append(f"{axiom.file}, axiom {axiom.id}: {first.file} already has an axiom with this id")
        elif first := statements.get(words):
            problems.append(f"{axiom.file}, axiom {axiom.id}: it says the same as {first.id} in {first.file}")
        ids.setdefault(axiom.id, axiom)
        statements.setdefault(words, axiom)
    return problems
