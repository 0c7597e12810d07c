"""The page of JSON: results by their types, other commands by what they print, errors by their tree."""

from collections.abc import Iterable, Iterator

from docs.reference.samples import printed_samples
from docs.reference.shapes import type_rows, value_rows
from docs.reference.tables import cell, table

from moot.core import errors
from moot.core.absence import Absence
from moot.core.budget import Spent, Unknown
from moot.core.confidence import Confidence
from moot.core.errors import MootError
from moot.core.verdict import Dissent
from moot.methods import argued
from moot.web.api.bodies import agents, board, deliberations, graphs, offers, reading, sent
from moot.web.api.bodies.deliberations import DeliberationView

HEAD = """# JSON

This page is made by `make reference` from Moot's types and from what its commands print.

With `--json` a command prints one JSON value and nothing else on standard output. A failure is an object with the one
key `error`. A name on this page is promised: one that changes is written beside its old one for one release
([promises](../promises.md)).

## A result

`moot ask`, `resume`, `fork` and `show` print this object; `moot compare` prints the `question` and a list of `results`.
From Python it is `result.json()`. What each status and each basis means stands in
[reading a result](../reading-a-result.md).
"""
WORDS = {
    "id": "The deliberation, as `moot show ID` takes it.",
    "protocol": "The protocol's name.",
    "status": "Where it stands, or how it ended.",
    "stop_reason": "Why it went no further, in words; of one that waits, what it waits for.",
    "answer": "The answer; null where there is none.",
    "confidence": "How sure the answer is, and by what measure.",
    "dissent": "The answers that did not win.",
    "caveats": "What to know before you rely on the answer, one text each.",
    "asked": "How many seats, runs or slots were asked for what decides.",
    "answered": "How many of those brought something that could be used.",
    "missing": "Who has no answer, by cause; the cause that took most comes first.",
    "cost": "What it took.",
    "backends": "What compared texts, such as the vectors that were used.",
    "detail": "What the protocol's own output is, under the names of its paper.",
}
"""What each key of a result is. The types hold no words for these."""

OF_A_SERVER = ("question", "here", "problem", "stalled", "left_alone", "waiting", "acts")
BODIES = (sent, deliberations, reading, offers, board, agents, graphs)
PARTS = {
    "confidence": (Confidence, "`value` is null where there is none, and `reason` says why."),
    "dissent[]": (Dissent, "Each item of the list is an answer that did not win, and who holds it."),
    "cost": (Spent, "A sum holds what is known; null means that nothing of it is known."),
    "cost.unknown": (Unknown, "This counts the calls of which nobody knows what they took."),
}
OTHERS = """\
A place such as `[].id` is the key `id` of every item of a list, and a word in capitals stands for a name. The rows are
what a command printed over one scripted deliberation. `moot contest ID CLAIM` prints one object of the list that
`moot contest ID` prints."""
ERRORS = """\
An error is `{"error": {"code": "…", "message": "…"}}`; its message names the way out. The exit code is that of the
command. [Troubleshooting](../troubleshooting.md) says more of those that people meet most."""
SERVER_HEAD = """## The bodies of the server

What [the server](../server.md) takes and answers. Its own OpenAPI document, at `/api/v1/openapi.json`, says which
operation takes which.
"""


def json_page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *_result(), *_commands(), *_errors(), SERVER_HEAD, *_bodies()])


def result_keys() -> list[str]:
    """Return the keys of a result, as the page lists them."""
    return [name for name in DeliberationView.model_fields if name not in OF_A_SERVER]


def _result() -> Iterator[str]:
    rows = {row[0].strip("`"): row for row in type_rows(DeliberationView)}
    yield from table(("key", "type", "what it is"), ((*rows[name][:2], WORDS[name]) for name in result_keys()))
    for name, (kind, words) in PARTS.items():
        yield from ("", f"### `{name}`", "", words, "", *table(("key", "type"), (row[:2] for row in type_rows(kind))))
    absence = Absence("timeout", "it took too long", {"m2": ("round/1/m2",)}).json()
    yield from ("", "### `missing[]`", "", "Each item is one cause, with the seats that it kept from answering.", "")
    yield from (*table(("place", "type"), value_rows(absence)), "")


def _commands() -> Iterator[str]:
    yield from ("## Other commands", "", OTHERS, "")
    for name, samples in printed_samples().items():
        yield from (f"### `{name}`", "", *table(("place", "type"), value_rows(*samples)), "")


def _errors() -> Iterator[str]:
    yield from (
        "## Errors",
        "",
        'An error is `{"error": {"code": "…", "message": "…"}}`. The message names the way out.',
    )
    yield from ("The exit code is that of the command.", "")
    rows = ((f"`{each.code}`", str(each.exit_code), cell(each.__doc__ or "")) for each in _tree(MootError))
    yield from (*table(("code", "exit code", "what happened"), rows), "")


def _tree(error: type[MootError]) -> Iterator[type[MootError]]:
    for below in error.__subclasses__():
        if below.__module__ == errors.__name__:
            yield below
            yield from _tree(below)


def _bodies() -> Iterable[str]:
    own = (kind for part in BODIES for kind in vars(part).values() if getattr(kind, "__module__", "") == part.__name__)
    for kind in (*own, *(getattr(argued, name) for name in argued.__all__)):
        if isinstance(kind, type) and kind.__name__ not in ("Sent", "SentOrder", "Refutation"):
            yield from (f"### `{kind.__name__}`", "", cell(kind.__doc__ or ""), "", *_fields(kind), "")


def _fields(kind: type) -> list[str]:
    return table(("key", "type", "what it is"), type_rows(kind))
