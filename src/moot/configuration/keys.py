"""Keys and passwords are never part of a moot.toml: what looks like one, and the variable that it belongs into."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from moot.configuration.problems import dotted

HIDDEN = "[key]"
DEEPEST = 8
"""How far a table is looked into; no key of a moot.toml lies half as deep."""

ANY_PROVIDER = "the provider's variable, such as OPENAI_API_KEY (`moot doctor` lists them)"

VARIABLES: Mapping[str, str] = {
    "openrouter": "OPENROUTER_API_KEY",
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "gemini": "GEMINI_API_KEY",
    "google": "GOOGLE_API_KEY",
    "server": "MOOT_SERVER_KEY",
}
"""The variable of a key whose name, or the table it is in, says whose it is."""

BEGINNINGS: Mapping[str, str] = {
    "sk-or-": "OPENROUTER_API_KEY",
    "sk-ant-": "ANTHROPIC_API_KEY",
    "sk-": "OPENAI_API_KEY",
    "AIza": "GEMINI_API_KEY",
    "moot_": "MOOT_SERVER_KEY",
}
"""The variable of a key that says by its beginning whose it is; the first that fits."""

_NAME = re.compile(
    r"(?:.*[_-])?(?:api[_-]?keys?|token|secrets?|passwords?|passwd|credentials?|bearer|authorization)|keys?",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"[A-Z0-9_]+_KEY")
_VALUE = re.compile(
    r"(?<![\w/])(?:sk|pk|rk|gsk|xai)-[\w*-]{6,}|\bAIza[\w-]{12,}|\bhf_\w{12,}|\bmoot_[0-9a-f]{8}_[\w-]{16,}"
    r"|\bBearer\s+\S+",
    re.IGNORECASE,
)
_PASSWORD = re.compile(
    r"(?P<scheme>://[^\s@:#]*):[^\s#]+@|(?P<name>[?&](?:api_?key|key|token|(?:ssl)?password)=)[^&#\s]+", re.IGNORECASE
)


def is_key_name(name: str) -> bool:
    """Whether a field of this name would hold a key."""
    return bool(_NAME.fullmatch(name) or _VARIABLE.fullmatch(name))


def is_key(text: str) -> bool:
    """Whether a text looks like a key, or holds a password."""
    return bool(_VALUE.search(text) or _PASSWORD.search(text))


def without_keys(text: str) -> str:
    """Return a text with whatever looks like a key cut out."""
    return _PASSWORD.sub(_without_password, _VALUE.sub(HIDDEN, text))


def key_places(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each place of a parsed file that holds a key, with the way out; the key itself is in neither.

    Tables are looked into without recursion: how deep a file nests is not Moot's to say.
    """
    waiting: list[tuple[tuple[str, ...], Any]] = [((), table)]
    while waiting:
        path, value = waiting.pop()
        shown = dotted(HIDDEN if is_key(part) else part for part in path)
        if path and (is_key(path[-1]) or (isinstance(value, str) and is_key(value)) or _is_key_field(path, value)):
            yield shown, f"keys and passwords are not kept in files; set {_variable(path, value)} in the environment"
        elif len(path) < DEEPEST:
            waiting += reversed([((*path, name), inner) for name, inner in _inside(value)])


def _without_password(found: re.Match[str]) -> str:
    return f"{found['scheme']}:{HIDDEN}@" if found["scheme"] else f"{found['name']}{HIDDEN}"


def _is_key_field(path: tuple[str, ...], value: Any) -> bool:
    """A panel or a model may have any name, so that a table counts at the top alone; and no key is a number."""
    return is_key_name(path[-1]) and (isinstance(value, str) or (len(path) == 1 and isinstance(value, Mapping)))


def _inside(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return list(value.items())
    return [(str(place), item) for place, item in enumerate(value)] if isinstance(value, list) else []


def _variable(path: tuple[str, ...], value: Any) -> str:
    if _VARIABLE.fullmatch(path[-1]) and not is_key(path[-1]):
        return path[-1]
    if path[0] == "product" and path[-1] in ("database", "embeddings"):
        return f"MOOT_{path[-1].upper()}"
    found = _VALUE.search(value if isinstance(value, str) else path[-1])
    text = found[0] if found else ""
    for beginning, variable in BEGINNINGS.items():
        if text.startswith(beginning):
            return variable
    told = " ".join(path).lower()
    return next((variable for owner, variable in VARIABLES.items() if owner in told), ANY_PROVIDER)
