"""Claims and steps that are put to fresh contexts, and what becomes of them (rulings I2 and I14)."""

import pytest

from moot.core.budget import Budget
from moot.core.verdict import Status
from moot.protocols.interrogation.report import markdown_report
from tests.protocols.interrogation.kit import (
    ASKED,
    CONTRADICTED,
    CONTRADICTING,
    CRATES,
    DOCUMENTS,
    INVENTED,
    IS_KESTREL,
    IS_OSPREY,
    KESTREL,
    LEFT,
    LOUD,
    OSPREY,
    QUIET,
    SEEN,
    SENTENCES,
    SILENT,
    TOLD_KESTREL,
    argument,
    claim_of,
    interrogated,
    states,
    step,
)

BRIEF = "Kestrel left."
ON_A_STEP = argument("Kestrel", IS_KESTREL, step("a", BRIEF, 1))
TOGETHER = argument("Kestrel", IS_KESTREL, step("a", QUIET, 1, 3))


# Claims (ruling I2)


@pytest.mark.clause("ruling:I2", "interrogation:4.1.4", "interrogation:4.2.B")
@pytest.mark.parametrize(
    ("verdicts", "kept", "confidence", "runs", "disputed"),
    [
        (("supported", "supported", "refuted"), True, 0.9, ["r1", "v1"], False),
        (("supported", "not_determinable", "supported"), True, 0.9, ["r1", "v1"], False),
        (("refuted", "not_determinable", "refuted"), False, 0.8, ["r1"], False),
        (("not_determinable",) * 3, True, 0.5, ["r1"], True),
        (("supported", "refuted", "not_determinable"), True, 0.8, ["r1"], True),
        (("not_determinable", "not_determinable", "supported"), True, 0.8, ["r1"], True),
        (("refuted", "talk", "talk"), True, 0.8, ["r1"], True),
        (("talk", "refuted", "refuted"), False, 0.8, ["r1"], False),
    ],
)
def test_two_of_three_decide_three_times_undetermined_doubts_and_a_split_stays_disputed(
    verdicts, kept, confidence, runs, disputed
) -> None:
    scene = interrogated(ON_A_STEP, verdicts={BRIEF: verdicts}, budget=Budget(calls=40))

    node = scene.node(BRIEF)
    assert node["refuted"] is not kept
    assert (node["confidence"], node["run_ids"]) == (confidence, runs)
    assert (BRIEF in [item["claim"] for item in scene.detail["disputed"]]) is disputed


@pytest.mark.clause("ruling:I2")
def test_a_refuted_claim_keeps_the_reason_of_who_refuted_it() -> None:
    scene = interrogated(ON_A_STEP, verdicts={BRIEF: ("supported", "refuted", "refuted")})

    assert scene.detail["killed"] == [{"id": "r1:a", "claim": BRIEF, "reason": "refuted, says the log"}]


@pytest.mark.clause("ruling:I2")
def test_a_claim_is_re_interrogated_once() -> None:
    scene = interrogated(CONTRADICTED, CONTRADICTING, default="not_determinable", k=9, budget=Budget(calls=200))

    shown = [claim_of(request) for request in scene.verifications]
    assert all(shown.count(claim) == 3 for claim in set(shown))


@pytest.mark.clause("ruling:I2")
def test_what_a_claim_had_in_confidence_is_not_lowered_by_support_nor_raised_by_doubt() -> None:
    sure, unsure = step("a", BRIEF, 1) | {"confidence": 0.97}, step("b", QUIET, 1, 3) | {"confidence": 0.2}

    scene = interrogated(argument("Kestrel", IS_KESTREL, sure, unsure), verdicts={QUIET: "not_determinable"})

    assert (scene.node(BRIEF)["confidence"], scene.node(QUIET)["confidence"]) == (0.97, 0.2)


