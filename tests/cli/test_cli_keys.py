"""`moot keys`: made once, listed without secrets, revoked."""

from tests.cli.kit import Moot


def test_a_key_is_printed_once_and_alone_so_that_a_script_can_keep_it(moot: Moot) -> None:
    made = moot.run("keys", "add", "Ada", "--scope", "admin", "--scope", "agent")

    [key] = made.stdout.split()
    listed = moot.run("keys", "list")
    as_json = moot.run("keys", "list", "--json")
    assert key.startswith("moot_")
    assert "the key of Ada (agent, admin)" in made.stderr
    assert "shown this once" in made.stderr
    assert key[:13] in listed.stdout
    assert "agent, admin" in listed.stdout
    assert key[14:] not in listed.stdout + as_json.stdout


def test_a_key_is_an_agents_where_nothing_else_is_said(moot: Moot) -> None:
    made = moot.json("keys", "add", "bot")

    [listed] = moot.json("keys", "list")
    assert made.pop("key").startswith(f"{made['prefix']}_")
    assert listed == made
    assert set(listed) == {"prefix", "name", "scopes", "made", "seen", "revoked"}
    assert (listed["name"], listed["scopes"], listed["revoked"]) == ("bot", ["agent"], None)


def test_a_revoked_key_stays_in_the_list_as_such(moot: Moot) -> None:
    prefix = moot.json("keys", "add", "bot")["prefix"]

    revoked = moot.run("keys", "revoke", prefix)

    [listed] = moot.json("keys", "list")
    assert revoked.stdout == f"{prefix} of bot opens nothing any more\n"
    assert listed["revoked"] > listed["made"]
    assert "revoked" in moot.run("keys", "list").stdout


def test_wrong_words_make_no_key_and_say_what_would_do(moot: Moot) -> None:
    moot.run("keys", "add", "Ada")

    taken = moot.run("keys", "add", "Ada")
    scope = moot.run("keys", "add", "Bea", "--scope", "root")
    house = moot.run("keys", "add", "house/m1")
    prefix = moot.run("keys", "revoke", "moot_00000000")

    assert [run.returncode for run in (taken, scope, house, prefix)] == [2, 2, 1, 2]
    assert "'Ada-2'" in taken.stderr
    assert "agent, reviewer, admin" in scope.stderr
    assert "of the house" in house.stderr
    assert "moot keys list" in prefix.stderr
    assert [key["name"] for key in moot.json("keys", "list")] == ["Ada"]


def test_without_keys_the_list_says_how_to_make_one(moot: Moot) -> None:
    assert moot.run("keys", "list").stdout == "there are no keys yet; make one with: moot keys add NAME\n"
    assert moot.json("keys", "list") == []


def test_a_list_of_deliberations_for_machines_has_the_names_that_it_had(moot: Moot) -> None:
    moot.run("ask", "Why?", "--protocol", "single", "--member", moot.script())

    [listed] = moot.json("list")

    assert list(listed)[:6] == ["id", "protocol", "status", "question", "started", "stalled"]
