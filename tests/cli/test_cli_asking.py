"""`moot ask`, `resume` and `fork` as a user meets them."""

import asyncio
import json
import shlex
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.kit import GOOD, SINGLE, Moot, begun, ended, fake_server
from tests.fake_server import FakeServer

RESULT_KEYS = {
    "id",
    "protocol",
    "status",
    "stop_reason",
    "answer",
    "confidence",
    "dissent",
    "caveats",
    "asked",
    "answered",
    "missing",
    "cost",
    "backends",
    "detail",
}


@pytest.mark.clause("ruling:G1")
def test_the_answer_comes_first_and_its_confidence_names_its_basis(moot: Moot) -> None:
    done = moot.run("ask", "Which server?", *SINGLE, "--member", moot.script())

    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "server x9"
    assert "0.90 stated" in done.stderr
    assert "moot show" in done.stderr


def test_json_prints_one_object_with_the_stable_keys_and_nothing_else(moot: Moot) -> None:
    result = moot.json("ask", "Which server?", *SINGLE, "--member", moot.script())

    assert set(result) == RESULT_KEYS
    assert set(result["cost"]) == {"usd", "calls", "tokens_in", "tokens_out", "seconds", "unknown"}
    assert result["confidence"]["basis"] == "stated"
    assert (result["answer"], result["status"], result["cost"]["calls"]) == ("server x9", "complete", 1)


def test_a_question_may_come_through_a_pipe_and_documents_from_files(moot: Moot) -> None:
    (moot.folder / "notes.md").write_text("x9 runs Linux", encoding="utf-8")

    result = moot.json(
        "ask", "--protocol", "single", "--doc", "notes.md", "--member", moot.script(), stdin="Which server?\n"
    )

    record = json.loads(moot.run("export", result["id"], "--format", "json").stdout)
    assert record["header"]["question"]["text"] == "Which server?"
    assert "x9 runs Linux" in record["journal"][0]["request"]["messages"][1]["content"]


def test_a_question_that_is_no_utf_8_is_refused_and_one_that_is_survives_any_locale(moot: Moot) -> None:
    latin = Moot(moot.folder, {"PYTHONIOENCODING": "latin-1"})
    words = moot.command("ask", *SINGLE, "--member", moot.script())
    bad = subprocess.run(
        words, cwd=moot.folder, env=moot.environment(), input=b"\xff?", capture_output=True, check=False
    )

    latin.run("ask", *SINGLE, "--member", moot.script(), stdin="Größer?")

    assert bad.returncode == 2
    assert b"is not UTF-8" in bad.stderr
    assert [row["question"] for row in moot.json("list")] == ["Größer?"]


def test_a_document_may_come_through_a_pipe(moot: Moot) -> None:
    result = moot.json(
        "ask", "Which server?", "--protocol", "single", "--doc", "-", "--member", moot.script(), stdin="x9 runs Linux"
    )

    record = json.loads(moot.run("export", result["id"], "--format", "json").stdout)
    assert record["header"]["question"]["documents"][0]["text"] == "x9 runs Linux"


def test_the_expected_answer_of_a_task_never_reaches_a_prompt_or_the_record(moot: Moot) -> None:
    task = {"question": "Which server?", "documents": ["x9 runs Linux"], "expected_answer": "the secret one"}
    (moot.folder / "task.json").write_text(json.dumps(task), encoding="utf-8")

    result = moot.json("ask", "--protocol", "single", "--task", "task.json", "--member", moot.script())

    assert result["answer"] == "server x9"
    assert "the secret one" not in moot.run("export", result["id"], "--format", "json").stdout


def test_a_dry_run_says_what_it_would_take_and_asks_nobody(moot: Moot) -> None:
    done = moot.run("ask", "Which server?", *SINGLE, "--dry-run", "--member", moot.script())

    assert done.returncode == 0
    assert "at most  6 calls" in done.stdout
    assert "expected  1 call" in done.stdout
    assert moot.json("list") == []


