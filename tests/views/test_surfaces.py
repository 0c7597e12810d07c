"""What is told at a shell, in the words of those who have none."""

import pytest

from moot.core.errors import AlreadyRunning, EmptyQuestion, KeyMissing, MootError, NoAnswer, PriceUnknown, RunBroke
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
