"""A claim, or a step, put to fresh contexts (interrogation 4.2, rulings I2 and I14)."""

from typing import Any, Literal

import pytest
from pydantic import ValidationError

from moot.core.question import Document
from moot.methods.sentences import sentences_of
from moot.protocols.interrogation.verification import (
    Following,
    Verification,
    can_refute,
    counts,
    followed,
    following_messages,
    majority,
    refuting,
    reinstating_sentences,
    settled,
    verification_messages,
)

SURVEY = Document(
    name="survey.md",
    text="Server x9 runs Linux and stays on around the clock. Machines that run BSD or Windows are never given nightly "
    "jobs. Server x8 runs BSD. The category of rack 7 is unknown. The cellar was not flooded.",
)
SENTENCES = sentences_of((SURVEY,))
ON = "Server x9 is on at night."
NEVER = "Servers that run BSD or Windows are never given nightly jobs."


def reply(says: str, sentence: Any = None, reason: str = "so it stands") -> Verification:
    return Verification.model_validate({"reason": reason, "sentence": sentence, "says": says})


SUPPORTING, OPEN = reply("say this", 1), reply("do not say")


@pytest.mark.clause("ruling:I14")
@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("say this", "supported"),
        ("Say this.", "supported"),
        ("The sentences say this", "supported"),
        ("the document says this", "supported"),
        ("say the contrary", "refuted"),
        ("they say the contrary", "refuted"),
        ("do not say", "not_determinable"),
        ("The documents do not say.", "not_determinable"),
        ("it does not say", "not_determinable"),
        ("supported", "supported"),
        ("Refuted", "refuted"),
        ("not determinable", "not_determinable"),
    ],
)
def test_what_the_documents_say_is_read_in_our_words_and_in_the_papers(said: str, verdict: str) -> None:
    assert reply(said).verdict == verdict


@pytest.mark.clause("interrogation:4.2.B")
@pytest.mark.parametrize("verdict", ["supported", "refuted", "not_determinable"])
def test_the_papers_field_is_still_read(verdict: str) -> None:
    assert Verification.model_validate({"verdict": verdict, "reason": "it says so"}).verdict == verdict


@pytest.mark.parametrize(
    "said", ["say that", "do not say this", "say this, not the contrary", "", None, True, 3, "not"]
)
def test_other_words_are_no_verdict(said: Any) -> None:
    with pytest.raises(ValidationError):
        Verification.model_validate({"reason": "", "says": said})


def test_a_member_is_asked_for_the_reason_then_the_sentence_then_the_verdict() -> None:
    schema = Verification.model_json_schema()

    assert list(schema["properties"]) == schema["required"] == ["reason", "sentence", "says"]
    assert schema["properties"]["says"]["enum"] == ["say this", "say the contrary", "do not say"]


@pytest.mark.clause("ruling:I14")
def test_a_long_reason_is_kept_whole() -> None:
    reason = "because " * 2_000

    assert reply("say the contrary", 1, reason).reason == reason


@pytest.mark.clause("ruling:I2")
@pytest.mark.parametrize(
    ("verdicts", "asked", "said"),
    [
        ("ss.", 3, "supported"),
        ("s", 1, "supported"),
        ("rr", 3, "refuted"),
        ("s", 3, "split"),
        ("sr.", 3, "split"),
        ("ss", 4, "split"),
        ("sss", 4, "supported"),
        ("...", 3, "not_determinable"),
        ("..", 3, "split"),
        ("", 3, "split"),
        ("", 0, "split"),
    ],
)
def test_more_than_half_of_those_asked_decide(verdicts: str, asked: int, said: str) -> None:
    words = {"s": "supported", "r": "refuted", ".": "not_determinable"}

    assert majority([words[letter] for letter in verdicts], asked) == said


@pytest.mark.clause("ruling:I14")
@pytest.mark.parametrize("sentence", [3, "3", "[3]", "S3", "sentence 3", "Server x8 runs BSD."])
def test_a_refutation_counts_with_its_sentence_however_that_is_written(sentence: Any) -> None:
    assert counts(reply("say the contrary", sentence), "Server x8 runs Linux.", SENTENCES)


@pytest.mark.clause("ruling:I14")
@pytest.mark.parametrize("sentence", [None, 0, 6, "99", "the survey", "", [], {}, True, 10**400])
def test_a_refutation_without_a_sentence_that_exists_does_not_count(sentence: Any) -> None:
    against = reply("say the contrary", sentence)

    assert not counts(against, "Server x8 runs Linux.", SENTENCES)
    assert settled([against] * 3, 3, "Server x8 runs Linux.", SENTENCES) == "split"


@pytest.mark.clause("ruling:I14")
@pytest.mark.parametrize(
    ("claim", "number"),
    [
        ("Server x9 is switched off at night.", 1),
        ("x9 runs Windows.", 1),
        ("The cellar was flooded.", 5),
        ("The flooding was severe.", 5),
        ("Every machine is given nightly jobs.", 2),
    ],
)
def test_a_sentence_about_the_same_can_refute(claim: str, number: int) -> None:
    assert can_refute(SENTENCES[number - 1], claim)


@pytest.mark.clause("ruling:I14")
@pytest.mark.parametrize(
    ("claim", "number"),
    [
        ("Bananas are not yellow.", 5),
        ("It is not the one that was in the house.", 5),
        ("A cat is never on the mat.", 4),
        ("The Linuxes of old are gone.", 5),
        ("x1 is a clockwork.", 1),
    ],
)
def test_a_sentence_that_shares_only_small_words_or_parts_of_words_cannot(claim: str, number: int) -> None:
    assert not can_refute(SENTENCES[number - 1], claim)


