"""An answer that repeats the question is the answer without it; everything near that stays apart (ruling G12)."""

import pytest

from moot.methods.sameness import Setting, answer_groups, same_answer

HALL = Setting(
    "Which server in the Tallow Street hall can take a nightly job?",
    ("Rack 7: servers x8 and x9. Server x9 runs Linux.",),
)
FINAL = Setting("Who beat Anna Lind in the 1990 final?")
FASTER = Setting("Which of the two is faster than the other, boat x8 or boat x9?")
IS_FASTER = Setting("Is boat x9 faster than boat x8?")


@pytest.mark.clause("ruling:G12")
@pytest.mark.parametrize(
    ("setting", "short", "long"),
    [
        (HALL, "server x9", "Server x9 can take a nightly job."),
        (HALL, "x9", "Server x9 in the Tallow Street hall can take a nightly job"),
        (HALL, "x9", "The server in the Tallow Street hall that can take a nightly job is server x9."),
        (HALL, "Server x9 can take a nightly job", "Server x9 in the Tallow Street hall can take a nightly job"),
        (HALL, "x9", "Server x9 in rack 7 can take a nightly job"),
        (HALL, "x9", "Rack 7's server x9 can take a nightly job"),
        (HALL, "x9", "The server that can take a nightly job is server x9, which runs Linux and is on."),
        (FINAL, "Eva Berg", "Eva Berg, who beat her"),
        (FINAL, "Eva Berg", "Eva Berg beat Anna Lind in the 1990 final."),
    ],
)
def test_an_answer_that_repeats_the_question_is_the_answer(setting: Setting, short: str, long: str) -> None:
    for pair in ((short, long), (long, short)):
        decision = same_answer(*pair, setting=setting)

        assert (decision.outcome, decision.by) == ("same", "contained")


@pytest.mark.clause("ruling:G12")
@pytest.mark.parametrize(
    ("setting", "one", "other"),
    [
        (HALL, "x9", "Server x8 in the Tallow Street hall can take a nightly job"),
        (HALL, "x9", "Server x9 can never take a nightly job"),
        (HALL, "x9", "Server x9 cannot take a nightly job"),
        (HALL, "x9", "Servers x8 and x9 in the Tallow Street hall can take a nightly job"),
        (HALL, "x9", "Not server x9 in the Tallow Street hall can take a nightly job"),
        (HALL, "x9", "Server x9 in rack 6"),
        (HALL, "x9", "Server x9, which does not run at night"),
        (HALL, "x9", "Server x9, x8"),
        (FINAL, "Anna Lind", "Eva Berg beat Anna Lind in the 1990 final."),
        (FASTER, "x8", "boat x9 is faster than the other, boat x8"),
        (IS_FASTER, "x8", "boat x9 is faster than boat x8"),
        (IS_FASTER, "boat x8", "boat x9 faster than boat x8"),
    ],
)
def test_what_only_looks_like_a_repeated_question_stays_apart(setting: Setting, one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        assert same_answer(*pair, setting=setting).outcome != "same"


@pytest.mark.clause("ruling:G12")
def test_answers_that_each_repeat_another_part_of_the_question_are_one_group() -> None:
    answers = ["Server x9 can take a nightly job", "x9", "Server x9 in the Tallow Street hall can take a nightly job"]

    assert [group.places for group in answer_groups(answers, setting=HALL).groups] == [(0, 1, 2)]
