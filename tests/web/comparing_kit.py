"""A debate, and a fork of it that goes another way from its second round on."""

import json
from typing import Any

from moot.core.calls import Request
from moot.core.ports import Model
from moot.testing import scripted
from tests.scenes.stage import STAGES
from tests.web.kit import MEMBER, Site

DEBATE = STAGES["debate"]
AT = "round/2/m1"


def turncoats() -> dict[str, Model]:
    """A member who says yes, and no from the moment at which it is asked the step of the fork again."""
    asked: list[str] = []

    def say(request: Request) -> Any:
        asked.append(request.step)
        said = json.dumps(DEBATE.good(request))
        return json.loads(said.replace("yes", "no") if asked.count(AT) > 1 else said)

    return {MEMBER: scripted(say)}


async def forked_debate(site: Site, as_: str = "admin") -> tuple[str, str]:
    """Return a debate and its fork, both at their end."""
    question, settings = DEBATE.question.text, dict(DEBATE.settings)
    body = {"question": question, "protocol": "debate", "members": [MEMBER] * 3, "settings": settings}
    parent = (await site.post("/deliberations", body, as_)).json()["id"]
    await site.serving.runs.finished(parent)
    fork = (await site.post(f"/deliberations/{parent}/fork", {"at": AT, "budget": {"calls": 50}}, as_)).json()["id"]
    await site.serving.runs.finished(fork)
    return parent, fork
