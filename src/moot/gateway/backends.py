"""What answers are made with: the names and versions that a record keeps."""

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

from moot.core.ports import Embedder
from moot.gateway.members import parse_members
from moot.gateway.providers import EMBEDDED


def backends_of(specs: Iterable[str], embedder: Embedder) -> dict[str, str]:
    """Return the backends of these members by name: client, embeddings, and for embedded models engine and weights."""
    found = {"embeddings": embedder.name}
    for member in parse_members(specs):
        if member.provider is EMBEDDED:
            from moot.gateway.embedded.catalogue import find

            found["engine"] = f"xllamacpp {_version('xllamacpp')}"
            found[f"weights of {member.model}"] = f"sha256 {find(member.model).sha256}"
        elif member.provider.kind == "http":
            found["client"] = f"openai {_version('openai')}"
    return found


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
