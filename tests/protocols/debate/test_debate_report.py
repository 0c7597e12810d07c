"""What a debate leaves behind: summary blocks, synthesis, the argument graph, and contests of it."""

import asyncio
from pathlib import Path

import pytest

from moot.argument import GraphStore
from moot.core.canonical import plain
from moot.core.question import Question
from moot.methods.contest import contested_node, standing
from moot.protocols.debate.record.report import block_text, markdown_report
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.testing import scripted
from tests.protocols.debate.kit import DOCUMENTS, TOPIC, Debated, debated, reference, response

QUOTED = [
    reference(1, "costs.txt", "A second pier costs 800 crowns"),
    reference(2, "log.txt", "The budget holds 900 crowns"),
]
FOR = response(
    "yes",
    0.75,
    "ACCEPT",
    epistemicClaims={
        "facts": ["A second pier costs 800 crowns [1]", "The budget holds 900 crowns [2]"],
        "inferences": ["The money is enough for a pier [1][2]"],
        "assumptions": ["Trade will grow"],
    },
    references=QUOTED,
)
AGAINST = response(
    "no",
    0.8,
    "BLOCKER",
    epistemicClaims={"inferences": ["The money is not enough for a pier"], "facts": ["Nobody asked the crews [1]"]},
    references=[reference(1, "a letter", "nobody asked us")],
)


def quarrel():
    return debated({"m1": FOR, "m2": FOR, "m3": AGAINST}, documents=DOCUMENTS, lookups=0, rounds=2)


def blocks(scene: Debated) -> list[str]:
    return [block_text(plain(note.data)) for note in scene.record.notes if note.name == "round"]


@pytest.mark.clause("debate:5.2")
def test_the_block_of_a_round_has_all_its_parts_in_order() -> None:
    _, block = blocks(quarrel())

    parts = [
        "=== ROUND 2 SUMMARY ===",
        "PROPOSAL P2: yes; rests on C1, C2, C4; contested: C3",
        "CONSENSUS STATUS: MEDIUM (67%): 2 of 3 agents accept P2 (2 ACCEPT, 1 BLOCKER)",
        "KEY AGREEMENTS:",
        "UNRESOLVED DISAGREEMENTS:\n- the answer: yes (m1, m2)\n  - vs no (m3)",
        "AGENT POSITIONS (EACH AS SYNTHESIZER):",
        "- m3 (script:2, evidence-calibrated, BLOCKER, 80%):",
        "  - objection: The cost is not shown.",
        "OBJECTIONS:\n- O1 by m3 to P2, round 2, stands: The cost is not shown.",
        "NEW EVIDENCE THIS ROUND:",
    ]
    assert [block.index(part) for part in parts] == sorted(block.index(part) for part in parts)


@pytest.mark.clause("debate:5.2")
def test_a_person_is_shown_the_very_block_that_is_on_record_with_what_was_said_and_asked() -> None:
    said = {"text": "Think of the ice.", "focus_question": "What about March?"}
    people = {"turn/1": ("Ada", said), "turn/2": ("Ada", {})}

    scene = debated({"m1": FOR, "m2": FOR, "m3": AGAINST}, people=people, documents=DOCUMENTS, join=True, rounds=3)

    notes = [plain(note.data) for note in scene.record.notes if note.name == "round"]
    shown = [scene.course.disk.steps[f"turn/{number}"].context["summary"] for number in (1, 2)]
    assert shown == [block_text(note, None) for note in notes[:2]]
    assert "A PERSON SAID BEFORE THIS ROUND: Think of the ice.\n" in shown[1]
    assert "WHAT THE ROUND WAS TO LOOK AT: What about March?\n" in shown[1]
    assert "What about March?" not in block_text(notes[2])


@pytest.mark.clause("debate:9.2.4")
def test_evidence_that_only_a_position_names_stands_among_the_references() -> None:
    later = response("yes", position="As was shown [E2], there is money for a pier.")
    scene = debated({"m1": [FOR, later], "m2": [response(), later]}, documents=DOCUMENTS, lookups=0, seats=2, rounds=2)

    references = blocks(scene)[1].split("REFERENCES:\n")[1]

    assert references.startswith("- [E2] log.txt: “The budget holds 900 crowns” (C")
    assert "[E1]" not in references


@pytest.mark.clause("debate:5.2", "ruling:D7")
def test_new_evidence_is_listed_with_its_source_and_marked_where_unverified() -> None:
    first, _ = blocks(quarrel())

    assert "[FACT][E1]: A second pier costs 800 crowns (found in costs.txt)" in first
    assert "[FACT][E3]: Nobody asked the crews (unverified: a letter)" in first


