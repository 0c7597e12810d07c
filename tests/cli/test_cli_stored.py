"""`moot list`, `show`, `replay`, `export`, `delete`, `models`, `protocols`, `doctor`."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from moot.protocols import find_protocol
from tests.cli.kit import GOOD, SINGLE, Moot

HOSTILE = "<script>alert(1)</script> [x](javascript:y) \u202e \x1b[31mred"


@pytest.fixture
def asked(moot: Moot) -> str:
    return moot.json(
        "ask", f"Which server? {HOSTILE}", *SINGLE, "--member", moot.script({"answer": {**GOOD, "answer": HOSTILE}})
    )["id"]


def test_the_newest_deliberation_is_listed_first_with_the_stable_keys(moot: Moot) -> None:
    first = moot.json("ask", "First?", *SINGLE, "--member", moot.script())
    second = moot.json("ask", "Second?", *SINGLE, "--member", moot.script())

    rows = moot.json("list")

    assert [row["id"] for row in rows] == [second["id"], first["id"]]
    asked = {"id", "protocol", "status", "question", "started", "stalled", "parent", "cost"}
    came_to = {"answer", "confidence", "basis", "ended", "seconds", "models", "owner", "forks", "contests"}
    assert set(rows[0]) == asked | came_to


def test_show_tells_who_said_what_and_the_start_of_an_id_is_enough(moot: Moot, asked: str) -> None:
    done = moot.run("show", asked[:6])

    assert done.returncode == 0
    assert "      Because it is written there.\n" in done.stdout
    assert "stated" in done.stdout


def test_replay_shows_that_the_record_is_equal_to_the_byte(moot: Moot, asked: str) -> None:
    done = moot.run("replay", asked)

    assert done.returncode == 0
    assert "equal to the byte: 3 events" in done.stdout


@pytest.mark.clause("ruling:G4")
@pytest.mark.parametrize("form", ["md", "html"])
def test_markup_and_control_characters_in_a_models_words_stay_words(moot: Moot, asked: str, form: str) -> None:
    text = moot.run("export", asked, "--format", form).stdout

    assert "<script" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    if form == "md":
        assert not re.search(r"(?<!\\)\]\(", text)


@pytest.mark.clause("ruling:G4")
def test_control_characters_in_a_models_words_do_not_reach_the_terminal(moot: Moot, asked: str) -> None:
    assert "\x1b[31m" not in moot.run("show", asked).stdout


def test_json_export_holds_the_result_every_event_every_request_and_reply(moot: Moot, asked: str) -> None:
    record = json.loads(moot.run("export", asked, "--format", "json").stdout)

    assert [event["kind"] for event in record["events"]] == ["started", "answered", "ended"]
    assert record["journal"][0]["request"]["messages"][0]["role"] == "system"
    assert json.loads(record["journal"][0]["text"])["confidence"] == 0.9
    assert record["result"]["id"] == asked


def test_files_export_writes_a_folder(moot: Moot, asked: str) -> None:
    done = moot.run("export", asked, "--format", "files", "--out", "out")

    written = {Path(line).name for line in done.stdout.splitlines()}
    assert {"question.txt", "answer.txt", "result.json", "record.json", "transcript.md"} <= written
    assert (moot.folder / "out" / "result.json").exists()


def test_export_to_a_place_that_cannot_be_written_is_one_line(moot: Moot, asked: str) -> None:
    (moot.folder / "occupied").write_text("", encoding="utf-8")

    done = moot.run("export", asked, "--out", "occupied/answer.md")

    assert done.returncode == 2
    assert "occupied" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_deleted_deliberation_is_gone(moot: Moot, asked: str) -> None:
    kept = moot.run("delete", asked, stdin="n\n")
    deleted = moot.run("delete", asked, "--yes")

    assert kept.returncode == 1
    assert deleted.returncode == 0
    assert moot.json("list") == []


def test_a_run_that_died_before_its_first_event_can_be_shown_exported_resumed_and_deleted(
    moot: Moot, asked: str
) -> None:
    with closing(sqlite3.connect(moot.folder / "home" / "moot.db")) as connection, connection:
        connection.execute("DELETE FROM events")
        connection.execute("UPDATE deliberations SET status = 'running'")

    shown = moot.run("show", asked)
    [listed] = moot.json("list")
    exported = moot.run("export", asked, "--format", "json")
    resumed = moot.json("resume", asked)

    assert (shown.returncode, exported.returncode, listed["stalled"]) == (0, 0, True)
    assert "Nobody works on it" in shown.stdout
    assert resumed["status"] == "complete"
    assert moot.run("delete", asked, "--yes").returncode == 0


def test_a_run_of_another_protocol_version_is_left_as_it_is_and_can_be_shown_and_forked(moot: Moot, asked: str) -> None:
    with closing(sqlite3.connect(moot.folder / "home" / "moot.db")) as connection, connection:
        now = find_protocol("single").version
        older = f"""replace(header, '"protocol_version":{now}', '"protocol_version":0')"""
        connection.execute(f"UPDATE deliberations SET status = 'paused', header = {older}")

    refused = [moot.json("resume", asked), moot.json("replay", asked)]
    status = moot.json("list")[0]["status"]
    shown = [moot.run("show", asked), moot.run("export", asked)]
    forked = moot.json("fork", asked, "--at", "answer")

    assert [item["error"]["code"] for item in refused] == ["protocol_version_changed"] * 2
    assert "moot fork" in refused[0]["error"]["message"]
    assert status == "paused"
    assert [done.returncode for done in shown] == [0, 0]
    assert forked["status"] == "complete"


def test_nothing_is_deleted_without_a_yes(moot: Moot, asked: str) -> None:
    unanswered = moot.run("delete", asked)
    unasked = moot.json("delete", asked)

    assert unanswered.returncode == 1
    assert "nothing was deleted" in unanswered.stderr
    assert "nothing was deleted" in unasked["error"]["message"]
    assert moot.stored() == 1
    assert moot.json("delete", asked, "--yes") == {"deleted": asked}
    assert moot.stored() == 0


def test_a_run_that_has_ended_cannot_be_resumed_and_says_what_can_be_done(moot: Moot, asked: str) -> None:
    done = moot.run("resume", asked)

    assert done.returncode == 1
    assert "moot fork" in done.stderr


def test_a_fork_at_a_step_that_never_was_names_the_steps_there_are(moot: Moot, asked: str) -> None:
    done = moot.run("fork", asked, "--at", "summary")

    assert done.returncode == 2
    assert "answer" in done.stderr


def test_doctor_says_what_each_missing_thing_needs_and_survives_a_damaged_database(moot: Moot) -> None:
    well = moot.run("doctor")
    (moot.folder / "home" / "moot.db").write_bytes(b"damaged" * 1000)
    broken = moot.json("doctor")

    assert well.returncode == 0
    assert "set OPENAI_API_KEY" in well.stdout
    assert "moot models pull" in well.stdout
    assert [row["state"] for row in broken if row["what"] == "database"] == ["broken"]


def test_models_and_protocols_are_listed(moot: Moot) -> None:
    models = moot.json("models")
    protocols = moot.json("protocols")

    assert [row["name"] for row in models] == ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "smollm2-135m"]
    assert not any(row["cached"] for row in models)
    assert "single" in [row["name"] for row in protocols]


def test_without_words_the_help_is_shown_and_lists_the_commands(moot: Moot) -> None:
    done = moot.run("--help")

    assert done.returncode == 0
    for command in ("ask", "resume", "fork", "list", "show", "replay", "export", "delete", "models", "doctor"):
        assert f"  {command}" in done.stdout


def test_completion_for_the_shell_can_be_printed(moot: Moot) -> None:
    shell = Moot(moot.folder, {"_MOOT_COMPLETE": "source_bash"})

    done = shell.run()

    assert "complete" in done.stdout
