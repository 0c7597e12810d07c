"""What is counted as covered of a plain reply."""

from typing import Any

import pytest
from benchmarks.evidence.covering import cover_of

from moot.core.calls import Prose
from moot.core.question import Document, Question
from moot.methods.runs import Run, read_run

HARBOUR = Question(
    text="In which town was the builder of the lighthouse of Vessel Point born?",
    documents=(
        Document(name="Vessel Point", text="The lighthouse of Vessel Point was built by Maud Tellin in 1881."),
        Document(name="Maud Tellin", text="Maud Tellin was an engineer. She was born in Orrin and studied in Calder."),
    ),
)


def cover(text: str, **more: Any) -> Any:
    how = {"form": "plain", "question": HARBOUR, **more}
    run = read_run(Run("r1", "m1", how["form"]), Prose(text=text), how["question"])
    return cover_of(run, how["question"])


def test_sentences_that_the_documents_have_are_covered() -> None:
    found = cover(
        "The lighthouse of Vessel Point was built by Maud Tellin in 1881. Maud Tellin was born in Orrin.\nAnswer: Orrin"
    )

    assert (found.sentences, found.naming, found.covered, found.has_line) == (2, 2, 2, True)


def test_a_made_up_name_or_number_is_not_covered() -> None:
    found = cover("The lighthouse was built by Maud Tellin in 1899. Then Tom Brandt painted it.\nAnswer: Orrin")

    assert (found.naming, found.covered) == (2, 0)


def test_a_sentence_that_names_nothing_does_not_count() -> None:
    found = cover(
        "Somebody did the building. Maud Tellin was born in Orrin.\nAnswer: Orrin",
    )

    assert (found.sentences, found.naming, found.covered) == (2, 1, 1)


def test_a_sum_that_is_false_is_not_covered_whatever_its_numbers() -> None:
    question = HARBOUR.model_copy(
        update={
            "text": "How many people do the ferries carry together?",
            "documents": (Document(name="Ferries", text="The Heron carries 20 people. The Plover carries 30 people."),),
        }
    )

    false, true = (
        cover(f"Together they carry 20 + 30 = {sum_}.\nAnswer: {sum_}", question=question) for sum_ in (60, 50)
    )

    assert (false.naming, false.covered) == (1, 0)
    assert (true.naming, true.covered) == (1, 1)


@pytest.mark.parametrize(
    "more", [{"form": "numbered"}, {"question": HARBOUR.model_copy(update={"documents": ()})}], ids=["form", "question"]
)
def test_other_forms_and_questions_without_documents_are_not_cited(more: dict[str, Any]) -> None:
    assert cover("Maud Tellin was born in Orrin.\nAnswer: Orrin", **more) is None


def test_an_abstention_is_not_cited() -> None:
    assert cover("It is not there.\nAnswer: the documents do not say") is None
