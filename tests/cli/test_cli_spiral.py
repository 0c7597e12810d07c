"""`moot ask` without documents: a spiral, shown, contested, with axioms of one's own."""

from pathlib import Path

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


def test_a_claim_of_a_spiral_can_be_contested(tmp_path: Path) -> None:
    moot = Moot(tmp_path)
    made = moot.json("ask", ASKED, "--member", moot.script({"exposition/*": ALIKE}))["id"]

    done = moot.run("contest", made, "higher density", "--reason", "not at every temperature", "--author", "Ada")

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
