"""Which files are looked for, which are read, and what becomes of things that are no moot.toml."""

import os
from pathlib import Path

import pytest

from moot.configuration.files import LARGEST, Place, find_configuration, is_foreign, places_from, states
from tests.configuration.kit import no_such_member

HOME, USER = Path("/home/ada"), Path("/home/ada/.config/moot")


def looked_for(named: str | None, folder: str) -> list[str]:
    return [str(place.path) for place in places_from(named, folder=Path(folder), home=HOME, user=USER)]


def test_below_home_every_folder_up_to_home_is_looked_into_and_then_the_users_own() -> None:
    assert looked_for(None, "/home/ada/work/here") == [
        "/home/ada/work/here/moot.toml",
        "/home/ada/work/moot.toml",
        "/home/ada/moot.toml",
        "/home/ada/.config/moot/moot.toml",
    ]


def test_elsewhere_every_folder_up_to_the_root_is_looked_into() -> None:
    assert looked_for(None, "/srv/x") == [
        "/srv/x/moot.toml",
        "/srv/moot.toml",
        "/moot.toml",
        "/home/ada/.config/moot/moot.toml",
    ]


def test_in_the_configuration_folder_itself_its_file_is_the_users_own() -> None:
    places = places_from(None, folder=USER, home=HOME, user=USER)

    assert [place.kind for place in places if place.path == USER / "moot.toml"] == ["user"]


def test_without_a_folder_or_a_home_the_users_own_is_still_looked_for() -> None:
    places = places_from(None, folder=None, home=None, user=USER)

    assert places == (Place(USER / "moot.toml", "user"),)


def test_the_variable_names_one_file_instead_of_both() -> None:
    assert looked_for("other.toml", "/srv") == ["/srv/other.toml"]
    assert looked_for("/etc/moot.toml", "/srv") == ["/etc/moot.toml"]


@pytest.mark.parametrize("named", ["", "  ", "none", "NONE"])
def test_the_variable_can_say_that_no_file_is_read(named: str) -> None:
    assert looked_for(named, "/srv") == []


def tree(tmp_path: Path, **texts: str) -> tuple[Place, ...]:
    """Write files at names such as `a__b` for a/b/moot.toml, and return where /a/b would look for them."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "user").mkdir()
    for name, text in texts.items():
        (tmp_path / name.replace("__", "/") / "moot.toml").write_text(text, encoding="utf-8")
    return places_from(None, folder=tmp_path / "a" / "b", home=tmp_path, user=tmp_path / "user")


def test_of_the_folders_the_nearest_file_alone_is_read(tmp_path: Path) -> None:
    where = tree(tmp_path, a__b='protocol = "near"', a='protocol = "far"', user='protocol = "own"')

    found = find_configuration(where, no_such_member)

    assert [file.own.protocol for file in found.files] == ["near", "own"]
    assert [state for _, state in states(where, found)] == ["read", "passed over", "absent", "read"]


def test_a_file_above_is_read_where_the_folder_has_none(tmp_path: Path) -> None:
    found = find_configuration(tree(tmp_path, a='protocol = "far"'), no_such_member)

    assert [file.own.protocol for file in found.files] == ["far"]


def test_a_wrong_file_is_not_replaced_by_one_farther_away(tmp_path: Path) -> None:
    where = tree(tmp_path, a__b="protocol = 3", a='protocol = "far"')

    found = find_configuration(where, no_such_member)

    assert (found.files, len(found.problems)) == ((), 1)
    assert [state for _, state in states(where, found)][:2] == ["wrong", "passed over"]


def test_a_file_that_the_variable_names_has_to_be_there(tmp_path: Path) -> None:
    where = places_from("gone.toml", folder=tmp_path, home=None, user=tmp_path)

    found = find_configuration(where, no_such_member)

    assert "gone.toml: it cannot be read (No such file or directory) and MOOT_CONFIG names it" in (
        found.problems[0].words
    )


def make_folder(path: Path) -> None:
    path.mkdir()


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_loop(path: Path) -> None:
    path.symlink_to(path)


def make_huge(path: Path) -> None:
    path.write_text("# much\n" * LARGEST, encoding="utf-8")


def make_latin(path: Path) -> None:
    path.write_bytes("# eins\nprotocol = 'prüfung'\n".encode("latin-1"))


def make_binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)))


STRANGE = [
    (make_folder, "it is no file"),
    (make_pipe, "it is no file"),
    (make_loop, "it cannot be read"),
    (make_huge, f"it has more than {LARGEST} bytes"),
    (make_latin, "line 2: it is not UTF-8 here; save it as UTF-8"),
    (make_binary, "line 2: it is not UTF-8 here"),
]


@pytest.mark.parametrize(("make", "told"), STRANGE, ids=lambda value: getattr(value, "__name__", ""))
def test_what_is_called_moot_toml_and_is_none_is_named(make, told: str, tmp_path: Path) -> None:
    where = tree(tmp_path)
    make(tmp_path / "a" / "moot.toml")

    found = find_configuration(where, no_such_member)

    assert [problem.file for problem in found.problems] == [str(tmp_path / "a" / "moot.toml")]
    assert told in found.problems[0].words


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    where = tree(tmp_path, a='protocol = "x"')
    (tmp_path / "a" / "moot.toml").chmod(0)

    found = find_configuration(where, no_such_member)

    assert "it cannot be read (Permission denied)" in found.problems[0].words


def test_a_file_that_is_not_there_is_absent_even_below_something_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    found = find_configuration([Place(tmp_path / "file" / "moot.toml", "user")], no_such_member)

    assert (found.files, found.problems) == ((), ())


def test_a_mark_that_some_editors_put_before_a_text_is_passed_over(tmp_path: Path) -> None:
    where = tree(tmp_path)
    (tmp_path / "a" / "moot.toml").write_bytes(b"\xef\xbb\xbfprotocol = 'vote'\n")

    assert [file.own.protocol for file in find_configuration(where, no_such_member).files] == ["vote"]


@pytest.mark.parametrize(
    ("owner", "folder_mode", "is_left"),
    [(1000, 0o1777, False), (0, 0o1777, False), (1001, 0o1777, True), (1001, 0o755, False)],
)
def test_a_file_that_somebody_left_where_anybody_may_write_is_foreign(owner, folder_mode, is_left) -> None:
    assert is_foreign(owner, folder_mode, user=1000) is is_left


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_that_somebody_left_there_is_passed_over_and_shown_as_such(tmp_path: Path) -> None:
    where = tree(tmp_path, a__b='protocol = "theirs"', a='protocol = "mine"')
    (tmp_path / "a" / "b").chmod(0o1777)
    os.chown(tmp_path / "a" / "b" / "moot.toml", 12345, 12345)

    found = find_configuration(where, no_such_member)

    assert [file.own.protocol for file in found.files] == ["mine"]
    assert [state for _, state in states(where, found)][:2] == ["another user's", "read"]
