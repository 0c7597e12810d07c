"""From the text of a moot.toml to what it says, or to what is wrong with it. Pure: the text is handed in."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError

from moot.configuration.choices import Choices
from moot.configuration.configuration import ConfigFile
from moot.configuration.keys import key_places, without_keys
from moot.configuration.problems import Problem, dotted
from moot.configuration.product import product_problems, product_values
from moot.configuration.tables import BudgetTable, FileTable, LimitsTable, PanelTable
from moot.core.budget import Budget
from moot.core.near_names import did_you_mean

LONGEST_LINE, MOST_DOTS = 1000, 100
"""The time that TOML takes grows with the square of a key's parts."""

MOST_PROBLEMS = 50

CheckMember = Callable[[str], str]
"""Gives what is wrong with a member string; nothing where it names a member."""

TABLES = {"budget": BudgetTable, "limits": LimitsTable}

WORDS = {
    "int_type": "it has to be a whole number",
    "float_type": "it has to be a number",
    "string_type": "it has to be text in quotes",
    "list_type": "it has to be a list, in square brackets",
    "dict_type": "it has to be a table",
    "model_type": "it has to be a table",
    "missing": "it is missing; a panel says who sits in it",
    "greater_than": "it has to be above 0; leave it out for no limit of your own",
    "greater_than_equal": "it may not be below 0",
    "less_than_equal": "no such number can be meant; leave it out for no limit of your own",
    "finite_number": "it has to be a number that can be reached",
    "value_error": "it has to be a number that can be reached",
    "invalid-json-value": "it has to be text in quotes, a number, true or false, a list or a table",
    "string_too_short": "it is empty; leave it out",
    "string_too_long": "it is too long for a name",
}
"""What is told of each kind of error."""


def read_configuration(
    path: PurePath, text: str, *, check_member: CheckMember, of_a_folder: bool
) -> ConfigFile | tuple[Problem, ...]:
    """Return what a file says; where anything in it is wrong, all of that instead."""
    file = str(path)
    parsed = _parsed(file, text)
    if isinstance(parsed, Problem):
        return (parsed,)
    if keys := [Problem(file, way_out, place) for place, way_out in key_places(parsed)]:
        return tuple(keys[:MOST_PROBLEMS])
    try:
        table = FileTable.model_validate(parsed)
    except ValidationError as error:
        return tuple(_problem(file, found) for found in error.errors(include_input=False)[:MOST_PROBLEMS])
    problems = (
        *_member_problems(file, table, check_member),
        *product_problems(file, table.product, of_a_folder=of_a_folder),
    )
    return problems[:MOST_PROBLEMS] or _said(path, table, of_a_folder=of_a_folder)


def _parsed(file: str, text: str) -> dict[str, Any] | Problem:
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LONGEST_LINE or line.count(".") > MOST_DOTS:
            problem = f"a line has {LONGEST_LINE} characters at most, and {MOST_DOTS} dots; break it"
            return Problem(file, problem, line=number)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = without_keys(str(error))
        found = re.search(r" \(at line (\d+), column \d+\)$", told)
        last = text.count("\n") + 1
        said = told[: found.start()] if found else told.removesuffix(" (at end of document)")
        return Problem(file, f"it is no TOML here: {said[:1].lower()}{said[1:]}", line=int(found[1]) if found else last)
    except RecursionError:
        return Problem(file, "it nests too deep; a moot.toml needs no more than three tables in one another")
    except ValueError:
        return Problem(file, "it holds a number that is too long to be read; shorten it")


def _problem(file: str, found: Mapping[str, Any]) -> Problem:
    path = [str(part) for part in found["loc"]]
    if found["type"] == "extra_forbidden":
        known = _keys_at(path[:-1])
        problem = f"there is no such key; {did_you_mean(path[-1], known)}there are {', '.join(known)}"
    elif path[0] == "prices" and len(path) == 2:
        problem = "it has to be [IN, OUT], dollars per million tokens"
    elif found["type"] == "too_short":
        problem = "nobody is named; name a member, or leave it out"
    else:
        problem = WORDS.get(found["type"], "it cannot be used")
    return Problem(file, problem, dotted(path[: path.index("settings") + 3] if "settings" in path else path))


def _keys_at(path: list[str]) -> list[str]:
    """The keys that the table at a place may have."""
    model = TABLES.get(path[-1]) if path else FileTable
    return list((model or PanelTable).model_fields)


def _member_problems(file: str, table: FileTable, check_member: CheckMember) -> Iterator[Problem]:
    if table.members and table.panel:
        yield Problem(file, "members and panel both say who is asked; keep one of the two", "panel")
    for path, members in _named_members(table):
        for spec in members:
            if isinstance(spec, str) and (wrong := check_member(spec)):
                yield Problem(file, wrong, dotted(path))


def _named_members(table: FileTable) -> Iterator[tuple[tuple[str, ...], Iterable[Any]]]:
    yield ("members",), table.members or ()
    for name, panel in table.panels.items():
        yield ("panels", name, "members"), panel.members
    for name in ("serve_members", "embeddings"):
        value = table.product.get(name, [])
        yield ("product", name), value if isinstance(value, list) else [value]


def _said(path: PurePath, table: FileTable, *, of_a_folder: bool) -> ConfigFile:
    file = str(path)
    return ConfigFile(
        path=file,
        own=Choices(file, "", table.protocol, tuple(table.members or ()), _budget(table.budget), table.settings),
        panel=table.panel,
        panels={
            name: Choices(file, name, one.protocol, tuple(one.members), _budget(one.budget), one.settings)
            for name, one in table.panels.items()
        },
        confirm_usd=table.limits.confirm_usd,
        prices={model: (price[0], price[1]) for model, price in table.prices.items()},
        product=product_values(table.product, path.parent),
        is_of_a_folder=of_a_folder,
    )


def _budget(table: BudgetTable) -> Budget:
    return Budget(calls=table.calls, tokens=table.tokens, usd=table.usd, seconds=table.seconds)
