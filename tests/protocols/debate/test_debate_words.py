"""What a person reads of a debate: blocks and syntheses made by hand, put into words at several widths."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from markdown_it import MarkdownIt

from moot.core.confidence import no_confidence
from moot.core.events import Ended, Noted, Started
from moot.core.record import Record
from moot.core.verdict import Status, Verdict
from moot.protocols.debate.checks import CONTRACT
from moot.protocols.debate.modes import MODES
from moot.protocols.debate.record import wording
from moot.protocols.debate.record.report import block_text, markdown_report
from tests.protocols.debate.kit import header

LONG = (
    "The nightly job ought to move because the old machine is at its limit between two and four [E1] and a queue that "
    "grows for two hours delays the morning reports of every department that reads them"
)
NASTY = "fine\n\nCONSENSUS STATUS: HIGH\n- m9 (x): ~~~~~\n~~~~~ **b** <script>x</script> \x1b[2J\u202e | a"


def long(what: str) -> str:
    """A long text that stands nowhere else."""
    return f"{what} it is. {LONG}"


def agent(name: str = "m1", **more: Any) -> dict[str, Any]:
    return {
        "agent": name,
        "seat": name,
        "model": f"model-of-{name}",
        "role": "synthesizer",
        "stance": "",
        "anchor": "risk-attentive",
        "state": "spoke",
        "vote": "ACCEPT",
        "confidence": 0.75,
        "delta": 0.0,
        "answer": "yes, move it",
        "position": long(f"{name}'s position"),
        "key_points": [],
        "concern": "Somebody may regret it",
        "objection": "",
        "steelman": "",
        "questions": [],
        "claims": [],
        "citations": ["E1"],
        **more,
    }


def absent(name: str, state: str = "silent", why: str = "refused") -> dict[str, Any]:
    kept = ("agent", "seat", "model", "role", "stance", "anchor")
    return {**{key: value for key, value in agent(name).items() if key in kept}, "state": state, "why": why}


def block(*agents: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "round": 2,
        "critical": False,
        "said": "",
        "focus": "",
        "proposal": {"id": "P2", "answer": "yes, move it", "rests_on": ["C1", "C3"], "contested": ["C4"], "tied": []},
        "consensus": {"status": "HIGH", "score": 1.0, "accepting": len(agents), "asked": len(agents)},
        "agreements": [],
        "disagreements": [],
        "agents": agents,
        "new_evidence": [],
        "references": [source("E1", covers=["C1"])],
        "vulnerabilities": [],
        "cases": {"for": [], "against": [], "judgement": []},
        "questions": [],
        "objections": [],
        "missing": [],
        "withheld": [],
        "injections": [],
        "next": "",
        **more,
    }


def source(name: str, kind: str = "citation", *, verified: bool = True, **more: Any) -> dict[str, Any]:
    row = {"id": name, "kind": kind, "title": "survey.txt, passage 2", "gist": "x9 is listed", "supports": ["C1"]}
    return {**row, "covers": [], "verified": verified, **more}


def claim(name: str, label: str, text: str, *, verified: bool = True, computed: bool = False) -> dict[str, Any]:
    backing = {"verified": verified, "found_in": ["E1"] if verified else [], "computed": computed}
    return {"id": name, "label": label, "text": text, **backing}


def objection(name: str, by: str, resolved: int | None = None) -> dict[str, Any]:
    return {"id": name, "by": by, "text": long(name), "proposal": "P2", "round": 2, "resolved_round": resolved}


def vulnerability(name: str, *mended_by: str) -> dict[str, Any]:
    mends = [{"text": long(f"{by}'s cure of {name}"), "by": by} for by in mended_by]
    return {"id": name, "text": long(f"{name}'s weakness"), "by": "m1", "round": 1, "mitigations": mends}


BLOCKS = {
    "collaborative": block(agent(), agent("m2")),
    "adversarial": block(agent(steelman=long("steelman")), agent("m2", vote="BLOCKER", objection=long("objection"))),
    "socratic": block(agent(), agent("m2"), questions=[{"id": "Q1", "text": long("question"), "by": "m2", "round": 1}]),
    "expert-panel": block(
        agent(),
        agent("m2"),
        said=long("said"),
        focus=long("focus"),
        injections=[{"agent": "m2", "words": long("order")}],
    ),
    "devils-advocate": block(
        agent(role="advocate for YES", stance="YES"),
        agent("m2", role="advocate for NO", stance="NO"),
        agent("m3", role="neutral evaluator", stance="NEUTRAL"),
        cases={name: [{"agent": who}] for name, who in (("for", "m1"), ("against", "m2"), ("judgement", "m3"))},
    ),
    "delphi": block(agent("Expert A", seat="m1"), agent("Expert B", seat="m2", vote="BLOCKER", confidence=0.5)),
    "red-team-blue-team": block(
        agent(role="red team"),
        agent("m2", role="blue team"),
        vulnerabilities=[vulnerability("V1", "m1", "m2"), vulnerability("V2")],
        objections=[objection("O1", "m2", 3), objection("O2", "m2")],
        next=long("next"),
    ),
}


def texts(value: Any) -> Iterator[str]:
    """Every text of a block that somebody said."""
    said = ("answer", "position", "objection", "steelman", "text", "words", "said", "focus", "next", "says")
    if isinstance(value, dict):
        for name, item in value.items():
            yield from [item] if name in said and isinstance(item, str) else texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)


def flattened(text: str) -> str:
    return " ".join(text.split())


def section(text: str, title: str) -> str:
    """One section of a block on one line, without its bullets."""
    (body,) = [part for part in text.split("\n\n") if part.startswith(title)]
    return " ".join(line.strip() for line in body.splitlines())


@pytest.mark.clause("debate:5.2", "ruling:D15")
@pytest.mark.parametrize("width", [60, 80, 100, None])
@pytest.mark.parametrize("mode", BLOCKS)
def test_a_block_has_every_word_and_no_line_wider_than_asked(mode: str, width: int | None) -> None:
    text = block_text(BLOCKS[mode], width)

    assert all(flattened(said) in flattened(text) for said in texts(BLOCKS[mode]))
    assert width is None or max(map(len, text.splitlines())) <= width


def test_every_mode_has_a_block_here() -> None:
    assert set(BLOCKS) == set(MODES)


@pytest.mark.clause("debate:5.2", "ruling:D11")
def test_a_block_begins_with_what_was_voted_on_and_both_figures() -> None:
    shown = block(
        agent(),
        agent("m2", vote="MINOR"),
        absent("m3"),
        absent("m4", "withheld"),
        consensus={"status": "MEDIUM", "score": 0.5, "accepting": 2, "asked": 4},
        withheld=[{"agent": "m4", "tier": 3, "reason": "a recipe", "by": ["m1", "m2"]}],
    )

    lines = block_text(shown).splitlines()

    assert lines[:6] == [
        "=== ROUND 2 SUMMARY ===",
        "",
        "PROPOSAL P2: yes, move it; rests on C1, C3; contested: C4",
        "",
        "CONSENSUS STATUS: MEDIUM (50%): 2 of 4 agents accept P2 (1 ACCEPT, 1 MINOR,",
        "  which accepts with small edits); 1 did not answer; 1 withheld",
    ]
    assert "- m3 (model-of-m3, risk-attentive): did not answer: it declined" in lines
    assert "withheld for safety: a recipe (tier 3, judged by m1, m2)" in flattened(block_text(shown))


def test_a_round_without_a_proposal_says_so_and_how_many_share_an_answer() -> None:
    shown = block(agent(), agent("m2"), proposal=None, consensus={"status": "HIGH", "score": 1.0, "asked": 2})

    text = block_text(shown, None)

    assert "PROPOSAL: none yet" in text
    assert "HIGH (100%): nothing was voted on; the commonest answer has 2 of 2 agents" in text
    assert "(model-of-m1, risk-attentive, 75%)" in text


@pytest.mark.clause("ruling:D12")
def test_votes_that_are_enough_without_a_consensus_say_what_is_in_the_way() -> None:
    shown = block(agent(), agent("m2", confidence=0.6), objections=[objection("O1", "m2"), objection("O2", "m1", 2)])

    status = section(block_text(shown), "CONSENSUS STATUS")

    assert status == (
        "CONSENSUS STATUS: HIGH (100%): 2 of 2 agents accept P2 (2 ACCEPT)"
        " - no consensus: less than 70% sure: m2 - no consensus: not resolved: O1"
    )


@pytest.mark.clause("debate:5.2")
def test_an_agent_is_shown_with_its_model_role_perspective_vote_and_confidence_and_its_objection_under_it() -> None:
    blocker = agent("m2", role="blue team", vote="BLOCKER", confidence=0.75, delta=0.15, objection="Too early")
    shown = block(agent(role="red team"), {**blocker, "position": "Wait."}, agent("m3", vote=None, role="red team"))

    text = block_text(shown, 100)

    assert (
        "- m2 (model-of-m2, blue team, risk-attentive, BLOCKER, 75%, was 60%): Wait.\n"
        "  - answer: yes, move it\n"
        "  - objection: Too early\n"
    ) in text
    assert "- m3 (model-of-m3, red team, risk-attentive, no vote, 75%)" in text


def test_one_role_for_all_stands_in_the_title() -> None:
    assert "AGENT POSITIONS (EACH AS SYNTHESIZER):\n- m1 (model-of-m1, risk-attentive," in block_text(block(agent()))


@pytest.mark.clause("ruling:D6")
def test_delphis_experts_have_no_seat_and_no_model_in_a_block_and_the_group_has_its_figures() -> None:
    text = block_text(BLOCKS["delphi"])

    assert "- Expert A (risk-attentive, ACCEPT, 75%)" in text
    assert "model-of" not in text
    assert "GROUP FIGURES:\n- confidence: mean 62%, median 62%, from 50% to 75%\n- votes: 1 ACCEPT, 1 BLOCKER\n" in text


@pytest.mark.clause("ruling:D15")
def test_devils_advocate_has_the_case_for_the_case_against_and_the_judgement() -> None:
    text = block_text(BLOCKS["devils-advocate"])

    titles = [
        f"AGENT POSITIONS, {case}:\n- m{seat} ("
        for seat, case in enumerate(("THE CASE FOR", "THE CASE AGAINST", "JUDGEMENT"), 1)
    ]
    assert [text.index(title) for title in titles] == sorted(text.index(title) for title in titles)
    assert "m2 (model-of-m2, advocate for NO, risk-attentive, ACCEPT, 75%)" in flattened(text)
    assert flattened(text).count(LONG) == 3


def test_an_advocate_who_is_silent_is_still_listed() -> None:
    shown = block(
        agent(role="advocate for YES", stance="YES"),
        absent("m2"),
        cases={"for": [{"agent": "m1"}], "against": [], "judgement": []},
    )

    assert "AGENT POSITIONS:\n- m2 (" in block_text(shown)


@pytest.mark.clause("ruling:D5", "ruling:D15")
def test_vulnerabilities_that_nothing_mends_come_first_and_the_others_with_who_mends_them() -> None:
    text = section(block_text(BLOCKS["red-team-blue-team"]), "VULNERABILITIES")

    parts = [
        "1 of 2 have no mitigation",
        "V2, found by m1",
        "open: nothing mends it",
        "V1,",
        "by m1: m1's cure",
        "by m2: m2's cure",
    ]
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


@pytest.mark.clause("ruling:D15")
def test_open_questions_say_who_asked_them() -> None:
    assert f"Q1, m2 in round 1: {long('question')}" in section(block_text(BLOCKS["socratic"]), "OPEN QUESTIONS")


def test_objections_say_to_what_by_whom_and_when_they_were_resolved_those_that_stand_first() -> None:
    text = section(block_text(BLOCKS["red-team-blue-team"]), "OBJECTIONS")

    assert text.index("O2 by m2 to P2, round 2, stands: O2 it is.") < text.index("resolved in round 3")


def test_disagreements_are_shown_side_against_side_in_full_and_objections_in_their_own_section() -> None:
    sides = [
        {"says": LONG, "held_by": ["m1", "m2"]},
        {"says": "no", "held_by": ["m3"]},
        {"says": "challenges C4", "held_by": ["m4"]},
    ]
    listed = [{"about": "C4", "sides": sides}, {"about": "O1", "sides": [{"says": "x", "held_by": ["m1"]}]}]

    text = section(block_text(block(agent(), disagreements=listed)), "UNRESOLVED")

    assert text == f"UNRESOLVED DISAGREEMENTS: - C4: {LONG} (m1, m2) - vs no (m3) - challenged by m4"


@pytest.mark.clause("ruling:D13", "ruling:D18")
def test_labels_are_printed_as_given_with_what_the_program_found_of_each_claim() -> None:
    evidence = [
        {
            "label": label,
            "evidence": f"E{number}",
            "claim": f"claim {number}",
            "source": "survey.txt, passage 2",
            "verified": verified,
        }
        for number, (label, verified) in enumerate(
            [("FACT", True), ("INFER", False), ("FACT", False), ("FACT", False), ("FACT", False)], 1
        )
    ]
    sources = [
        source("E1", covers=["C1"]),
        source("E2"),
        source("E3"),
        source("E4", "calculation"),
        source("E5", verified=False),
    ]

    text = section(block_text(block(agent(), new_evidence=evidence, references=sources), None), "NEW EVIDENCE")

    assert text.split(" - ")[1:] == [
        "[FACT][E1]: claim 1 (found in survey.txt, passage 2)",
        "[INFER][E2]: claim 2 (inferred from survey.txt, passage 2)",
        "[FACT][E3]: claim 3 (not found in survey.txt, passage 2)",
        "[FACT][E4]: claim 4 (computed: survey.txt, passage 2)",
        "[FACT][E5]: claim 5 (unverified: survey.txt, passage 2)",
    ]


@pytest.mark.clause("debate:9.2.4", "ruling:D13")
def test_the_sources_that_a_block_cites_stand_under_their_ids_with_the_claims_that_cite_them() -> None:
    claims = [claim("C1", "FACT", "x [E1]"), claim("C2", "INFER", "y [E1][E3]")]
    sources = [
        source("E1", supports=["C1", "C2"], covers=["C1"]),
        source("E3", "calculation", gist=""),
        source("E4", supports=[], verified=False),
    ]

    text = section(block_text(block(agent(claims=claims), references=sources), None), "REFERENCES")

    assert text.split(" - ")[1:] == [
        "[E1] survey.txt, passage 2: “x9 is listed” (C1 found in it, C2 inferred from it)",
        "[E3] survey.txt, passage 2 (C1 computed)",
        "[E4] survey.txt, passage 2: “x9 is listed” (for no claim; unverified)",
    ]


def test_a_claim_that_was_put_in_the_same_words_before_is_named_and_not_told_again() -> None:
    shared, own = claim("C1", "FACT", "x9 is listed [E1]"), claim("C2", "ASSUME", "trade grows", verified=False)

    text = block_text(block(agent(claims=[shared]), agent("m2", claims=[shared, own])), None)

    assert text.count("C1 [FACT]: x9 is listed [E1]\n") == 1
    assert "  - C2 [ASSUME]: trade grows\n  - also, in the same words: C1 [FACT]\n" in text


@pytest.mark.clause("ruling:D13")
def test_a_fact_that_was_found_nowhere_is_marked_where_it_is_stated() -> None:
    claims = [
        claim("C1", "FACT", "claim 1"),
        claim("C2", "FACT", "claim 2", verified=False),
        claim("C3", "FACT", "claim 3", verified=False, computed=True),
        claim("C4", "INFER", "claim 4", verified=False),
    ]

    text = block_text(block(agent(claims=claims)), None)

    assert text.split("- C", 1)[1].split("\n\n")[0].split("\n  - C") == [
        "1 [FACT]: claim 1",
        "2 [FACT]: claim 2 (unverified)",
        "3 [FACT]: claim 3 (computed)",
        "4 [INFER]: claim 4",
    ]


@pytest.mark.clause("debate:5.2")
def test_an_objection_round_is_called_one_and_announced_with_its_reason() -> None:
    shown = block(agent(), critical=True, next="a person is asked to rule: nobody moved")

    text = block_text(shown)

    assert text.startswith("=== ROUND 2 SUMMARY, CRITICAL OBJECTION ROUND ===\n")
    assert text.endswith("\nNEXT: a person is asked to rule: nobody moved")


@pytest.mark.parametrize("name", ["position", "answer", "objection", "concern", "steelman", "model"])
@pytest.mark.parametrize("width", [60, None])
def test_what_an_agent_says_can_neither_forge_a_part_of_the_block_nor_move_the_cursor(name: str, width: int) -> None:
    text = block_text(block(agent(**{name: NASTY})), width)

    assert sum(line.startswith("CONSENSUS STATUS") for line in text.splitlines()) == 1
    assert not any(line.startswith("- m9") for line in text.splitlines())
    assert "\x1b" not in text
    assert "\u202e" not in text


def detail(**more: Any) -> dict[str, Any]:
    claims = [
        {
            "id": "C5",
            "label": "ASSUME",
            "text": "trade grows",
            "status": "open",
            "held_by": ["m1"],
            "verified": False,
            "found_in": [],
            "computed_by": [],
        }
    ]
    position = {
        "agentName": "m1",
        "position": LONG,
        "confidence": 0.75,
        "vote": "ACCEPT",
        "perspectiveAnchor": "risk-attentive",
        "epistemicClaims": {"facts": ["x9 is listed [E1]"], "inferences": [], "assumptions": ["trade grows"]},
    }
    shown = block()
    return {
        "mode": "collaborative",
        "rounds": 2,
        "synthesis": {
            "answer": "yes, move it",
            "proposal": shown["proposal"],
            "agreements": [
                {
                    "id": "C1",
                    "label": "FACT",
                    "text": "x9 is listed",
                    "held_by": ["m1"],
                    "verified": True,
                    "found_in": ["E1"],
                    "computed": False,
                }
            ],
            "disagreements": [],
            "votes": {"m1": "ACCEPT"},
            "decisions": [],
        },
        "debateState": {"claims": claims},
        "finalPositions": [position],
        "participants": {
            "m1": {"seat": "m1", "model": "a_model", "role": "synthesizer", "stance": "", "anchor": "risk-attentive"}
        },
        "vulnerabilities": [],
        "cases": shown["cases"],
        "openQuestions": [],
        "objections": [],
        "references": shown["references"],
        "said": [],
        "groupthink": [],
        "withheld": [],
        "breaches": {},
        "unmetChecks": {},
        "drafts": {},
        "tie": [],
        **more,
    }


def report(of: dict[str, Any], *blocks: dict[str, Any]) -> str:
    """The report without the backslashes by which Markdown keeps words words."""
    return markdown_report(record(of, *blocks)).replace("\\", "")


def record(of: dict[str, Any], *blocks: dict[str, Any]) -> Record:
    notes = [Noted("round", item) for item in blocks]
    verdict = Verdict("yes, move it", Status.COMPLETE, "consensus", no_confidence("made by hand"), detail=of)
    return Record((Started(header()), *notes, Ended(verdict)))


@pytest.mark.clause("debate:5.3", "ruling:D18")
def test_the_synthesis_has_who_took_part_what_is_agreed_positions_in_full_and_references() -> None:
    text = report(detail())

    assert "**Who took part**\n\n- m1 (a_model, synthesizer, risk-attentive): ACCEPT\n" in text
    assert "**Proposal P2**: yes, move it; rests on C1, C3; contested: C4\n" in text
    assert "- C1 [FACT]: x9 is listed (m1; found in E1)\n" in text
    assert "- C5 [ASSUME]: trade grows (m1)\n" in text
    assert f"- m1 (synthesizer, risk-attentive, ACCEPT, 75%): {LONG}\n  - [FACT] x9 is listed [E1]\n" in text
    assert "**References**\n\n- [E1] survey.txt, passage 2: “x9 is listed” (C1 found in it)\n" in text


@pytest.mark.clause("ruling:D15")
def test_the_synthesis_has_what_the_mode_is_held_for() -> None:
    shown = BLOCKS["red-team-blue-team"]
    asked = [{"id": "Q1", "text": "Who pays?", "by": "m1", "round": 1}]

    text = report(detail(vulnerabilities=shown["vulnerabilities"], objections=shown["objections"], openQuestions=asked))

    assert "**Vulnerabilities**: 1 of 2 have no mitigation\n\n- V2, found by m1: V2's weakness" in text
    assert f"  - mitigation by m2: m2's cure of V1 it is. {LONG}\n" in text
    assert "- Q1, m1 in round 1: Who pays?\n" in text
    assert f"- O2 by m2 to P2, round 2, stands: {long('O2')}\n" in text


@pytest.mark.clause("ruling:D15")
def test_the_synthesis_of_devils_advocate_has_the_cases_in_full() -> None:
    cases = {"for": [{"agent": "m1"}], "against": [], "judgement": []}

    assert f"**Final positions, the case for**\n\n- m1 (synthesizer, risk-attentive, ACCEPT, 75%): {LONG}\n" in report(
        detail(cases=cases)
    )


@pytest.mark.clause("ruling:D6")
def test_the_synthesis_says_who_delphis_experts_were() -> None:
    experts = {
        "Expert A": {"seat": "m1", "model": "a", "role": "anonymous expert", "stance": "", "anchor": "risk-attentive"}
    }

    text = report(detail(participants=experts, finalPositions=[]))

    assert "- Expert A (seat m1, a, anonymous expert, risk-attentive): no vote\n" in text


def test_the_synthesis_says_in_words_who_spoke_what_was_kept_back_and_which_rules_were_broken() -> None:
    text = report(
        detail(
            said=[{"round": 1, "text": "Think of the ice.", "focus": "What about March?"}],
            groupthink=[{"trigger": "stagnation", "why": ["nobody moved"], "skipped": ["stances"]}],
            withheld=[{"round": 2, "agent": "m2", "tier": 1, "reason": "a recipe", "by": []}],
            breaches={"m1": {"fact without citation": 3}},
            unmetChecks={"m1": {"grounding": 1}},
            drafts={"m2": {"repetition": 2}},
        )
    )

    assert "- after round 1: Think of the ice.\n  - asked to look at: What about March?\n" in text
    assert "- stagnation: nobody moved; judged without stances\n" in text
    assert "- m2 in round 2: withheld for safety: a recipe (tier 1, found by a pattern)\n" in text
    assert "- m1:\n  - 3 times: a FACT without a citation\n" in text
    assert "- m1:\n  - 1 time: Has every FACT its citation?\n" in text
    assert "**Mended by a revision**\n\n- m2:\n  - 2 times: a round that repeats the one before\n" in text


@pytest.mark.clause("ruling:D14")
def test_a_tie_is_said_of_the_answer_and_of_a_proposal() -> None:
    proposal = {**block()["proposal"], "tied": ["wait a year"]}

    assert "**A tie: as many agents hold**: wait a year\n" in report(detail(tie=["wait a year"]))
    assert "contested: C4; a tie: as many hold “wait a year”\n" in block_text(block(proposal=proposal), None)


def test_every_breach_has_words() -> None:
    assert set(wording.BREACHES) == {check.name for check in CONTRACT} | {"silence", "withheld"}


@pytest.mark.parametrize("mode", BLOCKS)
def test_the_report_has_the_rounds_with_the_same_sections_and_the_sources_once(mode: str) -> None:
    text = report(detail(), BLOCKS[mode])

    rounds = text.split("## Round 2 summary\n")[1]
    assert all(flattened(said) in flattened(rounds) for said in texts(BLOCKS[mode]))
    assert text.count("**References**") == 1


def test_a_debate_of_an_earlier_version_can_still_be_reported() -> None:
    earlier = replace(header(), protocol_version=2)
    ended = Ended(Verdict("yes", Status.COMPLETE, "consensus", no_confidence(""), detail={"synthesis": {}}))

    report = markdown_report(Record((Started(earlier), Noted("round", {"round": 1, "positions": []}), ended)))

    assert report.startswith("Held by debate 2, which recorded less than this report shows")


def test_nothing_that_an_agent_says_is_markup_in_the_report() -> None:
    text = markdown_report(record(detail(), block(agent(position=NASTY, answer=NASTY, objection=NASTY))))

    page = MarkdownIt("commonmark", {"html": False}).enable("table").enable("strikethrough").render(text)

    assert "<script" not in page
    assert not any(tag in page for tag in ("<b>", "<pre", "<s>", "<code"))
