"""Help that is there at once: the commands by what they are for, each with its whole sentence."""

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup
from typing_extensions import override

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter

WIDEST = 120
"""Columns past which a line is hard to follow."""
ORDER = ("Ask", "Look", "Board", "Evaluate", "Serve", "Manage")


class SectionedHelp(TyperGroup):
    """A group of commands whose help shows them in sections; a command's section is its `rich_help_panel`."""

    @override
    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the sections in their order, each command with its whole summary."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            if not command.hidden:
                section = getattr(command, "rich_help_panel", None) or "Commands"
                sections.setdefault(section, []).append((name, _summary(command)))
        longest = max((len(name) for rows in sections.values() for name, _ in rows), default=0)
        for section, rows in sorted(sections.items(), key=lambda item: _place(item[0])):
            with formatter.section(section):
                # One width for all sections: the sentences stand below each other.
                formatter.write_dl([(name.ljust(longest), summary) for name, summary in rows])


def command_group(name: str, summary: str, **options: Any) -> typer.Typer:
    """Return a group of commands whose help is as all of Moot's is."""
    usual: dict[str, Any] = {"no_args_is_help": True, "rich_markup_mode": None, "cls": SectionedHelp}
    return typer.Typer(name=name, help=summary, **{**usual, **options})


def _place(section: str) -> int:
    return ORDER.index(section) if section in ORDER else len(ORDER)


def _summary(command: "Command") -> str:
    first, _, _ = (command.help or "").strip().partition("\n\n")
    return " ".join(first.split())
