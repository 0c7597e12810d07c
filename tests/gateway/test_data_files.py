"""Files of a user's own that a setting names."""

from pathlib import Path
from typing import ClassVar, Literal

import pytest

from moot.core.data_files import DataFiles, data_settings, digests, given_as_paths, setting_words
from moot.core.errors import DocumentUnreadable
from moot.core.protocol import Settings
from moot.gateway.data_files import MOST_FILES, read_data_files


class Notes(DataFiles):
    suffixes: ClassVar[tuple[str, ...]] = (".txt",)


class NotedSettings(Settings):
    notes: Notes | None = None
    rounds: int = 1


def test_every_file_of_a_folder_with_the_right_suffix_is_read(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("two")
    (tmp_path / "a.TXT").write_text("one")
    (tmp_path / "c.md").write_text("not this")
    (tmp_path / "d.txt").mkdir()

    found = read_data_files(str(tmp_path), Notes)

    assert dict(found.texts) == {"a.TXT": "one", "b.txt": "two"}
    assert found.path == str(tmp_path)


def test_a_single_file_is_read_whatever_its_suffix(tmp_path: Path) -> None:
    file = tmp_path / "mine.graph"
    file.write_text("one")

    assert dict(read_data_files(str(file), Notes).texts) == {"mine.graph": "one"}


def test_a_mark_and_windows_line_ends_do_not_show(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")

    assert dict(read_data_files(str(tmp_path), Notes).texts) == {"a.txt": "one\ntwo\n"}


@pytest.mark.parametrize("make", ["absent", "empty folder", "too many", "not UTF-8"])
def test_what_cannot_be_read_is_named(tmp_path: Path, make: str) -> None:
    place = tmp_path / "place"
    if make == "empty folder":
        place.mkdir()
    elif make == "too many":
        place.mkdir()
        for number in range(MOST_FILES + 1):
            (place / f"{number}.txt").write_text("x")
    elif make == "not UTF-8":
        place.write_bytes(b"caf\xe9")

    with pytest.raises(DocumentUnreadable, match="place"):
        read_data_files(str(place), Notes)


def test_only_a_path_given_for_files_is_a_path() -> None:
    assert data_settings(NotedSettings) == {"notes": Notes}
    assert given_as_paths(NotedSettings, {"notes": "here", "rounds": "2"}) == {"notes": Notes}
    assert given_as_paths(NotedSettings, {"notes": {"path": "here", "texts": {}}}) == {}


def test_one_letter_changes_the_digest_of_its_file_alone() -> None:
    before, after = digests({"a": "x", "b": "y"}), digests({"a": "x", "b": "z"})

    assert before["a"] == after["a"]
    assert before["b"] != after["b"]


class WordedSettings(Settings):
    notes: Literal["long", "short"] | Notes = "long"


def test_a_word_that_the_setting_itself_takes_is_no_path() -> None:
    assert given_as_paths(WordedSettings, {"notes": "short"}) == {}
    assert given_as_paths(WordedSettings, {"notes": "mine.txt"}) == {"notes": Notes}
    assert setting_words(WordedSettings, "notes") == ("long", "short")
