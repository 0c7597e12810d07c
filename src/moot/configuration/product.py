"""`[product]`: the product's settings in a file, each checked as its row in the table of settings says."""

import math
import os
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from moot.configuration.problems import Problem, dotted
from moot.core.near_names import did_you_mean
from moot.settings import TABLE, SettingRow

OF_THE_TOP = "members"
OF_THE_ENVIRONMENT = "config"
NOT_OF_A_FOLDER = frozenset(
    {"server", "serve_members", "serve_hosts", "serve_https", "database", "pager", "otel", "otel_texts"}
)
"""Who may come in, where a key is shown, where everything is kept, which program is started, what is told to whom: a
folder may be somebody else's work."""

ROWS: Mapping[str, SettingRow] = {row.name: row for row in TABLE if row.name not in (OF_THE_TOP, OF_THE_ENVIRONMENT)}

_WORDS = {
    "text": "text in quotes",
    "path": "a path in quotes",
    "number": "a number above 0",
    "whole": "a whole number above 0",
    "flag": "true or false",
    "names": "a list of texts",
}


def product_values(table: Mapping[str, Any], folder: PurePath) -> dict[str, str]:
    """Return the settings as their variables would hold them; a path counts from its file's folder, `~` is home."""
    rows = {name: ROWS[name] for name in table if name in ROWS}
    return {name: _written(row, table[name], folder) for name, row in rows.items() if _fits(row, table[name])}


def product_problems(file: str, table: Mapping[str, Any], *, of_a_folder: bool) -> Iterator[Problem]:
    """Yield what is wrong with the table."""
    for name, value in table.items():
        if problem := _problem(name, value, of_a_folder=of_a_folder):
            yield Problem(file, problem, dotted(("product", name)))


def _problem(name: str, value: Any, *, of_a_folder: bool) -> str:
    if name == OF_THE_TOP:
        return "who is asked is written at the top of the file: members = […]"
    if name == OF_THE_ENVIRONMENT:
        return "which file is read is said by MOOT_CONFIG alone"
    if name not in ROWS:
        return f"there is no such setting; {did_you_mean(name, ROWS)}there are {', '.join(ROWS)}"
    if of_a_folder and name in NOT_OF_A_FOLDER:
        return f"a folder may be somebody else's, so this is heard from your own file and from {ROWS[name].variable}"
    return "" if _fits(ROWS[name], value) else f"it has to be {_WORDS[ROWS[name].kind]}"


def _fits(row: SettingRow, value: Any) -> bool:
    match row.kind:
        case "number" | "whole":
            is_number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf
            return is_number and (row.kind == "number" or isinstance(value, int))
        case "flag":
            return isinstance(value, bool)
        case "names":
            return isinstance(value, list) and all(_is_text(item) and "," not in item for item in value)
        case _:
            return _is_text(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _written(row: SettingRow, value: Any, folder: PurePath) -> str:
    if row.kind == "names":
        return ",".join(value)
    if row.kind == "path":
        return str(folder / os.path.expanduser(value))  # noqa: PTH111 - a user who is not there is no failure
    return str(value)
