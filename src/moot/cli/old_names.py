"""Names that options had in the last release: accepted for one more, and whoever uses one hears the new one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OldName:
    """What an option of a command was called, and what it is called now."""

    command: tuple[str, ...]
    old: str
    """The option; or what help called it, where it was a word without a name."""
    new: str

    @property
    def was_a_word(self) -> bool:
        """Whether it was given without a name."""
        return not self.old.startswith("-")


OLD_NAMES: tuple[OldName, ...] = (
    OldName(("contest",), "--author", "--as"),
    OldName(("contest",), "--reason", "--note"),
    OldName(("graph",), "--export", "--format"),
    OldName(("compare",), "--protocols", "--protocol"),
    OldName(("coherence", "paths"), "--graphs", "--folder"),
    OldName(("coherence", "check"), "FOLDER", "--folder"),
)


def renamed_words(words: Sequence[str], names: Iterable[OldName] = OLD_NAMES) -> tuple[list[str], list[str]]:
    """Return the words of a command by today's names, and a line for each old name in them.

    What stands behind `--` is nobody's name, and neither is the value of one of these options.
    """
    own = [name for name in names if tuple(words[: len(name.command)]) == name.command]
    if not own:
        return list(words), []
    start = len(own[0].command)
    told: dict[str, str] = {}
    renamed, values = list(words[:start]), False
    for place, word in enumerate(words[start:], start):
        if word == "--":
            return [*renamed, *words[place:]], list(told.values())
        match = None if values else _match(word, own)
        renamed += [word] if match is None else _by_new_name(word, match)
        if match is not None:
            told[match.old] = f"{match.old} is now {match.new}; the old name goes in the next release"
        named = [*(name.old for name in own), *(name.new for name in own)]
        values = not values and word in named
    return renamed, list(told.values())


def _match(word: str, names: Sequence[OldName]) -> OldName | None:
    option = word.partition("=")[0]
    for name in names:
        if (not word.startswith("-") or word == "-") if name.was_a_word else option == name.old:
            return name
    return None


def _by_new_name(word: str, name: OldName) -> list[str]:
    if name.was_a_word:
        return [name.new, word]
    _, equals, value = word.partition("=")
    return [f"{name.new}{equals}{value}"]
