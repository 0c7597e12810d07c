"""A Moot without its extras: each part that is not there says what installs it."""

import sys
from dataclasses import replace

import pytest

from tests.cli.kit import SINGLE, Moot


@pytest.mark.parametrize(
    ("module", "words", "extra"),
    [
        ("xllamacpp", ("ask", "Why?", *SINGLE, "--member", "embedded:135m"), "embedded"),
        ("pypdf", ("ask", "Why?", "--doc", "paper.pdf", "--member", "replay"), "docs"),
        ("psycopg", ("list",), "postgres"),
    ],
)
def test_what_needs_an_extra_names_it_and_nothing_is_stored(
    module: str, words: tuple[str, ...], extra: str, moot: Moot
) -> None:
    (moot.folder / "paper.pdf").write_bytes(b"%PDF-1.4\n")
    database = {"MOOT_DATABASE": "postgresql://moot@db.example.org/moot"} if extra == "postgres" else {}

    done = replace(moot, without=(module,), environ=database).run(*words)

    assert done.returncode == 2
    assert f"-m pip install 'moot[{extra}]'" in done.stderr
    assert sys.prefix not in done.stderr
    told = [line for line in done.stderr.splitlines() if not line.startswith("expected: ")]
    assert len(told) == 1
    assert moot.stored() == 0


def test_doctor_does_not_call_a_member_usable_whose_extra_is_not_there(moot: Moot) -> None:
    bare = replace(moot, without=("xllamacpp", "pypdf"), environ={"MOOT_MEMBERS": "embedded"})

    findings = bare.json("doctor")

    members = next(item for item in findings if item["what"] == "members")
    assert (members["state"], "moot[embedded]" in members["needs"]) == ("broken", True)
    # The suite's Python is called by its path: nothing keeps what a doctor says.
    assert f"{sys.executable} -m pip install 'moot[docs]'" in [item["needs"] for item in findings]
    assert bare.run("doctor").returncode == 1


@pytest.mark.parametrize(
    ("variable", "value", "what"),
    [
        ("MOOT_TIMEOUT", "soon", "settings"),
        ("MOOT_MEMBERS", "openai", "members"),
        ("MOOT_EMBEDDINGS", "oracle", "embeddings"),
    ],
)
def test_doctor_finds_a_setting_that_would_stop_every_question(
    variable: str, value: str, what: str, moot: Moot
) -> None:
    findings = replace(moot, environ={variable: value}).json("doctor")

    assert [item["what"] for item in findings if item["state"] == "broken"] == [what]
