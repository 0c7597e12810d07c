"""What Moot tells at a shell, in the words of those who have no command line before them. Pure.

What only a person who runs Moot can do stays a command: whoever is told of it may hand that on.
"""

import re
from collections.abc import Mapping
from typing import Literal

Surface = Literal["agent", "program", "chat", "page"]
"""Who is told: an agent with its tools, a program that calls the API, a client of chats, the reader of a page."""

_Words = Mapping[Surface, str]


def _of_a_body(words: str) -> _Words:
    """The same for all who send a body; a chat says under `moot` what others say in the body itself."""
    plain = words.replace("@", "")
    return {"agent": plain, "program": plain, "chat": words.replace("@", "moot.")}


_LARGER = "and whoever runs Moot can go on with a larger budget"

# An agent may ask by way of a server, which has put its words for a program already.
_FOR_A_SHELL: tuple[tuple[str, _Words], ...] = (
    (
        r"write it after the command, as in `moot ask [^`]*`, or pipe it in",
        {
            "agent": "give it as `question`",
            "program": "give it as `question`",
            "chat": "the last message has to say what is asked",
            "page": "write down what is asked",
        },
    ),
    (
        r"(?:`moot list` shows|GET /api/v1/deliberations lists) them",
        {
            "agent": "`deliberation_status` without an id tells the latest that was begun here",
            "program": "GET /api/v1/deliberations lists them",
            "page": "the list of deliberations shows them",
        },
    ),
    (r" \(`moot (protocols|models)`\)", {**_of_a_body(""), "page": ""}),
    (
        r"GET /api/v1/deliberations/([\w-]+)/open-steps lists those that wait",
        {
            "agent": r"`deliberation_status` with id=\1 names those of this deliberation",
            "page": r"the page /d/\1 shows those that wait",
        },
    ),
    (
        r"GET /api/v1/deliberations/([\w-]+)/record lists those that are over",
        {"page": r"the page /d/\1/transcript lists those that are over"},
    ),
    (r"`moot show ([\w-]+)` and `moot export \S+`", {"page": r"the page /d/\1 and what is exported there"}),
    (r"`moot show \S+` and the page", {"page": "the page"}),
    (
        r"(?:`moot show |GET /api/v1/deliberations/)([\w-]+)`?",
        {
            **_of_a_body(r"GET /api/v1/deliberations/\1"),
            "agent": r"`deliberation_status` with id=\1",
            "page": r"the page /d/\1",
        },
    ),
    (r"`moot board show ([\w-]+)`", {"page": r"the page /board/\1"}),
    (r"GET /api/v1/flags lists", {"page": "the page /flags lists"}),
    (r"GET /api/v1/jobs/work finds it", {"page": "the page /board/work leads to it"}),
    (r"`moot keys list` shows", {"page": "the page /keys shows"}),
    (r"`moot axioms check` lists every problem", {"page": "whoever runs this server can list them all"}),
    (r"`moot fork[^`]*`", {"page": "a fork"}),
    (
        r"`moot resume \S+ --budget-calls N` \(or -tokens, -usd, -seconds\) goes on with a larger budget",
        {**_of_a_body(_LARGER), "page": _LARGER},
    ),
    (
        r"(?:`moot resume |POST /api/v1/deliberations/)([\w-]+)(?:`|/resume)",
        {
            "agent": r"`deliberate` with resume=\1",
            "program": r"POST /api/v1/deliberations/\1/resume",
            "page": r"Resume on the page /d/\1",
        },
    ),
    (r"`moot resume`", {"page": "Resume on its page"}),
    (
        r"; give it with --price \S+ \([^)]*\), or limit with --budget-calls",
        {**_of_a_body("; limit it with `calls` in `@budget`"), "page": "; limit the calls instead"},
    ),
    (r"write it under \[prices\], give it with --price \S+ \([^)]*\), or limit", {"page": "limit"}),
    (r"--budget-usd", {**_of_a_body("`usd` in `@budget`"), "page": "a limit of dollars"}),
    (
        r"--budget-(calls|tokens|seconds)",
        {**_of_a_body(r"`\1` in `@budget`"), "page": r"a limit of \1"},
    ),
    (r"with --set (\w+)=N", {**_of_a_body(r"with `\1` in `@settings`"), "page": r"by the setting \1"}),
    (r"add --member, or seat one several times: SPEC\*\d+", {"page": "choose more of them, or give one several seats"}),
    (r"add --member", _of_a_body("name more in `@members`")),
    (r"`--member (\w+)`", {**_of_a_body(r"`\1` in `@members`"), "page": r"the member \1"}),
    (r"--member", _of_a_body("`@members`")),
    (
        r"the body is larger than (\d+) bytes; send less, or have the server's MOOT_SERVE_BODY raised",
        {"page": r"what was sent is larger than \1 bytes, which is all that is taken here; go back and shorten it"},
    ),
    (r"--local forbids", {"page": "this server forbids"}),
    (r", or name its file with --protocol", {"page": ""}),
)


def said_to(surface: Surface, message: str) -> str:
    """Return an error's message in the words of a surface, in the place of commands and options."""
    for shell, words in _FOR_A_SHELL:
        message = re.sub(shell, words.get(surface, r"\g<0>"), message)
    return message
