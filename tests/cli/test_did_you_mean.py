"""A name that is nearly right is answered with the one that was probably meant."""

import pytest

from tests.cli.kit import Moot

NEARLY = [
    (("ask", "x", "-p", "spirl"), "there is no protocol 'spirl'; did you mean spiral? Moot has"),
    (("list", "--status", "pausd"), "did you mean paused?"),
    (("ask", "x", "-p", "single", "--set", "temprature=1"), "did you mean temperature? it has"),
    (("compare", "x", "--set", "temprature=1"), "did you mean temperature? they have"),
    (("evals", "run", "--set", "temprature=1"), "did you mean temperature? they have"),
    (("ask", "x", "-m", "gpt-5"), "member 'gpt-5': did you mean openai:gpt-5?"),
    (("ask", "x", "-m", "claude-haiku-4-5*3"), "did you mean anthropic:claude-haiku-4-5?"),
    (("ask", "x", "-m", "0.5b"), "did you mean embedded:0.5b?"),
    (("ask", "x", "-m", "mistral/large"), "did you mean openrouter:mistral/large?"),
    (("ask", "x", "-m", "opnai:gpt-5"), "did you mean openai?"),
    (("export", "last", "--format", "htm"), "did you mean html?"),
]


@pytest.mark.parametrize(("words", "told"), NEARLY, ids=lambda part: " ".join(part) if isinstance(part, tuple) else "")
def test_the_nearest_name_is_offered_and_nothing_is_spent(moot: Moot, words: tuple[str, ...], told: str) -> None:
    if words[0] == "export":
        moot.run("ask", "Why?", "-p", "single", "-m", moot.script())

    done = moot.run(*words)

    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_a_name_that_is_near_nothing_is_answered_with_what_there_is(moot: Moot) -> None:
    done = moot.run("ask", "x", "-m", "seance")

    assert "did you mean" not in done.stderr
    assert "there are openai:MODEL" in done.stderr