@pytest.mark.clause("ruling:G2")
def test_a_member_that_never_answers_gives_a_failed_result_that_says_who_and_why(moot: Moot) -> None:
    with fake_server() as url:
        result = moot.json("ask", "Which server?", *SINGLE, "--member", f"{url}#404")

    assert (result["status"], result["answer"]) == ("failed", None)
    (missing,) = result["missing"]
    assert missing["seats"] == [{"seat": "m1", "steps": ["answer"]}]
    assert missing["detail"] in result["stop_reason"] and "404" in missing["detail"]
    assert (result["answered"], result["asked"]) == (0, 1)


@pytest.mark.clause("ruling:G2")
def test_a_cost_that_nobody_knows_is_said_to_be_unknown(moot: Moot) -> None:
    with fake_server() as url:
        done = moot.run("ask", "Which server?", *SINGLE, "--member", f"{url}#well")
        result = moot.json("ask", "Which server?", *SINGLE, "--member", f"{url}#well")

    assert "cost unknown" in done.stderr
    assert result["cost"]["usd"] is None


def test_a_price_that_the_user_gives_makes_the_cost_known(moot: Moot) -> None:
    with fake_server() as url:
        words = (
            "ask",
            "Which server?",
            *SINGLE,
            "--member",
            f"{url}#well",
            "--price",
            f"{url}#well=1,2",
            "--budget-usd",
            "1",
        )
        result = moot.json(*words)

    cost = result["cost"]
    assert cost["usd"] == pytest.approx((cost["tokens_in"] + 2 * cost["tokens_out"]) / 1e6, abs=1e-6)


def test_piped_the_answer_alone_is_on_stdout_and_what_it_is_worth_on_stderr(moot: Moot) -> None:
    done = moot.run("ask", "Which server?", *SINGLE, "--member", moot.script())

    assert done.stdout == "server x9\n"
    assert "expected: 1 call" in done.stderr and "confidence  0.90" in done.stderr


def test_quiet_prints_the_answer_and_nothing_else(moot: Moot) -> None:
    piped = moot.run("ask", "Which server?", *SINGLE, "--member", moot.script(), "-q")
    seen = moot.at_terminal("ask", "Which server?", *SINGLE, "--member", moot.script(), "-q")

    assert (piped.stdout, piped.stderr) == ("server x9\n", "")
    assert seen == (0, "server x9\n")


def test_quiet_without_an_answer_says_why_on_stderr_and_fails(moot: Moot) -> None:
    member = moot.script({"answer": {"$failure": "timeout", "detail": "it slept"}})

    done = moot.run("ask", "Which server?", *SINGLE, "--member", member, "-q")

    assert (done.returncode, done.stdout) == (1, "")
    assert "moot: no answer: failed" in done.stderr and "it slept" in done.stderr


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_at_a_terminal_the_answer_comes_first_and_every_word_is_there(moot: Moot, columns: int) -> None:
    words = " ".join(f"word{number}" for number in range(40))
    member = moot.script({"answer": {**GOOD, "answer": words}})

    code, seen = moot.at_terminal("ask", "Which server?", *SINGLE, "--member", member, columns=columns)

    assert code == 0
    result = seen[seen.index("╭") :]
    assert words in " ".join(result.replace("│", " ").split())
    assert result.index("╰") < result.index("status  complete") < result.index("confidence  0.90")
    assert max(map(len, result.splitlines())) <= columns


def test_above_the_limit_a_terminal_asks_first_and_no_means_no(moot: Moot) -> None:
    with fake_server() as url:
        words = ("ask", "Which server?", *SINGLE, "--member", f"{url}#well", "--price", f"{url}#well=1e6,1e6")
        no, refused = moot.at_terminal(*words, types="n\n")
        stored = moot.stored()
        yes, went_on = moot.at_terminal(*words, types="y\n")
        unasked, unasking = moot.at_terminal(*words, "--yes")
        _, as_json = moot.at_terminal(*words, "--json")
        piped = moot.run(*words)

    assert "is expected to cost $" in refused and "nobody was asked" in refused and (no, stored) == (1, 0)
    assert (yes, unasked, piped.returncode) == (0, 0, 0)
    assert "status  complete" in went_on and "Go on?" not in unasking + piped.stderr + as_json


