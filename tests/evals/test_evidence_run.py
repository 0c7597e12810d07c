"""The evidence run over scripted members and invented items: begun, killed, resumed, refused, read again."""

import json
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.evidence import plan as plans
from benchmarks.evidence.asking import vote_order
from benchmarks.evidence.page import written_results
from benchmarks.evidence.plan import ArmOrder, amended, as_json, check_agrees, read_plan, write_plan
from benchmarks.evidence.planning import planned
from benchmarks.evidence.rows import Rows
from benchmarks.evidence.running import Wanted, Watch, held

from moot.core.calls import Completion, Failure, Request, Usage
from moot.core.errors import BadSetting, UsageError
from moot.testing import scripted
from tests.evals.evidence_kit import (
    ARMS,
    CANARY,
    MEMBER,
    VOTE,
    answer,
    evaluate,
    plan_of,
    sources,
    stage,
    write_items,
)
from tests.warm import warm_command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_items(tmp_path)
    return tmp_path


def test_every_item_of_every_stage_comes_to_a_row(folder: Path) -> None:
    rows = evaluate(folder)

    assert Counter(row.stage for row in rows) == {"pool": 3, "abstention": 1, "graph": 3, "rounds": 3}
    assert {row.item: row.arms["vote"].right for row in stage(rows, "pool")} == {
        "sums[0]": True,
        "islands[0]": True,
        "sums[1]": False,
    }


def test_the_pool_is_drawn_once_and_every_arm_comes_from_it(folder: Path) -> None:
    member = scripted(answer)

    rows = evaluate(folder, member, wanted=Wanted(("pool",)))

    assert len(member.requests) == 3 * 8
    assert Counter(request.step.partition("#")[0] for request in member.requests) == {
        "plain": 12,
        "program": 8,
        "numbered": 4,
    }
    assert [len(row.votes[order]) for row in rows for order in ("plain", "second", "both")] == [4, 4, 8] * 3


def test_a_run_that_has_ended_asks_nothing_when_it_is_run_again(folder: Path) -> None:
    first = evaluate(folder)
    member = scripted(answer)

    again = evaluate(folder, member)

    assert not member.requests
    assert again == first


def test_replies_are_taken_in_the_order_in_which_vote_draws_them() -> None:
    order = vote_order(("plain", "program"), 8)

    assert order == ("plain", "plain", "program", "program", "program", "program", "plain", "plain")
    assert vote_order(("plain", "program"), 6) == order[:6]


def test_vote_over_the_pool_is_what_vote_comes_to_by_itself(folder: Path) -> None:
    """The member says 4, 4, 5 and 6 in free text and always 5 as a program, whoever asks."""

    def divided(request: Request) -> Completion:
        place = int(request.step.partition("#")[2] or 1)
        if "assign" in request.messages[-1].content:
            return Completion("answer = 2 + 3", Usage(100, 10, 0.0))
        if request.step in ("run/r7", "run/r7#2"):
            place += 2
        return Completion(f"So.\nAnswer: {(4, 4, 5, 6)[place - 1]}", Usage(100, 10, 0.0))

    alone = (ARMS[0], ArmOrder("graph", "graph", "vote", {**VOTE, "temperature": 0.7}, pooled=False))
    rows = evaluate(folder, scripted(divided), wanted=Wanted(("pool", "graph")), arms=alone, sums=1)

    (over_pool,) = [row.arms["vote"] for row in stage(rows, "pool") if row.item == "sums[0]"]
    (by_itself,) = [row.arms["graph"] for row in stage(rows, "graph") if row.item == "sums[0]"]
    assert over_pool.replies == 8
    assert replace(over_pool, tokens_in=None, seconds=None) == replace(by_itself, tokens_in=None, seconds=None)


def test_further_paragraphs_are_drawn_where_vote_abstains_and_kept_for_the_next_time(folder: Path) -> None:
    def unknowing(request: Request) -> Completion:
        return Completion("It is not there.\nAnswer: the documents do not say", Usage(100, 10, 0.0))

    member = scripted(unknowing)
    (row,) = evaluate(folder, member, wanted=Wanted(("abstention",)))
    asked = len(member.requests)
    Rows(folder / "rows.jsonl").replace(
        [replace(row, reread=True, arms={"vote": replace(row.arms["vote"], unasked=1)})]
    )
    (again,) = evaluate(folder, member, wanted=Wanted(("abstention",)))

    assert row.arms["vote"].abstained and row.arms["vote"].right
    assert asked > 8 and {request.step.partition("#")[0] for request in member.requests[8:]} == {"further"}
    assert len(member.requests) == asked
    assert again == row


def driven(folder: Path, kill: int) -> tuple[int, str, Counter[str]]:
    command = warm_command("tests.evals.evidence_driver", str(folder), str(kill))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    log = folder / "requests.txt"
    return done.returncode, done.stdout + done.stderr, Counter(log.read_text().splitlines() if log.exists() else [])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Counter[str]]:
    """A run that nobody kills."""
    folder = tmp_path_factory.mktemp("whole")
    write_items(folder, sums=1)
    return folder, driven(folder, 0)[-1]


