"""Syntax: whether a text is Python or JSON, and whether two JSON texts mean the same (rulings S7, S12).

Python is compiled by the Python that runs Moot, which every finding names, and never run: what that Python refuses
though a later one may take it (a `type` statement, quotes inside an f-string) is not decided. JSON is strict: no NaN,
no trailing comma. Numbers are equal by value (1 and 1.0), objects whatever their order; an object with a key twice has
no meaning.
"""

import ast
import json
import re
import sys
import warnings
from decimal import Decimal
from typing import Any, Literal

from typing_extensions import override

from moot.oracles.finding import Computed, Deniable, Oracle, Passage, Uncomputable, bounded, shortened

MOST_CHARACTERS = 4_000
MOST_DEPTH = 40
MOST_CHAIN = 100

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"
"""The Python by which a text is valid or not."""

Relation = Literal["python", "json", "json_equal"]

_NUMBER = re.compile(r"[0-9.eE+-]{50}|[eE][-+]?[0-9]{6}")
# Each of these can nest what follows it without a bracket; so can an indented line.
_NESTING = re.compile(r"[-+~*@.\[({:=]|\b(?:not|lambda|else|elif|await|if|for|yield|or|and|in|is)\b")
# What Python 3.12 and later have added, or may: type statements and parameters, template strings, quotes in f-strings.
_NEWER = re.compile(
    r"^\s*(?:type\s+\w|(?:def|class|async\s+def)\s+\w+\s*\[)|\b[tT][rR]?['\"]|^\s*except\s+\w+\s*,", re.MULTILINE
)


class Syntax(Deniable):
    """A claim that `text` is valid Python (`python`) or JSON (`json`), or the same JSON as `other` (`json_equal`)."""

    kind: Literal["syntax"] = "syntax"
    relation: Relation
    text: Passage
    other: Passage = ""

    @property
    @override
    def reading(self) -> str:
        """The claim as a sentence; of Python, by which version."""
        text, denied = shortened(self.text, 100), "not " if self.negated else ""
        return {
            "python": f"`{text}` is {denied}compiled by {PYTHON}",
            "json": f"`{text}` is {denied}strict JSON",
            "json_equal": f"`{text}` is {denied}the same JSON as `{shortened(self.other, 60)}`",
        }[self.relation]


def decide(check: Syntax) -> Computed:
    """Return whether the text has the claimed syntax or meaning."""
    text = bounded(check.text, MOST_CHARACTERS, "texts")
    other = bounded(check.other, MOST_CHARACTERS, "texts")
    if check.relation == "python":
        problem = python_problem(text)
        value = f"{PYTHON}: {problem}" if problem else f"parses as {PYTHON}"
        return Computed(not problem, value, f"parsed and compiled by {PYTHON}, not run")
    if check.relation == "json":
        try:
            _json(text)
        except ValueError as error:
            return Computed(holds=False, value=_first_line(error), explanation="parsed as strict JSON")
        return Computed(holds=True, value="valid", explanation="parsed as strict JSON")
    try:
        same = _canonical(_json(text)) == _canonical(_json(other))
    except ValueError as error:
        raise Uncomputable(f"two valid JSON texts: {_first_line(error)}") from None
    return Computed(same, "equal" if same else "different", "compared by value, whatever the order of keys")


def python_problem(text: str) -> str:
    """Return what is wrong with a Python text, empty where nothing is.

    Raises:
        Uncomputable: it nests more than the limit, or may be valid by a later version.

    """
    _refuse_deep(text)
    for line in text.replace("\\\n", " ").splitlines():
        if len(_NESTING.findall(line)) > MOST_CHAIN:
            raise Uncomputable(f"lines of at most {MOST_CHAIN} operators, brackets and keywords")
    if len(_NESTING.findall(text)) > 5 * MOST_CHAIN:
        raise Uncomputable(f"texts of at most {5 * MOST_CHAIN} operators, brackets and keywords")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Compiled and thrown away: the grammar alone takes a `return` outside a function.
            compile(ast.parse(text), "<check>", "exec", dont_inherit=True)
    except SyntaxError as error:
        if str(error.msg).startswith("f-string") or _NEWER.search(text):
            raise Uncomputable(f"texts of {PYTHON}; a later version may take this one") from None
        return f"line {error.lineno}: {error.msg}"
    except ValueError as error:
        return _first_line(error)
    except (RecursionError, MemoryError, OverflowError):
        raise Uncomputable("texts that the compiler can take whole") from None
    return ""


def _refuse_deep(text: str) -> None:
    """Brackets are counted also inside strings: a text with so many of them is refused rather than parsed."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth > MOST_DEPTH:
            raise Uncomputable(f"brackets nested at most {MOST_DEPTH} deep")
    if any(len(line) - len(line.lstrip()) > 4 * MOST_DEPTH for line in text.splitlines()):
        raise Uncomputable(f"lines indented by at most {4 * MOST_DEPTH} characters")


def _json(text: str) -> Any:
    bare = _without_strings(text)
    depth = 0
    for character in bare:
        depth += (character in "[{") - (character in "]}")
        if depth > MOST_DEPTH:
            raise Uncomputable(f"JSON nested at most {MOST_DEPTH} deep")
    if _NUMBER.search(bare):
        raise Uncomputable("JSON numbers of fewer than 50 digits, with exponents of at most 5")
    return json.loads(text, parse_int=Decimal, parse_float=Decimal, parse_constant=_refused, object_pairs_hook=_Members)


def _without_strings(text: str) -> str:
    kept: list[str] = []
    quoted = escaped = False
    for character in text:
        if not quoted:
            kept.append(character)
        quoted ^= character == '"' and not escaped
        escaped = quoted and character == "\\" and not escaped
    return "".join(kept)


class _Members(list[tuple[str, Any]]):
    """The members of an object as they stand, so that a key that occurs twice is seen."""


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _canonical(value: Any) -> Any:
    if isinstance(value, _Members):
        keys = [key for key, _ in value]
        if len(set(keys)) < len(keys):
            raise Uncomputable("objects without a key that occurs twice")
        return "object", {key: _canonical(item) for key, item in value}
    if isinstance(value, list):
        return "array", [_canonical(item) for item in value]
    return type(value).__name__, value


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:100]


_SHAPES: tuple[tuple[str, Relation, bool], ...] = (
    (" is valid Python", "python", False),
    (" is not valid Python", "python", True),
    (" is invalid Python", "python", True),
    (" is valid JSON", "json", False),
    (" is not valid JSON", "json", True),
    (" is invalid JSON", "json", True),
)


def read(sentence: str) -> Syntax | None:
    """Return the claim about a text between backticks that a sentence makes as a whole, or nothing."""
    for end, relation, negated in _SHAPES:
        quoted = sentence.removesuffix(end)
        if quoted != sentence and len(quoted) > 2 and quoted[0] == quoted[-1] == "`" and "`" not in quoted[1:-1]:
            return Syntax(relation=relation, text=quoted[1:-1], negated=negated)
    return None


ORACLE = Oracle(
    kind="syntax",
    takes=Syntax,
    help=f"valid {PYTHON} (compiled, never run), valid JSON, equal JSON",
    limit=f"{MOST_CHARACTERS:,} characters, {MOST_DEPTH} levels of brackets, {MOST_CHAIN} operators a line",
    decide=decide,
    read=read,
)
