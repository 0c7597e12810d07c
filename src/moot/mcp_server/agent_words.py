"""What is wrong with the arguments of a tool, in words for an agent."""

from collections.abc import Sequence
from typing import Any

from moot.core.near_names import did_you_mean

MOST_PROBLEMS = 3


def unknown_words(tool: str, unknown: Sequence[str], known: Sequence[str]) -> str:
    """Return in one sentence which arguments a tool does not have, and which it has."""
    near = "".join(did_you_mean(name, known) for name in unknown[:1])
    return f"`{tool}` has no argument {_listed(unknown)}; {near}it takes {_listed(known)}."


def argument_words(tool: str, problems: Sequence[Any]) -> str:
    """Return in one sentence what is wrong with a call's arguments; `problems` are as pydantic lists them."""
    told = [_problem(problem) for problem in problems[:MOST_PROBLEMS]]
    more = f" (and {len(problems) - MOST_PROBLEMS} more)" if len(problems) > MOST_PROBLEMS else ""
    return f"{'; '.join(told)}{more}; the input schema of `{tool}` says what it takes."


def _problem(problem: Any) -> str:
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "missing":
        return f"`{name}` is missing"
    if problem["type"] == "extra_forbidden":
        return f"there is no `{name}`"
    message = str(problem["msg"])
    if problem["type"] in ("dict_type", "model_type"):
        message = "input should be an object"
    return f"`{name}`: {message[:1].lower()}{message[1:]}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name[:100]}`" for name in names)