def test_the_limit_is_what_moot_toml_says(moot: Moot) -> None:
    (moot.folder / "dear.toml").write_text("[limits]\nconfirm_usd = 1e9\n", encoding="utf-8")
    easy = replace(moot, environ={"MOOT_CONFIG": "dear.toml"})
    with fake_server() as url:
        words = ("ask", "Which server?", *SINGLE, "--member", f"{url}#well", "--price", f"{url}#well=1e6,1e6")
        code, seen = easy.at_terminal(*words)

    assert code == 0 and "Go on?" not in seen


def test_a_large_prompt_to_a_model_whose_window_nobody_knows_is_sent_with_a_warning(moot: Moot) -> None:
    (moot.folder / "large.txt").write_text("Nothing is said here. " * 40_000, encoding="utf-8")
    words = ("ask", "Which?", *SINGLE, "--doc", "large.txt", "--set", "passages=0", "--member", moot.script())

    said, small = moot.run(*words), moot.run("ask", "Which?", *SINGLE, "--member", moot.script())

    assert "warning: nobody knows how much scripted:script.json can read" in said.stderr
    assert "warning" not in small.stderr


@pytest.mark.clause("ruling:G2", "ruling:G9")
def test_a_budget_that_refuses_the_retry_ends_the_run_exhausted_with_exit_code_1(moot: Moot) -> None:
    member = moot.script({"answer": ["no JSON at all", "still none"]})

    done = moot.run("ask", "Which server?", *SINGLE, "--member", member, "--budget-calls", "1", "--json")

    assert done.returncode == 1, "there is no answer"
    assert json.loads(done.stdout)["status"] == "exhausted"


def test_a_fork_at_the_refused_step_goes_on_with_more_budget(moot: Moot) -> None:
    member = moot.script({"answer": ["no JSON at all"]})
    first = moot.json("ask", "Which server?", *SINGLE, "--member", member, "--budget-calls", "1")
    moot.script()

    forked = moot.json("fork", first["id"], "--at", "answer", "--budget-calls", "4")

    assert (forked["status"], forked["answer"]) == ("complete", "server x9")
    assert forked["id"] != first["id"]


def test_an_exhausted_run_goes_on_with_a_larger_budget_under_a_new_id(moot: Moot) -> None:
    member = moot.script({"answer": ["no JSON at all"]})
    first = moot.json("ask", "Which server?", *SINGLE, "--member", member, "--budget-calls", "1")
    refused, too_few = moot.run("resume", first["id"]), moot.run("resume", first["id"], "--budget-calls", "1")
    moot.script()

    done = moot.run("resume", first["id"], "--budget-calls", "2", "--json")
    further = json.loads(done.stdout)

    assert f"moot resume {first['id']} --budget-calls N" in refused.stderr
    assert "1 is no more than the 1 that it has taken already" in too_few.stderr
    assert (further["status"], further["answer"]) == ("complete", "server x9")
    assert further["id"] != first["id"] and further["id"] in done.stderr
    assert moot.json("show", first["id"])["status"] == "exhausted"
    again = moot.run("resume", further["id"], "--budget-calls", "9")
    assert "refused it nothing" in again.stderr


