"""Step 0: task, structure and self-reference by rules that explain themselves (spiral 5.1 step 0, ruling S6)."""

import pytest

from moot.protocols.spiral.measures import all_pairs
from moot.protocols.spiral.positions import Position, themes
from moot.protocols.spiral.structures import initialization
from moot.protocols.spiral.ways import turns

POSITIONS = {seat: Position(seat, seat) for seat in "abcd"}
AGREEMENTS = dict.fromkeys(all_pairs("abcd"), 0.5) | {("a", "c"): 0.9, ("a", "b"): 0.1, ("b", "d"): 0.8}


@pytest.mark.clause("spiral:5.1.0", "ruling:S6")
@pytest.mark.parametrize(
    ("question", "task", "structure"),
    [
        ("What is the boiling point of water on Everest?", "analysis", "fugue"),
        ("Should cities ban cars?", "conflict", "sonata"),
        ("Is tea better than coffee?", "conflict", "sonata"),
        ("Write a slogan for a bakery.", "creation", "concert"),
    ],
)
def test_the_task_decides_the_structure(question: str, task: str, structure: str) -> None:
    found = initialization(question)

    assert (found.task, found.structure) == (task, structure)
    assert found.because[0].startswith(task)


@pytest.mark.clause("spiral:5.1.0", "ruling:S6")
@pytest.mark.parametrize(
    ("question", "refers"),
    [
        ("Can a language model know what it does not know?", True),
        ("Which programming language is safest?", True),
        ("Does this sentence refer to itself?", True),
        ("Is Python faster than Rust?", True),
        ("Why does rust eat iron?", False),
        ("Do pythons like java coffee?", False),
        ("How tall is Mont Blanc?", False),
    ],
)
def test_a_question_that_speaks_of_models_protocols_or_languages_is_noticed(question: str, refers: bool) -> None:
    assert initialization(question).self_reference is refers


def test_settings_overrule_the_rules_and_the_record_says_so() -> None:
    found = initialization("Write a poem about Python.", structure="sonata", self_reference=False)

    assert found.structure == "sonata"
    assert found.self_reference is False
    assert any("by setting" in why for why in found.because)


@pytest.mark.clause("ruling:S6")
def test_in_a_fugue_each_voice_hears_the_revisions_before_it() -> None:
    found = turns("fugue", ["a", "b", "c"], POSITIONS, AGREEMENTS, ["c", "a", "b"])

    assert [(turn.seats, turn.hears) for turn in found] == [(("a",), ()), (("b",), ("a",)), (("c",), ("a", "b"))]


@pytest.mark.clause("ruling:S6")
def test_in_a_sonata_two_themes_answer_each_other_and_are_drawn_together() -> None:
    found = turns("sonata", ["a", "b", "c", "d"], POSITIONS, AGREEMENTS, ["c", "a", "b", "d"])

    assert themes(POSITIONS, AGREEMENTS) == (["a", "c"], ["b", "d"])
    assert [(turn.name, turn.seats, turn.hears) for turn in found] == [
        ("revise", ("a", "c"), ("b", "d")),
        ("revise", ("b", "d"), ("a", "c")),
        ("synthesis", ("c",), ("a", "b", "d")),
    ]


@pytest.mark.clause("ruling:S6")
def test_in_a_concert_a_soloist_drafts_and_the_ensemble_refines() -> None:
    found = turns("concert", ["a", "b", "c"], POSITIONS, AGREEMENTS, ["c", "a", "b"])

    assert [(turn.name, turn.seats, turn.hears) for turn in found] == [
        ("solo", ("c",), ("a", "b")),
        ("revise", ("a",), ("c",)),
        ("revise", ("b",), ("c", "a")),
    ]
