"""What several files come to: which is heard first, key by key, and where each value is said."""

from typing import Any

import pytest

from moot.configuration import said_limits, said_members, said_protocol, said_settings, values_of
from moot.configuration.configuration import Configuration, merge
from moot.configuration.listing import held_values, panel_rows
from moot.core.errors import BadConfiguration, NotFound
from tests.configuration.kit import FOLDER, OWN, configured, read

NEAR = """
protocol = "near"
[budget]
usd = 1
[prices]
"a" = [1, 1]
[panels.two]
members = ["near:two"]
[settings.vote]
n = 1
[product]
timeout = 1
"""
FAR = """
protocol = "far"
members = ["far:x"]
[budget]
usd = 2
calls = 2
[limits]
confirm_usd = 2
[prices]
"a" = [2, 2]
"b" = [2, 2]
[panels.two]
members = ["far:two"]
protocol = "far-panel"
[panels.far]
members = ["far:far"]
[settings.vote]
n = 2
most = 2
[settings.debate]
rounds = 2
[product]
timeout = 2
threads = 2
"""


def test_files_are_merged_key_by_key_with_the_nearer_first() -> None:
    both = configured(NEAR, FAR)
    choices = both.choices(None, members_named=False)

    assert values_of(said_limits(choices)) == {"usd": 1, "calls": 2}
    assert values_of(said_settings("vote", choices)) == {"n": 1, "most": 2}
    assert both.settings == {"debate": {"rounds": 2}, "vote": {"n": 1, "most": 2}}
    assert values_of(both.prices) == {"a": (1, 1), "b": (2, 2)}
    assert values_of(both.product) == {"timeout": "1", "threads": "2"}
    assert both.confirm_usd and both.confirm_usd.value == 2
    named = said_members(choices)
    assert named and named.members == ("far:x",)


def test_a_panel_of_a_nearer_file_stands_for_the_whole_of_the_other() -> None:
    panels = configured(NEAR, FAR).panels

    assert {name: panel.members for name, panel in panels.items()} == {"two": ("near:two",), "far": ("far:far",)}
    assert panels["two"].protocol is None


def test_each_value_knows_its_file_and_its_key() -> None:
    both = configured(NEAR, FAR)
    limits = said_limits(both.choices("far", members_named=False))

    assert [(limits[name].file, limits[name].key) for name in ("usd", "calls")] == [
        (FOLDER, "budget.usd"),
        (OWN, "budget.calls"),
    ]
    assert both.prices["b"].key == "prices.b"


PANEL = (
    '[panels.p]\nmembers = ["panel:m"]\nprotocol = "of-panel"\nbudget = { usd = 9 }\n[panels.p.settings.vote]\nn = 9\n'
)

WHO = [
    # folder, own, --panel, named elsewhere: protocol, members, usd
    ("", "", None, False, (None, None, None)),
    ('protocol = "f"', 'protocol = "o"', None, False, ("f", None, None)),
    ("", 'protocol = "o"\nmembers = ["own:m"]', None, False, ("o", ("own:m",), None)),
    ('members = ["near:m"]', 'members = ["own:m"]', None, False, (None, ("near:m",), None)),
    (f'protocol = "f"\npanel = "p"\n{PANEL}', "", None, False, ("of-panel", ("panel:m",), 9)),
    (f'protocol = "f"\npanel = "p"\n{PANEL}', "", None, True, ("f", None, None)),
    ('panel = "p"', PANEL, None, False, ("of-panel", ("panel:m",), 9)),
    ('members = ["near:m"]', f'panel = "p"\n{PANEL}', None, False, (None, ("near:m",), None)),
    ('protocol = "f"', f'protocol = "o"\npanel = "p"\n{PANEL}', None, False, ("f", ("panel:m",), 9)),
    ('protocol = "f"\nmembers = ["near:m"]', PANEL, "p", False, ("of-panel", ("panel:m",), 9)),
    ('protocol = "f"\nmembers = ["near:m"]', PANEL, "p", True, ("of-panel", ("panel:m",), 9)),
    ("[budget]\nusd = 1\ncalls = 1", PANEL, "p", False, ("of-panel", ("panel:m",), 9)),
]


@pytest.mark.parametrize(("folder", "own", "panel", "named", "held"), WHO)
def test_who_is_heard_first(folder: str, own: str, panel: str | None, named: bool, held: tuple[Any, ...]) -> None:
    choices = configured(folder, own).choices(panel, members_named=named)

    protocol, members, usd = said_protocol(choices), said_members(choices), said_limits(choices).get("usd")

    assert (protocol.value if protocol else None) == held[0]
    assert (members.members if members else None) == held[1]
    assert (usd.value if usd else None) == held[2]


def test_a_panel_that_is_not_there_is_named_with_those_there_are() -> None:
    with pytest.raises(NotFound, match=r"there is no panel 'too'; did you mean two\? there are far, two"):
        configured(NEAR, FAR).find_panel("too")
    with pytest.raises(NotFound, match=r"no moot\.toml names one; `moot config --path` shows where"):
        Configuration().find_panel("two")


