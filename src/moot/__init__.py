"""Moot: a question, a panel of language models, a stated protocol, an answer that can be inspected.

Names are loaded when they are first used, so that `import moot.argument` loads nothing else.
"""

from importlib import import_module
from typing import Any

from moot.version import __version__

_HOMES = {
    "ask": "moot.service.opening",
    "ask_sync": "moot.service.opening",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'moot' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
