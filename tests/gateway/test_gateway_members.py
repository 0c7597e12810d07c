"""The strings that name a member."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from moot.core.errors import BadMember, ForbiddenByLocal, KeyMissing
from moot.gateway.embedded import catalogue
from moot.gateway.keys import Secret, key_from, redacted, without_key
from moot.gateway.members import check_local, key_of, parse_member, parse_members, provider_and_model
from moot.gateway.providers import EMBEDDED, OPENAI, PROVIDERS

CANARY = "canary-0123456789-abcdefghij"


@pytest.mark.parametrize(
    ("text", "spec", "model", "leaves"),
    [
        ("openai:gpt-5.4", "openai:gpt-5.4", "gpt-5.4", True),
        ("OpenAI:gpt-5.4", "openai:gpt-5.4", "gpt-5.4", True),
        ("openai", "openai:gpt-5.4-mini", "gpt-5.4-mini", True),
        (
            "openrouter:deepseek/deepseek-r1:free",
            "openrouter:deepseek/deepseek-r1:free",
            "deepseek/deepseek-r1:free",
            True,
        ),
        ("anthropic:claude-haiku-4-5", "anthropic:claude-haiku-4-5", "claude-haiku-4-5", True),
        ("gemini:gemini-3.5-flash", "gemini:gemini-3.5-flash", "gemini-3.5-flash", True),
        ("ollama:qwen3:8b", "ollama:qwen3:8b", "qwen3:8b", False),
        ("embedded", "embedded:qwen2.5-coder-1.5b", "qwen2.5-coder-1.5b", False),
        ("embedded:135m", "embedded:smollm2-135m", "smollm2-135m", False),
        ("scripted:replies.json", "scripted:replies.json", "replies.json", False),
        ("replay", "replay", "replay", False),
        ("http://127.0.0.1:8080/v1#qwen", "http://127.0.0.1:8080/v1#qwen", "qwen", False),
        ("http://LOCALHOST:8080/v1/#qwen", "http://localhost:8080/v1#qwen", "qwen", False),
        ("http://[::1]:8080/v1#qwen", "http://[::1]:8080/v1#qwen", "qwen", False),
        ("http://10.0.0.5:8080/v1#qwen", "http://10.0.0.5:8080/v1#qwen", "qwen", True),
        ("https://127.0.0.1.example.com/v1#m", "https://127.0.0.1.example.com/v1#m", "m", True),
        ("https://llm.example.com/v1#Vendor/Model", "https://llm.example.com/v1#Vendor/Model", "Vendor/Model", True),
    ],
)
def test_a_string_names_a_provider_and_a_model(text, spec, model, leaves):
    (member,) = parse_member(text)

    assert (member.spec, member.model, member.leaves_machine) == (spec, model, leaves)
    assert parse_member(member.spec) == [member]


def test_a_star_and_a_number_seat_one_model_so_many_times():
    members = parse_members(["openai:gpt-5.4*3", "ollama:qwen3"])

    assert [member.spec for member in members] == ["openai:gpt-5.4"] * 3 + ["ollama:qwen3"]


@pytest.mark.parametrize(
    "text", ["openai:m*0", "openai:m*100", "openai:m*", "openai:m*-1", "openai:m*x", "openai:m*9999999999"]
)
def test_a_senseless_number_of_seats_is_refused_with_the_range(text):
    with pytest.raises(BadMember, match="from 1 to 99"):
        parse_member(text)


@pytest.mark.parametrize(
    "text", ["", "gpt-5", "nobody:model", "opnai:gpt-5", "ftp://host/v1#m", "x" * 1000, "openai:\x1b[31m"]
)
def test_an_unknown_string_is_refused_with_the_forms_there_are(text):
    with pytest.raises(BadMember, match="openrouter:VENDOR/MODEL") as refusal:
        parse_member(text)

    assert len(str(refusal.value)) < 400
    assert "\x1b" not in str(refusal.value)


def test_a_misspelt_provider_is_answered_with_its_right_name():
    with pytest.raises(BadMember, match="did you mean openai"):
        parse_member("opnai:gpt-5")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("openai:", "openai:gpt-5.4-mini"),
        ("scripted", "scripted:FILE"),
        ("http://127.0.0.1:8080/v1", "#MODEL"),
        ("http:///v1#m", "no host"),
        ("http://host:notaport/v1#m", "no address"),
        ("embedded:gigantic", "qwen2.5-coder-1.5b"),
    ],
)
def test_an_incomplete_string_is_refused_with_what_is_missing(text, problem):
    with pytest.raises(BadMember, match=problem):
        parse_member(text)


@pytest.mark.parametrize("text", [f"https://user:{CANARY}@host/v1#m", f"https://host/v1?key={CANARY}#m"])
def test_a_key_inside_an_address_is_refused_and_not_repeated(text):
    with pytest.raises(BadMember, match="MOOT_KEY_HOST") as refusal:
        parse_member(text)

    assert CANARY not in str(refusal.value)


def test_local_refuses_the_first_member_that_leaves_the_machine():
    check_local(parse_members(["embedded", "ollama:qwen3", "http://127.0.0.1:1/v1#m", "replay"]))

    with pytest.raises(ForbiddenByLocal, match="openai:gpt"):
        check_local(parse_members(["embedded", "openai:gpt-5.4"]))


def test_a_missing_key_is_named_by_its_variable():
    (member,) = parse_member("openai:gpt-5.4")

    with pytest.raises(KeyMissing, match="OPENAI_API_KEY"):
        key_of(member, {"OPENAI_API_KEY": "  "})


def test_a_key_goes_only_to_the_host_it_was_set_for():
    here, there = parse_members(["https://a.example.com/v1#m", "https://b.example.com/v1#m"])
    environ = {"MOOT_KEY_A_EXAMPLE_COM": CANARY, "OPENAI_API_KEY": "another"}

    key = key_of(here, environ)

    assert key and key.reveal() == CANARY
    assert key_of(there, environ) is None


def test_a_key_that_cannot_be_sent_is_refused_and_not_repeated():
    (member,) = parse_member("openai:gpt-5.4")

    with pytest.raises(BadMember, match="OPENAI_API_KEY") as refusal:
        key_of(member, {"OPENAI_API_KEY": f"{CANARY}\r\nX-Header: 1"})

    assert CANARY not in str(refusal.value)


def test_a_secret_shows_itself_to_nobody():
    secret = Secret(CANARY)

    assert CANARY not in f"{secret!r} {secret} {[secret]} {secret!s}"
    with pytest.raises(TypeError):
        pickle.dumps(secret)


def test_the_first_variable_that_holds_something_gives_the_key():
    found = key_from({"GEMINI_API_KEY": "", "GOOGLE_API_KEY": " k \n"}, ("GEMINI_API_KEY", "GOOGLE_API_KEY"))

    assert found and found.reveal() == "k"


@pytest.mark.parametrize(
    "said", [CANARY, CANARY[:12] + "…", f"...{CANARY[-9:]}", f"Bearer {CANARY}", "sk-proj-****wxyz"]
)
def test_a_key_and_any_long_part_of_it_is_cut_out_of_what_a_server_says(said):
    shown = redacted(f"wrong key: {said} (see the docs)", Secret(CANARY))

    assert CANARY[:8] not in shown and CANARY[-9:] not in shown and "wxyz" not in shown
    assert "see the docs" in shown


def test_a_text_without_the_key_stays_as_it_is():
    assert without_key("a *** b, sk-zzzzzzzz", Secret(CANARY)) == "a *** b, sk-zzzzzzzz"


def test_the_documentation_has_every_row_of_the_table():
    text = (Path(__file__).parents[2] / "docs" / "members.md").read_text(encoding="utf-8")

    for row in PROVIDERS:
        assert f"`{row.name}" in text
        assert all(f"`{variable}`" in text for variable in row.keys)
    assert f"`openai:{OPENAI.default_model}`" in text


def test_a_members_string_loads_no_client_and_no_reader():
    program = """
