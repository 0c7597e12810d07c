"""The product's settings, and that each is documented."""

from pathlib import Path

import pytest

from moot.settings import TABLE, BadValue, ProductSettings

DOCS = Path(__file__).parents[1] / "docs" / "settings.md"


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_a_setting_is_documented_with_its_variable_and_its_line_of_help(row) -> None:
    text = DOCS.read_text(encoding="utf-8")

    assert f"`{row.variable}`" in text
    assert row.help in text


def test_the_database_is_a_file_in_the_home_unless_it_is_named(tmp_path: Path) -> None:
    here = ProductSettings.read({"MOOT_HOME": str(tmp_path)})
    named = ProductSettings.read({"MOOT_HOME": str(tmp_path), "MOOT_DATABASE": "postgresql://db/moot"})

    assert here.database == f"sqlite:///{tmp_path.as_posix()}/moot.db"
    assert named.database == "postgresql://db/moot"


@pytest.mark.parametrize("value", ["many", "-1", "0", "nan", "inf", "1.5"])
def test_a_number_that_is_none_is_refused_by_the_name_of_its_variable(value: str) -> None:
    settings = ProductSettings.read({"MOOT_THREADS": value})

    with pytest.raises(BadValue) as raised:
        settings.whole("threads")

    assert raised.value.name == "MOOT_THREADS"


def test_a_server_has_limits_without_any_setting() -> None:
    settings = ProductSettings.read({})

    assert [settings.whole(f"serve_{name}") for name in ("runs", "queue", "rate", "body")] == [8, 100, 50, 1_000_000]
    assert settings.number("serve_usd") is None
    assert settings.whole("serve_calls") is None
    assert settings.names("serve_members") == settings.names("serve_hosts") == ()


def test_a_list_is_read_without_its_spaces_and_empty_places() -> None:
    settings = ProductSettings.read({"MOOT_SERVE_MEMBERS": " openai:x*3, ,embedded ,", "MOOT_MEMBERS": "a,b"})

    assert settings.names("serve_members") == ("openai:x*3", "embedded")
    assert settings.members == ("a", "b")


@pytest.mark.parametrize(("text", "value"), [("", False), ("0", False), ("False", False), ("1", True), ("true", True)])
def test_a_setting_that_is_on_or_off_is_off_where_it_is_left_open(text: str, value: bool) -> None:
    assert ProductSettings.read({"MOOT_SERVE_HTTPS": text}).flag("serve_https") is value


def test_a_setting_that_is_neither_on_nor_off_is_refused_by_the_name_of_its_variable() -> None:
    with pytest.raises(BadValue) as raised:
        ProductSettings.read({"MOOT_SERVE_HTTPS": "maybe"}).flag("serve_https")

    assert raised.value.name == "MOOT_SERVE_HTTPS"
