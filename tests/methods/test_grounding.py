"""Whether a claim that is said to be given really is (rulings I5, I10, I12)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.question import Document
from moot.methods.grounding import (
    Grounding,
    cover_by,
    covering_sentences,
    found_quote,
    grounding,
    grounds_of,
    named_document,
    numbers_of,
    source_of,
)
from moot.methods.sameness.covering import numbers, proper_names

PUMP = Document(
    name="pump.txt",
    text="The pump was started on 3 May 2021 by Ada Brook. It ran well all night and never stopped. "
    "The bill came to 1,250.50 euros. The cellar stayed at -5 degrees.",
)
MILL = Document(name="mill.txt", text="The mill stands by the river. Two wheels were replaced in 2019.")
BOTH = grounds_of((PUMP, MILL), "Who started the pump?")
STARTED = "The pump was started on 3 May 2021 by Ada Brook"


def checked(claim: str, quote: str = "", document: str = "1", *named: int) -> Grounding:
    return grounding(claim, document, quote, BOTH, [BOTH.sentences[number - 1] for number in named])


def source(claim: str, quote: str = "", document: str = "1", *named: int) -> tuple[str, str]:
    """The numbers of the sentences on which a claim is found to rest, and the repair."""
    found = checked(claim, quote, document, *named)
    return numbers_of(found.sentences), found.repair


@pytest.mark.clause("ruling:I10")
def test_the_sentences_that_a_quote_touches_are_the_source() -> None:
    assert source("Ada Brook started the pump.", "started on 3 May 2021 by Ada Brook") == ("[1]", "")
    assert source("The pump, started by Ada Brook, ran well all night.", "by Ada Brook. It ran well all night") == (
        "[1] [2]",
        "",
    )


@pytest.mark.clause("ruling:I10")
@pytest.mark.parametrize("document", ["2", "mill.txt", "Document 2", "7", "Document 0", "the ledger"])
def test_a_wrong_document_number_is_repaired(document: str) -> None:
    numbers, repair = source("The pump was started by Ada Brook.", STARTED, document)

    assert numbers == "[1]"
    assert repair == f"document {document!r} does not have the quote, 'pump.txt' has it"


@pytest.mark.clause("ruling:I10")
def test_a_quote_that_two_documents_have_is_that_of_the_document_named() -> None:
    twice = grounds_of((MILL, Document(name="copy.txt", text=f"A copy follows. {MILL.text}")))

    def number(document: str) -> str:
        return numbers_of(found_quote("Two wheels were replaced in 2019", document, twice).sentences)

    assert (number("2"), number("1"), number("")) == ("[5]", "[2]", "[2]")


def test_where_no_document_is_named_it_may_be_in_any_and_nothing_is_repaired() -> None:
    assert source("The mill stands by the river.", "The mill stands by the river", "") == ("[5]", "")
    assert checked("Horses sleep.", "nothing of the sort", "").problem == "the quote is not found in any document"


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    "claim",
    [
        "Bananas are yellow.",
        "The pump was started on 4 May 2021 by Ada Brook.",
        "The pump was started by Eve Brook.",
        "The pump was not started by Ada Brook.",
        "NASA started the pump.",
        "The mill by the road was started.",
    ],
)
def test_a_true_quote_behind_a_claim_that_it_does_not_cover_grounds_nothing(claim: str) -> None:
    found = checked(claim, STARTED)

    assert not found.holds
    assert found.sentences == ()
    assert found.problem.startswith("[1]: ")


@pytest.mark.clause("ruling:I12")
@pytest.mark.parametrize(
    "claim",
    ["Ada Brook started the pump.", "The pump was started in May 2021.", "On 3 May 2021 the pump was started."],
)
def test_a_claim_that_its_quote_covers_holds_in_other_words_too(claim: str) -> None:
    assert source(claim, STARTED) == ("[1]", "")


@pytest.mark.clause("ruling:I12")
def test_other_sentences_that_cover_a_claim_are_its_source_and_the_repair_says_why() -> None:
    numbers, repair = source("The mill stands by the river.", STARTED)

    assert numbers == "[5]"
    assert repair.startswith("[5] taken for its source ([1]: ")
    assert source("The mill stands by the river.", "The mill is near the brook and old", "2")[0] == "[5]"


@pytest.mark.clause("ruling:I10")
def test_a_given_may_name_its_sentences_instead_of_quoting_them() -> None:
    assert source("The bill came to 1250.5 euros.", "", "", 3) == ("[3]", "")
    assert source("The bill came to 1250.5 euros.", "", "", 4)[0] == "[3]"
    assert checked("The bill came to 1300 euros.", "", "", 3).problem == "[3]: it does not have the number 1300"


@pytest.mark.clause("ruling:I12")
def test_the_sentences_of_a_given_cover_it_together() -> None:
    one, two = BOTH.sentences[0], BOTH.sentences[5]
    claim = "The pump was started in 2021 and the wheels were replaced in 2019."

    assert not cover_by(claim, [one], BOTH).holds
    assert not cover_by(claim, [two], BOTH).holds
    assert cover_by(claim, [one, two], BOTH).holds
    three = "The bill came to 1250.5 euros, the mill stands by the river, the wheels were replaced in 2019."
    assert cover_by(three, [BOTH.sentences[place] for place in (2, 4, 5)], BOTH).holds


def test_numbers_that_stand_elsewhere_need_not_stand_in_the_sentences() -> None:
    first = [BOTH.sentences[2]]

    assert cover_by("The bill came to 9 euros.", first, BOTH).problem == "it does not have the number 9"
    assert cover_by("The bill came to 9 euros.", first, BOTH, {"9"}).holds


def test_the_sentences_that_cover_a_claim_are_of_one_document() -> None:
    split = grounds_of((Document(name="a", text="The red boat left."), Document(name="b", text="The blue barge came.")))

    assert numbers_of(covering_sentences("The red boat left.", split)) == "[1]"
    assert covering_sentences("The red boat left and the blue barge came.", split) == ()


@pytest.mark.clause("ruling:I5")
def test_without_a_quote_a_claim_may_repeat_the_document_word_by_word() -> None:
    assert source("The mill stands by the river.", "", "2") == ("[5]", "")
    assert checked("The mill stands by the road.", "", "2").problem == "it names no sentence"
    assert checked("The mill is old.", "the mill", "2").problem == "its quote is too short to be found"


@pytest.mark.parametrize("name", ["1", "#1", "doc 1", "Document 1: pump.txt", " PUMP.txt ", "1.0"])
def test_a_document_is_known_by_its_number_its_name_or_both(name: str) -> None:
    assert named_document(name, BOTH.documents) is PUMP


@pytest.mark.clause("ruling:A22")
def test_a_source_has_its_document_and_the_words_of_its_sentences() -> None:
    assert source_of(BOTH.sentences[4:6], BOTH.documents) == {
        "document": "mill.txt",
        "sentences": [
            {"number": 5, "text": "The mill stands by the river."},
            {"number": 6, "text": "Two wheels were replaced in 2019."},
        ],
    }
    nameless = grounds_of((Document(name=" ", text="A rose is red."),))
    assert source_of(nameless.sentences, nameless.documents)["document"] == "document"


@pytest.mark.clause("ruling:I5")
def test_without_documents_the_question_is_the_one_document() -> None:
    grounds = grounds_of((), "Mia has 12 apples. She eats 3. How many are left?")

    assert [sentence.text for sentence in grounds.sentences][:2] == ["Mia has 12 apples.", "She eats 3."]
    assert grounds.question == "", "else each of its words would count half as a source and half as an echo"


def test_a_sentence_is_found_by_its_number_in_a_part_of_them_too() -> None:
    part = grounds_of((PUMP,)).sentences[1:3]
    grounds = grounds_of((PUMP,))

    assert grounds.sentence(3) == part[1]
    assert grounds.sentence(0) is grounds.sentence(5) is grounds.sentence(-1) is None


def test_numbers_and_names_are_read_as_they_are_written() -> None:
    assert numbers("1,250.50 and 2019-2020, at -5 and \u22127") == {"1250.5", "2019", "2020", "-5", "-7"}
    assert proper_names("The bridge over Ouse. It was NATO's, says Ada.") == ["Ouse", "NATO's", "Ada"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=60), st.lists(st.text(max_size=80), max_size=3))
def test_no_text_makes_the_check_fail(claim: str, document: str, quote: str, texts: list[str]) -> None:
    documents = [Document(name=f"{number}.txt", text=text) for number, text in enumerate(texts)]

    found = grounding(claim, document, quote, grounds_of(documents))

    assert found.holds is bool(found.sentences)