@pytest.mark.clause("interrogation:4.2.B", "ruling:I2")
def test_a_verification_shows_the_claim_and_the_documents_and_nothing_else() -> None:
    scene = interrogated(CONTRADICTED, CONTRADICTING, ON_A_STEP, k=9, budget=Budget(calls=200))
    claims = {node["claim"] for node in scene.detail["graph"]["nodes"]} - set(SENTENCES)

    for request in scene.verifications:
        prompt = " ".join(message.content for message in request.messages)
        assert len(request.messages) == 2
        assert not any(text in prompt for text in ("Private thoughts", ASKED))
        assert [claim for claim in claims - {claim_of(request)} if claim in prompt] == []
        assert all(one in prompt for one in SENTENCES)
    assert len({request.messages[1].content.replace(claim_of(request), "") for request in scene.verifications}) <= len(
        scene.verified
    )


@pytest.mark.clause("interrogation:4.2.B", "ruling:I14")
def test_a_verification_asks_what_the_sentences_say_with_a_reason_and_the_sentence_that_decides() -> None:
    request = interrogated(ON_A_STEP).verifications[0]

    assert all(f'"{said}"' in request.messages[1].content for said in ("say this", "say the contrary", "do not say"))
    assert "Use only these sentences" in request.messages[0].content
    assert request.schema
    assert list(request.schema["properties"]) == ["reason", "sentence", "says"]


def test_verifications_that_never_come_settle_nothing() -> None:
    scene = interrogated(ON_A_STEP, default="talk", budget=Budget(calls=60), verify="always", k=1)

    assert scene.verdict.answer == "Kestrel"
    assert scene.verdict.stop_reason.split("; ")[1].startswith("the candidates are stable")
    assert len(scene.detail["disputed"]) == 2


# Naming the sentence (ruling I14)


@pytest.mark.clause("ruling:I14")
def test_a_refutation_that_names_no_sentence_kills_nothing() -> None:
    nameless = interrogated(ON_A_STEP, verdicts={BRIEF: [("refuted", 99)] * 3})
    named = interrogated(ON_A_STEP, verdicts={BRIEF: [("refuted", 4)] * 3})

    assert [item["claim"] for item in nameless.detail["killed"]] == []
    assert [item["claim"] for item in named.detail["killed"]] == [BRIEF]


@pytest.mark.clause("ruling:I14", "ruling:I5")
def test_a_confirmed_claim_without_a_sentence_is_reinstated_with_the_one_that_is_named_and_covers_it() -> None:
    told = "The master saw Kestrel."
    run = argument("Kestrel", IS_KESTREL, step("z", told))

    kept = interrogated(run, verdicts={told: [("supported", 4)] * 3}, budget=Budget(calls=40))
    open_ = interrogated(run, verdicts={told: [("supported", 6)] * 3}, budget=Budget(calls=40))

    assert kept.verified[0] == told
    assert kept.notes("verified")[0]["reinstated"] == ["port.txt#4"]
    assert (kept.node(told)["type"], kept.detail["ungrounded"]) == ("given", [])
    assert (kept.detail["support_width"], kept.verdict.status) == (1, Status.COMPLETE)
    assert kept.detail["lines"][0]["sentences"][0]["text"] == SEEN
    assert open_.notes("verified")[0]["reinstated"] == []
    assert (open_.detail["support_width"], open_.verdict.status) == (0, Status.PARTIAL)


@pytest.mark.clause("ruling:I14")
def test_the_leading_candidates_claims_are_verified_first() -> None:
    rival = argument("Osprey", IS_OSPREY, step("z", "Nobody towed Osprey at all.", 6))

    scene = interrogated(rival, ON_A_STEP, KESTREL, default="not_determinable", k=9, budget=Budget(calls=9))

    assert scene.verified == [BRIEF, "Nobody towed Osprey at all."]


