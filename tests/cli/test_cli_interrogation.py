"""`moot ask` with `interrogation`: the paper's command line, `task.json`, and what the exit code says."""

import json
import sqlite3
from contextlib import closing

import pytest

from tests.cli.kit import Moot
from tests.protocols.interrogation.kit import ASKED, DOCUMENTS, KESTREL, UNKNOWN, argument, step

SUPPORTED = {"reason": "It is written there.", "sentence": None, "says": "say this"}


def task(moot: Moot) -> str:
    text = {"question": ASKED, "documents": [item.text for item in DOCUMENTS], "expected_answer": "the secret one"}
    (moot.folder / "task.json").write_text(json.dumps(text), encoding="utf-8")
    return "task.json"


def journaled(moot: Moot) -> list[str]:
    with closing(sqlite3.connect(moot.folder / "home" / "moot.db")) as database:
        return list(database.iterdump())


@pytest.mark.clause("interrogation:4", "ruling:I8")
def test_the_papers_command_line_answers_a_task_and_its_expected_answer_is_written_nowhere(moot: Moot) -> None:
    member = moot.script({"run/*": KESTREL, "verify/*": SUPPORTED})
    words = ("--n", "2", "--k", "2", "--budget-calls", "20", "--temp", "0.8")

    result = moot.json("ask", "--task", task(moot), "--model", member, *words)

    assert (result["protocol"], result["answer"], result["status"]) == ("interrogation", "Kestrel", "complete")
    assert result["detail"]["ungrounded"] == []
    assert result["cost"]["calls"] == 2
    assert not [line for line in journaled(moot) if "the secret one" in line]


@pytest.mark.clause("ruling:G2")
@pytest.mark.parametrize(
    ("script", "budget", "status", "code"),
    [
        ({"run/*": KESTREL, "verify/*": SUPPORTED}, "20", "complete", 0),
        ({"run/*": UNKNOWN}, "20", "complete", 0),
        ({"run/*": KESTREL}, "1", "exhausted", 3),
        (
            {"run/*": argument("Kestrel", "Somebody went out.", step("i", "It stands to reason."))},
            "3",
            "partial",
            3,
        ),
        ({"run/*": "no JSON at all"}, "20", "failed", 1),
    ],
    ids=["complete", "not stated", "a budget of 1", "width 0", "all runs fail"],
)
def test_the_exit_code_says_what_the_answer_is_worth(moot: Moot, script, budget, status, code) -> None:
    member = moot.script(script)

    done = moot.run("ask", "--task", task(moot), "--member", member, "--n", "2", "--budget-calls", budget, "--json")

    assert (json.loads(done.stdout)["status"], done.returncode) == (status, code)


@pytest.mark.clause("interrogation:4.1.6")
def test_the_page_that_is_exported_holds_the_picture_and_the_report(moot: Moot) -> None:
    member = moot.script({"run/*": KESTREL, "verify/*": SUPPORTED})
    made = moot.json("ask", "--task", task(moot), "--member", member, "--n", "2")["id"]

    moot.run("export", made, "--format", "html", "--out", "page.html")

    html = (moot.folder / "page.html").read_text(encoding="utf-8")
    assert "<svg" in html
    assert "2 lines of support" in html
    assert "<script" not in html


def test_a_claim_goes_to_interrogation_and_another_protocol_says_that_it_has_no_such_setting(moot: Moot) -> None:
    member = moot.script({"run/*": KESTREL | {"answer": "true"}, "verify/*": SUPPORTED})
    (moot.folder / "log.txt").write_text(DOCUMENTS[0].text, encoding="utf-8")
    (moot.folder / "port.txt").write_text(DOCUMENTS[1].text, encoding="utf-8")
    words = ("ask", "--claim", "Kestrel went to sea", "--doc", "log.txt", "--doc", "port.txt", "--n", "2")

    tested = moot.json(*words, "--member", member)
    refused = moot.run(*words, "--member", member, "--protocol", "single")

    assert (tested["protocol"], tested["answer"]) == ("interrogation", "true")
    assert len(tested["detail"]["must_be_wrong"]) == tested["detail"]["support_width"] == 2
    assert refused.returncode == 2
    assert "single has no such setting" in refused.stderr
