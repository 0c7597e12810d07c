"""No text that a program reads moves a cursor or turns a line about, whatever a model or a file says."""

import json

import pytest

from tests.cli.kit import GOOD, SINGLE, Moot

HOSTILE = "x9 \u009b31m\u202edlrow\x1b[2J\x85 end"
ACTED_ON = "\u009b\u202e\x1b\x85"


@pytest.fixture
def asked(moot: Moot) -> str:
    answer = {**GOOD, "answer": HOSTILE, "reasoning": HOSTILE}
    done = moot.run("ask", f"Why {HOSTILE}?", *SINGLE, "--json", "--member", moot.script({"answer": answer}))
    assert_harmless(done.stdout)
    return json.loads(done.stdout)["id"]


@pytest.fixture
def graph() -> str:
    nodes = [
        {"id": f"a {HOSTILE}", "claim": f"It is {HOSTILE}", "type": "given"},
        {"id": "b", "claim": f"So {HOSTILE}", "type": "conclusion"},
    ]
    return json.dumps({"nodes": nodes, "edges": [{"src": f"a {HOSTILE}", "dst": "b", "relation": "supports"}]})


def assert_harmless(text: str) -> None:
    assert "dlrow" in text
    assert not [hex(ord(letter)) for letter in ACTED_ON if letter in text]


@pytest.mark.parametrize(
    "words",
    [
        ("show", "{}", "--json"),
        ("show", "{}", "--full"),
        ("show", "{}"),
        ("list", "--json"),
        ("export", "{}", "--format", "json"),
        ("export", "{}", "--format", "md"),
        ("export", "{}", "--format", "html"),
    ],
    ids=" ".join,
)
def test_what_is_shown_or_exported_of_a_deliberation_is_harmless(moot: Moot, asked: str, words: tuple[str]) -> None:
    done = moot.run(*(word.format(asked) for word in words))

    assert done.returncode == 0, done.stderr
    assert_harmless(done.stdout)
    if "json" in words[-1]:
        assert json.dumps(HOSTILE)[1:-1] in json.dumps(json.loads(done.stdout))


@pytest.mark.parametrize("form", ["assessment", "json", "argdown", "aif", "dot", "mermaid", "graphml"])
def test_every_form_of_a_graph_is_harmless(moot: Moot, graph: str, form: str) -> None:
    chosen = ("--json",) if form == "assessment" else ("--format", form)

    done = moot.run("graph", "-", *chosen, stdin=graph)

    assert done.returncode == 0, done.stderr
    assert_harmless(done.stdout)
