"""One text, one answer: the verdict, how it was read, and how it was computed or why it was not (ruling S12)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import judged


@pytest.mark.clause("ruling:S12")
@pytest.mark.parametrize(
    ("claim", "verdict", "reading", "how"),
    [
        ("Four times six is twenty-four.", "true", "4 * 6 = 24", "24"),
        ("17 * 23 = 381", "false", "17 * 23 = 381", "391"),
        ("2/3 is 67%", "true as rounded", "2/3 = 67%", "0.6666"),
        ("100 - 20% = 80", "not decided", "100 - 20% = 80", "percent taken of"),
        ("9^9^9^9 = 1", "not decided", "9^9^9^9 = 1", "exponents of at most"),
        ('{"kind": "arithmetic", "claim": "7/2 = 4"}', "false", "7/2 = 4", "3.5"),
        ('{"kind": "astrology"}', "not decided", "", "no oracle takes this"),
        ('{"claim": "7/2 = 4"}', "not decided", "", "whole sentence"),
        ("{" * 5_000, "not decided", "", "whole sentence"),
        ('{"kind":' * 2_000, "not decided", "", "whole sentence"),
        ("In binary, 1 + 1 = 10.", "not decided", "", "“In binary” may change"),
        ("7 + 1 = 10, in base 8.", "not decided", "", "“in base 8” may change"),
        ("Is 91 prime?", "not decided", "", "a question"),
        ("Paris is the capital of France.", "not decided", "", "no oracle reads"),
        ("", "not decided", "", "no claim"),
        ("x", "not decided", "", "no oracle reads"),
        ("🙂" * 100_000, "not decided", "", "20,000 characters"),
        ("2 + 2 = 4. 3 + 3 = 7.", "false", "2 + 2 = 4; 3 + 3 = 7", "the sides are 6 and 7"),
        ("2 + 2 = 4. 100 - 20% = 80.", "not decided", "2 + 2 = 4; 100 - 20% = 80", "percent taken of"),
        ("3 + 3 = 7. 100 - 20% = 80.", "false", "3 + 3 = 7; 100 - 20% = 80", "the sides are 6 and 7"),
        ("2 + 2 = 4. 2/3 is 67%.", "true as rounded", "2 + 2 = 4; 2/3 = 67%", "0.6666"),
    ],
)
def test_a_text_has_one_verdict_with_its_reading_and_its_reason(
    claim: str, verdict: str, reading: str, how: str
) -> None:
    judgement = judged(claim)

    assert (judgement.verdict, judgement.reading) == (verdict, reading)
    assert how in judgement.how


def test_a_judgement_has_four_fields_of_text_and_repeats_a_long_claim_in_part() -> None:
    told = judged("17 * 23 = 391. " * 1_000).as_json()

    assert list(told) == ["claim", "verdict", "reading", "how"]
    assert len(told["claim"]) == 400
    assert json.loads(json.dumps(told)) == told


@given(st.text())
def test_any_text_has_a_judgement(text: str) -> None:
    judgement = judged(text)

    assert judgement.verdict in ("true", "false", "true as rounded", "not decided")
    assert judgement.how
