"""A pytest plugin that keeps the tests of one clause: the one that MOOT_CLAUSE names."""

import os

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = os.environ["MOOT_CLAUSE"]
    kept = [item for item in items if any(wanted in mark.args for mark in item.iter_markers("clause"))]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