@pytest.mark.parametrize("kill", [1, 6, 30])
def test_a_killed_run_goes_on_and_repeats_no_reply_that_was_drawn(
    kill: int, tmp_path: Path, whole: tuple[Path, Counter[str]]
) -> None:
    write_items(tmp_path, sums=1)

    died, _, before = driven(tmp_path, kill)
    code, said, after = driven(tmp_path, 0)

    assert (died, code, said) == (-9, 0, "7 rows\n")
    assert not whole[1] - after
    repeated = after - whole[1]
    assert set(repeated) <= set(before) and sum(repeated.values()) <= 4
    assert _timeless(tmp_path) == _timeless(whole[0])


def _timeless(folder: Path) -> list[dict[str, Any]]:
    """The rows without what the clock says."""
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    still = [{name: {**arm, "seconds": 0} for name, arm in row["arms"].items()} for row in rows]
    return [{**row, "seconds": 0, "arms": arms} for row, arms in zip(rows, still, strict=True)]


def test_a_torn_last_line_is_written_again(folder: Path) -> None:
    first = evaluate(folder, wanted=Wanted(("pool",)))
    path = folder / "rows.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    member = scripted(answer)

    again = evaluate(folder, member, wanted=Wanted(("pool",)))

    assert not member.requests
    assert again == first


def test_a_run_stops_after_the_item_that_passes_its_minutes(folder: Path) -> None:
    told: list[str] = []
    now = iter(range(0, 10_000, 20))
    watch = Watch(lambda: 0.5, lambda: next(now), lambda: "2026-01-02", 2, told.append)

    rows = evaluate(folder, wanted=Wanted(minutes=1), watch=watch)

    assert 0 < len(rows) < 10
    assert told[-1].endswith("stopped after 1 minutes; the same command goes on")
    assert len(evaluate(folder)) == 10


def test_a_member_that_is_away_stops_the_run_and_leaves_no_row(folder: Path) -> None:
    with pytest.raises(UsageError, match="could not be reached"):
        evaluate(folder, scripted(lambda request: Failure("unreachable", "nobody is there")))

    rows = evaluate(folder, wanted=Wanted(("pool",)))

    assert [row.arms["vote"].replies for row in rows] == [4, 4, 4]


def test_two_processes_do_not_write_to_one_record(folder: Path) -> None:
    with held(folder / "record"), pytest.raises(UsageError, match="another process"):
        evaluate(folder)


def test_a_dearer_arm_has_more_replies_drawn_for_the_vote_beside_it(folder: Path) -> None:
    rows = evaluate(folder, wanted=Wanted(("graph", "rounds")))

    assert {len(row.runs) for row in stage(rows, "graph")} == {8}
    assert {len(row.runs) for row in stage(rows, "rounds")} == {16}


def test_nothing_that_is_kept_holds_a_text_of_the_items_or_of_a_reply(folder: Path) -> None:
    rows = evaluate(folder)
    plan = plan_of(folder)
    write_plan(folder, plan)
    written_results(plan, rows, folder / "results.md", folder / "results.json")

    kept = [(folder / name).read_text() for name in ("rows.jsonl", "plan.json", "results.md", "results.json")]
    assert CANARY in (folder / "islands.jsonl").read_text()
    assert not any(word in text.casefold() for text in kept for word in (CANARY, "nemo", "dug", "harbour"))


def test_numbers_are_kept_and_other_answers_only_as_a_digest(folder: Path) -> None:
    rows = evaluate(folder, wanted=Wanted(("pool",)))

    assert {run.answer for row in rows if row.kind == "number" for run in row.runs} == {"4"}
    assert {len(run.answer) for row in rows if row.kind == "span" for run in row.runs} == {12}


# The plan.


def test_a_plan_agrees_with_itself_after_it_was_written_and_read(folder: Path) -> None:
    write_plan(folder, plan_of(folder))

    check_agrees(read_plan(folder), plan_of(folder))

    assert as_json(read_plan(folder)) == as_json(plan_of(folder))


def test_a_changed_data_file_is_refused_by_name(folder: Path) -> None:
    fixed = plan_of(folder)
    with (folder / "sums.jsonl").open("a") as file:
        file.write("\n")

    with pytest.raises(UsageError, match=r"the data file sums\.jsonl.*nothing was asked"):
        check_agrees(fixed, plan_of(folder))


def test_a_changed_prompt_is_refused_by_name(folder: Path) -> None:
    fixed = plan_of(folder)
    now = replace(fixed, prompts={**fixed.prompts, "islands numbered": "0"})

    with pytest.raises(UsageError, match="the prompts of islands numbered"):
        check_agrees(fixed, now)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"temperature": 0.5}, r"the temperature \(0\.8 there, 0\.5 now\)"),
        ({"replies": 5}, "the number of replies"),
        ({"goals": {}}, "the goal accuracy"),
        ({"hypothesis": {"says": "otherwise"}}, "the hypothesis confirmed where, the hypothesis says"),
        ({"definitions": {}}, "the definition of"),
    ],
)
def test_whatever_else_was_fixed_is_refused_by_name(change: dict[str, Any], named: str, folder: Path) -> None:
    fixed = plan_of(folder)

    with pytest.raises(UsageError, match=named):
        check_agrees(fixed, replace(fixed, **change))


