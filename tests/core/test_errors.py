"""The tree of errors: as it is drawn, and each with a message that says what to do."""

import re

import pytest

from moot.core import errors
from moot.core.errors import MootError, RequestError


def classes(root: type[MootError]) -> list[type[MootError]]:
    return [root, *(found for child in root.__subclasses__() for found in classes(child))]


def drawn() -> dict[str, str | None]:
    """Return each class of the drawing with the one that it hangs from."""
    above: list[str] = []
    tree: dict[str, str | None] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"    ((?:│   |├── |└── )*)([A-Z][A-Za-z]+)(?:  |$)", line)
        if found:
            depth = len(found[1]) // 4
            above[depth:] = [found[2]]
            tree[found[2]] = above[depth - 1] if depth else None
    return tree


def test_the_drawing_shows_every_error_where_it_hangs() -> None:
    own = [error for error in classes(MootError) if error.__module__ == errors.__name__]

    tree = {error.__name__: error.__bases__[0].__name__ if error is not MootError else None for error in own}

    assert drawn() == tree


def test_no_two_errors_have_the_same_code() -> None:
    own = [error for error in classes(MootError) if error.__module__ == errors.__name__]

    assert len({error.code for error in own}) == len(own)


REFUSALS = [
    (errors.KeyRequired(), "key_required", "`Authorization: Bearer KEY`"),
    (errors.WrongKey(), "wrong_key", "ask whoever runs this server for another"),
    (errors.SignedOut(), "signed_out", "sign in again at /in"),
    (errors.TwoCredentials(), "two_credentials", "send one of them"),
    (errors.LinkGone(problem="this link has been used"), "link_gone", "`moot serve --open`"),
    (
        errors.MissingScope(needed=["reviewer", "admin"], has=["agent"]),
        "missing_scope",
        "ask whoever runs this server for another",
    ),
    (errors.NotYours(what="deliberation", name="abc"), "not_yours", "use the key that began it"),
    (errors.TooManyRequests(retry_after=1.5), "too_many_requests", "in 1.5 s"),
    (errors.BodyTooLarge(limit=1000), "body_too_large", "MOOT_SERVE_BODY"),
    (errors.HeadersTooLarge(most=100, size=32_000), "headers_too_large", "send fewer"),
    (errors.BadBody(problem="it nests too deep"), "bad_body", "put that right"),
    (errors.ForeignHost(host="evil.example"), "foreign_host", "MOOT_SERVE_HOSTS"),
    (errors.ForeignOrigin(origin="https://evil.example"), "foreign_origin", "call it from a program"),
    (errors.IdempotencyMismatch(key="k"), "idempotency_mismatch", "with a new key"),
    (errors.StillUnderWay(key="k", retry_after=2), "still_under_way", "repeat it in 2 s"),
    (errors.ShownOnce(prefix="moot_12345678"), "shown_once", "`moot keys revoke moot_12345678`"),
    (errors.ServerBusy(problem="the queue is full", retry_after=5), "server_busy", "try again in 5 s"),
    (errors.MemberNotAllowed(spec="openai:x", allowed=["embedded"]), "member_not_allowed", "choose among embedded"),
    (errors.MemberNotAllowed(spec="openai:x", allowed=[]), "member_not_allowed", "leave members out"),
    (errors.OverBudget(what="calls", asked=100, most=20), "over_budget", "ask for less"),
    (errors.UsedUp(what="calls", most=6), "used_up", "put the question anew"),
    (
        errors.DayUsedUp(what="calls", used=1999, wanted=3, most=2000, retry_after=5400),
        "day_used_up",
        "in 1.5 hours (midnight UTC)",
    ),
    (errors.NoSlots(agent="Ada"), "no_slots", "look again later"),
    (errors.BadContent(name="messages", problem="the last one has to be the user's"), "invalid_value", "messages: the"),
    (errors.BadParameter(name="n", problem="one verdict is all"), "unsupported_parameter", "or leave it out"),
    (errors.NoSuchModel(name="gpt", near=""), "model_not_found", "GET /v1/models"),
    (errors.NoAnswer(deliberation="abc", status="failed", reason=""), "no_answer", "`moot show abc`"),
]


@pytest.mark.parametrize(("error", "code", "way_out"), REFUSALS, ids=lambda value: str(value)[:20])
def test_what_a_server_refuses_has_a_code_and_a_way_out(error: RequestError, code: str, way_out: str) -> None:
    assert isinstance(error, RequestError)
    assert (error.code, error.exit_code) == (code, 1)
    assert way_out in str(error)


def test_every_refusal_of_a_server_is_in_the_table() -> None:
    assert {type(error) for error, _, _ in REFUSALS} == set(RequestError.__subclasses__())


def test_a_refusal_repeats_no_more_than_a_hundred_characters_of_what_was_sent() -> None:
    long = "x" * 5000

    said = [
        errors.NotYours(what="claim", name=long),
        errors.ForeignHost(host=long),
        errors.ForeignOrigin(origin=long),
        errors.IdempotencyMismatch(key=long),
        errors.StillUnderWay(key=long, retry_after=1),
        errors.MemberNotAllowed(spec=long, allowed=[]),
        errors.NoSlots(agent=long),
        errors.BadParameter(name=long, problem=""),
        errors.NoSuchModel(name=long, near=""),
    ]

    assert max(str(error).count("x") for error in said) < 110
