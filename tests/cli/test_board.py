"""`moot board`, and `moot ask --protocol prism`."""

import asyncio
import json
import signal
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import pytest

from tests.cli.kit import Moot, begun, ended
from tests.fake_server import FakeServer
from tests.protocols.prism.kit import CLAIM, output
from tests.protocols.prism.test_prism_layers import MINE

SCRIPT = {
    "L7.1/summary": {"summary": "They remember."},
    **{f"L{layer}.*": output(layer) for layer in range(1, 8)},
}
FLAGGED = {"L3.1/consensus/*": output(3, 0.62), **SCRIPT}
SHORT = """
name = "short"

[[layers]]
number = 1
name = "Decide"
shape = "synthesis"
consensus = 2
threshold = 0.7
"""


def asked(moot: Moot, script: Mapping[str, Any] = SCRIPT, *words: str) -> Any:
    return moot.json("ask", CLAIM, "--protocol", "prism", "--member", moot.script(script), *words)


def added(moot: Moot) -> str:
    (moot.folder / "short.toml").write_text(SHORT, encoding="utf-8")
    return moot.json("board", "add", CLAIM, "--table", "short.toml")["id"]


def test_a_claim_runs_to_complete_with_agents_of_the_house(moot: Moot) -> None:
    done = asked(moot)

    shown = moot.run("board", "show", done["id"])
    verified = moot.run("board", "verify", done["id"])
    assert done["status"] == "complete"
    assert done["confidence"] == {
        "value": 0.8,
        "basis": "panel",
        "reason": "the mean of what 3 agents of layer 7 stated",
    }
    assert done["detail"]["domain"] == "cognitive-ethology"
    assert "6 Deliberation  80 % ≥ 70 %" in shown.stdout
    assert "● L6.1/consensus/3  consensus    done  house/m1.9  0.80\n" in shown.stdout
    assert "● L6.1/work/6       counter      done  house/m1.6  0.80\n" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "consensus  accept-with-caveats" in shown.stdout
    assert verified.stdout.startswith("unchanged: 34 slots\nsha256 ")
    assert "equal to the byte" in moot.run("replay", done["id"]).stdout


def test_a_flagged_claim_waits_and_is_cleared_by_a_person(moot: Moot) -> None:
    paused = asked(moot, FLAGGED)
    id_ = paused["id"]

    shown = moot.run("board", "show", id_)
    flags = moot.run("board", "review")
    flag = moot.run("board", "review", id_)
    listed = moot.run("board", "list")
    refused = [
        moot.run("board", "review", id_, "redo", "--as", "Ada"),
        moot.run("board", "review", id_, "perhaps", "--as", "Ada", "--note", "x"),
    ]
    cleared = moot.run("board", "review", id_, "redo", "--as", "Ada", "--note", "Look again.")
    again = moot.run("board", "review", id_, "advance", "--as", "Ada", "--note", "x")

    assert paused["status"] == "paused"
    assert paused["stop_reason"] == "L3.1/review waits for reviewer: Evidence (layer 3) is flagged: 62 % < 70 %"
    assert "⚑ 62 % < 70 %  (waits for a reviewer)" in shown.stdout
    assert f"moot board review {id_} advance|redo|close" in shown.stdout
    assert "Evidence (layer 3) is flagged: 62 % < 70 %" in flags.stdout
    assert "What its consensus slots say\n  3 Evidence, consensus, consensus 1, sure 0.62\n" in flag.stdout
    assert flag.stdout.endswith(f"moot board review {id_} advance|redo|close --note TEXT\n")
    assert listed.stdout.endswith(f"moot board review {id_}\n")
    assert [done.returncode for done in refused] == [2, 1]
    assert "add --note" in refused[0].stderr
    assert "'advance', 'redo' or 'close'" in refused[1].stderr
    assert cleared.stdout.startswith("complete: moot show")
    assert "has no flag that waits" in again.stderr
    assert "(Ada: redo, Look again.)" in moot.run("board", "show", id_).stdout