def test_a_changed_rule_is_refused_until_all_is_read_again(folder: Path) -> None:
    fixed = plan_of(folder)
    now = replace(fixed, rules={**fixed.rules, "src/moot/methods/votes.py": "0"})

    with pytest.raises(UsageError, match=r"src/moot/methods/votes\.py.*--reread"):
        check_agrees(fixed, now)
    changed = amended(fixed, now, rows=5, date="2026-01-03")

    check_agrees(changed, now)
    assert changed.rules == fixed.rules
    assert [(each.rows, each.changed) for each in changed.amended] == [(5, ("src/moot/methods/votes.py",))]
    assert amended(changed, now, rows=6, date="2026-01-04") == changed


def test_an_arm_that_is_added_is_a_rule_that_changed(folder: Path) -> None:
    fixed = plan_of(folder, arms=ARMS[:1])
    now = plan_of(folder)

    changed = amended(fixed, now, rows=3, date="2026-01-03")

    assert "arm vote of abstention" in changed.amended[0].changed
    assert changed.arms == now.arms


def test_comments_and_docstrings_are_no_rules(tmp_path: Path) -> None:
    from benchmarks.evidence.planning import code_digest

    one, same, other = (tmp_path / name for name in ("one.py", "same.py", "other.py"))
    one.write_text('"""One."""\n\n\ndef two() -> int:\n    """Two."""\n    return 2\n')
    same.write_text('"""Another."""\n# A reason.\ndef two() -> int:\n    return 2\n')
    other.write_text('"""One."""\n\n\ndef two() -> int:\n    """Two."""\n    return 3\n')

    assert code_digest(one) == code_digest(same) != code_digest(other)


def test_an_arm_that_its_protocol_does_not_take_is_refused_when_the_plan_is_made(folder: Path) -> None:
    with pytest.raises(BadSetting, match="no such setting"):
        planned(sources(folder, arms=(ArmOrder("pool", "vote", "vote", {"rounds": 2}, pooled=True),)), date="")


def test_a_member_is_fixed_by_its_full_name(folder: Path) -> None:
    plan = planned(replace(sources(folder), member="embedded:1.5b"), date="")

    assert plan.member == MEMBER


def test_a_plan_with_a_short_name_asks_nobody(folder: Path) -> None:
    member = scripted(answer)

    with pytest.raises(UsageError, match="full name"):
        evaluate(folder, member, plan=replace(plan_of(folder), member="embedded:1.5b"))

    assert not member.requests


def test_a_plan_of_another_version_is_named(folder: Path) -> None:
    (folder / plans.PLAN).write_text('{"made": 1}')

    with pytest.raises(UsageError, match=r"plan\.json: .*write the plan anew"):
        read_plan(folder)


# Reading again.


def test_reading_again_asks_nobody_and_finds_the_same(folder: Path) -> None:
    first = evaluate(folder)
    member = scripted(answer)

    again = evaluate(folder, member, wanted=Wanted(reread=True))

    assert not member.requests
    assert again == [replace(row, reread=True) for row in first]


def test_what_was_sampled_elsewhere_stays_when_all_is_read_again(folder: Path) -> None:
    first = evaluate(folder, wanted=Wanted(("pool",)))
    (folder / "record").rename(folder / "elsewhere")
    evaluate(folder, wanted=Wanted(("abstention",)))

    again = evaluate(folder, wanted=Wanted(reread=True))

    assert stage(again, "pool") == first
    assert all(row.reread for row in stage(again, "abstention"))


def test_a_record_without_the_replies_of_any_row_is_refused_and_changes_nothing(folder: Path) -> None:
    first = evaluate(folder, wanted=Wanted(("pool",)))
    (folder / "record").rename(folder / "elsewhere")

    with pytest.raises(UsageError, match="nothing was read again"):
        evaluate(folder, wanted=Wanted(reread=True))

    assert evaluate(folder, wanted=Wanted(("pool",))) == first


def test_reading_again_goes_by_the_rules_of_today(folder: Path) -> None:
    evaluate(folder, wanted=Wanted(("pool",)), arms=ARMS[1:])

    again = evaluate(folder, wanted=Wanted(reread=True), arms=ARMS)

    assert [set(row.arms) for row in stage(again, "pool")] == [{"vote"}] * 3
    assert not stage(again, "graph")


def test_what_an_arm_lacks_when_all_is_read_again_is_counted_and_drawn_later(folder: Path) -> None:
    def unknowing(request: Request) -> Completion:
        return Completion("It is not there.\nAnswer: the documents do not say", Usage(100, 10, 0.0))

    evaluate(folder, scripted(unknowing), wanted=Wanted(("abstention",)), arms=ARMS[:1])
    (read,) = evaluate(folder, wanted=Wanted(reread=True))
    (later,) = evaluate(folder, scripted(unknowing), wanted=Wanted(("abstention",)))

    assert read.arms["vote"].unasked > 0 and not read.is_whole
    assert later.arms["vote"].unasked == 0 and later.is_whole
