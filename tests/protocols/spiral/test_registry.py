"""The registry: what ships, what a user's file may say, and how a bad one is told (ruling S5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.core.errors import BadAxioms
from moot.oracles import consult
from moot.protocols.spiral.axioms.registry import LEVELS, LONGEST_FILE, at_level, registry_from
from moot.protocols.spiral.axioms.shipped import all_axioms, shipped_texts

SHIPPED = all_axioms()
CHECKS = [(axiom.id, number, check) for axiom in SHIPPED for number, check in enumerate(axiom.checks, start=1)]

GOOD = """
level = 1

[[axiom]]
id = "ACME1"
domain = "invoices"
statement = "An invoice total is the sum of its lines."
formal = "total = Σ lines"
question = "What is the total of an invoice?"
checks = [{ kind = "arithmetic", claim = "2 + 2 = 4" }]
"""
OTHER = GOOD.replace("ACME1", "ACME2").replace("sum of its lines", "sum of its lines before tax")


def problems(text: str) -> list[str]:
    with pytest.raises(BadAxioms) as told:
        registry_from({"mine.toml": text})
    return list(told.value.problems)


@pytest.mark.clause("ruling:S5")
def test_every_level_ships_twenty_axioms_or_more_in_one_file():
    files = {level: {axiom.file for axiom in at_level(SHIPPED, level)} for level in LEVELS}

    assert all(len(at_level(SHIPPED, level)) >= 20 for level in LEVELS)
    assert files == {level: {f"level{level}_{name}.toml"} for level, name in LEVELS.items()}
    assert len(shipped_texts()) == 7


@pytest.mark.parametrize(("axiom", "number", "check"), CHECKS, ids=[f"{name}-{number}" for name, number, _ in CHECKS])
def test_an_oracle_says_that_every_check_of_a_shipped_axiom_is_true(axiom, number, check):
    finding = consult(check)

    assert finding.verdict == "true", finding


@pytest.mark.clause("ruling:S5")
def test_every_axiom_is_checked_by_an_oracle_or_says_why_people_must_review_it():
    assert all(bool(axiom.checks) != bool(axiom.review) for axiom in SHIPPED)
    assert {level: sum(bool(axiom.checks) for axiom in at_level(SHIPPED, level)) for level in LEVELS} == {
        1: 23, 2: 15, 3: 5, 4: 19, 5: 2, 6: 4, 7: 9,
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["PH6", "PH9", "PH20", "AR15", "AR22", "AR27", "PR17", "MA25", "CO19", "CO29", "PH28", "ON15"]
)
def test_an_axiom_of_which_oracles_can_only_compute_a_formula_is_left_to_review(name):
    (axiom,) = [axiom for axiom in SHIPPED if axiom.id == name]

    assert axiom.review and not axiom.checks


@pytest.mark.parametrize("name", ["ON6", "ON22", "ON30", "LI21", "LI22"])
def test_an_axiom_that_experts_contest_says_so(name):
    (axiom,) = [axiom for axiom in SHIPPED if axiom.id == name]

    assert "contest" in axiom.statement


def test_shipped_ids_of_a_level_share_their_letters_and_no_two_levels_do():
    letters = {level: {axiom.id.rstrip("0123456789") for axiom in at_level(SHIPPED, level)} for level in LEVELS}

    assert all(len(one) == 1 for one in letters.values())
    assert len(set.union(*letters.values())) == 7


def test_a_statement_ends_as_a_sentence_and_a_question_as_a_question():
    assert all(axiom.statement.endswith(".") for axiom in SHIPPED)
    assert all(axiom.question.endswith("?") for axiom in SHIPPED)


def test_a_users_file_stands_beside_the_shipped_ones():
    axioms = all_axioms({"mine.toml": GOOD})

    assert len(axioms) == len(SHIPPED) + 1
    assert axioms[0].id == "ACME1" and axioms[0].file == "mine.toml" and axioms[0].level == 1


def test_axioms_come_by_level_and_then_in_natural_order():
    ids = [axiom.id for axiom in at_level(SHIPPED, 1)]

    assert ids[:3] == ["MA1", "MA2", "MA3"] and ids.index("MA9") < ids.index("MA10")


@given(st.permutations(sorted(shipped_texts())))
def test_the_order_of_the_files_does_not_matter(names):
    texts = shipped_texts()

    assert registry_from({name: texts[name] for name in names}) == SHIPPED


def test_an_axiom_cannot_be_changed():
    with pytest.raises(ValueError, match="frozen"):
        SHIPPED[0].statement = "Two and two are five."  # ty: ignore[invalid-assignment]


@pytest.mark.parametrize("text", ["\ufeff" + GOOD, GOOD.replace("\n", "\r\n")], ids=["mark", "windows"])
def test_a_byte_order_mark_and_windows_line_ends_are_taken(text):
    (axiom,) = registry_from({"mine.toml": text})

    assert axiom.question == "What is the total of an invoice?"


@pytest.mark.clause("ruling:S5")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "mine.toml: `level` must be a number from 1 to 7, at the top of the file, not None"),
        (GOOD.replace("level = 1", "level = 8"), "mine.toml: `level` must be a number from 1 to 7"),
        (GOOD.replace("level = 1", "level = true"), "mine.toml: `level` must be a number from 1 to 7"),
        (GOOD.replace("level = 1", 'level = "1"'), "mine.toml: `level` must be a number from 1 to 7"),
        ("level = 1", "mine.toml: it holds no axiom"),
        ("level = 1\naxiom = []", "mine.toml: it holds no axiom"),
        ("level = 1\naxiom = [1]", "mine.toml: it holds no axiom"),
        ("level = 1\n[axiom]\nid = 'A1'", "mine.toml: it holds no axiom"),
        ("level =", "mine.toml: it is no TOML"),
        (GOOD.replace("level = 1", "level = 1\nauthor = 'me'"), "mine.toml: 'author' is not known at the top"),
        (GOOD.replace('id = "ACME1"', ""), "mine.toml, axiom number 1: `id` is missing"),
        (GOOD.replace('"ACME1"', '"acme 1"'), "mine.toml, axiom acme 1: `id`: String should match pattern"),
        (GOOD.replace('"ACME1"', "1"), "mine.toml, axiom number 1: `id`: Input should be a valid string"),
        (GOOD.replace("statement = ", "text = "), "mine.toml, axiom ACME1: `statement` is missing"),
        (GOOD.replace("statement = ", "text = "), "mine.toml, axiom ACME1: `text` is not known"),
        (GOOD.replace('"invoices"', "7"), "mine.toml, axiom ACME1: `domain`: Input should be a valid string"),
        (GOOD.replace('"invoices"', '"  "'), "mine.toml, axiom ACME1: `domain`: String should have at least 1"),
        (GOOD.replace('"invoices"', f'"{"x" * 501}"'), "mine.toml, axiom ACME1: `domain`: String should have at most"),
        (f"{GOOD}level = 2", "mine.toml, axiom ACME1: `level` is set by the file"),
        (f"{GOOD}file = 'x'", "mine.toml, axiom ACME1: `file` is set by the file"),
        (GOOD.replace('"arithmetic"', '"astrology"'), "mine.toml, axiom ACME1: `checks.1`: Input tag 'astrology'"),
        (GOOD.replace("claim =", "claims ="), "mine.toml, axiom ACME1: `checks.1.arithmetic.claim` is missing"),
        (GOOD.replace(" }]", ", note = 'x' }]"), "`checks.1.note` is not known to the oracle 'arithmetic'"),
        (GOOD.replace("checks = [", "checks = 3 # ["), "axiom ACME1: `checks`: Input should be a valid tuple"),
        (GOOD.replace("checks = [", "# ["), "axiom ACME1: it needs either `checks` for an oracle or `review`"),
        (f"{GOOD}review = 'It is hard.'", "axiom ACME1: it needs either `checks` for an oracle or `review`"),
        (f"{GOOD}unused = ['x']", "mine.toml, axiom ACME1: `unused` is set by the file"),
        (GOOD + GOOD.replace("level = 1", ""), "mine.toml, axiom ACME1: mine.toml already has an axiom with this id"),
        (
            GOOD + GOOD.replace("level = 1", "").replace("ACME1", "ACME2"),
            "mine.toml, axiom ACME2: it says the same as ACME1 in mine.toml",
        ),
        ("#" * (LONGEST_FILE + 1), "mine.toml: it has more than 1,000,000 characters"),
        ("level = 1\nx = " + "[" * 5_000, "mine.toml: it is no TOML"),
    ],
)  # fmt: skip
def test_a_bad_file_is_told_by_its_name_and_its_axiom(text, problem):
    told = problems(text)

    assert any(problem in one for one in told) and all(one.startswith("mine.toml") for one in told), told


@pytest.mark.clause("ruling:S5")
def test_fields_that_earlier_versions_read_are_passed_over_and_named():
    (axiom,) = registry_from({"mine.toml": f"{GOOD}relied_on = 'It is said.'\ndenials = ['no invoice has lines']"})

    assert axiom.unused == ("relied_on", "denials")
    assert "unused" not in axiom.model_dump()


def test_an_id_that_is_shipped_cannot_be_taken():
    with pytest.raises(BadAxioms, match=r"mine\.toml, axiom MA1: level1_mathematical\.toml already has"):
        all_axioms({"mine.toml": GOOD.replace("ACME1", "MA1")})


def test_a_file_cannot_take_the_place_of_a_shipped_one():
    with pytest.raises(
        BadAxioms, match=r"level1_mathematical\.toml: a file of this name comes with Moot; rename yours"
    ):
        all_axioms({"level1_mathematical.toml": GOOD})


def test_every_problem_of_every_file_is_told_at_once():
    bad = GOOD.replace("formal =", "formula =")

    with pytest.raises(BadAxioms) as told:
        registry_from({"a.toml": bad, "b.toml": "level = 9", "c.toml": OTHER})

    assert [problem.partition(":")[0] for problem in told.value.problems] == [
        "a.toml, axiom ACME1",
        "a.toml, axiom ACME1",
        "b.toml",
    ]
    assert "(and 2 more)" in str(told.value)


@given(st.text(max_size=200))
def test_a_text_that_is_no_file_of_axioms_is_told_by_its_name(text):
    told = problems(text)

    assert told and all(problem.startswith("mine.toml") for problem in told)
