"""`moot graph`: a file in, a readable assessment, payloads or an export out."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from moot.cli.commands.graph import graph
from tests.cli.kit import Moot

EXAMPLE = Path(__file__).parents[2] / "examples" / "argument_graph.json"


def run(*args, stdin=None):
    app = typer.Typer()
    app.command()(graph)
    return CliRunner().invoke(app, [str(arg) for arg in args], input=stdin, env={"COLUMNS": "120"})


def test_the_assessment_draws_the_roads_and_says_what_they_mean():
    result = run(EXAMPLE)

    assert result.exit_code == 0
    assert "2 lines of support; the conclusion falls if these 2 claims are wrong together" in result.output
    assert "└── r1:A  the survey covers every server in rack 7  given 0.9" in result.output
    assert "r2:A is merged into r1:A (equal)" in result.output
    assert "r1:E and r2:H contradict each other" in result.output


def test_two_claims_that_somebody_keeps_apart_are_two_again():
    together = json.loads(run(EXAMPLE, "--json").stdout)["merges"]
    apart = json.loads(run(EXAMPLE, "--json", "--keep-apart", "r1:A,r2:A").stdout)["merges"]

    assert {(merge["kept"], merge["merged"], merge["by"]) for merge in together} >= {("r1:A", "r2:A", "equal")}
    assert not [merge for merge in apart if {merge["kept"], merge["merged"]} == {"r1:A", "r2:A"}]


def test_json_prints_the_payloads():
    payloads = json.loads(run(EXAMPLE, "--json", "--conclusion", "Z").stdout)

    assert payloads["conclusions"]["r1:Z"]["support_width"]["disjoint_paths"] == 2
    assert payloads["surviving_claims"]["out"] == ["r1:A"]


@pytest.mark.parametrize("name", ["json", "argdown", "dot", "mermaid", "graphml"])
def test_every_export_names_the_conclusion(name):
    result = run(EXAMPLE, "--export", name)

    assert result.exit_code == 0 and "server x9 can be used for the nightly cron job" in result.output


def test_an_exported_graph_can_be_read_again():
    exported = run(EXAMPLE, "--export", "json").stdout

    assert "Support width 2" in run("-", stdin=exported).output


WRONG = [
    (["missing.json"], "", "document_unreadable", "there is no such file"),
    (["."], "", "document_unreadable", "it is a folder"),
    (["-"], "", "document_unreadable", "it is empty"),
    (["-"], "{", "bad_data_file", "stdin: it is not JSON"),
    (["-"], "[" * 100_000, "bad_data_file", "stdin: it is not JSON"),
    (["-"], "3", "bad_data_file", "no argument graph"),
    (["-"], "[]", "bad_data_file", "holds no graph"),
    ([EXAMPLE, "--conclusion", "Q"], "", "not_found", "no node 'Q'"),
    ([EXAMPLE, "--export", "png"], "", "bad_setting", "'export': "),
    ([EXAMPLE, "--keep-apart", "r1:A,nobody"], "", "bad_setting", "r1:A,nobody: "),
    ([EXAMPLE, "--nonsense"], "", "usage", "--nonsense"),
    ([], "", "usage", "FILE"),
]


@pytest.mark.parametrize(("words", "stdin", "code", "message"), WRONG)
def test_wrong_usage_ends_with_two_and_one_line_that_says_what_to_do(words, stdin, code, message, moot: Moot):
    done = moot.run("graph", *map(str, words), stdin=stdin)

    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert code == "usage" or len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(("words", "stdin", "code", "message"), WRONG)
def test_wrong_usage_is_one_json_object_for_a_machine(words, stdin, code, message, moot: Moot):
    done = moot.run("graph", *map(str, words), "--json", stdin=stdin)

    error = json.loads(done.stdout)["error"]
    assert (done.returncode, done.stderr, error["code"]) == (2, "", code)
    assert message in error["message"]


def test_an_export_that_is_no_json_is_refused_where_json_is_asked_for(moot: Moot):
    refused = moot.run("graph", str(EXAMPLE), "--export", "dot", "--json")

    assert (refused.returncode, json.loads(refused.stdout)["error"]["code"]) == (2, "bad_setting")
    assert json.loads(moot.run("graph", str(EXAMPLE), "--export", "json", "--json").stdout)["nodes"]


def test_a_claim_cannot_steer_the_terminal():
    node = {"id": "a", "claim": "red \x1b[31m alert [bold]x[/bold]", "type": "conclusion"}

    result = run("-", stdin=json.dumps({"nodes": [node, {"id": "b"}], "edges": []}))

    assert "\x1b[31m" not in result.output and "[bold]x[/bold]" in result.output
    assert "refused: claim must be a text" in result.output
