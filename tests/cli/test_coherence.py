"""`moot coherence`, and `moot ask --protocol coherence` with graphs of one's own."""

import json
import shutil
from pathlib import Path

from tests.cli.kit import Moot
from tests.protocols.coherence_kit import ASKED, FAIR, GOOD, GRAPHS, unfolded

SCRIPT = {"unfold*": unfolded(), "response/*": GOOD, "judge/*": FAIR}


def own_graphs(folder: Path) -> Path:
    graphs = folder / "graphs"
    graphs.mkdir()
    for name, text in GRAPHS.items():
        (graphs / name).write_text(text, encoding="utf-8")
    return graphs


def test_the_graphs_that_come_with_moot_pass_their_check(tmp_path: Path) -> None:
    done = Moot(tmp_path).run("coherence", "check")

    assert done.returncode == 0
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        "knowledge.txt",
        "ethics.txt",
        "integration.txt",
    ]
    assert done.stdout.count("connected") == 3


def test_every_wrong_line_of_a_folder_is_listed(tmp_path: Path) -> None:
    graphs = own_graphs(tmp_path)
    (graphs / "wrong.txt").write_bytes(b"\xef\xbb\xbfK1: one\r\nK1: two\r\nK1 M7 K2\r\n")

    done = Moot(tmp_path).run("coherence", "check", "--folder", "graphs")
    found = json.loads(Moot(tmp_path).run("coherence", "check", "--folder", "graphs", "--json").stdout)

    assert done.returncode == 1
    assert "  line 2: K1 is there twice" in done.stdout
    assert "  line 3: 'M7' is no modulation" in done.stdout
    assert [item["line"] for item in found[2]["problems"]] == [2, 3]
    assert found[0]["problems"] == []


def test_the_engine_alone_prints_the_object_of_the_paper(tmp_path: Path) -> None:
    own_graphs(tmp_path)
    (tmp_path / "scores.json").write_text(json.dumps(unfolded(K10=None)), encoding="utf-8")

    done = Moot(tmp_path).run("coherence", "paths", "--folder", "graphs", "--scores", "scores.json")

    assert json.loads(done.stdout)["paths"]["Cost of delay"] == [
        {"graph": "knowledge", "path": ["K1", "M2", "K2"]},
        {"graph": "ethics", "path": ["E1"]},
    ]
    assert done.stderr == "moot: no scores, counted as 0: 1 relation\n"


def test_scores_that_cannot_be_used_are_named_and_nothing_is_printed(tmp_path: Path) -> None:
    own_graphs(tmp_path)
    for wrong, said in (
        (unfolded(["a", "A"]), "'A' is there twice"),
        (unfolded(K1=[1]), "1 value for 2 columns"),
        (unfolded(K1=[1, 11]), "11 is not from 0 to 10"),
        ({"columns": ["a"]}, "scores"),
        ("no scores", "stdin"),
    ):
        done = Moot(tmp_path).run("coherence", "paths", "--folder", "graphs", "--scores", "-", stdin=json.dumps(wrong))

        assert done.returncode == 2
        assert said in done.stderr
        assert done.stdout == ""


def test_a_run_keeps_its_graphs_though_their_folder_is_gone(tmp_path: Path) -> None:
    graphs, moot = own_graphs(tmp_path), Moot(tmp_path)
    member = moot.script(SCRIPT)

    asked = moot.json("ask", ASKED, "--protocol", "coherence", "--member", member, "--set", "graphs=graphs")
    shutil.rmtree(graphs)
    shown = moot.run("show", asked["id"])
    replayed = moot.run("replay", asked["id"])
    moot.run("export", asked["id"], "--format", "files", "--out", "out")

    assert asked["status"] == "complete"
    assert asked["answer"] == GOOD
    assert "knowledge  ▓▒░·" in shown.stdout
    assert "equal to the byte" in replayed.stdout
    assert json.loads((tmp_path / "out" / "paths.json").read_text())["paths"]["Cost of delay"]


def test_a_wrong_graph_file_is_named_before_anybody_is_asked(tmp_path: Path) -> None:
    graphs, moot = own_graphs(tmp_path), Moot(tmp_path)
    (graphs / "ethics.txt").write_text("E1: one\nE1 M1 E9\n", encoding="utf-8")

    done = moot.run("ask", ASKED, "--protocol", "coherence", "--member", moot.script(SCRIPT), "--set", "graphs=graphs")

    assert done.returncode == 2
    assert "ethics.txt, line 2: 'E9' is no relation of this graph" in done.stderr
    assert moot.stored() == 0


def test_a_dry_run_names_the_folder_and_not_its_texts(tmp_path: Path) -> None:
    own_graphs(tmp_path)
    moot = Moot(tmp_path)

    done = moot.run(
        "ask", ASKED, "--protocol", "coherence", "--member", moot.script(SCRIPT), "--set", "graphs=graphs", "--dry-run"
    )

    assert "graphs=graphs, batch=40, graph_tokens=6000" in done.stdout
    assert "3 calls" in done.stdout
