"""`moot --help`: the commands by what they are for, each with its whole sentence, at the width of the terminal."""

import pytest

from tests.cli.kit import Moot

SECTIONS = ["Ask:", "Look:", "Board:", "Evaluate:", "Serve:", "Manage:"]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("words", [(), ("ask",), ("board",), ("graph",)])
def test_help_is_cut_nowhere_and_wraps_at_the_terminals_width(moot: Moot, width: int, words: tuple[str, ...]) -> None:
    done = Moot(moot.folder, {"COLUMNS": str(width)}).run(*words, "--help")

    assert done.returncode == 0
    assert "..." not in done.stdout.replace("[ARGS]...", "") and "…" not in done.stdout
    assert width - 30 < max(map(len, done.stdout.splitlines())) <= width


def test_the_commands_stand_in_sections_and_a_summary_stands_whole(moot: Moot) -> None:
    done = Moot(moot.folder, {"COLUMNS": "120"}).run("--help")

    assert [line for line in done.stdout.splitlines() if line in SECTIONS] == SECTIONS
    assert "Say that a claim is wrong, and see whether the answer still stands. No model is called." in done.stdout


def test_a_command_that_there_is_not_is_answered_with_the_nearest(moot: Moot) -> None:
    assert "Did you mean 'compare', " in moot.run("compere").stderr
    assert "--protocol" in moot.run("ask", "x", "--protocl", "vote").stderr


def test_help_loads_no_table_of_rich_and_no_database(moot: Moot) -> None:
    code = (
        "import sys; sys.argv = ['moot', '--help']; from moot.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    )
    code += "print({name.split('.')[0] for name in sys.modules} & {'rich', 'sqlalchemy', 'pydantic', 'openai'})"
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "set()"
