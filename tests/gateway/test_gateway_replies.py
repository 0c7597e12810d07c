"""Whatever a server sends, reading it raises nothing and invents nothing."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moot.core.calls import Completion
from moot.core.errors import BadMember
from moot.gateway.call_errors import Site, from_error_body, from_status
from moot.gateway.embeddings import vectors_of
from moot.gateway.keys import Secret
from moot.gateway.members import parse_member
from moot.gateway.pricing import listings_of
from moot.gateway.replies import Growing, completion_of
from moot.gateway.retries import Retries

tried = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

SITE = Site("openai:m", "OPENAI_API_KEY", Secret("canary-0123456789"))

words = st.sampled_from(
    [
        "choices",
        "message",
        "content",
        "usage",
        "prompt_tokens",
        "completion_tokens",
        "cost",
        "delta",
        "error",
        "code",
        "finish_reason",
        "reasoning",
        "refusal",
        "text",
        "data",
        "index",
        "embedding",
        "id",
        "pricing",
        "prompt",
        "completion",
        "context_length",
        "model",
        "param",
    ]
)
numbers = st.integers() | st.floats() | st.just(10**400) | st.just(-(10**400))
scalars = st.none() | st.booleans() | numbers | st.text(max_size=5)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=5), max_leaves=20
)
messages = st.fixed_dictionaries({"content": anything}, optional={"reasoning": anything, "refusal": anything})
pieces = st.fixed_dictionaries({"choices": st.lists(st.fixed_dictionaries({"delta": messages}), max_size=2)})
replies = st.fixed_dictionaries(
    {
        "choices": st.lists(
            st.fixed_dictionaries({"message": messages | anything, "finish_reason": anything}), max_size=2
        )
    },
    optional={"usage": st.dictionaries(words, anything) | anything, "error": anything},
)


def no_cost(_tokens_in, _tokens_out):
    return None


@tried
@given(anything | replies)
def test_a_reply_of_any_shape_is_a_completion_or_none(data):
    read = completion_of(data, no_cost)

    assert read is None or isinstance(read, Completion)
    if read:
        assert isinstance(read.text, str) and len(read.finish) <= 40
        for count in (read.usage.tokens_in, read.usage.tokens_out):
            assert count is None or 0 <= count <= 10**9
        assert read.usage.usd is None or 0 <= read.usage.usd <= 10**6


@pytest.mark.parametrize(
    ("said", "model", "id_"),
    [
        ({"model": "meta/llama-9", "id": "chat-7"}, "meta/llama-9", "chat-7"),
        ({"model": "/home/me/models/small.gguf", "id": None}, "small.gguf", ""),
        ({"model": "C:\\models\\small.gguf", "id": 7}, "small.gguf", ""),
        ({"model": "m\ud800\n" + 500 * "x"}, "m" + 197 * "x", ""),
        ({}, "", ""),
    ],
)
def test_the_model_and_the_id_that_a_provider_names_are_kept_whole_or_in_pieces(said, model, id_):
    growing = Growing()
    growing.add({**said, "choices": [{"delta": {"content": "hi"}}]})
    growing.add({"choices": [], "usage": {}})

    whole = completion_of({**said, "choices": [{"message": {"content": "hi"}}]}, no_cost)
    pieced = completion_of(growing.whole(), no_cost)

    for read in (whole, pieced):
        assert read and (read.text, read.model, read.id) == ("hi", model, id_)


@tried
@given(st.lists(anything | pieces, max_size=4))
def test_a_stream_of_any_shape_becomes_a_reply(chunks):
    growing = Growing()
    for chunk in chunks:
        growing.add(chunk)

    assert isinstance(completion_of(growing.whole(), no_cost), Completion)


rows = st.fixed_dictionaries({"embedding": st.lists(numbers, max_size=3) | anything}, optional={"index": anything})


@tried
@given(anything | st.fixed_dictionaries({"data": st.lists(rows | anything, max_size=3)}), st.integers(0, 3))
def test_vectors_of_any_shape_are_whole_or_none(data, count):
    vectors = vectors_of(data, count)

    assert vectors is None or len(vectors) == count
    assert not vectors or json.dumps(vectors, allow_nan=False)


listed = st.fixed_dictionaries({"id": anything}, optional={"pricing": anything, "context_length": anything})


@tried
@given(anything | st.fixed_dictionaries({"data": st.lists(listed | anything, max_size=3)}))
def test_a_catalogue_of_any_shape_is_read(data):
    assert isinstance(listings_of(data), dict)


@tried
@given(st.integers(300, 599), anything, st.none() | st.text(max_size=10))
def test_an_error_of_any_shape_is_one_line_without_the_key(status, body, retry_after):
    trouble = from_status(SITE, status, body, retry_after)

    assert "\n" not in trouble.detail and len(trouble.detail) < 500
    assert Retries().delay(1, retry_after) <= 60.0


@tried
@given(st.dictionaries(words, anything))
def test_an_error_inside_a_reply_of_any_shape_is_read(body):
    from_error_body(SITE, body)


@tried
@given(st.text(max_size=60))
def test_any_string_names_members_or_is_refused_by_name(text):
    try:
        members = parse_member(text)
    except BadMember as refusal:
        members, said = [None], str(refusal)
    else:
        said = ""

    assert 1 <= len(members) <= 99
    assert len(said) < 700
