"""What a moot.toml may say, and how everything else is named."""

import re
from pathlib import Path

import pytest

from moot.core.budget import Budget
from moot.settings import TABLE
from tests.configuration.kit import FOLDER, OWN, problems, read

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "configuration" / "moot.toml"


def test_the_example_is_the_one_of_the_docs_and_is_read_whole() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    shown = re.findall(r"^```toml\n(.*?)^```", (ROOT / "docs" / "settings.md").read_text(encoding="utf-8"), re.M | re.S)

    file = read(text)

    assert text in shown
    assert (file.own.protocol, file.panel, file.own.budget) == ("interrogation", "local", Budget(usd=0.5, seconds=600))
    assert (file.confirm_usd, file.prices) == (1.0, {"vendor/model": (0.5, 1.5)})
    assert file.own.settings == {"interrogation": {"form": "plain", "n": 6}}
    assert file.product == {"timeout": "60", "threads": "4"}
    cheap = file.panels["cheap"]
    assert cheap.members == ("openrouter:openai/gpt-5.4-mini*3",)
    assert (cheap.protocol, cheap.budget, cheap.settings) == ("vote", Budget(calls=20), {"vote": {"n": 8}})


def test_an_empty_file_says_nothing() -> None:
    file = read("")

    assert not file.own.members and not file.panels and not file.product and file.own.budget == Budget()


WRONG = [
    ('protcol = "vote"', "protcol: there is no such key; did you mean protocol? there are protocol, members"),
    ("protocol = 3", "protocol: it has to be text in quotes"),
    ('protocol = ""', "protocol: it is empty; leave it out"),
    ('members = "embedded"', "members: it has to be a list, in square brackets"),
    ("members = []", "members: nobody is named; name a member, or leave it out"),
    ("members = [1]", "members.0: it has to be text in quotes"),
    ('members = ["embedded", "nobody:x"]', "members: member 'nobody:x': there is none"),
    ('members = ["embedded"]\npanel = "a"', "panel: members and panel both say who is asked; keep one of the two"),
    ("[budget]\nusd = -1", "budget.usd: it has to be above 0; leave it out"),
    ("[budget]\nusd = 0", "budget.usd: it has to be above 0"),
    ("[budget]\nusd = inf", "budget.usd: it has to be a number that can be reached"),
    ("[budget]\nusd = nan", "budget.usd: it has to be a number that can be reached"),
    ('[budget]\nusd = "1"', "budget.usd: it has to be a number"),
    ("[budget]\ncalls = 2.5", "budget.calls: it has to be a whole number"),
    ("[budget]\ncalls = true", "budget.calls: it has to be a whole number"),
    (f"[budget]\ncalls = {'9' * 400}", "budget.calls: no such number can be meant"),
    (f"[budget]\nseconds = {'9' * 400}", "budget.seconds: it has to be a number"),
    ("[budget]\ntoken = 5", "budget.token: there is no such key; did you mean tokens?"),
    (
        "[budget]\ncall = 5",
        "budget.call: there is no such key; did you mean calls? there are calls, tokens, usd, seconds",
    ),
    ("[limits]\nconfirm_usd = -1", "limits.confirm_usd: it may not be below 0"),
    ("[limits]\nconfirm = 1", "limits.confirm: there is no such key; did you mean confirm_usd?"),
    ('[prices]\n"a/b" = 1', 'prices."a/b": it has to be [IN, OUT], dollars per million tokens'),
    ('[prices]\n"a/b" = [1]', 'prices."a/b": it has to be [IN, OUT], dollars per million tokens'),
    ('[prices]\n"a/b" = [1, -1]', 'prices."a/b".1: it may not be below 0'),
    ('[panels.a]\nprotocol = "vote"', "panels.a.members: it is missing; a panel says who sits in it"),
    ('[panels.a]\nmembers = ["nobody"]', "panels.a.members: member 'nobody': there is none"),
    ('[panels.a]\nmembers = ["x"]\nbudgets = {}', "panels.a.budgets: there is no such key; did you mean budget?"),
    ('[panels.a]\nmembers = ["x"]\nbudget = { usd = -1 }', "panels.a.budget.usd: it has to be above 0"),
    ("panels = 1", "panels: it has to be a table"),
    ("[settings]\nform = 1", "settings.form: it has to be a table"),
    ("[settings.vote]\nn = 1979-05-27", "settings.vote.n: it has to be text in quotes, a number, true or false"),
    ("[settings.vote]\nn = [[07:32:00]]", "settings.vote.n: it has to be text in quotes, a number, true or false"),
    ("[settings.vote]\nn = nan", "settings.vote.n: it has to be a number that can be reached"),
    ("[product]\ntimout = 1", "product.timout: there is no such setting; did you mean timeout? there are home, cache"),
    ("[product]\ntimeout = -1", "product.timeout: it has to be a number above 0"),
    ('[product]\ntimeout = "60"', "product.timeout: it has to be a number above 0"),
    ("[product]\nthreads = 1.5", "product.threads: it has to be a whole number above 0"),
    ('[product]\nhome = ""', "product.home: it has to be a path in quotes"),
    ('[product]\nembeddings = "nobody"', "product.embeddings: member 'nobody': there is none"),
    ('[product]\nmembers = ["x"]', "product.members: who is asked is written at the top of the file"),
    ('[product]\nconfig = "x"', "product.config: which file is read is said by MOOT_CONFIG alone"),
    ("a = 1\nb = = 2", "line 2: it is no TOML here: "),
    ("[budget]\nusd = 1\nusd = 2", "line 3: it is no TOML here: "),
    ("members = [\n'embedded',\n", "line 3: it is no TOML here: "),
]


