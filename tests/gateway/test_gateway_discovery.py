"""Who is asked when nobody is named."""

import pytest

from moot.core.errors import BadMember, ForbiddenByLocal
from moot.gateway.discovery import discover, first_ollama_model

pytestmark = pytest.mark.anyio


async def no_ollama():
    return None


async def an_ollama():
    return "qwen3:8b"


def specs(found):
    return [member.spec for member in found.members]


async def test_members_of_the_environment_come_first():
    environ = {"MOOT_MEMBERS": "ollama:qwen3*2, replay", "OPENAI_API_KEY": "k"}

    found = await discover(environ, find_ollama=an_ollama)

    assert specs(found) == ["ollama:qwen3", "ollama:qwen3", "replay"]
    assert "MOOT_MEMBERS" in found.why


async def test_a_key_comes_before_an_ollama():
    found = await discover({"ANTHROPIC_API_KEY": "canary-k"}, find_ollama=an_ollama)

    assert specs(found) == ["anthropic:claude-haiku-4-5"]
    assert "ANTHROPIC_API_KEY is set" in found.why
    assert "canary-k" not in found.why


async def test_of_several_keys_the_first_provider_of_the_table_is_used():
    found = await discover({"GOOGLE_API_KEY": "a", "OPENROUTER_API_KEY": "b"}, find_ollama=an_ollama)

    assert found.members[0].provider.name == "openrouter"


async def test_an_ollama_comes_before_the_embedded_model():
    found = await discover({}, find_ollama=an_ollama)

    assert specs(found) == ["ollama:qwen3:8b"]
    assert found.why == "using ollama:qwen3:8b: an Ollama runs on this machine and this is its first model"


async def test_the_embedded_model_is_always_there():
    found = await discover({"OPENAI_API_KEY": " "}, find_ollama=no_ollama)

    assert specs(found) == ["embedded:qwen2.5-coder-1.5b"]
    assert "no key is set" in found.why


async def test_local_passes_keys_over():
    found = await discover({"OPENAI_API_KEY": "k"}, local=True, find_ollama=no_ollama)

    assert specs(found) == ["embedded:qwen2.5-coder-1.5b"]
    assert "--local" in found.why


async def test_local_refuses_a_named_member_that_leaves_the_machine():
    with pytest.raises(ForbiddenByLocal, match="openai"):
        await discover({"MOOT_MEMBERS": "openai"}, local=True, find_ollama=no_ollama)


async def test_a_wrong_name_in_the_environment_is_refused():
    with pytest.raises(BadMember):
        await discover({"MOOT_MEMBERS": "nobody"}, find_ollama=no_ollama)


async def test_the_first_model_of_an_ollama_that_is_not_for_embeddings_is_found(server):
    server.tags = ["nomic-embed-text:latest", "qwen3:8b", "llama3:8b"]

    assert await first_ollama_model(server.url.removesuffix("/v1")) == "qwen3:8b"


async def test_an_ollama_without_models_is_none(server):
    server.tags = []

    assert await first_ollama_model(server.url.removesuffix("/v1")) is None


async def test_another_server_on_ollamas_port_is_none(server):
    assert await first_ollama_model(server.url.removesuffix("/v1")) is None


async def test_a_closed_port_is_none(unused_port):
    assert await first_ollama_model(f"http://127.0.0.1:{unused_port}") is None
