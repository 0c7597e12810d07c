"""What holds for every test: no network beyond this machine, unless the test says that it needs it."""

from collections.abc import Iterator

import pytest

from moot.testing import no_network


@pytest.fixture(autouse=True)
def _offline(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.get_closest_marker("network"):
        yield
        return
    with no_network():
        yield
