"""Files of a moot.toml as text, read without a disk."""

from pathlib import PurePosixPath

from moot.configuration.configuration import ConfigFile, Configuration, merge
from moot.configuration.reading import read_configuration

FOLDER, OWN = "/work/moot.toml", "/home/.config/moot/moot.toml"


def no_such_member(spec: str) -> str:
    return f"member {spec!r}: there is none" if spec.startswith("nobody") else ""


def read(text: str, path: str = FOLDER) -> ConfigFile:
    made = read_configuration(PurePosixPath(path), text, check_member=no_such_member, of_a_folder=path == FOLDER)
    assert isinstance(made, ConfigFile), [problem.words for problem in made]
    return made


def problems(text: str, path: str = FOLDER) -> list[str]:
    made = read_configuration(PurePosixPath(path), text, check_member=no_such_member, of_a_folder=path == FOLDER)
    return [] if isinstance(made, ConfigFile) else [problem.words for problem in made]


def configured(folder: str = "", own: str = "") -> Configuration:
    """Return what a folder's file and a user's own come to."""
    return merge((read(folder, FOLDER), read(own, OWN))).check()
