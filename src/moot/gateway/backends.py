"""What answers are made with: the names and versions that a record keeps."""

from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version

from moot.core.errors import PluginChanged
from moot.core.ports import Embedder
from moot.gateway.members import MemberSpec
from moot.gateway.providers import EMBEDDED

PROVIDER = "provider "


def backends_of(members: Iterable[MemberSpec], embedder: Embedder) -> dict[str, str]:
    """Return the backends of these members by name: client, embeddings, for embedded models engine and weights.

    A provider that a plugin brings is named with its package and version.
    """
    found = {"embeddings": embedder.name}
    for member in members:
        if member.provider.origin:
            found[f"{PROVIDER}{member.provider.name}"] = member.provider.origin
        if member.provider is EMBEDDED:
            from moot.gateway.embedded.catalogue import find

            found["engine"] = f"xllamacpp {_version('xllamacpp')}"
            found[f"weights of {member.model}"] = f"sha256 {find(member.model).sha256}"
        elif member.provider.kind == "http":
            found["client"] = f"openai {_version('openai')}"
    return found


def check_providers(stored: Mapping[str, str], today: Mapping[str, str]) -> None:
    """Do nothing where the providers that plugins bring are those that began a run.

    Raises:
        PluginChanged: for the first that is another.
    """
    for name, origin in stored.items():
        if name.startswith(PROVIDER) and today.get(name) != origin:
            raise PluginChanged(what=name, stored=origin, current=today.get(name, ""))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