@pytest.mark.parametrize(
    "words", [("vote", "--set", "n=5"), ("interrogation", "--doc", "d.txt", "--set", "form=plain")]
)
def test_one_that_asked_no_more_than_it_could_pay_goes_on_as_well(moot: Moot, words: tuple[str, ...]) -> None:
    (moot.folder / "d.txt").write_text("Six times seven is 42.\n", encoding="utf-8")
    member = moot.script({"*": "Six times seven is 42.\nAnswer: 42"})
    first = moot.json("ask", "What is 6*7?", "-p", *words, "-m", member, "--budget-calls", "2")

    further = moot.json("resume", first["id"], "--budget-calls", "9")

    assert first["status"] == "exhausted"
    assert further["status"] != "exhausted" and further["answer"] == "42"
    assert 2 < further["cost"]["calls"] <= 9
    assert "equal to the byte" in moot.run("replay", further["id"]).stdout


def test_a_fork_says_what_it_will_take_and_asks_where_that_is_dear(moot: Moot) -> None:
    with fake_server() as url:
        member = ("--member", f"{url}#well")
        first = moot.json("ask", "Which server?", *SINGLE, *member)["id"]
        again = ("fork", first, "--at", "answer", "--price", f"{url}#well=1e6,1e6")
        code, seen = moot.at_terminal(*again, types="n\n")

    assert code == 1 and "expected in all: 1 call" in seen and "Go on?" in seen and "nobody was asked" in seen
    assert moot.stored() == 1


def test_of_two_prices_the_known_one_is_asked_about(moot: Moot) -> None:
    with fake_server() as url:
        members = ("-m", f"{url}#well", "-m", f"{url}#other", "--price", f"{url}#well=1e6,1e6")
        code, seen = moot.at_terminal("ask", "Why?", "-p", "spiral", *members, types="n\n")

    assert code == 1 and "at least $" in seen and "Go on?" in seen


def test_colours_that_are_forced_do_not_frame_a_piped_answer(moot: Moot) -> None:
    forced = replace(moot, environ={"FORCE_COLOR": "1"})

    assert forced.run("ask", "Which server?", *SINGLE, "--member", moot.script()).stdout == "server x9\n"


def test_a_stdout_that_is_closed_costs_no_answer(moot: Moot) -> None:
    told = [sys.executable, "-c", "from moot.cli import main; main()", "ask", "Why?", *SINGLE, "-m", moot.script()]

    done = subprocess.run(
        f"{shlex.join(told)} >&-", shell=True, cwd=moot.folder, env=moot.environment(), capture_output=True, text=True
    )

    assert done.returncode == 0 and "Traceback" not in done.stderr and "status  complete" in done.stderr


def test_a_process_that_ends_does_not_look_through_what_it_leaves(moot: Moot) -> None:
    left = "import atexit, gc; atexit.register(lambda: print('left', gc.get_freeze_count() > 1000))"
    code = f"{left}; from moot.cli import main; main()"

    done = subprocess.run([sys.executable, "-c", code, "list"], env=moot.environment(), capture_output=True, text=True)

    assert done.stdout.endswith("left True\n")


def test_a_larger_budget_is_refused_where_it_would_change_nothing(moot: Moot) -> None:
    whole = moot.json("ask", "Which server?", *SINGLE, "--member", moot.script())

    done = moot.run("resume", whole["id"], "--budget-calls", "9")

    assert done.returncode == 1 and "refused it nothing" in done.stderr and moot.stored() == 1


def test_ctrl_c_stops_at_once_says_how_to_resume_and_resuming_answers(moot: Moot) -> None:
    async def scene():
        async with FakeServer({"slow-once": "hang,well"}) as server:
            asking = await begun(moot, "ask", "Which server?", *SINGLE, "--member", server.member("slow-once"))
            await server.arrived.wait()
            asking.send_signal(signal.SIGINT)
            code, _, said = await ended(asking)
            listed, shown = moot.run("list").stdout, moot.run("show", moot.json("list")[0]["id"]).stdout
            result = json.loads((await ended(await begun(moot, "resume", moot.json("list")[0]["id"], "--json")))[1])
            return code, said, listed, shown, result

    code, said, listed, shown, result = asyncio.run(scene())

    assert code == 130
    for told in (said, listed, shown):
        assert f"moot resume {result['id']}" in told
    assert "nobody works on it" in listed
    assert "cost unknown, 1 call" in shown, "the call that was dropped has been sent"
    assert result["status"] == "complete"
    assert result["cost"]["unknown"]["tokens_in"] == 1, "what the dropped call took is not known"


