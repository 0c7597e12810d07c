"""`moot evals`, `moot screen` and `moot compare` as a user runs them, over scripted members.

What needs no process of its own runs in this one: a dozen starts of Python take longer than all the rest.
"""

import asyncio
import json
import re
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from typing_extensions import override

from moot.cli.app import app
from moot.core.errors import MootError
from moot.evals.figures.screen import screen_items
from tests.cli.kit import GOOD, Moot, begun, ended
from tests.docs.kit import ARGUMENT
from tests.fake_server import FakeServer

SCRIPT = {
    "answer*": "It is four.\nAnswer: 4",
    "sample/*": "Answer: 4",
    "run/*": ARGUMENT,
    "verify/*": {"reason": "It is written there.", "verdict": "supported"},
}
GSM8K = [{"question": f"What is {n} and 1?", "answer": f"{n} + 1 = {n + 1}\n#### {n + 1}"} for n in (3, 8)]
HOTPOT = {
    "_id": "h1",
    "question": "Which server takes jobs?",
    "answer": "The Server X9",
    "context": [["Survey", ["Server x9 stays on.", "Server x4 does not."]]],
    "supporting_facts": [["Survey", 0]],
}


@dataclass
class Told:
    returncode: int
    stdout: str
    stderr: str


@dataclass
class Here(Moot):
    """The command line of one user, in this process. Files are named by their whole path."""

    @override
    def run(self, *words: str, stdin: str = "") -> Any:
        done = CliRunner().invoke(app, words, input=stdin, env=self.environment())
        if isinstance(done.exception, MootError):
            return Told(done.exception.exit_code, done.stdout, done.stderr + str(done.exception))
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return Told(done.exit_code, done.stdout, done.stderr)

    @override
    def script(self, replies: Any = None, name: str = "script.json") -> str:
        return f"scripted:{self.path(super().script(replies, name).removeprefix('scripted:'))}"

    def path(self, name: str) -> str:
        return str(self.folder / name)


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path)


def lines(folder: Path, name: str, *records: object) -> str:
    (folder / name).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(folder / name)


def test_a_run_prints_its_summary_and_leaves_a_folder_that_can_be_shown(moot: Moot) -> None:
    member = moot.script(SCRIPT)

    done = moot.run("evals", "run", "--arms", "single-pass,self-consistency", "--limit", "3", "--member", member,
                    "--budget-calls-per-item", "3", "--out", "first")  # fmt: skip
    shown = moot.run("evals", "show", "first")

    assert done.returncode == shown.returncode == 0, done.stderr
    assert "| single-pass |" in done.stdout and "## Goals" in done.stdout
    assert "single-pass" in done.stderr and "of 3" in done.stderr, "running accuracy goes to stderr"
    assert shown.stdout.strip() in done.stdout
    for name in ("run.json", "summary.md", "arms/single-pass.jsonl", "plots/accuracy_cost.svg"):
        assert (moot.folder / "first" / name).is_file()
    assert moot.stored() == 0, "an evaluation keeps its record with its results"


def test_without_a_folder_a_run_is_kept_among_the_evaluations_and_found_there_by_its_name(moot: Moot) -> None:
    asked = ("evals", "run", "--arms", "1", "--member", moot.script(SCRIPT))

    cut = moot.run(*asked, "--limit", "2", "--budget-calls", "1")
    [folder] = (moot.folder / "home" / "evals").iterdir()
    resumed, shown = moot.json("evals", "resume", folder.name), moot.run("evals", "show", folder.name)
    lost = moot.run("evals", "show", "nowhere")

    assert cut.returncode == 3 and str(folder) in cut.stdout
    assert resumed["unasked"] == 0 and "| single-pass | " in shown.stdout
    assert lost.returncode == 2 and "nowhere holds no results" in lost.stderr