@pytest.mark.parametrize(("text", "told"), WRONG, ids=[text[:40] for text, _ in WRONG])
def test_what_is_wrong_is_named_with_its_file_its_place_and_the_way_out(text: str, told: str) -> None:
    found = problems(text)

    assert len(found) == 1
    assert found[0].startswith(f"{FOLDER}, {told}")


def test_every_problem_of_a_file_is_named() -> None:
    found = problems('protcol = "x"\n[budget]\nusd = -1\n[panels.a]\n')

    assert [line.split(": ")[0].rpartition(", ")[2] for line in found] == ["budget.usd", "panels.a.members", "protcol"]


def test_a_protocol_and_a_setting_that_nobody_knows_are_left_to_whoever_uses_them() -> None:
    file = read('protocol = "nowhere"\n[settings.elsewhere]\nanything = [1, { a = true }]')

    assert file.own.protocol == "nowhere"
    assert file.own.settings == {"elsewhere": {"anything": [1, {"a": True}]}}


def test_a_path_counts_from_the_folder_of_its_file() -> None:
    file = read('[product]\nhome = "kept"\ncache = "/far/away"')

    assert file.product == {"home": "/work/kept", "cache": "/far/away"}


def test_a_list_of_the_product_is_written_as_its_variable_would_be() -> None:
    file = read('[product]\nserve_members = ["embedded", "ollama:x"]', OWN)

    assert file.product == {"serve_members": "embedded,ollama:x"}


@pytest.mark.parametrize(
    "line", ['server = "http://x"', 'serve_members = ["embedded"]', 'serve_hosts = ["h"]', "serve_https = false"]
)
def test_a_folder_says_neither_who_comes_in_nor_where_a_key_is_shown(line: str) -> None:
    text = f"[product]\n{line}"

    assert ["a folder may be somebody else's" in told for told in problems(text, FOLDER)] == [True]
    assert problems(text, OWN) == []


def test_each_setting_of_the_product_can_be_written_in_ones_own_file() -> None:
    values = {
        "number": "1.5",
        "whole": "2",
        "flag": "true",
        "names": '["embedded"]',
        "text": '"embedded"',
        "path": '"p"',
    }
    rows = [row for row in TABLE if row.name not in ("members", "config")]

    file = read("[product]\n" + "\n".join(f"{row.name} = {values[row.kind]}" for row in rows), OWN)

    assert set(file.product) == {row.name for row in rows}


HOSTILE = {
    "deep arrays": "x = " + "[" * 900,
    "deep tables": "x = " + "{a=" * 300,
    "a key of many parts": ".".join("a" * 400) + " = 1",
    "a long line": f'protocol = "{"x" * 5000}"',
    "a number of many digits": "[budget]\n" + "calls = " + "9" * 990,
    "control characters": '"\\u001b[31m\\u0007" = 1',
    "an endless key": f'"{"k" * 900}" = 1',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_named_in_one_short_printable_line(text: str) -> None:
    found = problems(text)

    assert len(found) == 1
    assert found[0].startswith(FOLDER) and found[0].isprintable() and len(found[0]) < 300


def test_a_file_of_nothing_but_mistakes_tells_the_first_fifty() -> None:
    assert len(problems("\n".join(f"k{number} = 1" for number in range(500)))) == 50
