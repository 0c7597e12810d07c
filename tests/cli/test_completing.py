"""What the shell offers at a press of Tab."""

from pathlib import Path

import pytest

from tests.cli.kit import SINGLE, Moot


def offered(moot: Moot, line: str) -> list[str]:
    words = line.split(" ")
    shell = {"_MOOT_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = Moot(moot.folder, {**moot.environ, **shell}).run()

    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_ids_are_offered_newest_first_and_settings_are_those_of_the_protocol(moot: Moot) -> None:
    ids = [moot.json("ask", question, *SINGLE, "-m", moot.script())["id"] for question in ("First?", "Second?")]

    assert offered(moot, "moot show ") == [ids[1], ids[0], "last"]
    assert offered(moot, f"moot export {ids[0][:9]}")[0] == ids[0]
    assert "temperature=" in offered(moot, "moot fork last --set t")
    assert "sides=" not in offered(moot, "moot fork last --set ")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("moot ask x -p inter", "interrogation"),
        ("moot compare x -p single,vo", "single,vote"),
        ("moot list --status comp", "complete"),
        ("moot export ab --format h", "html"),
        ("moot graph g.json --format mer", "mermaid"),
        ("moot ask x -m embedded:smol", "embedded:smollm2-135m"),
        ("moot ask x -m openai:", "openai:gpt-5.4-mini"),
        ("moot ask x -m scripted:", "scripted:ours"),
        ("moot ask x --panel sm", "small"),
        ("moot ask x -p vote --set st", "stop="),
        ("moot board add x --set hou", "house="),
        ("moot comp", "compare"),
        ("moot ask --budget-c", "--budget-calls"),
    ],
)
def test_what_is_known_is_offered(moot: Moot, line: str, word: str) -> None:
    (moot.folder / "ours.toml").write_text('[panels.small]\nmembers = ["scripted:ours"]\n', encoding="utf-8")

    assert word in offered(Moot(moot.folder, {"MOOT_CONFIG": "ours.toml"}), line)


def test_a_completion_makes_no_store_and_says_nothing_of_what_is_wrong(moot: Moot, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text("protocol = 3 =", encoding="utf-8")
    (tmp_path / "broken.db").write_text("no database", encoding="utf-8")
    broken = Moot(tmp_path, {"MOOT_DATABASE": f"sqlite:///{tmp_path / 'broken.db'}"})
    misread = Moot(tmp_path, {"MOOT_CONFIG": "wrong.toml"})

    assert offered(moot, "moot show ") == []
    assert offered(moot, "moot show last --js") == ["--json"]
    assert not (tmp_path / "home").exists()
    assert [offered(user, line) for user in (broken, misread) for line in ("moot show ", "moot ask --panel ")] == [
        []
    ] * 4