def test_people_carry_a_claim_from_the_first_slot_to_the_seal(moot: Moot) -> None:
    id_ = added(moot)
    reply = json.dumps(output(7))

    taken = moot.run("board", "take", "--as", "Ada")
    twice = moot.run("board", "take", id_, "L1.1/consensus/2", "--as", "Ada")
    none_left = moot.run("board", "take", "--as", "Ada", "--layer", "1")
    foreign = moot.run("board", "submit", id_, "L1.1/consensus/1", "--as", "Bea", stdin=reply)
    moot.run("board", "submit", id_, "L1.1/consensus/1", "--as", "Ada", stdin=reply)
    double = moot.run("board", "submit", id_, "L1.1/consensus/1", "--as", "Ada", stdin=reply)
    forever = moot.run("board", "take", id_, "--as", "Bea", "--lease", "1e15")
    hidden = moot.run("board", "show", id_)
    moot.run("board", "take", id_, "--as", "Bea")
    released = moot.run("board", "release", id_, "L1.1/consensus/2", "--as", "Bea")
    moot.run("board", "take", id_, "--as", "Bea", "--role", "consensus", "--type", "consensus")
    done = moot.run("board", "submit", id_, "L1.1/consensus/2", "--as", "Bea", stdin=reply)

    assert "L1.1/consensus/1" in taken.stdout
    assert "recommendation: " in taken.stdout
    assert "Confidence: 0.9 to 1.0 very high" in taken.stdout
    assert "yours until " in taken.stdout
    assert taken.stdout.endswith(f"moot board submit {id_} L1.1/consensus/1 FILE --as Ada\n")
    assert "each agent may have one: 'L1.1/consensus/1'" in twice.stderr
    assert f"'Ada' holds {id_} L1.1/consensus/1 already" in none_left.stderr
    assert "is not held by 'Bea'" in foreign.stderr
    assert "is done" in double.stderr
    assert "a slot is given for 3600 seconds at most" in forever.stderr
    assert "● L1.1/consensus/1  consensus  done  Ada\n" in hidden.stdout
    assert released.stdout == "L1.1/consensus/2 is open again\n"
    assert "complete: moot show" in done.stdout
    assert "unchanged: 2 slots" in moot.run("board", "verify", id_).stdout


def test_a_slot_is_shown_as_text_with_what_was_said_before_it(moot: Moot) -> None:
    (moot.folder / "field.txt").write_text("Masks were worn.", encoding="utf-8")
    id_ = moot.json("board", "add", CLAIM, "--table", "prism-v1-solo", "--doc", "field.txt")["id"]
    for layer, step in ((1, "work"), (1, "consensus"), (2, "work"), (2, "consensus"), (3, "work")):
        moot.run("board", "take", id_, "--as", f"{step} agent")
        reply = json.dumps(output(layer))
        moot.run("board", "submit", id_, f"L{layer}.1/{step}/1", "--as", f"{step} agent", stdin=reply)

    taken = moot.run("board", "take", id_, "--as", "Cyd C").stdout

    assert f"documents: field.txt\nto read them: moot export {id_} --format files\n" in taken
    assert f"for more time: moot board take {id_} L3.1/consensus/1 --as 'Cyd C'\n" in taken
    assert "What earlier layers came to\n  1 Framing, work, contributor 1, sure 0.80\n    The claim says" in taken
    assert (
        "The work of this layer\n  3 Evidence, work, supporter 1, sure 0.80\n    Field studies with masks.\n" in taken
    )
    assert "    strength: strong\n    key points: Masked trappers were scolded for years afterwards.\n" in taken
    assert "agent" not in taken, "peers are known by role"
    assert "{" not in taken
    assert taken.endswith("--as 'Cyd C'\n")


