"""The whole harness over scripted members: begun, killed, resumed, refused, and within its budget."""

import asyncio
import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from moot.core.calls import Completion, Failure, Request, Usage
from moot.core.errors import BadSetting, PriceUnknown, UsageError
from moot.core.question import Document
from moot.evals.items.datasets import Dataset
from moot.evals.items.items import Item
from moot.evals.runs.budget import RunLimits
from moot.evals.runs.harness import Access, EvalOrder, Listener, finished, run
from moot.evals.runs.results import Results
from moot.gateway.scripted import Scripted
from moot.testing import scripted
from tests.evals.kit import MEMBER, PROSE, evaluate, failing, items, reply
from tests.warm import warm_command


def driven(folder: Path, kill: int) -> tuple[int, str, Counter[str]]:
    command = warm_command("tests.evals.driver", str(folder), str(kill))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    log = folder / "requests.txt"
    return done.returncode, done.stdout + done.stderr, Counter(log.read_text().splitlines() if log.exists() else [])


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Counter[str]:
    code, said, requests = driven(tmp_path_factory.mktemp("whole"), 0)
    assert (code, said) == (0, "9 of 9, 0 unasked\n")
    return requests


@pytest.mark.clause("ruling:V3")
@pytest.mark.parametrize("kill", [1, 3, 6, 17])
def test_a_killed_run_goes_on_and_repeats_no_call_that_was_answered(
    kill: int, tmp_path: Path, uninterrupted: Counter[str]
) -> None:
    died, _, before = driven(tmp_path, kill)
    code, said, after = driven(tmp_path, 0)

    assert (died, code, said) == (-9, 0, "9 of 9, 0 unasked\n")
    repeated = after - uninterrupted
    assert not uninterrupted - after
    # A wave is in flight together; those of it that were never answered are all that is asked again.
    assert set(repeated) <= set(before) and sum(repeated.values()) <= 8


@pytest.mark.clause("ruling:V3")
def test_a_run_that_has_ended_asks_nothing_when_it_is_run_again(tmp_path: Path) -> None:
    first = evaluate(tmp_path, ["single-pass", "revisit"])
    member = scripted(reply)

    again = evaluate(tmp_path, ["single-pass", "revisit"], member=member)

    assert not member.requests
    assert again.rows == first.rows


@pytest.mark.clause("ruling:V3")
def test_a_cancelled_run_stops_at_once_and_goes_on_with_what_was_answered(tmp_path: Path) -> None:
    async def scene() -> int:
        asked, never = asyncio.Event(), asyncio.Event()

        async def stuck(request: Request) -> str:
            if request.step != "revisit":
                return PROSE
            asked.set()
            await never.wait()
            return PROSE

        member = scripted(stuck)
        reach = Access({"MOOT_HOME": str(tmp_path / "home")}, models={MEMBER: member})
        order = EvalOrder("apples", ("revisit",), (MEMBER,))
        running = asyncio.ensure_future(
            run(order, Dataset("apples", tuple(items(2))), Results(tmp_path / "results"), reach=reach)
        )
        await asked.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return len(member.requests)

    before, member = asyncio.run(scene()), scripted(reply)

    done = evaluate(tmp_path, ["revisit"], member=member)

    assert before == 2
    assert [request.step for request in member.requests] == ["revisit", "answer", "revisit"]
    assert [row.correct for row in done.rows] == [True, True]
    assert done.rows[0].calls == 3 and done.rows[0].usd == 0, "the dropped call is counted, and cost nothing"


def test_a_torn_last_line_is_made_anew_from_the_record_without_a_call(tmp_path: Path) -> None:
    evaluate(tmp_path, ["single-pass"])
    rows = tmp_path / "results" / "arms" / "single-pass.jsonl"
    whole = rows.read_bytes()
    rows.write_bytes(whole[:-20])
    member = scripted(reply)

    done = evaluate(tmp_path, ["single-pass"], member=member)

    assert not member.requests and len(done.rows) == 2
    assert rows.read_bytes() == whole


@pytest.mark.clause("evals:5.metrics")
def test_an_arm_that_always_fails_is_0_of_n_and_not_absent(tmp_path: Path) -> None:
    done = evaluate(tmp_path, ["single-pass", "interrogation"], count=3, member=scripted(failing), calls_per_item=3)

    for arm in ("single-pass", "interrogation"):
        rows = [row for row in done.rows if row.arm == arm]
        assert [row.correct for row in rows] == [False] * 3
        assert all(row.problem for row in rows)
    assert done.unasked == 0


