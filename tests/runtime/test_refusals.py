import json
from pathlib import Path
from typing import Any

import pytest

from moot.core.calls import Prose, Reply
from moot.runtime.refusals import is_refusal, refusal_in

CORPUS = [json.loads(line) for line in (Path(__file__).parent / "refusals.jsonl").read_text("utf-8").splitlines()]


class Position(Reply):
    position: str
    answer: str = ""
    reasoning: str = ""


@pytest.mark.clause("ruling:G8")
@pytest.mark.parametrize("row", CORPUS, ids=lambda row: row["text"][:50] or "nothing")
def test_a_text_that_declines_is_told_from_one_that_regrets_doubts_or_disagrees(row: dict[str, Any]) -> None:
    assert is_refusal(row["text"]) is row["refuses"]


def test_a_reply_declines_where_it_should_answer_and_nowhere_else() -> None:
    assert refusal_in(Prose(text="I can't help with that."))
    assert refusal_in(Position(position="I must decline.", answer="none"))
    assert not refusal_in(Position(position="Move it.", reasoning="I can't help with that."))
