"""What a token costs, and who says so."""

import subprocess
import sys
from dataclasses import replace

import pytest

from moot.gateway.client import open_client
from moot.gateway.keys import Secret
from moot.gateway.members import parse_member
from moot.gateway.pricing import Listing, Prices, listings_of
from moot.gateway.providers import OPENROUTER, PROVIDERS
from tests.gateway.gateway_kit import CANARY, gateway

pytestmark = pytest.mark.anyio

LISTED = {"id": "vendor/model", "context_length": 4096, "pricing": {"prompt": "0.000001", "completion": "0.000002"}}


def member(spec):
    (parsed,) = parse_member(spec)
    return parsed


async def catalogued(server, prices, spec="openrouter:vendor/model"):
    listed = replace(member(spec), provider=replace(OPENROUTER, base_url=server.url), base_url=server.url)
    client = open_client(server.url, Secret(CANARY))
    await prices.load_catalogue(listed, client)
    await client.close()
    return listed


async def test_a_providers_catalogue_comes_before_the_users_price(server):
    server.catalogue = [LISTED]
    prices = Prices({"vendor/model": (50.0, 50.0)})

    listed = await catalogued(server, prices)

    assert prices.price(listed) == (0.000001, 0.000002)
    assert prices.context(listed) == 4096
    assert prices.cost(listed, 1000, 100) == pytest.approx(0.0012)


async def test_the_catalogue_is_fetched_once(server):
    prices = Prices()

    await catalogued(server, prices)
    await catalogued(server, prices)

    assert [call.path for call in server.calls] == ["/v1/models"]


async def test_a_price_that_was_unknown_is_known_once_the_catalogue_is_there(server):
    server.catalogue = [LISTED]
    prices = Prices()

    assert prices.price(member("openrouter:vendor/model")) is None
    assert prices.price(await catalogued(server, prices)) is not None


async def test_a_catalogue_that_cannot_be_had_is_done_without(unused_port):
    prices = Prices({"vendor/model": (1.0, 2.0)})
    client = open_client(f"http://127.0.0.1:{unused_port}/v1", None)

    await prices.load_catalogue(member("openrouter:vendor/model"), client)
    await client.close()

    assert prices.price(member("openrouter:vendor/model")) == (1e-6, 2e-6)


@pytest.mark.parametrize(
    "row",
    [
        {"id": "m"},
        {"id": "m", "pricing": None},
        {"id": "m", "pricing": {"prompt": "1"}},
        {"id": "m", "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "m", "pricing": {"prompt": "nan", "completion": "1"}},
        {"id": "m", "pricing": {"prompt": [], "completion": {}}, "context_length": "long"},
    ],
)
def test_a_listing_that_makes_no_sense_has_no_price(row):
    assert listings_of({"data": [row, "x", {"id": 3}]}) == {"m": Listing(None, None)}


@pytest.mark.parametrize("listed", [None, [], "x", {"data": None}, {}])
def test_a_catalogue_that_makes_no_sense_is_empty(listed):
    assert listings_of(listed) == {}


def test_the_book_comes_before_the_users_price():
    prices = Prices({"gpt-5.4-mini": (50.0, 50.0)})

    price = prices.price(member("openai:gpt-5.4-mini"))

    assert price is not None and 0 < price[0] < price[1] < 50e-6
    assert (prices.context(member("openai:gpt-5.4-mini")) or 0) > 100_000


def test_what_the_book_does_not_know_the_user_may_say():
    prices = Prices({"openai:secret-model": (2.0, 8.0), "m": (1.0, 3.0)})

    assert prices.price(member("openai:secret-model")) == (2e-6, 8e-6)
    assert prices.price(member("http://127.0.0.1:1/v1#m")) == (1e-6, 3e-6)


def test_a_price_that_nobody_knows_is_unknown():
    prices = Prices()

    assert prices.price(member("openai:secret-model")) is None
    assert prices.price(member("http://127.0.0.1:1/v1#m")) is None
    assert prices.cost(member("openai:secret-model"), 10, 10) is None
    assert prices.cost(member("openai:gpt-5.4-mini"), 10, None) is None


@pytest.mark.parametrize("spec", ["embedded", "ollama:qwen3", "scripted:f", "replay"])
def test_what_runs_here_costs_a_known_nothing(spec):
    prices = Prices({"qwen3": (1.0, 1.0)})

    assert prices.price(member(spec)) == (0.0, 0.0)
    assert prices.cost(member(spec), None, None) == 0.0


@pytest.mark.parametrize("row", [row for row in PROVIDERS if row.price_book], ids=lambda row: row.name)
def test_the_book_knows_the_default_model_of_every_provider(row):
    assert Prices().price(member(row.name)) is not None


def test_the_book_and_the_static_vectors_ask_nothing_of_the_network():
    program = """
import asyncio, sys

def forbid(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        raise SystemExit(f"the network was asked: {event} {arguments}")

sys.addaudithook(forbid)
from moot.gateway.embeddings import StaticEmbedder
from moot.gateway.members import parse_member
from moot.gateway.pricing import Prices

assert Prices().price(parse_member("openai")[0])
assert len(asyncio.run(StaticEmbedder().embed(["a cat"], before_retry=None))[0]) == 256
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")


async def test_a_gateway_that_is_offline_fetches_no_catalogue(server):
    async with gateway(environ={"OPENROUTER_API_KEY": CANARY}, offline=True) as opened:
        await opened.learn_prices(["openrouter:vendor/model", "replay"])

        assert opened.model("openrouter:vendor/model").price is None
