"""Whose model a bare name is, as far as is known here: the embedded ones, the defaults, the book of prices."""

from moot.core.errors import NotFound
from moot.gateway.providers import EMBEDDED, OPENROUTER, PROVIDERS


def member_for_model(model: str) -> str | None:
    """Return the member string of a model that was named without its provider; None where it is nobody's.

    No network is used.
    """
    if _is_embedded(model):
        return f"{EMBEDDED.name}:{model}"
    if owner := next((row.name for row in PROVIDERS if row.default_model == model), None):
        return f"{owner}:{model}"
    if owner := next((row.name for row in PROVIDERS if row.price_book and _is_in_book(row.price_book, model)), None):
        return f"{owner}:{model}"
    return f"{OPENROUTER.name}:{model}" if model.count("/") == 1 and not model.startswith((".", "/")) else None


def _is_embedded(name: str) -> bool:
    from moot.gateway.embedded import catalogue

    try:
        return bool(catalogue.find(name))
    except NotFound:
        return False


def _is_in_book(book: str, model: str) -> bool:
    from genai_prices.data_snapshot import get_snapshot

    provider = next((row for row in get_snapshot().providers if row.id == book), None)
    return provider is not None and provider.find_model(model) is not None