def test_an_item_that_does_not_fit_is_a_row_with_its_problem_and_the_others_go_on(tmp_path: Path) -> None:
    long = Item("long", "apples", "How many?", "7", "number", (Document(name="d", text="apple " * 9_000),))
    member = scripted(reply, context=4_000)
    reach = Access({"MOOT_HOME": str(tmp_path / "home")}, models={MEMBER: member})
    dataset = Dataset("apples", (long, *items(1)))

    done = asyncio.run(
        run(EvalOrder("apples", ("single-pass",), (MEMBER,)), dataset, Results(tmp_path / "r"), reach=reach)
    )

    assert [(row.item, row.correct) for row in done.rows] == [("long", False), ("q1", True)]
    assert "tokens" in done.rows[0].problem and done.rows[0].calls == 0


@pytest.mark.clause("evals:5.output")
def test_a_folder_holds_the_run_the_rows_of_each_arm_and_what_has_begun(tmp_path: Path) -> None:
    evaluate(tmp_path, ["single-pass", "interrogation"], command="moot evals run", problems=["line 3: no JSON"])

    folder = tmp_path / "results"
    told = json.loads((folder / "run.json").read_text())
    assert told["command"] == "moot evals run" and told["members"] == [MEMBER] and len(told["digest"]) == 64
    assert (
        told["problems"] == ["line 3: no JSON"]
        and told["moot"]
        and told["arms"] == {"single-pass": 4, "interrogation": 5}
    )
    begun = [json.loads(line) for line in (folder / "begun.jsonl").read_text().splitlines()]
    rows = [json.loads(line) for line in (folder / "arms" / "interrogation.jsonl").read_text().splitlines()]
    assert [row["item"] for row in rows] == ["q1", "q2"]
    assert {line["deliberation"] for line in begun if line["arm"] == "interrogation"} == {
        name for row in rows for name in row["deliberations"]
    }


@pytest.mark.clause("evals:5.arms")
def test_all_arms_are_asked_an_item_before_the_next_so_that_an_early_stop_leaves_them_equal(tmp_path: Path) -> None:
    limits = RunLimits(calls=12)

    done = evaluate(tmp_path, ["single-pass", "arrows"], count=5, limits=limits)

    counts = Counter(row.arm for row in done.rows)
    assert counts["single-pass"] - counts["arrows"] in (0, 1)
    assert done.unasked == 10 - len(done.rows) > 0
    assert any("12 calls" in problem and "not asked" in problem for problem in done.problems)


def test_more_budget_lets_a_run_go_on_where_it_stopped(tmp_path: Path) -> None:
    first = evaluate(tmp_path, ["single-pass"], count=4, limits=RunLimits(calls=4))
    member = scripted(reply)

    done = evaluate(tmp_path, ["single-pass"], count=4, member=member, limits=RunLimits(calls=40))

    assert first.unasked == 3 and done.unasked == 0
    assert len(member.requests) == 3


@pytest.mark.parametrize("concurrency", [1, 3])
def test_the_dollars_of_a_whole_run_are_kept_whatever_is_in_flight(concurrency: int, tmp_path: Path) -> None:
    class Dear(Scripted):
        price = (1e-6, 1e-5)

    def dear(request: Request) -> Completion:
        return Completion(PROSE, Usage(400, 20, 0.002))

    member = Dear(dear)

    done = evaluate(
        tmp_path, ["single-pass"], count=30, member=member, limits=RunLimits(usd=0.05, concurrency=concurrency)
    )

    spent = sum(row.usd or 0 for row in done.rows)
    assert 0 < spent <= 0.05
    assert done.unasked > 0 and any("$0.05" in problem for problem in done.problems)


def test_dollars_that_nobody_can_count_are_refused_before_anything_is_asked(tmp_path: Path) -> None:
    class Unpriced(Scripted):
        price = None

    member = Unpriced(reply)

    with pytest.raises(PriceUnknown):
        evaluate(tmp_path, ["single-pass"], member=member, limits=RunLimits(usd=1.0))

    assert not member.requests and not Results(tmp_path / "results").exists


def test_where_nobody_is_named_the_member_that_is_found_is_told_and_kept_with_the_results(tmp_path: Path) -> None:
    class Hearing(Listener):
        why = ""

        @override
        def found(self, why: str) -> None:
            self.why = why

    heard, member = Hearing(), scripted(reply)
    reach = Access({"MOOT_HOME": str(tmp_path / "home"), "MOOT_MEMBERS": MEMBER}, models={MEMBER: member})
    order = EvalOrder("apples", ("single-pass", "interrogation"))

    done = asyncio.run(
        run(order, Dataset("apples", tuple(items(1))), Results(tmp_path / "r"), reach=reach, listener=heard)
    )

    assert "MOOT_MEMBERS" in heard.why and done.info.members == (MEMBER,)
    assert len(done.rows) == 2


