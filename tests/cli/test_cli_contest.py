"""`moot contest` and `moot ask --claim` as a user meets them."""

import pytest

from tests.cli.kit import SINGLE, Moot

SURVEY = "Server x9 runs Linux and stays on around the clock. Server x4 runs BSD."
SCRIPT = {
    "run/r1#2": {
        "answer": "x4",
        "conclusion_node": "c",
        "nodes": [
            {"type": "conclusion", "id": "c", "claim": "It is the server called x4 that can take it"},
            {"type": "given", "id": "g", "document": 1, "quote": "Server x4 runs BSD", "claim": "Server x4 runs BSD"},
        ],
        "edges": [{"from": "g", "to": "c", "relation": "supports", "confidence": 0.3}],
    },
    "run/r1": {
        "answer": "x9",
        "conclusion_node": "c",
        "nodes": [
            {"type": "conclusion", "id": "c", "claim": "Server x9 can take the job"},
            {"type": "given", "id": "g", "document": 1, "quote": SURVEY[:51], "claim": SURVEY[:51]},
        ],
        "edges": [{"from": "g", "to": "c", "relation": "supports"}],
    },
    "verify/*": {"reason": "It is written there.", "sentence": None, "says": "say this"},
}


@pytest.fixture
def asked(moot: Moot) -> str:
    (moot.folder / "survey.md").write_text(SURVEY, encoding="utf-8")
    words = ("ask", "Which server?", "--doc", "survey.md", "--n", "2", "--member", moot.script(SCRIPT))
    return moot.json(*words)["id"]


@pytest.mark.clause("ruling:I4")
def test_a_contest_shows_how_the_answer_changes_and_undo_brings_it_back(moot: Moot, asked: str) -> None:
    contested = moot.json("contest", asked, "around the clock", "--note", "it was off", "--as", "Ada")
    shown = moot.run("show", asked).stdout
    undone = moot.json("contest", asked, "around the clock", "--undo", "--as", "Ada")

    assert contested["before"]["answer"] == "x9"
    assert contested["after"]["answer"] == "x4"
    assert "Ada" in shown
    assert "it was off" in shown
    assert undone["after"] == contested["before"]
    assert "contested" not in moot.run("show", asked).stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("no such words", "--note", "because"), "no such words"),
        (("Server", "--note", "because"), "several claims"),
        (("around the clock",), "--note"),
        (("around the clock", "--undo"), "contest"),
    ],
    ids=["unknown", "ambiguous", "no reason", "nothing to undo"],
)
def test_a_contest_that_cannot_be_made_is_one_line(moot: Moot, asked: str, words: tuple[str, ...], says: str) -> None:
    done = moot.run("contest", asked, *words)

    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_deliberation_without_a_graph_cannot_be_contested(moot: Moot) -> None:
    single = moot.json("ask", "Why?", *SINGLE, "--member", moot.script())["id"]

    done = moot.run("contest", single, "anything", "--note", "because")

    assert done.returncode == 2
    assert "no argument graph" in done.stderr


@pytest.mark.clause("ruling:I4")
def test_a_contest_leaves_the_record_as_it_was(moot: Moot, asked: str) -> None:
    moot.run("contest", asked, "around the clock", "--note", "it was off")

    assert moot.run("replay", asked).returncode == 0


def test_a_claim_is_tested_and_the_report_says_what_must_be_wrong_for_it_to_fail(moot: Moot) -> None:
    (moot.folder / "survey.md").write_text(SURVEY, encoding="utf-8")
    words = ("ask", "--claim", "Server x9 can take the job", "--doc", "survey.md", "--n", "1")

    done = moot.run(*words, "--member", moot.script(SCRIPT), "--report")

    assert done.returncode == 0
    assert "the answer falls if this claim is wrong" in done.stderr


def test_a_claim_without_documents_cannot_be_tested(moot: Moot) -> None:
    done = moot.run("ask", "--claim", "Server x9 can take the job", "--member", moot.script(SCRIPT))

    assert done.returncode == 2
    assert "--doc" in done.stderr


def test_the_papers_words_set_what_they_name(moot: Moot) -> None:
    words = ("ask", "Why?", "--protocol", "interrogation", "--n", "3", "--k", "1", "--temp", "0.5")

    plan = moot.json(*words, "--member", moot.script(SCRIPT), "--dry-run")

    settings = plan["settings"]
    assert (settings["n"], settings["k"], settings["temperature"]) == (3, 1, 0.5)
    assert plan["budget"]["calls"] == 20


@pytest.mark.clause("ruling:I4")
def test_without_a_claim_it_says_what_would_fall_with_each_sentence_and_keeps_nothing(moot: Moot, asked: str) -> None:
    (supposed,) = moot.json("contest", "last")
    told = moot.run("contest", asked).stdout

    assert supposed["node"] == "survey.md#1"
    assert (supposed["before"]["answer"], supposed["after"]["answer"]) == ("x9", "x4")
    assert "survey.md#1: Server x9 runs Linux" in told
    assert "then “x9” falls; next is “x4”" in told
    assert "contested" not in moot.run("show", asked).stdout


def test_a_reason_without_a_claim_is_refused(moot: Moot, asked: str) -> None:
    assert "say which claim" in moot.run("contest", asked, "--note", "it was off").stderr


def test_last_is_the_newest_deliberation_and_without_any_the_way_out_is_said(moot: Moot) -> None:
    assert "`moot ask` begins one" in moot.run("show", "last").stderr

    script = moot.script(SINGLE)
    ids = [moot.json("ask", question, "--protocol", "single", "--member", script)["id"] for question in ("A?", "B?")]

    assert moot.json("show", "last")["id"] == ids[-1]


@pytest.mark.clause("ruling:A21")
def test_contest_and_report_name_the_same_claims_that_must_be_wrong(moot: Moot, asked: str) -> None:
    detail = moot.json("show", asked)["detail"]

    (supposed,) = moot.json("contest", asked)

    assert [item["claim"] for item in detail["must_be_wrong"]] == supposed["before"]["must_be_wrong"]
    assert detail["support"] == supposed["before"]["support"]