@pytest.mark.clause("debate:5.3")
def test_the_synthesis_has_answer_agreements_disagreements_by_holder_evidence_and_votes() -> None:
    scene = quarrel()

    synthesis = scene.detail["synthesis"]

    assert synthesis["answer"] == "yes"
    assert {item["text"] for item in synthesis["agreements"]} >= {"A second pier costs 800 crowns"}
    assert synthesis["disagreements"][0]["sides"][1] == {"says": "no", "held_by": ["m3"]}
    assert [item["about"] for item in synthesis["disagreements"]] == ["the answer", "C3", "O1"]
    assert [(item["title"], item["verified"]) for item in synthesis["evidence"]] == [
        ("costs.txt", True),
        ("log.txt", True),
        ("a letter", False),
    ]
    assert synthesis["votes"] == {"m1": "ACCEPT", "m2": "ACCEPT", "m3": "BLOCKER"}
    report = markdown_report(scene.record)
    assert all(f"**{title}**" in report for title in ("Agreed", "Not resolved", "Final positions", "References"))
    assert "- m3 (script:2, synthesizer, evidence-calibrated): BLOCKER\n" in report


@pytest.mark.clause("debate:9.2.5")
def test_the_diversity_that_the_anchors_led_to_is_measured_over_the_rounds() -> None:
    diversity = quarrel().detail["diversity"]

    assert diversity["anchors"] == {
        "m1": "risk-attentive",
        "m2": "implementation-focused",
        "m3": "evidence-calibrated",
    }
    assert diversity["claims_introduced"] == {"m1": 4, "m2": 0, "m3": 2}
    assert len(diversity["premise_overlap"]) == len(diversity["semantic_clusters"]) == 2


def test_the_graph_has_facts_with_evidence_as_givens_and_the_rest_as_what_it_is() -> None:
    scene = quarrel()

    nodes = {node["claim"]: node for node in scene.detail["graph"]["nodes"]}

    assert nodes["A second pier costs 800 crowns"]["type"] == "given"
    assert nodes["The money is enough for a pier"]["type"] == "inference"
    assert nodes["Trade will grow"]["type"] == "assumption"
    assert (nodes["Nobody asked the crews"]["type"], nodes["Nobody asked the crews"]["ungrounded"]) == (
        "assumption",
        True,
    )
    edges = {(edge["src"], edge["dst"], edge["relation"]) for edge in scene.detail["graph"]["edges"]}
    ids = {claim: node["id"] for claim, node in nodes.items()}
    assert (ids["A second pier costs 800 crowns"], ids["The money is enough for a pier"], "supports") in edges
    assert (ids["The money is not enough for a pier"], ids["The money is enough for a pier"], "attacks") in edges
    assert (ids["Trade will grow"], ids["The answer is: yes"], "assumes") in edges


def test_a_claim_of_a_debate_can_be_contested_without_a_model_call() -> None:
    said = response("yes", 0.75, epistemicClaims={"facts": ["A second pier costs 800 crowns [1]"]}, references=QUOTED)
    scene = debated({"m1": said, "m2": said, "m3": response("no", 0.75)}, documents=DOCUMENTS, lookups=0, rounds=2)
    node = contested_node(scene.detail, "costs 800")

    before, after = standing(scene.detail), standing(scene.detail, [(node.id, "the price has risen")])

    assert (before.answer, before.width) == ("yes", 1)
    assert after.width == 0


def test_withdrawn_claims_are_refuted_in_the_graph_and_questions_are_not_in_it() -> None:
    asking = response("yes", 0.6, questions=["Who pays?"])
    scene = debated(
        {"m1": [asking, {**asking, "retracted": ["C1"], "epistemicClaims": {}}], "m2": response("no", 0.6)},
        mode="socratic",
        seats=2,
        rounds=2,
        revise=False,
    )

    nodes = {node["claim"]: node for node in scene.detail["graph"]["nodes"]}

    assert nodes["It follows that yes is right"]["refuted"]
    assert not any("Who pays" in claim for claim in nodes)


def test_the_graph_can_be_loaded_again() -> None:
    store = GraphStore()

    loaded = store.from_json("g", quarrel().detail["graph"])

    assert "error" not in loaded
    assert store.conclusions("g") == ("A1", "A2")


def test_a_debate_is_contested_and_exported_through_the_service(tmp_path: Path) -> None:
    async def scene():
        models = {"scripted:a": scripted(lambda request: FOR)}
        async with open_service({"MOOT_HOME": str(tmp_path)}, models=models) as service:
            question = Question(text=TOPIC, documents=DOCUMENTS)
            order = Order(question, protocol="debate", members=("scripted:a*3",), settings={"lookups": 0})
            result = await service.ask(order)
            contest = await service.contest(result.id, "costs 800", author="Ada", reason="dearer now")
            again = await service.replay(result.id)
            return (
                result,
                contest,
                await service.export(result.id, "html"),
                await service.export(result.id, "md"),
                again,
            )

    result, contest, page, text, again = asyncio.run(scene())

    assert (contest.before.answer, contest.before.width) == ("yes", 1)
    assert contest.after.width <= contest.before.width
    assert "<svg" in next(iter(page.values()))
    assert "<strong>Who took part</strong>" in next(iter(page.values()))
    assert "## Round 1 summary" in next(iter(text.values()))
    assert again.events == len(result.record.events)