def test_ctrl_c_under_json_is_an_error_that_says_how_to_resume(moot: Moot) -> None:
    async def scene():
        async with FakeServer({"m": "hang"}) as server:
            asking = await begun(moot, "ask", "Which server?", *SINGLE, "--member", server.member("m"), "--json")
            await server.arrived.wait()
            asking.send_signal(signal.SIGINT)
            return await ended(asking)

    code, out, _ = asyncio.run(scene())

    assert code == 130
    assert json.loads(out)["error"]["code"] == "interrupted"
    assert f"moot resume {moot.json('list')[0]['id']}" in json.loads(out)["error"]["message"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("ask", ""), 2, "question is empty"),
        (("ask", "Why?", "--protocol", "seance"), 2, "no protocol 'seance'"),
        (("ask", "Why?", *SINGLE, "--member", "oracle:delphi"), 2, "oracle"),
        (("ask", "Why?", *SINGLE, "--member", "openai:gpt-5"), 2, "OPENAI_API_KEY"),
        (("ask", "Why?", *SINGLE, "--member", "embedded:huge"), 2, "huge"),
        (("ask", "Why?", *SINGLE, "--member", "openai", "--local"), 2, "--local"),
        (("ask", "Why?", *SINGLE, "--set", "temperature=warm"), 2, "temperature"),
        (("ask", "Why?", *SINGLE, "--set", "temprature=1"), 2, "has no such setting"),
        (("ask", "Why?", *SINGLE, "--set", "temperature"), 2, "KEY=VALUE"),
        (("ask", "Why?", *SINGLE, "--budget-calls", "0"), 2, "positive"),
        (("ask", "Why?", *SINGLE, "--budget-usd", "inf"), 2, "positive"),
        (("ask", "Why?", *SINGLE, "--price", "gpt=nan,1"), 2, "MODEL=IN,OUT"),
        (("ask", "Why?", *SINGLE, "--price", "gpt=cheap"), 2, "MODEL=IN,OUT"),
        (("ask", "Why?", *SINGLE, "--member", "http://127.0.0.1:9/v1#m", "--budget-usd", "1"), 2, "price"),
        (("ask", "Why?", "--doc", "absent.md"), 2, "absent.md"),
        (("ask", "Why?", "--doc", "binary.bin"), 2, "binary.bin"),
        (("ask", "Why?", "--doc", "huge.txt"), 2, "huge.txt"),
        (("ask", "Why?", "--doc", "."), 2, "'.'"),
        (("ask", "--task", "notatask.json"), 2, "notatask.json"),
        (("ask", "Why?", "--task", "notatask.json", "--doc", "absent.md"), 2, "twice"),
        (("resume", "nosuch"), 2, "nosuch"),
        (("show", "nosuch"), 2, "nosuch"),
        (("export", "nosuch", "--format", "docx"), 2, "docx"),
        (("fork", "nosuch", "--at", "answer"), 2, "nosuch"),
        (("models", "pull", "huge"), 2, "huge"),
        (("frobnicate",), 2, "frobnicate"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_wrong_words_get_one_line_that_names_the_thing(
    words: tuple[str, ...], code: int, says: str, moot: Moot
) -> None:
    (moot.folder / "binary.bin").write_bytes(bytes(range(256)))
    (moot.folder / "notatask.json").write_text("[]", encoding="utf-8")
    with (moot.folder / "huge.txt").open("wb") as huge:
        huge.truncate(50_000_000)

    done = moot.run(*words)

    assert done.returncode == code
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    if words[0] != "frobnicate":
        assert len(done.stderr.strip().splitlines()) == 1
    assert moot.stored() == 0


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("ask", "Why?", *SINGLE, "--member", "oracle:delphi"), "bad_member", "oracle"),
        (("ask", "Why?", "--doc", "absent.md"), "document_unreadable", "absent.md"),
        (("ask", "Why?", *SINGLE, "--set", "temperature"), "bad_setting", "KEY=VALUE"),
        (("ask", "Why?", *SINGLE, "--budget-calls", "few"), "usage", "--budget-calls"),
        (("ask", "Why?", *SINGLE, "--frobnicate"), "usage", "--frobnicate"),
        (("models", "pull", "huge"), "not_found", "huge"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_an_error_under_json_is_a_json_object_too(words: tuple[str, ...], code: str, says: str, moot: Moot) -> None:
    done = moot.run(*words, "--json")

    error = json.loads(done.stdout)["error"]
    assert error["code"] == code
    assert says in error["message"]
    assert done.returncode == 2


def test_a_question_that_holds_the_word_json_changes_nothing(moot: Moot) -> None:
    done = moot.run("ask", "--member", "oracle:delphi", "--", "--json")

    assert done.stdout == ""
    assert "oracle" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_output_that_cannot_be_written_is_one_line_and_the_answer_is_kept(moot: Moot) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            moot.command("ask", "Why?", *SINGLE, "--member", moot.script()),
            cwd=moot.folder,
            env=moot.environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 1
    assert "the output cannot be written" in done.stderr.splitlines()[-1]
    assert moot.json("list")[0]["status"] == "complete"


def test_an_endpoint_that_nobody_serves_is_named_with_the_way_out(moot: Moot) -> None:
    done = moot.run("ask", "Why?", *SINGLE, "--member", "http://127.0.0.1:9/v1#m")

    assert done.returncode == 1
    assert "127.0.0.1:9" in done.stderr
    assert "unreachable" in done.stderr


def test_a_damaged_database_is_named_and_left_as_it_is(moot: Moot) -> None:
    home = moot.folder / "home"
    home.mkdir()
    damaged = b"this is no database, but it is all there is" * 100
    (home / "moot.db").write_bytes(damaged)

    done = moot.run("ask", "Why?", *SINGLE, "--member", moot.script())

    assert done.returncode == 1
    assert "moot.db" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert (home / "moot.db").read_bytes() == damaged


@pytest.mark.clause("ruling:G7")
def test_documents_that_do_not_fit_are_refused_with_their_sizes_before_any_call(moot: Moot) -> None:
    (moot.folder / "long.txt").write_text("word " * 30_000, encoding="utf-8")

    done = moot.run("ask", "Why?", "--doc", "long.txt", "--member", "embedded:135m", "--set", "passages=all")

    assert done.returncode == 2
    assert "long.txt" in done.stderr
    assert "8192" in done.stderr or "takes" in done.stderr
    assert moot.json("list") == []


def test_a_key_is_found_in_no_database_export_error_log_or_argument_list(tmp_path: Path) -> None:
    canary = "sk-canary-7f3a91c02be4"
    moot = Moot(tmp_path, {"MOOT_KEY_127_0_0_1": canary})
    with fake_server() as url:
        seen = [
            moot.run("ask", "Why?", *SINGLE, "--member", f"{url}#{behaviour}", "--json")
            for behaviour in ("well", "401", "401-partly", "echo-key", "500")
        ]
        deliberations = [row["id"] for row in moot.json("list")]
        seen += [
            moot.run("export", deliberation, "--format", form)
            for deliberation in deliberations
            for form in ("json", "html", "md", "files")
        ]
        seen += [moot.run("doctor"), moot.run("show", deliberations[0])]

    assert len(deliberations) == 5
    assert not [done for done in seen if canary in done.stdout + done.stderr]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if canary.encode() in path.read_bytes()]
