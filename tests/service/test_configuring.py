"""moot.toml behind every edge: the library, the MCP server's own process, the HTTP server."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.configuration import Configuration
from moot.core.budget import Budget
from moot.core.errors import BadConfiguration, MemberNotAllowed, NotFound
from moot.core.question import Question
from moot.gateway.gateway import GatewayOptions
from moot.service.configuring import members_of, product_settings, read_configuration
from moot.service.opening import gateway_options, open_service
from moot.service.orders import Fork, Order, Plan
from moot.service.service import ignore_id, no_progress
from moot.service.workplace import open_own_process
from moot.testing import scripted
from moot.web.server import open_serving

ASKED = Question(text="Is 97 prime?")
MODELS = {
    f"scripted:{name}": scripted(lambda _, name=name: {"reasoning": "so", "answer": name, "confidence": 0.5})
    for name in ("a", "b", "c")
}
FILE = """
protocol = "single"
members = ["scripted:a"]
[budget]
calls = 7
[limits]
confirm_usd = 0.25
[prices]
m = [1, 2]
[panels.b]
members = ["scripted:b"]
budget = { calls = 8 }
settings = { single = { max_tokens = 108 } }
[settings.single]
max_tokens = 107
[product]
timeout = 33
serve_body = 5000
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    file = tmp_path / "named.toml"
    file.write_text(FILE, encoding="utf-8")
    return {"MOOT_HOME": str(tmp_path), "MOOT_CONFIG": str(file)}


def planned(environ: dict[str, str], order: Order, **opening: Any) -> Plan:
    async def run() -> Plan:
        async with open_service(environ, models=MODELS, **opening) as service:
            return await service.planner.plan(order)

    return asyncio.run(run())


def test_an_order_is_filled_where_it_leaves_something_open(environ: dict[str, str]) -> None:
    plan = planned(environ, Order(ASKED))

    assert (plan.row.name, plan.panel.models, plan.budget.calls) == ("single", ("scripted:a",), 7)
    assert dict(plan.settings)["max_tokens"] == 107
    assert plan.why == f"using scripted:a: named in {environ['MOOT_CONFIG']}"


def test_a_panel_by_name_comes_before_the_members_of_the_environment(environ: dict[str, str]) -> None:
    plan = planned({**environ, "MOOT_MEMBERS": "scripted:c"}, Order(ASKED, panel="b"))

    assert plan.panel.models == ("scripted:b",)


def test_a_service_may_be_opened_with_a_configuration_of_ones_own(environ: dict[str, str]) -> None:
    with_none = planned({**environ, "MOOT_MEMBERS": "scripted:c"}, Order(ASKED), configuration=Configuration())

    assert (with_none.row.name, with_none.panel.models) == ("spiral", ("scripted:c",))


def test_a_program_asks_by_the_file_and_by_a_panel_of_it(environ: dict[str, str]) -> None:
    usual = moot.ask_sync("Is 97 prime?", models=MODELS, environ=environ)
    panel = moot.ask_sync("Is 97 prime?", panel="b", models=MODELS, environ=environ)
    own = moot.ask_sync("Is 97 prime?", panel="b", members="scripted:c", models=MODELS, environ=environ)

    assert (usual.answer, panel.answer, own.answer) == ("a", "b", "c")
    assert [one.record.header.budget.calls for one in (usual, panel, own)] == [7, 8, 8]
    assert [one.record.header.settings["max_tokens"] for one in (usual, panel, own)] == [107, 108, 108]


def test_a_program_that_names_a_panel_nobody_has_is_told_of_those_there_are(environ: dict[str, str]) -> None:
    with pytest.raises(NotFound, match="there are b"):
        moot.ask_sync("Is 97 prime?", panel="z", models=MODELS, environ=environ)