def test_a_claim_whose_process_has_died_says_so_everywhere_and_how_it_goes_on(moot: Moot) -> None:
    async def scene():
        async with FakeServer({"m": "hang"}) as server:
            adding = await begun(moot, "board", "add", CLAIM, "--member", server.member("m"))
            await server.arrived.wait()
            _, during, _ = await ended(await begun(moot, "board", "show", moot.json("list")[0]["id"]))
            adding.send_signal(signal.SIGINT)
            return during, await ended(adding)

    during, (code, _, said) = asyncio.run(scene())
    [claim] = moot.json("board", "list")
    listed, shown = moot.run("board", "list").stdout, moot.run("board", "show", claim["id"]).stdout

    assert during.endswith("layer 1, work: the panel is at work\n")
    assert code == 130
    for told in (said, listed, shown):
        assert told.endswith(f"moot resume {claim['id']}\n")
    assert "nobody works on it" in listed
    assert "board take" not in shown
    assert claim["stalled"] and claim["left_alone"]


def test_a_flag_of_a_claim_that_has_ended_waits_for_nobody(moot: Moot) -> None:
    done = asked(moot, FLAGGED, "--set", "on_flag=end")

    shown = moot.run("board", "show", done["id"]).stdout
    listed = moot.run("board", "list").stdout

    assert "⚑ 62 % < 70 %  (nobody cleared it)" in shown
    assert shown.endswith(f"flagged: moot show {done['id']}\n")
    assert "board review" not in shown + listed
    assert moot.run("board", "review", done["id"]).stdout == "no flag waits for a person\n"


WRONG = [
    (output(7, 1.2), "confidence: Input should be less than or equal to 1"),
    ({**output(7), "confidence": "high"}, "confidence: Input should be a valid number"),
    ({"confidence": 0.9}, "content: Field required; summary: Field required; recommendation: Field required"),
    (output(7, recommendation="maybe"), "recommendation: Input should be 'accept'"),
    (output(7, sumary="x"), "sumary: Extra inputs are not permitted"),
    (output(7, content="x" * 5_000_000), "content: String should have at most 10000 characters"),
    (output(7, content="a\x1b[2Jb"), "content: it holds control characters"),
    (output(7, summary=" \n "), "summary: it is blank; write what you have to say; mend it and submit it again."),
    ([1], "no JSON object"),
]


@pytest.mark.clause("ruling:P3")
def test_a_wrong_submission_is_refused_with_its_reasons_and_the_slot_stays_taken(moot: Moot) -> None:
    id_ = added(moot)
    moot.run("board", "take", id_, "--as", "Ada")
    before = moot.json("board", "show", id_)

    for sent, said in WRONG:
        done = moot.run("board", "submit", id_, "L1.1/consensus/1", "--as", "Ada", stdin=json.dumps(sent))

        assert done.returncode in (1, 2)
        assert said in done.stderr
        assert len(done.stderr) < 2_000
    assert moot.json("board", "show", id_) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", CLAIM, "--table", "nosuch"), "'nosuch' is none of prism-v1, prism-v1-solo, nor a file"),
        (("add", CLAIM, "--table", "gap.toml"), "layers: layer 2 is missing: 3 stands in its place"),
        (("add", "x" * 5_000), "the claim has 5000 characters, and prism takes 4000 at most"),
        (("add", "a\x07b"), "the claim holds control characters"),
        (("add", ""), "the question is empty"),
        (("add", CLAIM, "--set", "house=some"), "setting 'house'"),
        (("take", "--as", "Ada", "--role", "wizard"), "no slot is for 'wizard'; the roles are contributor"),
        (("take", "--as", "Ada", "--type", "rest"), "'rest' is none of work, consensus"),
        (("take", "--as", "Ada", "--layer", "0"), "layers are numbered from 1"),
        (("take", "--as", "house/m1"), "what begins with house/ is of the house"),
        (("show", "nosuch"), "no deliberation 'nosuch'"),
        (("verify", "nosuch"), "no deliberation 'nosuch'"),
        (("review", "nosuch"), "no deliberation 'nosuch'"),
    ],
)
def test_what_cannot_be_done_is_said_with_what_to_do_and_nothing_is_stored(moot: Moot, words, said) -> None:
    (moot.folder / "gap.toml").write_text(MINE.replace("number = 2", "number = 3"), encoding="utf-8")

    done = moot.run("board", *words)

    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert moot.stored() == 0


