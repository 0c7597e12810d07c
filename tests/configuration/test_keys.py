"""A key in a moot.toml is refused with the variable to set instead, and is repeated nowhere."""

import pytest

from moot.configuration.keys import BEGINNINGS, VARIABLES, is_key, is_key_name, without_keys
from moot.gateway.providers import PROVIDERS
from moot.service.remote import KEY_VARIABLE
from tests.configuration.kit import OWN, problems

SECRET = "Hunter2-is-long"

KEYS = [
    (f'api_key = "{SECRET}"', "api_key", "such as OPENAI_API_KEY"),
    (f'OPENAI_API_KEY = "{SECRET}"', "OPENAI_API_KEY", "set OPENAI_API_KEY"),
    (f'openrouter_api_key = "{SECRET}"', "openrouter_api_key", "set OPENROUTER_API_KEY"),
    (f'[keys]\nopenai = "{SECRET}"', "keys", "such as OPENAI_API_KEY"),
    (f'[product]\nkey = "{SECRET}"', "product.key", "such as OPENAI_API_KEY"),
    (f'[product]\nMOOT_KEY_LLM_EXAMPLE_COM_KEY = "{SECRET}"', "product.", "set MOOT_KEY_LLM_EXAMPLE_COM_KEY"),
    (f'[settings.vote]\ntoken = "{SECRET}"', "settings.vote.token", "such as OPENAI_API_KEY"),
    (f'[panels.a]\nmembers = ["x"]\npassword = "{SECRET}"', "panels.a.password", "such as OPENAI_API_KEY"),
    (f'protocol = "sk-{SECRET}"', "protocol", "set OPENAI_API_KEY"),
    (f'members = ["openai:sk-or-{SECRET}"]', "members.0", "set OPENROUTER_API_KEY"),
    (f'members = ["sk-ant-{SECRET}"]', "members.0", "set ANTHROPIC_API_KEY"),
    (f'[prices]\n"AIza{SECRET}" = [1, 2]', 'prices."[key]"', "set GEMINI_API_KEY"),
    (f'[settings.vote]\nx = [["Bearer {SECRET}"]]', "settings.vote.x.0.0", "such as OPENAI_API_KEY"),
    (f'[product]\nserver = "http://me:{SECRET}@host"', "product.server", "set MOOT_SERVER_KEY"),
    (f'[product]\ndatabase = "postgresql://me:{SECRET}@host/moot"', "product.database", "set MOOT_DATABASE"),
    (f'[product]\ndatabase = "postgresql://host/moot?password={SECRET}"', "product.database", "set MOOT_DATABASE"),
    (f'x = "moot_0123abcd_{SECRET}-and-more"', "x", "set MOOT_SERVER_KEY"),
]


@pytest.mark.parametrize(("text", "place", "way_out"), KEYS, ids=[place for _, place, _ in KEYS])
def test_a_key_is_refused_with_its_variable_and_never_repeated(text: str, place: str, way_out: str) -> None:
    found = problems(text, OWN)

    assert len(found) == 1
    assert found[0].startswith(f"{OWN}, {place}") and way_out in found[0]
    assert SECRET not in found[0] and "unter" not in found[0]


@pytest.mark.parametrize(
    "text",
    [f'= "sk-{SECRET}"', f'x = "sk-{SECRET}', f'"sk-{SECRET}" = 1\n"sk-{SECRET}" = 2', f"[sk-{SECRET}]\n[sk-{SECRET}]"],
)
def test_a_broken_file_is_told_without_the_key_in_it(text: str) -> None:
    found = problems(text)

    assert found and SECRET not in found[0]


@pytest.mark.parametrize("name", ["tokens", "max_tokens", "graph_tokens", "claim", "sort_key", "monkey", "keyboard"])
def test_an_ordinary_name_is_no_key(name: str) -> None:
    assert not is_key_name(name)


@pytest.mark.parametrize(
    "text",
    [
        "openrouter:vendor/sk-model-large",
        "http://127.0.0.1:8080/v1#model@q8",
        "postgresql://me@host:5432/moot",
        "embedded*3",
        "task-oriented-dialogue",
    ],
)
def test_an_ordinary_value_is_no_key(text: str) -> None:
    assert not is_key(text)
    assert without_keys(text) == text


def test_a_panel_a_protocol_and_a_model_may_have_any_name() -> None:
    text = '[panels.key]\nmembers = ["x"]\n[settings.token]\nn = 1\n[prices]\n"api-key" = [1, 2]\n'

    assert problems(text) == []


def test_a_password_is_cut_out_of_what_is_shown() -> None:
    assert without_keys("postgresql://me:a@b/c@host/moot") == "postgresql://me:[key]@host/moot"
    assert without_keys("postgresql://host/moot?a=1&password=geheim&b=2") == (
        "postgresql://host/moot?a=1&password=[key]&b=2"
    )


def test_the_variables_are_those_that_providers_read() -> None:
    read = {variable for provider in PROVIDERS for variable in provider.keys} | {KEY_VARIABLE}

    assert {*VARIABLES.values(), *BEGINNINGS.values()} <= read
    assert {provider.keys[0] for provider in PROVIDERS if provider.needs_key} <= set(VARIABLES.values())
