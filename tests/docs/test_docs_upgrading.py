"""The page on upgrades says the versions that are."""

from moot.core import errors
from moot.protocols import PROTOCOLS, find_protocol
from moot.store.migrations import MIGRATIONS
from tests.docs.kit import DOCS

PAGE = (DOCS / "upgrading.md").read_text(encoding="utf-8")


def test_the_page_names_the_version_of_every_protocol() -> None:
    rows = [f"| `{name}` | {find_protocol(name).version} |" for name in PROTOCOLS]

    assert "\n".join(rows) in PAGE


def test_the_page_names_the_schema_and_the_errors_that_there_are() -> None:
    assert f"schema is number {len(MIGRATIONS)}." in PAGE
    for error in (errors.ProtocolVersionChanged, errors.PluginChanged, errors.DataChanged):
        assert f"`{error.code}`" in PAGE