@pytest.mark.clause("ruling:I14")
def test_a_sentence_that_says_the_same_refutes_nothing() -> None:
    about_it = reply("say the contrary", 2, "it is stated that machines that run BSD are never given nightly jobs")

    assert not counts(about_it, NEVER, SENTENCES)
    assert settled([about_it, about_it, SUPPORTING], 3, NEVER, SENTENCES) == "split"
    assert counts(about_it, "Servers that run BSD or Windows are given nightly jobs.", SENTENCES)


@pytest.mark.clause("ruling:I14")
def test_two_refutations_with_their_sentence_settle_a_claim() -> None:
    claim = "Server x8 runs Linux."
    against, baseless = reply("say the contrary", 3, "it runs BSD"), reply("say the contrary", None, "no")

    assert settled([against, against, OPEN], 3, claim, SENTENCES) == "refuted"
    assert settled([against, baseless, OPEN], 3, claim, SENTENCES) == "split"
    assert refuting([OPEN, baseless, against], claim, SENTENCES) == against
    assert refuting([OPEN, baseless], claim, SENTENCES) is None


@pytest.mark.clause("ruling:I2")
def test_support_counts_without_a_sentence_and_silence_needs_all() -> None:
    assert settled([reply("say this"), SUPPORTING, OPEN], 3, ON, SENTENCES) == "supported"
    assert settled([OPEN, OPEN, OPEN], 3, ON, SENTENCES) == "not_determinable"
    assert settled([OPEN, OPEN], 3, ON, SENTENCES) == "split"


@pytest.mark.clause("ruling:I14")
def test_a_claim_is_reinstated_by_a_sentence_that_is_named_and_covers_it() -> None:
    claim = "Server x9 runs Linux."

    assert reinstating_sentences([OPEN, SUPPORTING, SUPPORTING], claim, SENTENCES) == (SENTENCES[0],)
    assert reinstating_sentences([reply("say this", 3), reply("say this")], claim, SENTENCES) == ()
    assert reinstating_sentences([reply("do not say", 1), reply("say the contrary", 1)], claim, SENTENCES) == ()
    assert reinstating_sentences([reply("say this", 2)], "Bananas are yellow.", SENTENCES) == ()


@pytest.mark.clause("ruling:I14")
def test_each_sentence_that_reinstates_covers_the_claim_by_itself() -> None:
    twice = sentences_of((Document(name="a", text="The mill is old. It burnt. The mill is an old one."),))
    replies = [reply("say this", 3), reply("say this", 1), reply("say this", 2)]

    assert [one.number for one in reinstating_sentences(replies, "The mill is old.", twice)] == [3, 1]


@pytest.mark.clause("ruling:I12")
def test_the_questions_own_words_weigh_half_in_what_reinstates() -> None:
    claim, question = "The cellar of rack 7 stays dry.", "Does the cellar of rack 7 stay dry?"
    named = [reply("say this", 4)]

    assert reinstating_sentences(named, claim, SENTENCES, question) == ()


@pytest.mark.clause("ruling:I2")
def test_a_verification_shows_the_claim_and_the_numbered_sentences_and_nothing_else() -> None:
    system, user = verification_messages(ON, SENTENCES[1:3])

    assert (
        "[2] Machines that run BSD or Windows are never given nightly jobs.\n[3] Server x8 runs BSD." in system.content
    )
    assert "[1]" not in system.content
    assert f"\n{ON}\n" in user.content
    assert "survey.md" not in system.content + user.content


@pytest.mark.clause("ruling:G4")
def test_claim_and_sentences_stand_between_fences() -> None:
    for messages in (verification_messages(ON, SENTENCES), following_messages(ON, SENTENCES)):
        system, user = messages
        assert system.content.count("<<<") == user.content.count("<<<") == 1
        assert "never followed" in system.content


@pytest.mark.clause("interrogation:4.2.B")
def test_a_verification_says_all_that_the_paper_says() -> None:
    said = " ".join(message.content for message in verification_messages(ON, SENTENCES))

    for words in ("one claim", "Use only these sentences", "one sentence", "what is missing", "do not settle it"):
        assert words in said


@pytest.mark.clause("ruling:I14")
def test_a_step_is_put_to_a_fresh_context_with_its_sentences_alone() -> None:
    system, user = following_messages(ON, SENTENCES[:1])

    assert "[1] Server x9 runs Linux" in system.content
    assert "[2]" not in system.content
    assert "follow from these sentences alone" in user.content


@pytest.mark.clause("ruling:I14")
@pytest.mark.parametrize(
    ("said", "follows"), [("yes", "yes"), ("No.", "no"), (True, "yes"), (False, "no"), ("Yes, it does", "yes")]
)
def test_whether_a_step_follows_is_yes_or_no(said: Any, follows: str) -> None:
    assert Following.model_validate({"reason": "so", "follows": said}).follows == follows


@pytest.mark.parametrize("said", ["maybe", "", None, "nope", 1, "not sure"])
def test_anything_else_is_neither_yes_nor_no(said: Any) -> None:
    with pytest.raises(ValidationError):
        Following.model_validate({"follows": said})


@pytest.mark.clause("ruling:I14")
@pytest.mark.parametrize(
    ("said", "asked", "verdict"),
    [("yyn", 3, "supported"), ("nny", 3, "refuted"), ("yn", 3, "split"), ("nn", 4, "split")],
)
def test_the_same_majority_decides_whether_a_step_follows(said: str, asked: int, verdict: str) -> None:
    words: dict[str, Literal["yes", "no"]] = {"y": "yes", "n": "no"}

    assert followed([Following(reason="", follows=words[letter]) for letter in said], asked) == verdict
