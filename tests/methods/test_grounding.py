"""Whether a claim that is said to be given really is (ruling I5)."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.question import Document
from moot.methods.grounding import grounding, named_document, numbers, proper_names
from moot.protocols.interrogation.rules import given_problem
from moot.protocols.interrogation.schemas import GraphNode

PUMP = Document(
    name="pump.txt",
    text="The pump was started on 3 May 2021 by Ada Brook. It \u201cran well\u201d \u2013 all night \u2013 and\n"
    "never stopped. The bill came to 1,250.50 euros. The cellar stayed at -5 degrees.",
)
MILL = Document(name="mill.txt", text="The mill stands by the river. Two wheels were replaced in 2019.")
BOTH = (PUMP, MILL)
STARTED = "The pump was started on 3 May 2021 by Ada Brook"


def problem(claim: str, quote: str, document: str = "1", documents=BOTH) -> str:
    return grounding(claim, document, quote, documents).problem


@pytest.mark.clause("ruling:I5")
@pytest.mark.parametrize(
    "quote",
    [
        STARTED,
        f"{STARTED}.",
        "the  PUMP was\nstarted on 3 May 2021 by Ada Brook",
        "It 'ran well' - all night - and never stopped",
        'It "ran well" \u2014 all night \u2014 and never stopped.',
        "The bill came to 1,250.50 euros",
    ],
)
def test_a_quote_holds_to_the_letter_and_in_other_white_space_case_quotes_and_dashes(quote: str) -> None:
    assert problem("The pump ran.", quote) == ""


@pytest.mark.clause("ruling:I5")
def test_a_quote_with_a_slip_or_a_torn_last_word_holds_above_the_floor() -> None:
    assert problem("The pump ran.", "The pump was startd on 3 May 2021 by Ada Brook") == ""
    assert problem("The pump ran.", "The bill came to 1,250.50 eur") == ""
    assert problem("The pump ran.", "A pump had been set going in 2021 by Ada Brook") != ""


@pytest.mark.clause("ruling:I5")
@pytest.mark.parametrize(
    "quote",
    [
        "The pump was not started on 3 May 2021 by Ada Brook",
        "The pump wasn't started on 3 May 2021 by Ada Brook",
        "The pump was started on 4 May 2021 by Ada Brook",
        "The pump was started on 3 May 2022 by Ada Brook",
        "It ran well - all night - and stopped",
        "The bill came to 1,250",
        "The bill came to 1,25",
        "The bill came to 250.50 euros",
        "The cellar stayed at 5 degrees",
        "5 degrees is what it stayed at",
    ],
)
def test_a_quote_with_another_negation_or_another_number_does_not_hold_however_alike(quote: str) -> None:
    assert problem("The pump ran.", quote) == "the quote is not found in 'pump.txt'"


@pytest.mark.clause("ruling:I5")
def test_numbers_in_words_are_numbers_too() -> None:
    assert problem("Wheels were replaced.", "Two wheels were replaced in 2019", "2") == ""
    assert problem("Wheels were replaced.", "Ten wheels were replaced in 2019", "2") != ""


@pytest.mark.clause("ruling:I5")
def test_a_number_is_quoted_whole_or_not_at_all() -> None:
    text = Document(name="fine.txt", text="The fine was 100 euros, the fee 10.5 euros, the dip -5 degrees.")

    assert problem("A fine.", "The fine was 10", documents=[text]) != ""
    assert problem("A fine.", "the fee 10", documents=[text]) != ""
    assert problem("A fine.", "5 euros, the dip", documents=[text]) != ""
    assert problem("A fine.", "the dip -5 degrees", documents=[text]) == ""


@pytest.mark.clause("ruling:I5")
def test_a_quote_is_looked_for_in_the_document_that_is_named_and_in_no_other() -> None:
    assert problem("The pump ran.", STARTED, "2") == "the quote is not found in 'mill.txt'"
    assert problem("The pump ran.", STARTED, "mill.txt") == "the quote is not found in 'mill.txt'"
    assert problem("The pump ran.", STARTED, "7") == "there is no document 7"
    assert problem("The pump ran.", STARTED, "Document 0") == "there is no document 0"


def test_where_no_document_is_named_it_may_be_in_any() -> None:
    assert problem("The pump ran.", STARTED, "") == ""
    assert grounding("The mill stands.", "", "The mill stands by the river", BOTH).document == "mill.txt"
    assert problem("x", "nothing of the sort", "") == "the quote is not found in any document"


@pytest.mark.parametrize("name", ["1", "#1", "doc 1", "Document 1: pump.txt", " PUMP.txt ", "1.0"])
def test_a_document_is_known_by_its_number_its_name_or_both(name: str) -> None:
    assert named_document(name, BOTH) is PUMP


@pytest.mark.clause("ruling:I5")
def test_every_number_and_every_proper_name_of_the_claim_must_occur_in_the_document() -> None:
    assert problem("The pump ran for 9 hours.", STARTED) == "'pump.txt' does not have the number 9"
    assert problem("The pump was started by Eve Brook.", STARTED) == "'pump.txt' does not have the name Eve"
    assert problem("The pump was started by NASA.", STARTED) == "'pump.txt' does not have the name NASA"
    assert problem("The pump was Ada Brook's in 2021.", STARTED) == ""


def test_the_sign_of_a_number_that_a_claim_adds_must_occur_too() -> None:
    assert problem("The cellar was at \u22125 degrees.", "The cellar stayed at -5 degrees") == ""
    assert problem("The bill was -1250.5 euros.", "The bill came to 1,250.50 euros") != ""


@pytest.mark.clause("ruling:I5")
def test_a_claim_that_says_the_opposite_of_its_quote_does_not_hold() -> None:
    assert problem("The mill does not stand by the river.", "The mill stands by the river", "2") != ""


@pytest.mark.clause("ruling:I5")
def test_without_a_quote_a_claim_may_repeat_the_document_word_by_word() -> None:
    assert problem("The mill stands by the river.", "", "2") == ""
    assert problem("The mill stands by the road.", "", "2") != ""
    assert problem("The mill is old.", "the mill", "2") != "", "two words are found anywhere"


@pytest.mark.clause("ruling:I5")
def test_a_given_that_restates_the_conclusion_needs_a_quote_that_says_so() -> None:
    def restated(quote: object) -> str:
        node = GraphNode(id="g", type="given", document=2, quote=quote, claim="The mill stands by the river.")
        return given_problem(node, BOTH, is_conclusion=True)

    assert restated("The mill stands by the river") == ""
    assert restated("") == ""
    assert restated(None) == ""
    assert restated("Two wheels were replaced in 2019") == (
        "it restates the conclusion, which the quoted words do not state"
    )


def test_an_endless_quote_is_refused_without_aligning_it() -> None:
    quote = "lorem upsum dolor " * 20_000

    assert problem("x", quote, documents=[Document(name="a", text="lorem ipsum dolor " * 30_000)]) != ""


def test_numbers_and_names_are_read_as_they_are_written() -> None:
    assert numbers("1,250.50 and 2019-2020, at -5 and \u22127") == {"1250.5", "2019", "2020", "-5", "-7"}
    assert proper_names("The bridge over Ouse. It was NATO's, says Ada.") == ["Ouse", "NATO's", "Ada"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=60), st.lists(st.text(max_size=80), max_size=3))
def test_no_text_makes_the_check_fail(claim: str, document: str, quote: str, texts: list[str]) -> None:
    documents = [Document(name=f"{number}.txt", text=text) for number, text in enumerate(texts)]

    checked = grounding(claim, document, quote, documents)

    assert checked.holds is not bool(checked.problem)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 40), st.integers(3, 30))
def test_every_passage_of_a_document_is_found_in_it(start: int, length: int) -> None:
    quote = " ".join(PUMP.text.split()[start : start + length])

    assert problem("The pump ran.", quote) == "" or len(re.findall(r"\w+", quote)) < 3