@pytest.mark.clause("evals:5.datasets")
def test_published_formats_are_read_and_graded_as_their_authors_do(here: Here) -> None:
    gsm8k = lines(here.folder, "gsm8k.jsonl", *GSM8K)
    hotpot = lines(here.folder, "hotpot.jsonl", HOTPOT)
    four = here.script({"answer": "so\nAnswer: $4.00"}, "four.json")
    x9 = here.script({"answer": "Answer: server x9."}, "x9.json")

    numbers = here.json("evals", "run", "--arms", "1", "--data", gsm8k, "--member", four, "--out", here.path("g"))
    spans = here.json("evals", "run", "--arms", "1", "--data", hotpot, "--member", x9, "--out", here.path("h"))

    assert (numbers["arms"]["single-pass"]["correct"], numbers["items"]) == (1, 2)
    assert (spans["arms"]["single-pass"]["correct"], spans["items"]) == (1, 1)


def test_a_line_that_cannot_be_read_is_named_counted_and_kept_with_the_results(here: Here) -> None:
    data = lines(here.folder, "gsm8k.jsonl", *GSM8K, {"question": "no answer"})

    done = here.run(
        "evals", "run", "--arms", "1", "--data", data, "--member", here.script(SCRIPT), "--out", here.path("r")
    )

    assert done.returncode == 0
    assert "left out" in done.stderr and "gsm8k.jsonl:3" in done.stderr
    assert "jsonl:3" in (here.folder / "r" / "summary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--arms", "seance"), "no arm 'seance'"),
        (("--arms", "frontier"), "--frontier SPEC"),
        (("--data", "nowhere.jsonl"), "nowhere.jsonl"),
        (("--data", "empty.jsonl"), "no item"),
        (("--limit", "0"), "limit"),
        (("--set", "colour=red"), "colour"),
        (("--set", "n"), "--set KEY=VALUE"),
        (("--n", "0"), "n"),
        (("--budget-calls", "0"), "budget-calls"),
        (("--budget-usd", "-1"), "budget-usd"),
        (("--budget-calls-per-item", "0"), "budget-calls-per-item"),
        (("--concurrency", "0"), "concurrency"),
        (("--member", "oracle:delphi"), "oracle"),
    ],
)
def test_wrong_words_are_named_with_exit_code_2_and_nothing_is_asked(
    words: tuple[str, ...], says: str, here: Here
) -> None:
    (here.folder / "empty.jsonl").write_text("")
    member = () if "--member" in words else ("--member", here.script({"*": {"$failure": "refused"}}))

    words = tuple(here.path(word) if word.endswith(".jsonl") else word for word in words)
    done = here.run("evals", "run", "--out", here.path("r"), *member, *words)

    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert not (here.folder / "r" / "run.json").exists()


def test_a_budget_that_ends_a_run_is_exit_code_3_and_resume_asks_the_rest(here: Here) -> None:
    member = here.script(SCRIPT)

    first = here.run("evals", "run", "--arms", "1", "--limit", "4", "--member", member, "--budget-calls", "5", "--out",
                     here.path("r"), "--json")  # fmt: skip
    then = here.run("evals", "resume", here.path("r"), "--json")

    told, rest = json.loads(first.stdout), json.loads(then.stdout)
    assert (first.returncode, then.returncode) == (3, 0)
    assert told["unasked"] == 4 - told["arms"]["single-pass"]["asked"] > 0
    assert any("5 calls" in problem for problem in told["problems"])
    assert rest["unasked"] == 0 and rest["arms"]["single-pass"]["asked"] == 4


def test_ctrl_c_stops_the_spending_says_how_to_go_on_and_going_on_repeats_nothing(moot: Moot) -> None:
    async def scene():
        async with FakeServer({"m": "hang,well"}) as server:
            words = ("evals", "run", "--arms", "1", "--limit", "1", "--member", server.member("m"), "--out", "r")
            running = await begun(moot, *words)
            await server.arrived.wait()
            running.send_signal(signal.SIGINT)
            code, _, said = await ended(running)
            went_on = await ended(await begun(moot, "evals", "resume", "r", "--json"))
            return code, said, went_on, sum(server.counts.values())

    code, said, (then, out, _), calls = asyncio.run(scene())

    assert code == 130 and "moot evals resume r" in said
    assert then == 0 and json.loads(out)["arms"]["single-pass"]["asked"] == 1
    assert calls == 2, "the one that hung, and the one that was asked again"


