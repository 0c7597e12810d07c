"""Packages as they lie in an environment: metadata with entry points, and modules beside it."""

import importlib
from collections.abc import Mapping
from pathlib import Path

import pytest

ECHO = '''
from moot.protocol import Ask, Budget, Expectation, Missing, Prose, ProtocolSpec, Message, Settings, Status, Verdict
from moot.protocol import Basis, Confidence, no_confidence


class EchoSettings(Settings):
    """Nothing to choose but how loud."""

    loud: bool = False


async def echo(question, deliberation, settings):
    ask = Ask("echo", deliberation.panel[0].name, (Message("user", question.text),), Prose)
    reply = await deliberation.ask(ask)
    if isinstance(reply, Missing):
        return Verdict(None, Status.FAILED, "nobody answered", no_confidence("no answer"))
    text = reply.text.upper() if settings.loud else reply.text
    return Verdict(text, Status.COMPLETE, "echoed", Confidence(0.5, Basis.STATED, "it said so"))


ECHO = ProtocolSpec(
    name="echo",
    version=1,
    summary="says what one member says",
    run=echo,
    settings=EchoSettings,
    seats=1,
    minimum=1,
    budget=Budget(calls=3),
    expected=lambda question, panel, settings: Expectation(calls=1, tokens_in=10, tokens_out=10),
    report=lambda record: "## Echo\\n\\nIt was said.",
)
'''

PARROT = """
from moot.provider import Completion, Provider, Usage


class Parrot:
    context = None
    price = (0.0, 0.0)

    def __init__(self, words):
        self.words = words

    def at_once(self, request):
        return 1

    async def complete(self, request, *, before_retry, on_tokens=None):
        if self.words.startswith("dead"):
            raise OSError("the parrot is no more")
        if self.words.startswith("odd"):
            return self.words
        return Completion(self.words, Usage(1, 1, 0.0))


PARROT = Provider(name="parrot", kind="python", build=lambda model, environ: Parrot(f"{model} wants a cracker"))
"""

RHYME = '''
from typing import Literal

from moot.oracles import Check, Computed, Oracle, Uncomputable


class Rhyme(Check):
    """Whether two words end on the same three letters."""

    kind: Literal["rhyme"] = "rhyme"
    first: str
    second: str
    form = "{first} rhymes with {second}"


def decide(check):
    if len(check.first) < 3 or len(check.second) < 3:
        raise Uncomputable("words of at least three letters")
    if check.first == "crash":
        raise RuntimeError("the oracle's own fault")
    same = check.first[-3:] == check.second[-3:]
    return Computed(same, check.first[-3:], "the last three letters")


def read(sentence):
    if sentence.startswith("stumble"):
        raise KeyError("the reader's own fault")
    words = sentence.split(" rhymes with ")
    return Rhyme(first=words[0], second=words[1]) if len(words) == 2 else None


RHYME = Oracle("rhyme", Rhyme, "whether two words rhyme", "plain words", decide, read)
'''

RIDDLES = """
def riddles():
    yield {"id": "r1", "question": "What is the echo of hello?", "answer": "hello", "kind": "span"}
    yield {"id": "r2", "question": "What is the echo of bye?", "answer": "bye", "kind": "span"}
    yield "no item"
    yield {"question": "of which kind?", "answer": "none"}
"""

MODULES = {"echo_package": ECHO, "parrot_package": PARROT, "rhyme_package": RHYME, "riddle_package": RIDDLES}

ENTRIES = {
    "moot.protocols": {"echo": "echo_package:ECHO"},
    "moot.providers": {"parrot": "parrot_package:PARROT"},
    "moot.oracles": {"rhyme": "rhyme_package:RHYME"},
    "moot.datasets": {"riddles": "riddle_package:riddles"},
}


def write_package(
    folder: Path,
    name: str = "moot-parts",
    version: str = "1.0",
    entries: Mapping[str, Mapping[str, str]] = ENTRIES,
    modules: Mapping[str, str] = MODULES,
) -> Path:
    """Write a package as an installer leaves it, and return the folder to look for it in."""
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    groups = (
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in each.items()) for group, each in entries.items()
    )
    (metadata / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
    return folder


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process find what lies in a folder, for the time of a test."""
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
