"""The page of commands, made from what the command line says of itself."""

from collections.abc import Iterable, Iterator
from itertools import starmap
from typing import Any

import typer
from docs.reference.tables import cell, table

from moot.cli.app import SECTIONS, app

HEAD = """# Commands

This page is made by `make reference` from the commands themselves; `moot COMMAND --help` prints the same. An option
that may be given several times says so. Every command also has `--help`, or `-h` for short. `moot --version` prints the
version, and `moot --install-completion` lets your shell complete commands, options, ids and names.
"""


def commands_page() -> str:
    """Return the page: a list of all commands, and of each what it does, takes and may be told."""
    moot = typer.main.get_command(app)
    sections = {name: list(_commands(moot, name)) for name in SECTIONS}
    contents = [f"- {name}: {', '.join(_link(words) for words, _ in listed)}" for name, listed in sections.items()]
    parts = [part for name, listed in sections.items() for part in (f"## {name}\n", *starmap(_section, listed))]
    return "\n".join([HEAD, *contents, "", *parts])


def _link(words: str) -> str:
    return f"[`{words}`](#{words.replace(' ', '-')})"


def _commands(group: Any, section: str) -> Iterator[tuple[str, Any]]:
    """Yield the commands of a section of help, and all below them, with the words that call them."""
    for word, command in group.commands.items():
        if command.rich_help_panel == section:
            yield from _with_those_below(command, f"moot {word}")


def _with_those_below(command: Any, words: str) -> Iterator[tuple[str, Any]]:
    if command.hidden:
        return
    yield words, command
    for word, below in getattr(command, "commands", {}).items():
        yield from _with_those_below(below, f"{words} {word}")


def _section(words: str, command: Any) -> str:
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    arguments = [parameter for parameter in shown if parameter.param_type_name == "argument"]
    options = [each for each in shown if each not in arguments and "--help" not in each.opts]
    usage = " ".join([words, *command.collect_usage_pieces(typer.Context(command, info_name=words))])
    parts = [f"### {words}", "", _paragraphs(command.help or ""), "", "```text", usage, "```", ""]
    for kind, listed in (("argument", arguments), ("option", options)):
        if listed:
            parts += [*table((kind, "what it is"), _rows(listed)), ""]
    return "\n".join(parts)


def _rows(parameters: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for parameter in parameters:
        value = "" if getattr(parameter, "is_flag", False) else parameter.metavar or ""
        names = [value] if parameter.param_type_name == "argument" else [*parameter.opts, *parameter.secondary_opts]
        spelled = ", ".join(f"`{name}`" for name in names)
        wanted = f"{spelled} `{value}`" if value and parameter.param_type_name == "option" else spelled
        yield wanted.replace("|", "\\|"), f"{cell(parameter.help or '')}{_further(parameter)}"


def _further(parameter: Any) -> str:
    default = parameter.default
    if parameter.required and parameter.param_type_name == "option":
        return " It is required."
    if isinstance(default, str | int | float) and not isinstance(default, bool) and str(default):
        return f" Without it: `{default}`."
    return ""


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
