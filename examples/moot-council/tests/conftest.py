"""Where the package lies when it is not installed, and a council that a test can call."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment whose record is the test's own."""
    return {"MOOT_HOME": str(tmp_path / "home"), "MOOT_CONFIG": "none"}


@pytest.fixture
def council(home: dict[str, str]) -> Callable[..., Any]:
    """What a council of scripted members makes of a question."""
    from council_kit import held_council

    def hold(*members: Any, **options: Any) -> Any:
        return held_council(members, environ=home, **options)

    return hold
