"""`moot axioms`: the registry read, searched and checked from the command line (ruling S5)."""

import json
from pathlib import Path

import pytest

from moot.protocols.spiral.axioms.registry import LEVELS, at_level
from moot.protocols.spiral.axioms.shipped import all_axioms
from tests.cli.kit import Moot, fake_server

SHIPPED = all_axioms()
MINE = """
level = 3

[[axiom]]
id = "SHOP1"
domain = "stock"
statement = "A warehouse holds no more pallets than it has places."
formal = "pallets ≤ places"
question = "How many pallets fit into a warehouse?"
review = "The number of places has to be looked up."
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "stock.toml").write_text(MINE, encoding="utf-8")
    (folder / "notes.txt").write_text("not read", encoding="utf-8")
    return folder


def test_help_names_what_axioms_can_do(moot):
    told = moot.run("axioms", "--help").stdout

    assert all(word in told for word in ("list", "search", "check"))


def test_the_list_shows_every_level_with_its_axioms(moot):
    done = moot.run("axioms", "list")

    assert done.returncode == 0
    assert all(
        f"level {level}, {name}: {len(at_level(SHIPPED, level))}\n" in done.stdout for level, name in LEVELS.items()
    )
    assert "  PH5   units: A light-year is a distance" in done.stdout


def test_the_list_of_one_level_as_json_holds_all_that_the_file_says(moot):
    axioms = moot.json("axioms", "list", "--level", "4")

    (leap,) = [axiom for axiom in axioms if axiom["id"] == "CO31"]
    assert {axiom["level"] for axiom in axioms} == {4}
    assert leap["file"] == "level4_computable.toml" and leap["review"] is None
    assert leap["checks"][2] == {
        "kind": "dates", "relation": "leap_year", "date": "1900", "other": "", "claimed": "", "negated": True,
    }  # fmt: skip


def test_a_search_shows_similarities_the_floor_and_the_backend(moot):
    done = moot.run("axioms", "search", "Was 1900 a leap year?", "--level", "4")

    first, second, *_ = done.stdout.splitlines()
    assert first == "level 4, computable:"
    assert second.split()[1] == "CO31" and float(second.split()[0]) >= 0.38
    assert "Similarity by wordllama" in done.stdout and "relevant from 0.38 on" in done.stdout


def test_a_search_that_finds_nothing_says_so(moot):
    done = moot.run("axioms", "search", "Which pasta sauce goes best with rigatoni?")

    assert done.returncode == 0
    assert done.stdout.count("nothing relevant") == 7


def test_all_shows_what_is_below_the_floor_and_marks_it(moot):
    words = ("axioms", "search", "Was 1900 a leap year?", "--level", "4")

    found = moot.json(*words, "--all")["axioms"]
    told = moot.run(*words, "--all").stdout

    assert len(found) == len(at_level(SHIPPED, 4)) and found[0]["relevant"] and not found[-1]["relevant"]
    assert [hit["similarity"] for hit in found] == sorted((hit["similarity"] for hit in found), reverse=True)
    assert told.count("(below the floor)") == sum(not hit["relevant"] for hit in found)


def test_a_folder_of_ones_own_is_searched_with_the_rest(moot, mine):
    found = moot.json("axioms", "search", "How many pallets can the warehouse take?", "--folder", str(mine))

    assert found["axioms"][0]["id"] == "SHOP1" and found["floors"]["3"] == 0.38


def test_the_shipped_axioms_and_a_good_folder_pass_the_check(moot, mine):
    done = moot.run("axioms", "check", "--folder", str(mine))

    assert done.returncode == 0, done.stderr
    checked = sum(bool(axiom.checks) for axiom in SHIPPED)
    assert done.stdout.startswith(f"{len(SHIPPED) + 1} axioms are well formed. {checked} have checks")
    assert f"; {len(SHIPPED) + 1 - checked} say why" in done.stdout


@pytest.mark.clause("ruling:S9")
def test_a_check_measures_the_search_on_disputes(moot):
    search = moot.json("axioms", "check")["search"]
    told = moot.run("axioms", "check").stdout

    assert search["backend"].startswith("wordllama") and set(search["floors"].values()) == {0.38}
    found, wanted = sum(search["found"].values()), sum(search["wanted"].values())
    assert f"  in all: {found} of {wanted}\n" in told
    assert f"Disputes on which no axiom bears and that find one: {search['misled']} of {search['without']}\n" in told


def test_a_check_names_what_an_oracle_refutes_and_what_is_no_longer_used(moot, mine):
    wrong = MINE.replace("SHOP1", "SHOP2").replace("A warehouse", "Every warehouse")
    wrong = wrong.replace('review = "The number of places has to be looked up."', 'denials = ["no pallet fits"]')
    wrong += 'checks = [{ kind = "arithmetic", claim = "2 + 2 = 5" }]\n'
    (mine / "wrong.toml").write_text(wrong, encoding="utf-8")

    done = moot.run("axioms", "check", "--folder", str(mine))
    told = moot.json("axioms", "check", "--folder", str(mine))

    assert done.returncode == 1
    assert [line.partition("wrong.toml, axiom SHOP2: ")[2][:30] for line in done.stderr.splitlines()] == [
        "check 1: arithmetic says false",
        "`denials` is no longer used; i",
    ]
    assert [*told["problems"], *told["notes"]] == done.stderr.splitlines()


def test_a_check_lists_every_problem_of_bad_files(moot, mine):
    (mine / "empty.toml").write_text("", encoding="utf-8")
    (mine / "taken.toml").write_text(MINE.replace("SHOP1", "ON1"), encoding="utf-8")

    done = moot.run("axioms", "check", "--folder", str(mine))

    assert done.returncode == 1
    assert "empty.toml: `level` must be a number" in done.stderr
    assert "taken.toml, axiom ON1: level3_ontological.toml already has an axiom with this id" in done.stderr


@pytest.mark.parametrize("words", [("list",), ("search", "Why?")])
def test_a_bad_file_ends_other_commands_with_two_and_its_name(moot, mine, words):
    (mine / "latin.toml").write_bytes("level = 1 # café".encode("latin-1"))

    done = moot.run("axioms", *words, "--folder", str(mine))

    assert done.returncode == 2
    assert "latin.toml': it is not UTF-8 (byte 0xe9 at 15); save it as UTF-8" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("list", "--folder", "nowhere"), "nowhere"),
        (("list", "--folder", "."), "the folder has no file that ends in .toml"),
        (("list", "--level", "8"), "--level"),
        (("search", "  "), "the question is empty"),
    ],
)
def test_wrong_usage_ends_with_two_and_says_what_to_do(moot, words, message):
    done = moot.run("axioms", *words)

    assert done.returncode == 2
    assert message in done.stderr


def test_a_users_words_cannot_steer_the_terminal(moot, mine):
    (mine / "stock.toml").write_text(MINE.replace("A warehouse", "A \\u001b[31m warehouse"), encoding="utf-8")

    done = moot.run("axioms", "list", "--level", "3", "--folder", str(mine))

    assert "SHOP1" in done.stdout and "\x1b" not in done.stdout


def test_vectors_that_do_not_come_are_a_failure_with_the_way_out(tmp_path):
    with fake_server(broken="401") as url:
        moot = Moot(tmp_path, {"MOOT_EMBEDDINGS": f"{url}#broken"})

        done = moot.run("axioms", "search", "Why?", "--json")

    assert done.returncode == 1
    assert "leave MOOT_EMBEDDINGS out" in json.loads(done.stdout)["error"]["message"]
