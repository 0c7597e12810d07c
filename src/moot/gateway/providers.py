"""The table of providers: where each one is, which key it needs, and what it can do.

A provider is added by a row. Nothing else in the gateway knows a provider by name, save the few kinds that are
not an HTTP endpoint (`embedded`, `scripted`, `replay`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

Kind = Literal["http", "embedded", "scripted", "replay"]

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Provider:
    """One row: what the gateway must know to call a provider."""

    name: str
    kind: Kind = "http"
    base_url: str = ""
    keys: tuple[str, ...] = ()
    """Environment variables that may hold the key, in order."""
    needs_key: bool = False
    default_model: str = ""
    leaves_machine: bool = False
    takes_schema: bool = True
    """Whether `response_format` with a JSON schema is understood."""
    streams: bool = False
    """Whether replies are slow enough that the tokens so far are worth showing."""
    at_once: int = 1
    """Replies to one prompt that one call may bring; 1 where `n` is not taken, or nobody knows whether it is."""
    concurrency: int = 16
    timeout: float = 120.0
    """Seconds that one try may take, unless the user says otherwise."""
    is_free: bool = False
    has_catalogue: bool = False
    """Whether `/models` gives prices and context."""
    price_book: str = ""
    """The provider's name in genai-prices."""
    missing_model: str = "check the name"
    """What helps where the model is not there."""
    length_field: str = "max_tokens"
    extra: Mapping[str, Any] = field(default_factory=lambda: NOTHING, hash=False)
    """Sent with every request."""


OPENAI = Provider(
    name="openai",
    base_url="https://api.openai.com/v1",
    keys=("OPENAI_API_KEY",),
    needs_key=True,
    default_model="gpt-5.4-mini",
    leaves_machine=True,
    at_once=8,
    concurrency=32,
    price_book="openai",
    length_field="max_completion_tokens",
)
OPENROUTER = Provider(
    name="openrouter",
    base_url="https://openrouter.ai/api/v1",
    keys=("OPENROUTER_API_KEY",),
    needs_key=True,
    default_model="openai/gpt-5.4-mini",
    leaves_machine=True,
    concurrency=32,
    has_catalogue=True,
    price_book="openrouter",
    extra=MappingProxyType({"usage": {"include": True}}),
)
ANTHROPIC = Provider(
    name="anthropic",
    base_url="https://api.anthropic.com/v1",
    keys=("ANTHROPIC_API_KEY",),
    needs_key=True,
    default_model="claude-haiku-4-5",
    leaves_machine=True,
    takes_schema=False,
    concurrency=8,
    price_book="anthropic",
)
GEMINI = Provider(
    name="gemini",
    base_url="https://generativelanguage.googleapis.com/v1beta/openai",
    keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    needs_key=True,
    default_model="gemini-3.5-flash",
    leaves_machine=True,
    price_book="google",
)
OLLAMA = Provider(
    name="ollama",
    base_url="http://127.0.0.1:11434/v1",
    default_model="qwen3",
    missing_model="run `ollama pull {model}`",
    streams=True,
    concurrency=4,
    timeout=900.0,
    is_free=True,
)
EMBEDDED = Provider(
    name="embedded",
    kind="embedded",
    default_model="qwen2.5-coder-1.5b",
    streams=True,
    # Measured on two cores: four replies to one prompt took hardly longer than one, eight half as long again.
    at_once=4,
    concurrency=1,
    timeout=900.0,
    is_free=True,
)
ENDPOINT = Provider(name="endpoint", leaves_machine=True, concurrency=32)
"""Any OpenAI-compatible server, named by its address."""

SCRIPTED = Provider(name="scripted", kind="scripted", concurrency=1000, is_free=True)
REPLAY = Provider(name="replay", kind="replay", concurrency=1000, is_free=True)

PROVIDERS: tuple[Provider, ...] = (OPENAI, OPENROUTER, ANTHROPIC, GEMINI, OLLAMA, EMBEDDED, SCRIPTED, REPLAY)
"""Those that a name before the colon stands for; the order is that of discovery."""