def test_a_folder_of_an_older_version_is_named(here: Here) -> None:
    (here.folder / "old").mkdir()
    (here.folder / "old" / "run.json").write_text('{"format": 0, "moot": "0.0.9"}')

    for words in (
        ("show", here.path("old")),
        ("resume", here.path("old")),
        ("run", "--member", here.script(SCRIPT), "--out", here.path("old")),
    ):
        done = here.run("evals", *words)
        assert done.returncode == 2 and "Moot 0.0.9 in format 0" in done.stderr


def test_the_arms_are_listed_and_those_of_an_evaluation_alone_are_no_protocols(here: Here) -> None:
    arms = {arm["name"]: arm["number"] for arm in here.json("evals", "arms")}
    protocols = {row["name"] for row in here.json("protocols")}

    assert arms["interrogation"] == "6" and arms["single-pass"] == "1" and "self-consistency" in arms
    assert protocols <= set(arms)
    assert not {"single-pass", "revisit", "self-consistency", "screen"} & protocols


@pytest.mark.clause("evals:G1")
def test_a_screen_prints_percentages_with_intervals_and_a_recommendation(here: Here) -> None:
    item = screen_items(1)[0]
    assert item.grounded
    reads = here.script({"answer": item.grounded.example}, "reads.json")
    knows = here.script({"answer": item.memorized.example}, "knows.json")
    words = ("--member", knows, "--member", reads, "--limit", "1", "--no-forms", "--out", here.path("rows.jsonl"))

    done = here.run("screen", *words)
    again = here.json("screen", *words)

    assert done.returncode == 0, done.stderr
    assert f"default member: {reads}" in done.stdout and "100 % (21 to 100)" in done.stdout
    assert again["recommended"]["member"] == reads
    assert again["members"][1]["grounded"]["right"] == 1
    assert len((here.folder / "rows.jsonl").read_text().splitlines()) == 2


@pytest.mark.clause("ruling:I9", "interrogation:4.3")
def test_a_screen_tells_of_forms_and_recommends_nobody_below_the_floor(here: Here) -> None:
    member = here.script({"answer": "The documents do not say."}, "abstains.json")
    words = ("--member", member, "--limit", "6", "--out", here.path("rows.jsonl"))

    done = here.run("screen", *words)
    again = here.json("screen", *words)

    assert done.returncode == 0, done.stderr
    told = f"nobody is recommended: the best, {member}, has 2 of 6 right; at least 5 are needed"
    assert told in done.stdout and "| 5 of 6 |" in done.stdout
    assert "Form: none: no form reaches the floor of 75 % read at once and 50 % right." in done.stdout
    forms = again["members"][0]["forms"]
    assert forms["recommended"] is None and forms["graph"]["at_once"]["of"] == 6
    assert again["recommended"] == {"member": None, "reason": told.removeprefix("nobody is recommended: ")}
    assert again["members"][0]["needed"] == 5 and again["members"][0]["in_shape"]["of"] == 6


def test_a_screen_belongs_to_a_run_for_its_first_goal(here: Here) -> None:
    member = here.script(SCRIPT)
    here.run("screen", "--member", member, "--limit", "2", "--out", here.path("rows.jsonl"))

    words = ("--arms", "1", "--limit", "1", "--member", member, "--screen", here.path("rows.jsonl"))
    done = here.run("evals", "run", *words, "--out", here.path("r"))

    assert "1 member, 2 of 50 items, $0.0000 | **unknown** | not judged: it needs the whole screen" in done.stdout


