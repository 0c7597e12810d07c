"""`moot ask` without documents: a spiral, shown, contested, with axioms of one's own."""

from pathlib import Path

import pytest

from tests.cli.kit import ROOT, Moot

ALIKE = {"reasoning": "Known.", "answer": "water", "claims": ["Water has the higher density."]}
OTHER = {"reasoning": "Known.", "answer": "water", "claims": ["Water does not have the higher density."]}
ASKED = "Which is heavier, a litre of water or a litre of oil?"


def test_without_documents_three_seats_answer_and_agree(tmp_path: Path) -> None:
    moot = Moot(tmp_path)

    result = moot.json("ask", ASKED, "--member", moot.script({"exposition/*": ALIKE}))

    assert result["protocol"] == "spiral"
    assert result["status"] == "complete"
    assert result["confidence"]["basis"] == "agreement"
    assert result["cost"]["calls"] == 3
    assert "All members are one model" in " ".join(result["caveats"])


def test_the_matrix_and_the_loops_are_drawn_and_the_schedule_is_named_a_schedule(tmp_path: Path) -> None:
    moot = Moot(tmp_path)
    members = [moot.script({"*": ALIKE}, "a.json"), moot.script({"*": OTHER}, "b.json")]
    done = moot.json("ask", ASKED, *(word for member in members for word in ("--member", member)))

    shown = moot.run("show", done["id"]).stdout

    assert done["status"] == "forced"
    assert "loop  harmony H" in shown
    assert "scheduled D" in shown
    assert "The scheduled divergence follows a schedule and measures nothing." in shown
    assert "contradicted: Water has the higher density." in shown
    assert "equal to the byte" in moot.run("replay", done["id"]).stdout


@pytest.mark.clause("ruling:S15")
def test_ask_show_and_exports_print_what_all_hold_what_some_add_and_what_is_disputed(tmp_path: Path) -> None:
    moot = Moot(tmp_path)
    more = {**OTHER, "claims": [*OTHER["claims"], "Oil floats."]}
    members = [moot.script({"*": ALIKE}, "a.json"), moot.script({"*": more}, "b.json")]
    asked = moot.run("ask", ASKED, *(word for member in members for word in ("--member", member)))
    made = moot.json("list")[0]["id"]

    exports = {form: moot.run("export", made, "--format", form).stdout for form in ("md", "html", "json")}

    lines = [" ".join(line.split()) for line in asked.stderr.splitlines()]
    assert asked.stdout == "water\n"
    assert "all hold water" in lines
    assert "some add Oil floats. (m2)" in lines
    assert "disputed Water has the higher density. (m1, against m2)" in lines
    assert sum("Water has the higher density. (m1" in line for line in lines) == 1
    for shown in (moot.run("show", made).stdout, *exports.values()):
        assert "Oil floats. (m2)" in shown
        assert "Water has the higher density. (m1, against m2)" in shown


@pytest.mark.clause("ruling:S15")
def test_what_a_computation_refutes_is_not_called_incomplete_or_disputed(tmp_path: Path) -> None:
    moot = Moot(tmp_path)
    wrong = {"reasoning": "", "answer": "401", "claims": ["17 * 23 = 401."]}

    shown = moot.run("ask", "How much is 17 times 23?", "--member", moot.script({"*": wrong})).stderr

    assert "on something that a computation refutes" in shown
    assert "refuted by a computation  17 * 23 = 401. (m1, m2, m3): 391" in shown
    assert "came in" not in shown
    assert "disputed" not in shown


def test_a_claim_of_a_spiral_can_be_contested(tmp_path: Path) -> None:
    moot = Moot(tmp_path)
    made = moot.json("ask", ASKED, "--member", moot.script({"exposition/*": ALIKE}))["id"]

    done = moot.run("contest", made, "higher density", "--note", "not at every temperature", "--as", "Ada")

    assert done.returncode == 0
    assert "falls  Water has the higher density." in done.stdout


def test_axioms_of_ones_own_are_kept_with_the_run(tmp_path: Path) -> None:
    moot = Moot(tmp_path)
    own = tmp_path / "own"
    own.mkdir()
    (own / "shipping.toml").write_text(
        (ROOT / "examples" / "axioms" / "shipping.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    member = moot.script({"exposition/*": ALIKE})

    made = moot.json("ask", ASKED, "--member", member, "--set", "axioms=own")["id"]
    (own / "shipping.toml").unlink()
    wrong = moot.run("ask", ASKED, "--member", member, "--set", "axioms=own")

    assert "equal to the byte" in moot.run("replay", made).stdout
    assert wrong.returncode == 2
    assert "own" in wrong.stderr