import sys
import moot.gateway.gateway, moot.gateway.discovery, moot.gateway.documents
heavy = {"openai", "aiohttp", "httpx2", "genai_prices", "wordllama", "numpy", "pypdf", "bs4", "docx", "xllamacpp"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.stdout.strip() == "[]"


def test_every_row_of_the_table_is_whole():
    for row in PROVIDERS:
        assert row.concurrency >= 1
        if row.needs_key:
            assert row.keys and row.leaves_machine and row.base_url.startswith("https://") and row.default_model
    assert EMBEDDED.default_model == catalogue.find(None).name


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("openai:gpt-5-mini", ("openai", "gpt-5-mini")),
        ("ollama:llama3:8b", ("ollama", "llama3:8b")),
        ("http://127.0.0.1:38189/v1#well", ("127.0.0.1:38189", "well")),
        ("https://models.example.org/v1#team/model:7b", ("models.example.org", "team/model:7b")),
        ("http://#", ("", "http://#")),
        ("nobody-here-any-more:large", ("nobody-here-any-more", "large")),
        ("embedded", ("", "embedded")),
    ],
)
def test_the_member_that_a_record_names_is_told_by_its_provider_or_host_and_its_model(
    spec: str, named: tuple[str, str]
) -> None:
    assert provider_and_model(spec) == named
