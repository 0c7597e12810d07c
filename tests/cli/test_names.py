"""One name for one thing, over all commands; and the old names, for one release."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from moot.cli.app import app
from moot.cli.old_names import OLD_NAMES, OldName, renamed_words
from moot.protocols import PROTOCOLS
from tests.cli.kit import Moot

OTHER_NAMES = {
    "--as": ("--author", "--agent", "--by", "--name", "--user", "--who"),
    "--note": ("--because", "--comment", "--message", "--reason", "--why"),
    "--format": ("--export", "--output-format", "--type-of-file"),
    "--folder": ("--dir", "--directory", "--graphs"),
    "--protocol": ("--protocols", "--method"),
    "--member": ("--members", "--models"),
    "--doc": ("--docs", "--document", "--documents"),
    "--out": ("--output", "--to"),
    "--quiet": ("--silent",),
    "--limit": ("--first", "--max", "--most"),
    "--yes": ("--force", "--no-input"),
    "--json": ("--as-json",),
    "--dry-run": ("--plan", "--estimate"),
    "--local": ("--offline",),
}
"""What an option is called that means the same, and what it is never called."""

SHORT = {"-p": "--protocol", "-m": "--member", "-d": "--doc", "-o": "--out", "-q": "--quiet", "-y": "--yes"}


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    command = command or typer.main.get_command(app)
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*path, name))


OPTIONS = [
    (path, option)
    for path, command in commands()
    for option in command.params
    if option.param_type_name == "option" and path
]


def test_no_two_options_that_mean_the_same_have_different_names() -> None:
    known = {other: name for name, others in OTHER_NAMES.items() for other in others}

    wrong = [(path, name, known[name]) for path, option in OPTIONS for name in option.opts if name in known]

    assert len(OPTIONS) > 150
    assert not wrong


def test_a_short_name_means_the_same_everywhere_and_stands_wherever_its_long_one_does() -> None:
    shorts = {(name, option.opts[0]) for _, option in OPTIONS for name in option.opts if len(name) == 2}
    lacking = [
        (path, long) for path, option in OPTIONS for short, long in SHORT.items()
        if long in option.opts and short not in option.opts
    ]  # fmt: skip

    assert shorts <= set(SHORT.items())
    assert not lacking


def test_every_command_and_every_option_has_help_that_is_a_sentence() -> None:
    summaries = {path: command.help or "" for path, command in commands() if path}
    helps = {(*path, option.opts[0]): option.help or "" for path, option in OPTIONS}

    wrong = [
        at for at, text in (summaries | helps).items() if not (text[:1].isupper() and text.strip().endswith((".", "?")))
    ]

    assert not wrong


def test_the_help_of_the_protocol_names_every_protocol_of_moot() -> None:
    [text] = [option.help for path, option in OPTIONS if path == ("ask",) and "--protocol" in option.opts]

    assert [name for name in PROTOCOLS if name not in text] == []


@pytest.mark.parametrize(
    ("words", "renamed"),
    [
        ("contest ab x --author Ada --reason=no", "contest ab x --as Ada --note=no"),
        ("contest ab x --author Ada -- --reason", "contest ab x --as Ada -- --reason"),
        ("contest ab x --note --author", "contest ab x --note --author"),
        ("coherence check graphs --json", "coherence check --folder graphs --json"),
        ("coherence check --folder graphs", "coherence check --folder graphs"),
        ("graph a.json --export dot", "graph a.json --format dot"),
        ("compare why --protocols a,b", "compare why --protocol a,b"),
        ("coherence paths --graphs g --scores s", "coherence paths --folder g --scores s"),
        ("export ab --format md", "export ab --format md"),
        ("ask --author", "ask --author"),
        ("", ""),
    ],
)
def test_an_old_name_becomes_todays_and_values_and_what_follows_two_dashes_stay(words: str, renamed: str) -> None:
    assert renamed_words(words.split())[0] == renamed.split()


def test_an_old_name_is_told_once_however_often_it_is_given() -> None:
    assert renamed_words(["contest", "ab", "x", "--author", "A", "--author=B"])[1] == [
        "--author is now --as; the old name goes in the next release"
    ]


@pytest.mark.parametrize("name", OLD_NAMES, ids=lambda name: " ".join((*name.command, name.old)))
def test_every_old_name_leads_to_an_option_that_its_command_has(name: OldName) -> None:
    command = dict(commands())[name.command]
    told = renamed_words([*name.command, *(["x"] if name.was_a_word else [name.old, "x"])])

    assert told[0] == [*name.command, name.new, "x"]
    assert told[1] == [f"{name.old} is now {name.new}; the old name goes in the next release"]
    assert name.new in [opt for param in command.params for opt in param.opts]


def test_an_old_name_still_works_and_says_its_new_one_on_stderr(moot: Moot) -> None:
    node = {"id": "a", "claim": "The dam holds.", "type": "given"}
    (moot.folder / "g.json").write_text(json.dumps({"nodes": [node], "edges": []}), encoding="utf-8")

    done = moot.run("graph", "g.json", "--export", "json")

    assert [node["id"] for node in json.loads(done.stdout)["nodes"]] == ["a"]
    assert (done.returncode, done.stderr) == (
        0,
        "moot: --export is now --format; the old name goes in the next release\n",
    )