def test_several_items_are_in_flight_and_give_the_same_rows(tmp_path: Path) -> None:
    one = evaluate(tmp_path / "one", ["single-pass", "verbatim"], count=4)
    many = evaluate(tmp_path / "many", ["single-pass", "verbatim"], count=4, limits=RunLimits(concurrency=4))

    def told(done):
        return sorted((row.arm, row.item, row.answer, row.calls) for row in done.rows)

    assert told(one) == told(many)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"count": 3}, "the items"),
        ({"seed": 5}, "--seed"),
        ({"calls_per_item": 3}, "--budget-calls-per-item"),
        ({"settings": {"temperature": 0.5}}, "settings"),
    ],
)
def test_a_folder_never_mixes_two_runs_and_says_what_differs(changed, named: str, tmp_path: Path) -> None:
    evaluate(tmp_path, ["single-pass"])
    member = scripted(reply)
    ours: dict[str, Any] = {"member": member}

    with pytest.raises(UsageError, match=named):
        evaluate(tmp_path, ["single-pass"], **{**ours, **changed})

    assert not member.requests


def test_an_arm_may_be_added_to_a_folder(tmp_path: Path) -> None:
    evaluate(tmp_path, ["single-pass"])
    member = scripted(reply)

    done = evaluate(tmp_path, ["arrows"], member=member)

    assert len(member.requests) == 2
    assert list(done.info.arms) == ["single-pass", "arrows"] and len(done.rows) == 4


@pytest.mark.parametrize(("field", "value", "says"), [("format", 0, "format 0"), ("moot", "0.0.1", "0.0.1")])
def test_a_folder_of_an_older_version_is_named_and_refused(field: str, value, says: str, tmp_path: Path) -> None:
    evaluate(tmp_path, ["single-pass"], count=1)
    path = tmp_path / "results" / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), field: value}))
    member = scripted(reply)

    with pytest.raises(UsageError, match=says):
        evaluate(tmp_path, ["single-pass"], count=1, member=member)

    assert not member.requests


def test_a_folder_that_another_process_writes_to_is_refused(tmp_path: Path) -> None:
    with Results(tmp_path / "results").held(), pytest.raises(UsageError, match="another process"):
        evaluate(tmp_path, ["single-pass"])


def test_a_record_that_is_gone_stops_the_run_instead_of_paying_again(tmp_path: Path) -> None:
    evaluate(tmp_path, ["single-pass"], count=1)
    folder, member = tmp_path / "results", scripted(reply)
    for path in (*folder.glob("record.db*"), folder / "arms" / "single-pass.jsonl"):
        if path.is_file():
            path.unlink()

    with pytest.raises(Exception, match="its record is gone"):
        evaluate(tmp_path, ["single-pass"], count=1, member=member)

    assert not member.requests


def test_no_item_at_all_is_refused_with_the_problems_of_the_data(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no item to ask in apples: line 1: no JSON"):
        evaluate(tmp_path, ["single-pass"], count=0, problems=["line 1: no JSON"])


@pytest.mark.parametrize(
    "limits", [RunLimits(calls=0), RunLimits(usd=-1.0), RunLimits(concurrency=0), RunLimits(usd=float("nan"))]
)
def test_a_limit_that_cannot_be_kept_is_refused(limits: RunLimits, tmp_path: Path) -> None:
    with pytest.raises(BadSetting):
        evaluate(tmp_path, ["single-pass"], limits=limits)


def test_a_setting_that_no_arm_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="none of these arms has it"):
        evaluate(tmp_path, ["single-pass"], settings={"n": 3})


def test_what_a_stopped_run_has_not_asked_is_named_when_it_is_shown(tmp_path: Path) -> None:
    evaluate(tmp_path, ["single-pass"], count=3, limits=RunLimits(calls=4))

    shown = finished(Results(tmp_path / "results"))

    assert shown.unasked == 2
    assert any("2 of 3 items were not asked" in problem and "evals resume" in problem for problem in shown.problems)


def test_a_row_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    evaluate(tmp_path, ["single-pass"], count=2)
    rows = tmp_path / "results" / "arms" / "single-pass.jsonl"
    rows.write_text("not json\n" + rows.read_text().split("\n", 1)[1])

    shown = finished(Results(tmp_path / "results"))

    assert shown.unasked == 1 and any("line 1" in problem for problem in shown.problems)


def test_a_member_that_stumbles_once_is_no_problem_of_the_arm(tmp_path: Path) -> None:
    said = iter([Failure("timeout", "late")])

    def once(request: Request):
        return next(said, None) or reply(request)

    first, second = evaluate(tmp_path, ["single-pass"], member=scripted(once)).rows

    assert (first.correct, bool(first.problem), second.correct) == (False, True, True)
