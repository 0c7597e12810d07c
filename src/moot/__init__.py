"""Moot: a question, a panel of language models, a stated protocol, an answer that can be inspected.

    result = await moot.ask("…", documents="survey.md", members="embedded")
    result.answer, result.status, result.confidence, result.dissent, result.cost

These names are promised (docs/promises.md). They are loaded when they are first used, so that `import moot.argument`
loads nothing else.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from moot.version import __version__

if TYPE_CHECKING:
    from moot.core.budget import Budget
    from moot.core.errors import MootError
    from moot.core.question import Document
    from moot.core.verdict import Status
    from moot.service.library import (
        ask,
        ask_sync,
        contest,
        export,
        fork,
        list_deliberations,
        replay,
        resume,
        show,
        stream,
    )
    from moot.service.results import Result
    from moot.service.streaming import Event

__all__ = [
    "Budget",
    "Document",
    "Event",
    "MootError",
    "Result",
    "Status",
    "__version__",
    "ask",
    "ask_sync",
    "contest",
    "export",
    "fork",
    "list_deliberations",
    "replay",
    "resume",
    "show",
    "stream",
]

_HOMES = {
    "Budget": "moot.core.budget",
    "Document": "moot.core.question",
    "Event": "moot.service.streaming",
    "MootError": "moot.core.errors",
    "Result": "moot.service.results",
    "Status": "moot.core.verdict",
}
_LIBRARY = "moot.service.library"


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'moot' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(_HOMES.get(name, _LIBRARY)), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