def test_a_slot_changed_behind_the_board_s_back_is_noticed(moot: Moot) -> None:
    done = asked(moot, SCRIPT, "--set", "table=prism-v1-solo")
    database = moot.folder / "home" / "moot.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE steps SET reply = replace(reply, 'one city', 'no city') WHERE step = 'L4.1/work/1'")
        connection.commit()

    found = moot.run("board", "verify", done["id"])
    noted = moot.json("board", "verify", done["id"], "--seal", "0" * 64)

    assert found.returncode == 1
    assert found.stdout == "changed since it was sealed: L4.1/work/1\n"
    assert noted["changed"] == ["L4.1/work/1", "seal"]


def test_claims_are_listed_with_where_they_stand_and_other_protocols_are_no_claims(moot: Moot) -> None:
    empty = moot.run("board", "list")
    id_ = added(moot)
    single = moot.json("ask", "Why?", "--protocol", "single", "--member", moot.script())

    listed = moot.run("board", "list")
    [claim] = moot.json("board", "list")
    other = moot.run("board", "show", single["id"])
    unsealed = moot.run("board", "verify", id_)

    assert "no claim is on the board" in empty.stdout
    assert f"{id_}  active     L1 consensus  calibrating" in listed.stdout
    assert claim["claims"] == {"id": id_, "text": CLAIM, "domain": "calibrating", "protocol": "short"}
    assert claim["claimPipelineState"] == {"layer": 1, "phase": "consensus", "status": "active"}
    assert [slot["status"] for slot in claim["claimStageSlots"]] == ["open", "open"]
    assert (claim["claimFlags"], claim["claimConsensus"]) == ([], None)
    assert "is no claim of the board but single" in other.stderr
    assert "has not ended" in unsealed.stderr


def test_a_contested_point_of_evidence_narrows_the_claim(moot: Moot) -> None:
    counter = output(3, keyPoints=["Crows scold any stranger near a nest."])
    two = output(3, keyPoints=["Masked trappers were scolded for years.", "Caps of another colour were left alone."])
    done = asked(moot, {"L3.1/work/3@*": counter, "L3.1/work/1@*": two, **SCRIPT})

    contested = moot.json("contest", done["id"], "Caps of another colour", "--note", "it was one bird")

    before, after = contested["before"], contested["after"]
    assert (before["answer"], before["width"]) == ("the claim stands", 2)
    assert (after["answer"], after["width"]) == ("the claim does not stand", 1)


def test_a_person_who_joins_clears_a_flag_and_fills_a_slot_at_the_terminal(moot: Moot) -> None:
    member = moot.script(FLAGGED)
    cleared = moot.run("ask", CLAIM, "--protocol", "prism", "--member", member, "--join", stdin="redo\nLook again.\n")
    id_ = moot.json("board", "add", CLAIM, "--table", "prism-v1-solo", "--set", "house=consensus", "--member", member)[
        "id"
    ]

    filled = moot.run("resume", id_, "--join", stdin="It says that.\nvery\nIt says that.\n0.9\n")

    assert cleared.returncode == 0, cleared.stderr
    assert "decision (advance/redo/close): " in cleared.stderr
    assert "confidence: Input should be a valid number" in filled.stderr
    assert "L2.1/work/1 for critic" in filled.stderr
    assert "● L1.1/work/1       contributor  done" in moot.run("board", "show", id_).stdout
