"""The ledger: charged before it is sent, settled by the reply, shut for good once it refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.core.budget import Budget
from moot.core.calls import Attempt, Usage
from moot.runtime.ledger import Charge, Ledger, charge_for
from tests.runtime.memory import SettableClock

CHARGE = Charge(tokens=100, usd=0.5)


def ledger(clock: SettableClock | None = None, **limits: Any) -> Ledger:
    return Ledger(Budget(**limits), clock=clock or SettableClock())


def test_without_limits_everything_is_admitted() -> None:
    book = ledger()

    assert [book.admit(CHARGE) for _ in range(1000)] == [None] * 1000


@pytest.mark.parametrize(
    ("limits", "admitted", "limit"),
    [
        ({"calls": 3}, 3, "3 calls"),
        ({"tokens": 250}, 2, "250 tokens"),
        ({"usd": 1.0}, 2, "1.0 dollars"),
        ({"calls": 0}, 0, "0 calls"),
    ],
)
def test_a_limit_may_be_reached_and_not_passed(limits, admitted: int, limit: str) -> None:
    book = ledger(**limits)

    answers = [book.admit(CHARGE) for _ in range(admitted + 2)]

    assert answers[:admitted] == [None] * admitted
    assert answers[admitted:] == [limit, "an earlier step was refused"]


def test_seconds_are_active_time() -> None:
    clock = SettableClock()
    book = ledger(clock, seconds=10)

    first = book.admit(CHARGE)
    clock.wall -= 1_000_000
    clock.steady += 9.5
    left = book.seconds_left
    clock.steady += 0.5

    assert (first, left) == (None, 0.5)
    assert book.admit(CHARGE) == "10 seconds"
    assert book.seconds_left == 0.0


def test_seconds_of_earlier_processes_count() -> None:
    book = Ledger(Budget(seconds=10), clock=SettableClock(), active=9.0)

    assert book.seconds_left == 1.0


def test_a_reply_gives_back_what_it_did_not_take() -> None:
    book = ledger(tokens=250, usd=1.0)

    for _ in range(5):
        assert book.admit(CHARGE) is None
        book.settle(CHARGE, Usage(10, 20, 0.1))

    assert book.admit(CHARGE) is None


@pytest.mark.parametrize("usage", [Usage(), Usage(tokens_in=1), Usage(tokens_out=1)])
def test_a_reply_that_does_not_say_what_it_took_keeps_its_charge(usage: Usage) -> None:
    book = ledger(tokens=250)

    for _ in range(2):
        assert book.admit(CHARGE) is None
        book.settle(CHARGE, usage)

    assert book.admit(CHARGE) == "250 tokens"


def test_without_a_price_a_limit_of_dollars_admits_nothing() -> None:
    assert ledger(usd=5.0).admit(Charge(tokens=1, usd=None)) == "5.0 dollars"


def test_a_shut_ledger_admits_nothing() -> None:
    book = Ledger(Budget(), clock=SettableClock(), shut=True)

    assert book.admit(CHARGE) == "an earlier step was refused"


def test_the_charge_covers_the_whole_request_and_the_longest_reply() -> None:
    request = '{"max_tokens":50,"messages":[{"content":"hello"}]}'

    charge = charge_for(request, (0.001, 0.01))

    assert charge.tokens == 51 + 50
    assert charge.usd == pytest.approx(51 * 0.001 + 50 * 0.01)
    assert charge_for(request, None).usd is None


def test_the_schema_that_goes_with_a_request_is_charged_too() -> None:
    request = '{"max_tokens":50,"messages":[]}'

    assert charge_for(request, None, schema=400).tokens == charge_for(request, None).tokens + 400


def test_a_prompt_of_digits_is_charged_by_the_digit() -> None:
    digits = "0123456789" * 6_000
    request = f'{{"max_tokens":50,"messages":[{{"content":"{digits}"}}]}}'
    book = ledger(usd=0.6)

    # A tokenizer that makes a token of each digit would take 0.6 dollars for the digits alone.
    assert book.admit(charge_for(request, (0.000_01, 0.000_01))) == "0.6 dollars"


@given(
    st.lists(
        st.tuples(
            st.integers(1, 3),
            st.sampled_from(["reply", "bad", "failed", "lost"]),
            st.one_of(st.none(), st.integers(0, 50)),
            st.one_of(st.none(), st.floats(0, 0.5)),
        ),
        max_size=12,
    )
)
def test_what_a_ledger_recalls_it_holds_as_the_one_that_sent_it(rows) -> None:
    live, later = ledger(), ledger()
    for tries, state, tokens, usd in rows:
        usage = Usage(tokens, tokens, usd) if state in ("reply", "bad") else Usage()
        for _ in range(tries):
            live.admit(CHARGE)
        if state in ("reply", "bad"):
            live.settle(CHARGE, usage)
        later.recall(Attempt("s", 1, 0, "", "{}", state=state, usage=usage, tries=tries), CHARGE)

    assert (live._calls, live._tokens) == (later._calls, later._tokens)
    assert live._usd == pytest.approx(later._usd)
