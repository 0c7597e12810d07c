"""A provider's key: held so that nothing prints it, and cut out of whatever a server says."""

import re
from collections.abc import Mapping, Sequence

from typing_extensions import override

HIDDEN = "[key]"
SHARED_WITH_KEY = 8
"""A server that quotes a key often shortens it; this many characters in common count as the key."""

_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai)-[\w*-]{6,}|\bAIza[\w-]{12,}|\bBearer\s+\S+|\S*\*{3,}\S*", re.IGNORECASE
)


class Secret:
    """A key that shows itself to `reveal` and to nothing else."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    @override
    def __repr__(self) -> str:
        return "Secret(…)"

    @override
    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a key is not to be stored")

    def reveal(self) -> str:
        """Return the key, for the one place that sends it."""
        return self._value


def key_from(environ: Mapping[str, str], variables: Sequence[str]) -> Secret | None:
    """Return the key in the first of these variables that holds one."""
    for variable in variables:
        if value := environ.get(variable, "").strip():
            return Secret(value)
    return None


def is_sendable(secret: Secret) -> bool:
    """Return whether the key can stand in an HTTP header."""
    value = secret.reveal()
    return value.isascii() and value.isprintable() and " " not in value


def without_key(text: str, secret: Secret | None) -> str:
    """Return the text with the key, and any long part of it, cut out."""
    if secret is None or not (value := secret.reveal()):
        return text
    text = text.replace(value, HIDDEN)
    width = min(SHARED_WITH_KEY, len(value))
    parts = {value[start : start + width] for start in range(len(value) - width + 1)}
    if not any(part in text for part in parts):
        return text
    return re.sub(rf"\S*(?:{'|'.join(map(re.escape, sorted(parts)))})\S*", HIDDEN, text)


def redacted(text: str, secret: Secret | None) -> str:
    """Return the text without the key and without anything that looks like one."""
    return _LOOKS_LIKE_A_KEY.sub(HIDDEN, without_key(text, secret))
