"""What Moot tells at a shell, in words for an agent, who has tools and no command line."""

import re
from collections.abc import Sequence
from typing import Any

from moot.core.near_names import did_you_mean

MOST_PROBLEMS = 3

_FOR_A_SHELL = (
    (r"write it after the command, as in `moot ask [^`]*`, or pipe it in", "give it as `question`"),
    (r"`moot list` shows them", "`deliberation_status` without an id tells the latest that was begun here"),
    (r" \(`moot (protocols|models)`\)", ""),
    (
        r"GET /api/v1/deliberations/([^`\s/]+)/open-steps lists those that wait",
        r"`deliberation_status` with id=\1 names those of this deliberation",
    ),
    (r"`moot show ([^`\s]+)`", r"`deliberation_status` with id=\1"),
    (
        r"`moot resume \S+ --budget-calls N` \(or -tokens, -usd, -seconds\) goes on with a larger budget",
        "and whoever runs Moot can go on with a larger budget",
    ),
    (r"`moot resume ([^`\s]+)`", r"`deliberate` with resume=\1"),
    (r"; give it with --price \S+ \([^)]*\), or limit with --budget-calls", "; limit it with `calls` in `budget`"),
    (r"--budget-(calls|tokens|usd|seconds)", r"`\1` in `budget`"),
    (r"with --set (\w+)=N", r"with `\1` in `settings`"),
    (r"add --member", "name more in `members`"),
    (r"--member", "`members`"),
)


def for_an_agent(message: str) -> str:
    """Return an error's message with an agent's tools and arguments in the place of commands and options.

    What only a person can do stays a command: an agent may hand that on.
    """
    for shell, tool in _FOR_A_SHELL:
        message = re.sub(shell, tool, message)
    return message


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