def test_a_fork_takes_nothing_of_the_file_but_a_panel_that_it_names(environ: dict[str, str]) -> None:
    plain = {**environ, "MOOT_CONFIG": "none"}
    first = moot.ask_sync("Is 97 prime?", protocol="single", members="scripted:c", models=MODELS, environ=plain)

    async def forked(fork: Fork) -> Any:
        async with open_service(environ, models=MODELS) as service:
            return (await service.fork(first.id, fork)).record.header

    same, other = asyncio.run(forked(Fork("answer"))), asyncio.run(forked(Fork("answer", panel="b")))

    assert (same.panel.models, same.budget, same.settings) == (
        ("scripted:c",),
        first.record.header.budget,
        first.record.header.settings,
    )
    assert (other.panel.models, other.budget.calls, other.settings["max_tokens"]) == (("scripted:b",), 8, 108)


def test_an_agent_over_mcp_gets_what_the_file_says_and_may_name_its_members(environ: dict[str, str]) -> None:
    async def deliberated(*members: str) -> dict[str, Any]:
        async with open_own_process(environ, models=MODELS) as own:
            return await own.deliberate(Order(ASKED, members=members), on_progress=no_progress, on_created=ignore_id)

    assert asyncio.run(deliberated())["answer"] == asyncio.run(deliberated("scripted:a"))["answer"] == "a"
    with pytest.raises(MemberNotAllowed, match="choose among scripted:a"):
        asyncio.run(deliberated("scripted:b"))


def test_a_server_takes_the_product_and_the_prices_and_leaves_the_rest_to_its_callers(environ: dict[str, str]) -> None:
    async def served() -> tuple[Plan, int]:
        opening = open_serving({**environ, "MOOT_MEMBERS": "scripted:c"}, models=MODELS)
        async with opening as serving:
            return await serving.service.planner.plan(Order(ASKED, "single")), serving.limits.body

    plan, body = asyncio.run(served())

    assert (plan.panel.models, plan.budget) == (("scripted:c",), plan.row.budget)
    assert dict(plan.settings)["max_tokens"] != 107
    assert body == 5000


def test_a_server_seats_a_panel_for_whoever_names_it_within_the_limits_of_that_panel(environ: dict[str, str]) -> None:
    async def served(panel: str) -> tuple[Plan, Budget]:
        async with open_serving(environ, models=MODELS) as serving:
            planner, order = serving.service.planner, Order(ASKED, "single", panel=panel)
            return await planner.plan(order), planner.own_budget(order)

    plan, own = asyncio.run(served("b"))

    assert (plan.panel.models, plan.budget.calls, own.calls) == (("scripted:b",), 8, 8)
    with pytest.raises(NotFound):
        asyncio.run(served("nobody"))


def test_calls_are_made_as_the_product_of_the_file_says_unless_the_environment_does(environ: dict[str, str]) -> None:
    options = gateway_options(environ)

    assert isinstance(options, GatewayOptions)
    assert (options.timeout, options.prices) == (33.0, {"m": (1.0, 2.0)})
    assert gateway_options({**environ, "MOOT_TIMEOUT": "5"}).timeout == 5.0
    assert product_settings(environ).whole("serve_body") == 5000


def test_what_a_terminal_confirms_is_kept_for_whoever_asks(environ: dict[str, str]) -> None:
    confirm = read_configuration(environ).confirm_usd

    assert confirm and confirm.value == 0.25


def test_members_of_the_environment_come_before_those_of_the_file(environ: dict[str, str]) -> None:
    both = {**environ, "MOOT_MEMBERS": "scripted:c"}

    found = asyncio.run(members_of(read_configuration(both), both))

    assert found.why == "using scripted:c: named in MOOT_MEMBERS"


def test_a_member_that_there_is_not_is_named_when_the_file_is_read(environ: dict[str, str]) -> None:
    Path(environ["MOOT_CONFIG"]).write_text('members = ["opnai:x"]', encoding="utf-8")

    with pytest.raises(BadConfiguration, match=r"named\.toml, members: member 'opnai:x': did you mean openai\?"):
        read_configuration(environ)


def test_an_environment_that_says_nothing_of_files_leaves_it_to_the_process() -> None:
    assert read_configuration({}) == Configuration()
