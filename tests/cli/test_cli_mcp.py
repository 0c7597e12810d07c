"""`moot mcp` refuses before it serves what it could not serve."""

import pytest

from tests.cli.kit import Moot

pytest.importorskip("mcp")


@pytest.mark.parametrize(
    ("words", "told", "says"),
    [
        (("--server", "http://127.0.0.1:8017"), {}, "set MOOT_SERVER_KEY"),
        ((), {"MOOT_SERVER": "http://127.0.0.1:8017"}, "set MOOT_SERVER_KEY"),
        (("--server", "here"), {"MOOT_SERVER_KEY": "moot_0a1b2c3d_x"}, "no address of a server"),
    ],
)
def test_a_server_without_address_or_key_is_refused_in_one_line(moot: Moot, words, told, says: str) -> None:
    moot.environ = told

    done = moot.run("mcp", *words)

    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr and done.stderr.count("\n") == 1


def test_a_client_that_leaves_at_once_ends_it(moot: Moot) -> None:
    done = moot.run("mcp", stdin="")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
