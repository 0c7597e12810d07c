"""`moot graph`: a file in, a readable assessment, payloads or an export out."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from moot.cli.commands.graph import graph

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
    assert run(EXAMPLE, "--keep-apart", "r1:A,nobody").exit_code == 2


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


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        (["missing.json"], None, "cannot be read"),
        (["-"], "{", "is not JSON"),
        (["-"], "3", "no argument graph"),
        (["-"], "[]", "holds no graph"),
        ([EXAMPLE, "--conclusion", "Q"], None, "no node 'Q'"),
        ([EXAMPLE, "--export", "png"], None, "must be one of"),
    ],
)
def test_wrong_usage_ends_with_two_and_says_what_to_do(args, stdin, message):
    result = run(*args, stdin=stdin)

    assert result.exit_code == 2
    assert message in result.output


def test_a_claim_cannot_steer_the_terminal():
    node = {"id": "a", "claim": "red \x1b[31m alert [bold]x[/bold]", "type": "conclusion"}

    result = run("-", stdin=json.dumps({"nodes": [node, {"id": "b"}], "edges": []}))

    assert "\x1b[31m" not in result.output and "[bold]x[/bold]" in result.output
    assert "refused: claim must be a text" in result.output
