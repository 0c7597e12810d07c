"""`moot.toml`, `--panel` and `moot config` as a user meets them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from tests.cli.kit import GOOD, SINGLE, Moot

SECRET = "sk-or-v1-geheim0123456789"


@dataclass
class Configured(Moot):
    """The command line of a user who works in a folder of their home, with files of their own."""

    @property
    def home(self) -> Path:
        return self.folder.parent

    @override
    def environment(self) -> dict[str, str]:
        usual = {name: value for name, value in super().environment().items() if name != "MOOT_CONFIG"}
        return {**usual, "HOME": str(self.home), **self.environ}

    def write(self, text: str, place: Path | None = None) -> Path:
        """Write the moot.toml of the folder, or of another."""
        file = (place or self.folder) / "moot.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def write_own(self, text: str) -> Path:
        return self.write(text, self.home / ".config" / "moot")

    def planned(self, *words: str) -> Any:
        return self.json("ask", "Which server?", "--dry-run", *words)


@pytest.fixture
def user(tmp_path: Path) -> Configured:
    (tmp_path / "work").mkdir()
    here = Configured(tmp_path / "work")
    for name in ("option", "panel", "environ", "folder", "own"):
        here.script({"*": {**GOOD, "answer": name}}, f"{name}.json")
    return here


OWN = """
protocol = "debate"
members = ["scripted:own.json"]
[budget]
calls = 5
tokens = 5000
[settings.single]
max_tokens = 105
"""
FOLDER = """
protocol = "vote"
members = ["scripted:folder.json"]
[budget]
calls = 4
[settings.single]
max_tokens = 104
[panels.p]
members = ["scripted:panel.json"]
protocol = "single"
budget = { calls = 3 }
settings = { single = { max_tokens = 103 } }
"""
ENVIRON = {"MOOT_MEMBERS": "scripted:environ.json"}
OPTION = ("--protocol", "single", "-m", "scripted:option.json", "--budget-calls", "2", "--set", "max_tokens=102")

PRECEDENCE = [
    # words, environment, folder's file, own file: protocol, member, calls
    (OPTION, ENVIRON, FOLDER, OWN, ("single", "option", 2)),
    ((*OPTION, "--panel", "p"), ENVIRON, FOLDER, OWN, ("single", "option", 2)),
    (("--panel", "p"), ENVIRON, FOLDER, OWN, ("single", "panel", 3)),
    (("--panel", "p", "-m", "scripted:option.json"), ENVIRON, FOLDER, OWN, ("single", "option", 3)),
    (("--panel", "p", "--protocol", "vote"), ENVIRON, FOLDER, OWN, ("vote", "panel", 3)),
    ((), ENVIRON, FOLDER, OWN, ("vote", "environ", 4)),
    ((), {}, FOLDER, OWN, ("vote", "folder", 4)),
    ((), {}, "", OWN, ("debate", "own", 5)),
    (("--protocol", "single"), ENVIRON, "", "", ("single", "environ", None)),
    ((), {"MOOT_CONFIG": "none", **ENVIRON}, FOLDER, OWN, ("spiral", "environ", None)),
    ((), {"MOOT_CONFIG": "", **ENVIRON}, FOLDER, OWN, ("spiral", "environ", None)),
    ((), {"MOOT_CONFIG": "other.toml"}, FOLDER, OWN, ("single", "panel", 1)),
]


@pytest.mark.parametrize(("words", "environ", "folder", "own", "held"), PRECEDENCE)
def test_what_is_heard_first_holds(words, environ, folder, own, held, user: Configured) -> None:
    user.write(folder)
    user.write_own(own)
    (user.folder / "other.toml").write_text(
        'protocol = "single"\nmembers = ["scripted:panel.json"]\n[budget]\ncalls = 1\n', encoding="utf-8"
    )
    user.environ = environ

    plan = user.planned(*words)

    protocol, member, calls = held
    assert plan["protocol"] == protocol
    assert {seat["model"] for seat in plan["members"]} == {f"scripted:{member}.json"}
    assert calls in (None, plan["budget"]["calls"])


@pytest.mark.parametrize(
    ("words", "environ", "most"),
    [(OPTION, {}, 102), (("--panel", "p"), {}, 103), (SINGLE, {}, 104), (SINGLE, {"MOOT_CONFIG": "none"}, None)],
)
def test_a_setting_comes_from_the_option_the_panel_or_the_file(words, environ, most, user: Configured) -> None:
    user.write(FOLDER)
    user.write_own(OWN)
    user.environ = {**ENVIRON, **environ}

    kept = user.planned(*words)["settings"]["max_tokens"]

    assert kept == most if most else kept > 105


def test_each_limit_is_merged_by_itself(user: Configured) -> None:
    user.write(FOLDER)
    user.write_own(OWN)

    plan = user.planned("--panel", "p", "--budget-seconds", "60")

    assert (plan["budget"]["calls"], plan["budget"]["tokens"], plan["budget"]["seconds"]) == (3, 5000, 60)


def test_a_file_of_a_folder_above_holds_and_the_nearest_alone(user: Configured) -> None:
    user.write('protocol = "debate"\nmembers = ["scripted:own.json"]', user.home)
    above = user.planned()
    user.write(FOLDER)

    assert (above["protocol"], user.planned()["protocol"]) == ("debate", "vote")


def test_a_panel_is_asked_by_its_name_and_no_record_names_the_file(user: Configured) -> None:
    user.write(FOLDER)

    done = user.run("ask", "Which server?", "--panel", "p")
    everything = user.run("export", "last", "--format", "json").stdout

    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "panel"
    assert f"using scripted:panel.json: panel 'p' of {user.folder / 'moot.toml'}" in done.stderr
    header = json.loads(everything)["header"]
    assert (header["protocol"], header["budget"]["calls"], header["settings"]["max_tokens"]) == ("single", 3, 103)
    assert "moot.toml" not in everything and str(user.home) not in everything


def test_a_panel_by_default_is_asked_where_nobody_is_named(user: Configured) -> None:
    user.write(f'panel = "p"\n{FOLDER.replace("members", "# members", 1)}')

    assert user.json("ask", "Which server?")["answer"] == "panel"
    assert user.json("ask", "Which server?", *SINGLE, "-m", "scripted:option.json")["answer"] == "option"


def test_an_unknown_panel_is_named_with_those_there_are_and_nothing_is_asked(user: Configured) -> None:
    user.write('[panels.cheap]\nmembers = ["scripted:panel.json"]\n[panels.dear]\nmembers = ["scripted:own.json"]')

    for words in (
        ("ask", "?", "--panel", "cheep"),
        ("compare", "?", "--panel", "cheep"),
        ("screen", "--panel", "cheep", "--limit", "1"),
        ("evals", "run", "--panel", "cheep", "--limit", "1"),
        ("board", "add", "Crows remember.", "--panel", "cheep"),
        ("config", "--panel", "cheep"),
    ):
        done = user.run(*words)

        assert done.returncode == 2
        assert "there is no panel 'cheep'; did you mean cheap? there are cheap, dear." in done.stderr
    assert user.stored() == 0


def test_protocols_are_compared_with_a_panel(user: Configured) -> None:
    user.write('[panels.two]\nmembers = ["scripted:panel.json"]\n[settings.single]\nmax_tokens = 99')

    told = user.json("compare", "Which server?", "--protocol", "single", "--panel", "two")
    header = json.loads(user.run("export", "last", "--format", "json").stdout)["header"]

    assert [result["answer"] for result in told["results"]] == ["panel"]
    assert header["settings"]["max_tokens"] == 99


def test_a_fork_has_what_its_parent_had_but_for_a_panel_that_it_names(user: Configured) -> None:
    first = user.json("ask", "Which server?", *SINGLE, "-m", "scripted:option.json")
    user.write(FOLDER)

    same = user.json("fork", first["id"], "--at", "answer")
    other = user.json("fork", first["id"], "--at", "answer", "--panel", "p")
    header = json.loads(user.run("export", other["id"], "--format", "json").stdout)["header"]

    assert (same["answer"], other["answer"]) == ("option", "panel")
    assert (header["budget"]["calls"], header["settings"]["max_tokens"]) == (3, 103)


def test_a_claim_goes_to_the_people_of_the_board_whoever_is_usually_asked(user: Configured) -> None:
    user.write(FOLDER)

    added = user.json("board", "add", "Crows remember faces.")

    assert user.run("board", "take", added["id"], "--as", "Ada").returncode == 0


def test_an_evaluation_takes_the_members_of_a_panel_and_keeps_the_settings_of_the_file(user: Configured) -> None:
    user.script({"answer*": "Answer: 4"}, "panel.json")
    user.write(FOLDER.replace("[settings.single]", "[settings.single-pass]"))
    words = ("evals", "run", "--arms", "1", "--limit", "1", "--panel", "p", "--out", "r")

    first = user.json(*words)
    user.write(FOLDER)
    mixed = user.run(*words)
    resumed = user.run("evals", "resume", "r")

    assert first["run"]["members"] == ["scripted:panel.json"]
    assert first["run"]["defaults"] == {"single-pass": {"max_tokens": 104}}
    assert mixed.returncode == 2 and "holds results of another run: the settings of moot.toml" in mixed.stderr
    assert resumed.returncode == 0


def test_the_settings_and_prices_of_a_file_hold(user: Configured) -> None:
    user.write('members = ["http://127.0.0.1:9/v1#m"]\nprotocol = "single"\n[prices]\nm = [1, 2]\n[budget]\nusd = 1\n')

    plan = user.planned()

    assert plan["expected"]["usd"] > 0


def test_a_limit_in_dollars_that_cannot_be_kept_is_told_with_its_file(user: Configured) -> None:
    file = user.write('members = ["http://127.0.0.1:9/v1#m"]\nprotocol = "single"\n[budget]\nusd = 1\n')

    refused = user.run("ask", "?", "--dry-run")
    priced = user.run("ask", "?", "--dry-run", "--price", "m=1,2")

    assert refused.returncode == 2
    assert f"{file}, budget.usd: the price of 'http://127.0.0.1:9/v1#m' is not known" in refused.stderr
    assert priced.returncode == 0


USED = [
    ('protocol = "intergation"', "protocol: there is no protocol 'intergation'; did you mean interrogation? Moot has"),
    ('protocol = "single"\n[settings.single]\nmax_token = 5', "settings.single.max_token: single has no such setting"),
    ('protocol = "single"\n[settings.single]\nmax_tokens = 1', "settings.single.max_tokens: "),
]


@pytest.mark.parametrize(("text", "told"), USED)
def test_a_protocol_or_a_setting_that_is_not_there_is_named_with_its_file_when_it_is_used(
    text: str, told: str, user: Configured
) -> None:
    file = user.write(f'members = ["scripted:own.json"]\n{text}')

    refused = user.run("ask", "?")
    elsewhere = user.run("ask", "?", "--protocol", "vote", "--dry-run")

    assert refused.returncode == 2 and f"moot: {file}, {told}" in refused.stderr
    assert elsewhere.returncode == 0
    assert user.stored() == 0


def test_what_a_command_says_wrongly_is_not_blamed_on_the_file(user: Configured) -> None:
    user.write(FOLDER)

    done = user.run("ask", "?", *SINGLE, "--set", "max_tokens=1")

    assert done.returncode == 2 and "setting 'max_tokens'" in done.stderr and "moot.toml" not in done.stderr


def test_a_wrong_file_stops_a_command_before_anything_is_sent(user: Configured) -> None:
    file = user.write('protcol = "single"\n[budget]\nusd = -1\n')

    refused = user.run("ask", "?", "-m", "scripted:own.json", *SINGLE)
    told = user.json("list")
    around = Configured(user.folder, {"MOOT_CONFIG": "none"}).run("list")

    assert refused.returncode == 2 and user.stored() == 0
    assert f"moot: {file}, budget.usd: it has to be above 0" in refused.stderr
    assert "and 1 more: `moot config` lists them" in refused.stderr
    assert told["error"]["code"] == "bad_configuration"
    assert around.returncode == 0


def test_a_key_is_refused_with_its_variable_and_printed_nowhere(user: Configured) -> None:
    user.write(f'[product]\nOPENROUTER_API_KEY = "{SECRET}"\n')

    done = [user.run(*words) for words in (("ask", "?"), ("config",), ("config", "--json"), ("doctor",))]

    assert all("set OPENROUTER_API_KEY in the environment" in one.stdout + one.stderr for one in done)
    assert not any("geheim" in one.stdout + one.stderr for one in done)


def test_config_shows_what_holds_and_from_where(user: Configured) -> None:
    folder, own = user.write(FOLDER), user.write_own(f"{OWN}[product]\ntimeout = 60\n")
    user.environ = {"MOOT_THREADS": "2"}

    lines = user.run("config").stdout.splitlines()

    shown = {line.split()[0]: " ".join(line.split()[1:]) for line in lines}
    assert shown["protocol"] == f"vote file: {folder}"
    assert shown["budget.tokens"] == f"5000 file: {own}"
    assert shown["budget.usd"] == "- default"
    assert shown["product.timeout"] == f"60 file: {own}"
    assert shown["product.threads"] == "2 environment: MOOT_THREADS"
    assert lines[-1] == f"panel p: scripted:panel.json; single; at most 3 calls  ({folder})"


def test_config_as_json_is_one_object_with_values_panels_and_files(user: Configured) -> None:
    folder = user.write(FOLDER)

    told = user.json("config", "--panel", "p")

    assert told["values"]["protocol"] == {"value": "single", "origin": "option", "place": "--panel p"}
    assert told["values"]["settings.single.max_tokens"]["value"] == 103
    assert told["panels"]["p"]["members"] == ["scripted:panel.json"]
    assert [file for file in told["files"] if file["state"] == "read"] == [
        {"path": str(folder), "of": "folder", "state": "read"}
    ]
    assert told["problems"] == []


def test_config_lists_every_problem_beside_what_holds(user: Configured) -> None:
    user.write('protcol = "single"\n[budget]\nusd = -1\n')
    user.write_own('members = ["scripted:own.json"]')

    done = user.run("config")

    assert done.returncode == 2
    assert [line.partition(": ")[2].split(": ")[0].rpartition(", ")[2] for line in done.stderr.splitlines()] == [
        "budget.usd",
        "protcol",
    ]
    assert "scripted:own.json" in done.stdout


def test_config_path_shows_the_files_that_are_looked_for(user: Configured) -> None:
    user.write("")
    (user.home / "moot.toml").mkdir()

    looked = [line.split("  ")[0] for line in user.run("config", "--path").stdout.splitlines()]
    nowhere = Configured(user.folder, {"MOOT_CONFIG": "none"}).run("config", "--path").stdout

    assert looked == ["read", "passed over", "absent"]
    assert nowhere == "none is looked for: MOOT_CONFIG says so\n"


@pytest.mark.parametrize("make", ["folder", "binary"])
def test_what_is_called_moot_toml_and_is_none_is_named_by_every_command(make: str, user: Configured) -> None:
    file = user.folder / "moot.toml"
    if make == "folder":
        file.mkdir()
    else:
        file.write_bytes(b"\xff\xfe\x00")

    done = user.run("ask", "?", "-m", "scripted:own.json")

    assert done.returncode == 2 and f"moot: {file}" in done.stderr and "Traceback" not in done.stderr


def test_the_doctor_tells_of_the_files_and_goes_on_past_a_wrong_one(user: Configured) -> None:
    user.write("protocol = 3")
    own = user.write_own('members = ["scripted:own.json"]')

    found = user.json("doctor")

    files = [item for item in found if item["what"] == "moot.toml"]
    assert [(item["state"], item["found"].split(", ")[0]) for item in files] == [
        ("ok", str(own)),
        ("broken", str(user.folder / "moot.toml")),
    ]
    members = next(item for item in found if item["what"] == "members")
    assert members["found"] == f"using scripted:own.json: named in {own}"
