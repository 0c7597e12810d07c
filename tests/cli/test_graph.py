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
    assert "└── r1:B  server x9 is listed in the rack 7 survey  given 0.9" in result.output
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


@pytest.mark.parametrize("name", ["json", "argdown", "aif", "dot", "mermaid", "graphml"])
def test_every_export_names_the_conclusion(name):
    result = run(EXAMPLE, "--format", name)

    assert result.exit_code == 0 and "server x9 can be used for the nightly cron job" in result.output


def test_an_exported_graph_can_be_read_again():
    exported = run(EXAMPLE, "--format", "json").stdout

    assert "Support width 2" in run("-", stdin=exported).output


@pytest.mark.parametrize("form", ["argdown", "aif"])
def test_what_other_tools_can_read_comes_back_with_the_same_assessment(form, tmp_path):
    file = tmp_path / f"case.{form}"
    file.write_text(run(EXAMPLE, "--format", form).stdout, encoding="utf-8")

    from_file, from_stdin = run(file, "--json"), run("-", "--from", form, "--json", stdin=file.read_text("utf-8"))

    assert from_file.stdout == from_stdin.stdout
    again, before = json.loads(from_file.stdout), json.loads(run(EXAMPLE, "--json").stdout)
    assert again["fates"] == before["fates"]
    for function in ("resilience", "critical_links", "check_structure", "disputed_nodes"):
        assert again["conclusions"]["r1:Z"][function] == before["conclusions"]["r1:Z"][function]


def test_what_a_graph_has_no_place_for_is_told_beside_it():
    result = run("-", "--from", "argdown", "--format", "json", stdin="[a]: b #ethics\n")

    assert result.exit_code == 0
    assert "passed over, since a graph has no place for it: tag (1)" in result.stderr