@pytest.mark.parametrize("width", [60, 120])
def test_on_a_terminal_a_run_and_a_screen_are_tables_that_fit_and_no_markdown(width: int, here: Here) -> None:
    moot, member = Moot(here.folder), here.script(SCRIPT)

    asked = ("--arms", "1,self-consistency", "--limit", "2", "--budget-calls-per-item", "2", "--out", here.path("r"))
    _, run = moot.at_terminal("evals", "run", *asked, "-m", member, columns=width, stderr=False)
    kept = ("--limit", "2", "--no-forms", "--out", here.path("rows.jsonl"))
    _, screen = moot.at_terminal("screen", *kept, "-m", member, columns=width, stderr=False)

    for seen, figure in ((run, r"\d of 2 = \d+% \[\d+%, \d+%\]"), (screen, r"0 % \(0 to 66\)")):
        lines = [line.rstrip() for line in seen.splitlines()]
        assert not any(line.startswith("|") for line in lines)
        assert any(re.search(figure, line) for line in lines)
        # A path is never broken, so that it can be copied.
        assert max(len(line) for line in lines if str(here.folder) not in line) <= width


def test_json_holds_what_the_tables_show(here: Here) -> None:
    member = here.script({"answer*": "Answer: 4", "run/r1": ["Answer: 4", "Hm.", "Answer: 4"]})
    words = ("evals", "run", "--arms", "1,self-consistency", "--limit", "1", "--member", member)

    told = here.json(*words, "--budget-calls-per-item", "3", "--out", here.path("r"))

    arm = told["arms"]["self-consistency"]
    assert {"right", "of", "low", "high", "value"} <= arm["accuracy"].keys() == arm["all_items"].keys()
    assert (arm["votes"]["unreadable"], arm["votes"]["agreement"][0]) == (1, [1.0, None, 1.0])
    assert {"usd_per_correct", "seconds_per_correct", "tokens_per_correct", "seconds_an_item"} <= arm.keys()
    assert arm["confidence"][0]["basis"] == "votes"
    assert [(one["arm"], one["against"]) for one in told["comparisons"]] == [("self-consistency", "single-pass")]
    assert [(goal["name"], goal["state"]) for goal in told["goals"]] == [(f"G{n}", "unknown") for n in range(1, 6)]


@pytest.mark.parametrize(("words", "says"), [(("--limit", "0"), "--limit"), (("--out", "other.txt"), "screen results")])
def test_a_screen_with_wrong_words_asks_nobody(words: tuple[str, ...], says: str, here: Here) -> None:
    (here.folder / "other.txt").write_text("some text\n")

    words = tuple(here.path(word) if word.endswith(".txt") else word for word in words)
    done = here.run("screen", "--member", here.script(SCRIPT), *words)

    assert done.returncode == 2 and says in done.stderr


def test_compare_shows_one_question_through_several_protocols_side_by_side(here: Here) -> None:
    member = here.script({"answer": GOOD, **SCRIPT})
    (here.folder / "survey.md").write_text("Server x9 stays on around the clock.")
    words = (
        "compare",
        "Which server?",
        "--protocol",
        "single,interrogation",
        "--doc",
        here.path("survey.md"),
        "--member",
        member,
    )

    done = here.run(*words)
    told = here.json(*words)

    assert done.returncode in (0, 3), done.stderr
    for word in ("single", "interrogation", "server x9", "0.90 stated", "votes", "dissent", "calls", "seconds"):
        assert word in done.stdout
    assert [result["protocol"] for result in told["results"]] == ["single", "interrogation"]
    assert here.stored() == 4


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--protocol", "single,seance"), "no protocol 'seance'"),
        (("--protocol", ","), "no protocol is named"),
        (("--set", "colour=red"), "colour"),
    ],
)
def test_compare_checks_every_protocol_before_it_asks_the_first(words: tuple[str, ...], says: str, here: Here) -> None:
    done = here.run("compare", "Which server?", "--member", here.script({"answer": GOOD}), *words)

    assert done.returncode == 2 and says in done.stderr
    assert here.stored() == 0


def test_compare_where_nobody_answers_is_exit_code_1_and_where_one_does_3(here: Here) -> None:
    nobody = here.script({"*": {"$failure": "refused"}}, "nobody.json")
    one = here.script({"answer": GOOD, "*": {"$failure": "refused"}}, "one.json")

    neither = here.run("compare", "Which?", "--protocol", "single", "--member", nobody)
    some = here.run("compare", "Which?", "--protocol", "single,interrogation", "--member", one)

    assert (neither.returncode, some.returncode) == (1, 3)
