"""What is told at a shell, in the words of those who have none."""

import re

import pytest

from moot.core.errors import (
    AlreadyEnded,
    AlreadyRunning,
    DataChanged,
    DocumentsTooLong,
    EmptyQuestion,
    ForbiddenByLocal,
    JournalMismatch,
    KeyMissing,
    MootError,
    NoAnswer,
    NotFound,
    NothingRefused,
    PluginChanged,
    PriceUnknown,
    ProtocolNotInstalled,
    ProtocolVersionChanged,
    ReplyMissing,
    RunBroke,
    RunStopped,
    TooFewMembers,
    UnknownProtocol,
    WorkersDied,
)
from moot.views.surfaces import Surface, said_to

ANSWERLESS = NoAnswer(deliberation="0a1b", status="failed", reason="nobody answered")

TOLD: list[tuple[MootError, Surface, str]] = [
    (EmptyQuestion(), "agent", "the question is empty; give it as `question`."),
    (EmptyQuestion(), "program", "the question is empty; give it as `question`."),
    (EmptyQuestion(), "chat", "the question is empty; the last message has to say what is asked."),
    (EmptyQuestion(), "page", "the question is empty; write down what is asked."),
    (AlreadyRunning(deliberation="0a1b"), "program", "; GET /api/v1/deliberations/0a1b shows how far it is."),
    (RunBroke(deliberation="0a1b", kind="KeyError"), "program", "; POST /api/v1/deliberations/0a1b/resume tries again"),
    (ANSWERLESS, "chat", "; GET /api/v1/deliberations/0a1b and the page /d/0a1b have its record."),
    (
        PriceUnknown(model="m"),
        "chat",
        "so `usd` in `moot.budget` cannot be kept; limit it with `calls` in `moot.budget`.",
    ),
    (KeyMissing(spec="x:y", variable="X"), "program", "or use `embedded` in `members`."),
]


@pytest.mark.parametrize(("error", "surface", "says"), TOLD, ids=lambda value: str(value)[:20])
def test_the_way_out_is_one_that_this_surface_has(error: MootError, surface: Surface, says: str) -> None:
    assert str(error) != said_to(surface, str(error))
    assert says in said_to(surface, str(error))


@pytest.mark.parametrize("error", [AlreadyRunning(deliberation="0a1b"), RunBroke(deliberation="0a1b", kind="KeyError")])
def test_an_agent_that_asks_by_way_of_a_server_is_told_of_its_tools(error: MootError) -> None:
    assert said_to("agent", said_to("program", str(error))) == said_to("agent", str(error))


FOR_A_SHELL = re.compile(r"--[a-z]|`moot |GET /|POST /")

MET_BY_A_READER: list[MootError] = [
    EmptyQuestion(),
    UnknownProtocol(name="vot", known=["vote"]),
    PriceUnknown(model="m"),
    KeyMissing(spec="x:y", variable="X"),
    ForbiddenByLocal(what="member 'x:y'"),
    TooFewMembers(protocol="vote", needed=3, given=1),
    DocumentsTooLong(member="m", tokens=9000, limit=4000, largest="'a.md'"),
    NotFound(what="deliberation", name="zz", see="`moot list` shows them"),
    AlreadyRunning(deliberation="0a1b"),
    ProtocolNotInstalled(deliberation="0a1b", protocol="own"),
    ProtocolVersionChanged(protocol="vote", stored=1, current=2),
    DataChanged(names=["axioms"]),
    PluginChanged(what="the oracle", stored="1", current=""),
    JournalMismatch(step="answer", problem="another prompt"),
    ReplyMissing(step="answer"),
    AlreadyEnded(deliberation="0a1b", status="complete"),
    AlreadyEnded(deliberation="0a1b", status="exhausted"),
    NothingRefused(deliberation="0a1b"),
    RunBroke(deliberation="0a1b", kind="KeyError"),
    WorkersDied(deliberation="0a1b", times=3),
    RunStopped(deliberation="0a1b", lack="no descriptors"),
    ANSWERLESS,
]


@pytest.mark.parametrize("error", MET_BY_A_READER, ids=lambda error: type(error).__name__)
def test_whoever_reads_a_page_is_told_of_no_option_command_or_endpoint(error: MootError) -> None:
    assert not FOR_A_SHELL.findall(said_to("page", str(error))), said_to("page", str(error))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (str(PriceUnknown(model="m")), "so a limit of dollars cannot be kept; limit the calls instead."),
        (str(TooFewMembers(protocol="vote", needed=3, given=1)), "; choose more of them, or give one several seats."),
        (str(DocumentsTooLong(member="m", tokens=9, limit=4, largest="a")), "select passages by the setting passages"),
        (
            str(AlreadyEnded(deliberation="0a1b", status="complete")),
            "the page /d/0a1b shows it, a fork goes another way",
        ),
        (str(RunBroke(deliberation="0a1b", kind="E")), "Resume on the page /d/0a1b tries again, a fork goes another"),
        ("GET /api/v1/deliberations/0a1b/record lists those that are over", "the page /d/0a1b/transcript lists those"),
    ],
)
def test_the_way_out_for_whoever_reads_a_page_is_a_page_or_a_field(said: str, told: str) -> None:
    assert told in said_to("page", said)
