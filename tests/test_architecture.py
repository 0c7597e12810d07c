"""Imports point down, never up, never sideways; what is pure stays pure; nothing grows past what one can read."""

import ast
from collections import Counter
from graphlib import TopologicalSorter

import pytest

from tests.architecture.loading import loaded_with, loads
from tests.architecture.source import FILES, MODULES, imported_names, loose_entries, offences, parsed

MOST_LINES = 500
MOST_LINES_OF_A_FUNCTION = 60
MOST_MODULES_OF_A_FOLDER = 24

TABLES_OF_DATA = {"core/errors.py"}
"""Files that may be longer, since nobody reads them from end to end."""


def test_a_module_imports_only_what_its_row_allows_and_pure_code_touches_nothing_of_the_world() -> None:
    wrong = [offence for file, text in FILES.items() for offence in offences(file, text)]

    assert not wrong, "\n".join(wrong)


def test_no_row_allows_what_its_part_does_not_import() -> None:
    assert not loose_entries()


def test_no_protocol_imports_another() -> None:
    protocols = {file: text for file, text in FILES.items() if file.startswith("protocols/") and file.count("/") > 1}

    sideways = [
        f"{file} imports {name}"
        for file, text in protocols.items()
        for name in imported_names(text)
        if name.startswith("moot.protocols.") and name.split(".")[2] != file.split("/")[1]
    ]

    assert len(protocols) > 80
    assert not sideways


@pytest.mark.parametrize(
    ("line", "offender"),
    [
        ("import time", "imports time"),
        ("import random", "imports random"),
        ("import logging", "imports logging"),
        ("import httpx2", "imports httpx2"),
        ("import socket", "imports socket"),
        ("import secrets", "imports secrets"),
        ("import asyncio", "imports asyncio"),
        ("import subprocess", "imports subprocess"),
        ("import threading", "imports threading"),
        ("import os.path as path", "imports os.path"),
        ("from importlib import import_module", "imports importlib.import_module"),
        ("from urllib import request", "imports urllib.request"),
        ("import numpy.random as chance", "imports numpy.random"),
        ("from numpy import random", "imports numpy.random"),
        ("from numpy.random import default_rng", "imports numpy.random.default_rng"),
        ("import datetime\nSTAMP = datetime.datetime.now()", "calls datetime.datetime.now"),
        ("def f(date): return date.today()", "calls date.today"),
        ("def f(time): return time.monotonic()", "calls time.monotonic"),
        ("def f(np): return np.random.rand()", "calls np.random"),
        ("def f(name): return open(name)", "calls open"),
        ("print('here')", "calls print"),
        ("from moot.service.opening import ask", "imports moot.service.opening"),
        ("from moot import service", "imports moot.service"),
        ("from . import settings", "imports .settings"),
    ],
)
def test_the_clock_chance_and_the_world_are_named_where_pure_code_uses_them(line: str, offender: str) -> None:
    for file in ("argument/semantics.py", "protocols/debate/rounds.py", "core/panel.py"):
        assert f"{file} {offender}" in offences(file, f"{FILES[file]}\n{line}\n")


@pytest.mark.parametrize(
    ("file", "line", "offender"),
    [
        ("runtime/door.py", "import time", "time"),
        ("runtime/door.py", "from moot.store.store import Store", "moot.store.store"),
        ("store/store.py", "from moot.gateway.gateway import Gateway", "moot.gateway.gateway"),
        ("web/board.py", "from moot.protocols.debate.protocol import DEBATE", "moot.protocols.debate.protocol"),
        ("web/board.py", "from moot.argument.dedup import merge", "moot.argument.dedup"),
        ("service/service.py", "from moot.web.app import app", "moot.web.app"),
        ("service/service.py", "import random", "random"),
        ("service/service.py", "import requests", "requests"),
    ],
)
def test_an_arrow_that_no_row_has_is_named(file: str, line: str, offender: str) -> None:
    assert offences(file, line) == [f"{file} imports {offender}"]


def test_a_part_without_a_row_is_named() -> None:
    assert offences("annex/plan.py", "import re") == ["annex/plan.py belongs to no row"]


def test_no_file_is_longer_than_can_be_read_at_once() -> None:
    lengths = {file: len(text.splitlines()) for file, text in FILES.items() if file not in TABLES_OF_DATA}

    assert not {file: length for file, length in lengths.items() if length > MOST_LINES}


def test_no_function_is_longer_than_a_screen() -> None:
    functions = [
        (file, node.name, (node.end_lineno or 0) - node.lineno + 1)
        for file, text in FILES.items()
        for node in ast.walk(parsed(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]

    assert not [found for found in functions if found[2] > MOST_LINES_OF_A_FUNCTION]


def test_no_folder_has_more_modules_than_its_listing_can_tell() -> None:
    folders = Counter(file.rpartition("/")[0] for file in FILES)

    assert not {folder: count for folder, count in folders.items() if count > MOST_MODULES_OF_A_FOLDER}


def test_importing_moot_or_the_argument_library_loads_nothing_else() -> None:
    import subprocess
    import sys

    code = "import sys, moot, moot.argument; print(*sorted(m for m in sys.modules if m.startswith('moot')))"

    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert {name.split(".")[1] for name in loaded if "." in name} <= {"argument", "version"}


COMPARING = {"moot.argument.dedup", "moot.argument.guards"}
"""What decides that claims are one or oppose each other."""


def test_only_the_graph_and_the_module_of_sameness_compare_meanings() -> None:
    comparing = [file for file, text in FILES.items() if COMPARING & set(imported_names(text))]

    elsewhere = [file for file in comparing if not file.startswith(("argument/", "methods/sameness/"))]

    assert not elsewhere, "ask moot.methods.sameness whether two texts, answers or claims are the same (ruling G11)"


def test_any_module_can_be_the_first_that_is_imported() -> None:
    graph = {module: loads(module) & set(MODULES) for module in MODULES}

    order = list(TopologicalSorter(graph).static_order())

    assert len(order) == len(MODULES) > 300


def test_a_command_that_computes_nothing_waits_for_no_mathematics() -> None:
    loaded = loaded_with("moot.service.opening")

    assert {"sqlalchemy", "moot.store.schema"} <= loaded
    assert not {"numpy", "rapidfuzz", "moot.argument", "moot.methods", "moot.oracles"} & loaded
