"""The page of Moot as a model says of each parameter what the table says, and its examples are those that are run."""

from moot.web.chat.parameters import PARAMETERS
from moot.web.chat.replies import TOLD
from moot.web.chat.shapes import FACTS, LIMITS
from tests.docs.kit import DOCS, ROOT

PAGE = (DOCS / "chat.md").read_text(encoding="utf-8")


def test_the_table_of_the_page_is_the_table_of_the_code() -> None:
    rows = [f"| `{name}` | {one.treatment} | {one.why} |" for name, one in PARAMETERS.items()]

    assert "\n".join(rows) in PAGE


def test_the_page_names_all_that_a_reply_and_a_schema_may_have() -> None:
    lacking = [name for name in (*TOLD, *FACTS, *frozenset().union(*LIMITS.values())) if f"`{name}`" not in PAGE]

    assert not lacking


def test_the_page_names_every_example_of_a_client() -> None:
    examples = sorted((ROOT / "examples" / "clients").glob("*.py"))

    assert len(examples) == 3
    assert all(f"`examples/clients/{example.name}`" in PAGE for example in examples)