WRONG = [
    (["missing.json"], "", "document_unreadable", "there is no such file"),
    (["."], "", "document_unreadable", "it is a folder"),
    (["-"], "", "document_unreadable", "it is empty"),
    (["-"], "{", "bad_data_file", "stdin: it is not JSON"),
    (["-"], "[" * 100_000, "bad_data_file", "stdin: it is not JSON"),
    (["-"], "3", "bad_data_file", "no argument graph"),
    (["-"], "[]", "bad_data_file", "holds no graph"),
    (["-"], '{"claims": []}', "bad_data_file", "nodes and edges, and this one has neither"),
    (["-"], '{"nodes": []}', "bad_data_file", "no argument graph: it has no claim"),
    (["-"], '{"edges": []}', "bad_data_file", "no argument graph: it has no claim"),
    (["-"], '{"nodes": [], "edges": []}', "bad_data_file", "no argument graph: it has no claim"),
    (["-"], '[{"nodes": []}, {"edges": []}]', "bad_data_file", "no argument graph: it has no claim"),
    (["-", "--from", "argdown"], "// to be written", "bad_data_file", "no argument graph: it has no claim"),
    (["-", "--from", "argdown"], '{"a": 1}', "bad_data_file", "this is JSON and no Argdown"),
    (["-", "--from", "argdown"], "[a]: b\n\n----\n", "bad_data_file", "stdin, line 3: this inference has no premises"),
    (["-", "--from", "svg"], "", "bad_setting", "'from': "),
    ([EXAMPLE, "--conclusion", "Q"], "", "not_found", "no node 'Q'"),
    ([EXAMPLE, "--format", "png"], "", "bad_setting", "'format': "),
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
    refused = moot.run("graph", str(EXAMPLE), "--format", "dot", "--json")

    assert (refused.returncode, json.loads(refused.stdout)["error"]["code"]) == (2, "bad_setting")
    assert json.loads(moot.run("graph", str(EXAMPLE), "--format", "json", "--json").stdout)["nodes"]


def test_a_claim_cannot_steer_the_terminal():
    node = {"id": "a", "claim": "red \x1b[31m alert [bold]x[/bold]", "type": "conclusion"}

    result = run("-", stdin=json.dumps({"nodes": [node, {"id": "b"}], "edges": []}))

    assert "\x1b[31m" not in result.output and "[bold]x[/bold]" in result.output
    assert "refused: `claim` and `type` are missing" in result.output


ATTACKED = {
    "nodes": [
        {"id": "a", "claim": "the log is whole", "type": "given"},
        {"id": "b", "claim": "the log was cut at noon", "type": "given"},
        {"id": "z", "claim": "nobody came in the evening", "type": "conclusion"},
    ],
    "edges": [{"from": "a", "to": "z", "relation": "supports"}, {"from": "b", "to": "a", "relation": "attacks"}],
}


def test_a_claim_has_one_fate_and_what_is_undecided_is_said_to_be_undecided_alone():
    told = json.loads(run(EXAMPLE, "--json").stdout)
    lines = {line.partition("  ")[0]: line for line in run(EXAMPLE).output.splitlines()}

    assert told["fates"]["r1:E"] == "undecided" and "r1:E" in told["surviving_claims"]["surviving"]
    assert (told["fates"]["r1:A"], told["fates"]["r1:B"], told["fates"]["r1:F"]) == ("falls", "survives", "unsupported")
    assert "r1:E" in lines["Undecided"] and "r1:E" not in lines["Survives"] + lines["Falls"]


@pytest.mark.clause("ruling:A21")
def test_a_line_that_stands_on_a_fallen_claim_is_not_drawn_and_the_width_says_so():
    result = run("-", stdin=json.dumps(ATTACKED))

    assert "line 1" not in result.output and "a  the log is whole" not in result.output
    assert "no line of support: nothing given reaches the conclusion" in result.output
    assert "Support width 1, counting lines on fallen claims; without them 0." in result.output


@pytest.mark.parametrize("words", [(), ("--json",), ("--format", "dot")])
def test_what_was_taken_is_shown_and_the_exit_code_is_3_where_something_was_refused(words):
    result = run(
        "-", *words, stdin=json.dumps({**ATTACKED, "edges": [{"from": "a", "to": "nowhere", "relation": "supports"}]})
    )

    assert result.exit_code == 3
    assert "nobody came in the evening" in result.output or '"accepted_nodes": 3' in result.output
    assert "no node has the id 'nowhere'" in result.output


@pytest.mark.parametrize("several", [False, True])
def test_fields_that_a_graph_has_no_place_for_are_told_once_beside_it(several):
    nodes = [{**node, "colour": "red"} for node in ATTACKED["nodes"]]
    sent = {**ATTACKED, "nodes": nodes, "edges": [{**edge, "weight": 3} for edge in ATTACKED["edges"]]}

    result = run("-", "--json", stdin=json.dumps([sent] if several else sent))

    assert json.loads(result.stdout)["assert_graph"]["passed_over"] == ["colour", "weight"]
    assert result.stderr.splitlines() == [
        f"passed over, since a graph has no place for it: the field {name}" for name in ("colour", "weight")
    ]
    assert result.exit_code == 0


WHOLLY_REFUSED = [
    ('{"nodes": [{"id": "a", "claim": "x is so", "type": "premise"}]}', "type must be one of"),
    ("[1]", "expected an object"),
    ('{"nodes": [], "edges": [{"src": "a"}]}', "`dst` and `relation` are missing"),
    (
        '{"nodes": [{"nodeID": "1", "text": "x is so", "type": "I"}], "edges": [], "locutions": []}',
        "it has `nodeID` and `text`, which are",
    ),
]


@pytest.mark.parametrize("words", [(), ("--json",), ("--format", "json"), ("--format", "argdown")])
@pytest.mark.parametrize(("stdin", "reason"), WHOLLY_REFUSED)
def test_a_graph_of_which_everything_is_refused_is_told_item_by_item_with_exit_code_3(stdin, reason, words):
    result = run("-", "--from", "json", *words, stdin=stdin)

    assert (result.exit_code, type(result.exception)) == (3, SystemExit)
    assert reason in result.output
    if "--json" in words:
        assert (json.loads(result.stdout)["fates"], len(json.loads(result.stdout)["assert_graph"]["rejected"])) == (
            {},
            1,
        )
    if "--format" in words:
        assert "refused: " in result.stderr