def test_a_panel_by_default_that_is_nowhere_is_a_problem_of_its_file() -> None:
    with pytest.raises(BadConfiguration, match=rf"{FOLDER}, panel: there is no panel cheep; did you mean cheap\?"):
        configured('panel = "cheep"', '[panels.cheap]\nmembers = ["x"]')


def test_several_problems_are_told_by_the_first_and_their_number() -> None:
    broken = merge((read('panel = "a"'), read('panel = "b"', OWN)))

    with pytest.raises(BadConfiguration, match=r"and 1 more: `moot config` lists them") as raised:
        broken.check()

    assert len(raised.value.problems) == 2


def test_the_product_holds_where_the_environment_leaves_it_open() -> None:
    environ = configured(NEAR, FAR).environment({"MOOT_TIMEOUT": "9", "MOOT_THREADS": " ", "PATH": "/bin"})

    assert environ == {"MOOT_TIMEOUT": "9", "MOOT_THREADS": "2", "PATH": "/bin"}


def test_for_a_server_the_product_the_prices_and_panels_to_name_are_left() -> None:
    served = configured(NEAR, f'panel = "far"\n{FAR.replace("members = [", "# ", 1)}').for_a_server()

    assert (served.settings, served.default_panel) == ({}, None)
    # The folder's own panel of the same name may be somebody else's, and is offered to nobody.
    assert {name: panel.members for name, panel in served.panels.items()} == {"two": ("far:two",), "far": ("far:far",)}
    assert said_limits(served.choices(None, members_named=False)) == {}
    assert set(served.product) == {"timeout", "threads"} and set(served.prices) == {"a", "b"}


def test_for_an_evaluation_limits_protocol_and_what_panels_bring_are_left_out() -> None:
    arms = configured(f'protocol = "x"\npanel = "p"\n[budget]\nusd = 1\n{PANEL}', FAR).for_arms(
        {"vote": {"n": 7}}, "kept"
    )
    choices = arms.choices(None, members_named=False)

    assert (said_protocol(choices), said_limits(choices)) == (None, {})
    assert values_of(said_settings("vote", choices)) == {"n": 7}
    named = said_members(choices)
    assert named and named.members == ("panel:m",)


def held(configuration: Configuration, environ: dict[str, str], panel: str | None = None) -> dict[str, tuple[Any, ...]]:
    return {row.name: (row.value, row.origin, row.place) for row in held_values(configuration, environ, panel)}


def test_what_holds_is_told_with_its_origin() -> None:
    rows = held(configured(NEAR, FAR), {"MOOT_CONTEXT": "7", "MOOT_DATABASE": "postgresql://me:geheim@h/x"})

    assert rows["protocol"] == ("near", "file", FOLDER)
    assert rows["members"] == (["far:x"], "file", OWN)
    assert rows["budget.calls"] == (2, "file", OWN)
    assert rows["budget.tokens"] == (None, "default", "")
    assert rows["settings.vote.most"] == (2, "file", OWN)
    assert rows["product.timeout"] == ("1", "file", FOLDER)
    assert rows["product.context"] == ("7", "environment", "MOOT_CONTEXT")
    assert rows["product.database"] == ("postgresql://me:[key]@h/x", "environment", "MOOT_DATABASE")
    assert rows["product.serve_runs"] == ("8", "default", "")


def test_a_panel_by_name_is_told_as_the_option_and_comes_before_the_environment() -> None:
    rows = held(configured(NEAR, FAR), {"MOOT_MEMBERS": "a,b"}, "far")

    assert rows["panel"] == ("far", "option", "--panel")
    assert rows["members"] == (["far:far"], "option", "--panel far")
    assert rows["protocol"] == ("near", "file", FOLDER)


def test_members_of_the_environment_leave_the_panel_by_default_out() -> None:
    rows = held(configured(f'panel = "p"\n{PANEL}'), {"MOOT_MEMBERS": "a,b"})

    assert rows["members"] == (["a", "b"], "environment", "MOOT_MEMBERS")
    assert (rows["panel"][0], rows["protocol"][0], rows["budget.usd"][0]) == (None, None, None)


def test_what_a_panel_by_default_brings_is_told_with_its_key() -> None:
    rows = held(configured(f'panel = "p"\n{PANEL}'), {})

    assert rows["protocol"] == ("of-panel", "file", f"{FOLDER}, panels.p.protocol")
    assert rows["settings.vote.n"] == (9, "file", f"{FOLDER}, panels.p.settings.vote.n")


def test_panels_are_listed_with_what_they_bring() -> None:
    assert panel_rows(configured(PANEL)) == {
        "p": {
            "members": ["panel:m"],
            "protocol": "of-panel",
            "budget": {"usd": 9.0},
            "settings": {"vote": {"n": 9}},
            "file": FOLDER,
        }
    }
