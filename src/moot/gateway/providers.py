"""The table of providers: where each one is, which key it needs, and what it can do.

A provider is added by a row, here or by a plugin. Nothing else in the gateway knows a provider by name, save the few
kinds that are not an HTTP endpoint (`embedded`, `scripted`, `replay`); `python` is a model that a plugin builds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from moot import plugins
from moot.core.errors import PluginBroken
from moot.core.ports import Model

Kind = Literal["http", "embedded", "scripted", "replay", "python"]

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
    list_headers: Mapping[str, str] = field(default_factory=lambda: NOTHING, hash=False)
    """Headers for `/models` with `{key}` for the key, where it takes no bearer."""
    form: str = "MODEL"
    """What stands behind the colon, in the words of a help text; empty where nothing does."""
    build: Callable[[str, Mapping[str, str]], Model] | None = None
    """Makes a model of the kind `python` from its name and the environment."""
    origin: str = ""
    """The package and its version, where a plugin brings it."""


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
    form="VENDOR/MODEL",
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
    list_headers=MappingProxyType({"x-api-key": "{key}", "anthropic-version": "2023-06-01"}),
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
    form="NAME",
    streams=True,
    # Measured on two cores: four replies to one prompt took hardly longer than one, eight half as long again.
    at_once=4,
    concurrency=1,
    timeout=900.0,
    is_free=True,
)
ENDPOINT = Provider(name="endpoint", leaves_machine=True, concurrency=32)
"""Any OpenAI-compatible server, named by its address."""

SCRIPTED = Provider(name="scripted", kind="scripted", concurrency=1000, is_free=True, form="FILE")
REPLAY = Provider(name="replay", kind="replay", concurrency=1000, is_free=True, form="")
OWN = Provider(name="own", kind="python", concurrency=1000)
"""A model that a program brings, under whatever name it gives it."""

PROVIDERS: tuple[Provider, ...] = (OPENAI, OPENROUTER, ANTHROPIC, GEMINI, OLLAMA, EMBEDDED, SCRIPTED, REPLAY)
"""Those that a name before the colon stands for; the order is that of discovery."""


def find_provider(name: str) -> Provider | None:
    """Return the provider of this name: one of Moot's own, or of an installed package.

    Raises:
        PluginBroken, PluginClash: where what is installed under the name cannot be used.
    """
    if own := next((row for row in PROVIDERS if row.name == name), None):
        return own
    plugin = plugins.find("moot.providers", name)
    return _brought(plugin.load(Provider), plugin) if plugin else None


def provider_names() -> tuple[str, ...]:
    """Return the names of all providers, the installed ones included; none is loaded."""
    own = tuple(row.name for row in PROVIDERS)
    return (*own, *(name for name in plugins.names("moot.providers") if name not in own))


def _brought(provider: Provider, plugin: plugins.Plugin) -> Provider:
    problem = ""
    if provider.name != plugin.name:
        problem = f"it calls itself {provider.name!r}; both names must be the same"
    elif provider.kind not in ("http", "python"):
        problem = f"its kind is {provider.kind!r}; a plugin brings `http` or `python`"
    elif provider.kind == "http" and not provider.base_url:
        problem = "its base_url is empty"
    elif provider.kind == "python" and provider.build is None:
        problem = "it has no `build` to make a model with"
    if problem:
        raise PluginBroken(what="provider", name=plugin.name, origin=plugin.origin, problem=problem)
    return replace(provider, origin=plugin.origin)