@pytest.mark.clause("ruling:I14")
def test_with_no_line_and_calls_left_the_leaders_conclusion_is_verified_and_its_sentence_holds_it_up() -> None:
    claim = "Kestrel left the harbour."
    run = argument("Kestrel", claim, step("z", INVENTED, 4))

    scene = interrogated(run, run, verdicts={INVENTED: "not_determinable", claim: [("supported", 1)] * 3})

    assert scene.verified == [INVENTED, claim]
    assert (scene.detail["support_width"], scene.verdict.status) == (1, Status.COMPLETE)
    assert scene.detail["lines"][0]["sentences"][0]["text"] == LEFT


@pytest.mark.clause("ruling:I14")
@pytest.mark.parametrize(
    ("form", "verify", "seats", "checked"),
    [
        ("graph", "auto", 1, True),
        ("graph", "other", 1, False),
        ("graph", "never", 1, False),
        ("plain", "auto", 1, False),
        ("plain", "auto", 2, True),
        ("plain", "always", 1, True),
        ("plain", "never", 2, False),
    ],
)
def test_who_may_verify(form: str, verify: str, seats: int, checked: bool) -> None:
    told = states("Kestrel", "The tug towed Kestrel out.", LEFT)
    runs = [argument("Kestrel", IS_KESTREL, step("a", LEFT), step("z", INVENTED, 4))]
    runs = runs * 2 if form == "graph" else [told, TOLD_KESTREL]

    scene = interrogated(*runs, form=form, verify=verify, seats=seats)

    assert bool(scene.verifications) is checked


@pytest.mark.clause("ruling:I14")
def test_other_is_a_model_that_did_not_write_the_claim() -> None:
    told = states("Kestrel", "The tug towed Kestrel out.", LEFT)

    scene = interrogated(told, TOLD_KESTREL, TOLD_KESTREL, form="plain", seats=3)

    assert {request.seat for request in scene.verifications} == {"m2", "m3"}


# Steps with their sentences alone (ruling I14)


@pytest.mark.clause("ruling:I14")
def test_a_step_that_does_not_follow_from_its_sentences_alone_is_cut() -> None:
    scene = interrogated(TOGETHER, TOGETHER, follows={QUIET: ("no", "yes", "no")})

    [killed] = scene.detail["killed"]
    assert (killed["claim"], killed["reason"]) == (QUIET, "it does not follow from its sentences alone: as it is put")
    assert (scene.detail["support_width"], scene.verdict.status) == (0, Status.PARTIAL)
    assert "No line of support" in markdown_report(scene.record)


@pytest.mark.clause("ruling:I14")
@pytest.mark.parametrize("said", ["yes", ("yes", "no", "yes")])
def test_a_step_that_follows_stands_and_is_put_once(said) -> None:
    scene = interrogated(TOGETHER, TOGETHER, follows={QUIET: said}, k=9)

    assert (scene.detail["killed"], scene.detail["support_width"]) == ([], 1)
    assert len(scene.followed) == 3
    assert scene.notes("followed")[0]["verdict"] == "supported"


@pytest.mark.clause("ruling:I14")
def test_a_step_is_put_with_its_own_sentences_and_no_others() -> None:
    scene = interrogated(TOGETHER, TOGETHER)

    for request in scene.followed:
        prompt = " ".join(message.content for message in request.messages)
        assert [one for one in SENTENCES if one in prompt] == [LEFT, SILENT]
        assert not any(text in prompt for text in (ASKED, IS_KESTREL, "Private thoughts"))


@pytest.mark.clause("ruling:I14")
def test_what_is_found_in_a_document_to_the_letter_needs_nobodys_word() -> None:
    scene = interrogated(KESTREL, OSPREY)

    assert not {LEFT, SEEN, CRATES} & set(scene.verified)
    assert scene.followed == []
    assert all(SENTENCES[place] in DOCUMENTS[place // 3].text for place in range(6))


def test_a_contradiction_that_is_settled_is_disputed_no_longer() -> None:
    scene = interrogated(CONTRADICTED, CONTRADICTED, CONTRADICTING, verdicts={LOUD: "refuted"})

    assert scene.detail["disputed"] == []
    assert scene.node(SILENT)["run_ids"] == ["r1", "r2", "v1"]
