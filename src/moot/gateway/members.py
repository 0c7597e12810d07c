"""The strings that name a member: `PROVIDER:MODEL`, an address with `#MODEL`, and `SPEC*3` for three seats."""

import ipaddress
import platform
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit, urlunsplit

from moot.core.errors import BadMember, ForbiddenByLocal, KeyMissing, NotFound
from moot.core.near_names import did_you_mean
from moot.gateway.keys import Secret, is_sendable, key_from
from moot.gateway.providers import EMBEDDED, ENDPOINT, OWN, PROVIDERS, Provider, find_provider, provider_names

MOST_SEATS = 99
LONGEST = 500

_MANY = re.compile(r"(?P<spec>.*?)\*(?P<count>[^*]*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MemberSpec:
    """One seat's model. `spec` is its full name: what the record keeps and what parses to the same value."""

    spec: str
    provider: Provider
    model: str
    base_url: str = ""

    @property
    def leaves_machine(self) -> bool:
        """Whether what is asked of it goes to another machine."""
        return self.provider.leaves_machine


def parse_members(specs: Iterable[str], own: Collection[str] = ()) -> list[MemberSpec]:
    """Return a value for each seat that these strings name, in order; `own` are names of models that a program brings.

    Raises:
        BadMember: for a string that names none.
    """
    return [member for spec in specs for member in parse_member(spec, own)]


def parse_member(spec: str, own: Collection[str] = ()) -> list[MemberSpec]:
    """Return a value for each seat that the string names: one, or as many as `*N` says.

    Raises:
        BadMember: the string names no member, or no sane number of them.
    """
    text = spec.strip()
    if len(text) > LONGEST or not text.isprintable():
        raise BadMember(spec=text[:60], problem=f"no member is named like this; there are {member_forms()}")
    many = _MANY.fullmatch(text)
    if many is None:
        return [_one(text, own)]
    count = many["count"].strip()
    if not (count.isascii() and count.isdigit() and 1 <= int(count[:9]) <= MOST_SEATS):
        raise BadMember(spec=_shown(text), problem=f"after * stands a whole number from 1 to {MOST_SEATS}")
    return [_one(many["spec"].strip(), own)] * int(count)


def member_forms() -> str:
    """Return how a member may be named, in one line."""
    own = [f"{row.name}:{row.form}" if row.form else row.name for row in PROVIDERS]
    brought = [f"{name}:MODEL" for name in provider_names()[len(PROVIDERS) :]]
    return f"{', '.join((*own, *brought))}, http://HOST/v1#MODEL; SPEC*3 seats one three times"


def check_local(members: Iterable[MemberSpec]) -> None:
    """Refuse members that leave the machine.

    Raises:
        ForbiddenByLocal: for the first that does.
    """
    for member in members:
        if member.leaves_machine:
            raise ForbiddenByLocal(what=f"member {member.spec!r}")


def key_of(member: MemberSpec, environ: Mapping[str, str]) -> Secret | None:
    """Return the member's key, or None where it needs none.

    Raises:
        KeyMissing: it needs one and the environment has none.
        BadMember: what the environment has cannot be a key.
    """
    key = key_from(environ, member.provider.keys)
    if key is None and member.provider.needs_key:
        raise KeyMissing(spec=member.spec, variable=member.provider.keys[0])
    if key is not None and not is_sendable(key):
        variables = " or ".join(member.provider.keys)
        raise BadMember(spec=member.spec, problem=f"the key in {variables} has characters no key has; set it again")
    return key


def provider_and_model(spec: str) -> tuple[str, str]:
    """Return who provides the model that a record names, for an endpoint its host, and what it is called there.

    Nothing is looked up: a provider may be gone, and the first is empty where none is named.
    """
    try:
        endpoint = _endpoint(spec) if _is_address(spec) else None
    except BadMember:
        return "", spec
    if endpoint:
        return urlsplit(endpoint.base_url).netloc, endpoint.model
    provider, colon, model = spec.partition(":")
    return (provider, model) if colon else ("", spec)


def is_loopback(host: str) -> bool:
    """Return whether a host name is this machine by its very name, without asking anybody."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def machine_wide(base_url: str) -> str:
    """Return the name of an endpoint among all machines: what listens on this one alone is another one elsewhere."""
    return f"{platform.node()} {base_url}" if is_loopback(urlsplit(base_url).hostname or "") else base_url


def _one(text: str, own: Collection[str]) -> MemberSpec:
    if text in own:
        return MemberSpec(text, OWN, text)
    if _is_address(text):
        return _endpoint(text)
    name, colon, model = text.partition(":")
    provider = find_provider(name.lower())
    if provider is None:
        raise BadMember(spec=_shown(text), problem=_unknown(text))
    if colon and not model:
        raise BadMember(spec=text, problem=f"a model belongs after the colon, as in {_example(provider)}")
    if provider.kind == "replay":
        return MemberSpec(spec="replay", provider=provider, model="replay")
    if not model and not provider.default_model:
        raise BadMember(spec=text, problem=f"it needs a {provider.form.lower()}, as in {_example(provider)}")
    model = model.strip() or provider.default_model
    if provider is EMBEDDED:
        model = _embedded(text, model)
    return MemberSpec(f"{provider.name}:{model}", provider, model, provider.base_url)


def _is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def _embedded(text: str, name: str) -> str:
    from moot.gateway.embedded import catalogue

    try:
        return catalogue.find(name).name
    except NotFound as missing:
        raise BadMember(spec=text, problem=str(missing).rstrip(".")) from None


def _endpoint(text: str) -> MemberSpec:
    try:
        address = urlsplit(text)
        host, _ = address.hostname or "", address.port
    except ValueError:
        raise BadMember(spec=_shown(text), problem="this is no address; write http://HOST:PORT/v1#MODEL") from None
    if not host:
        raise BadMember(spec=_shown(text), problem="the address has no host; write http://HOST:PORT/v1#MODEL")
    if "@" in address.netloc or address.query:
        problem = f"a key does not belong into an address, which is recorded; set {_key_variable(host)} instead"
        raise BadMember(spec=_shown(text), problem=problem)
    if not address.fragment:
        raise BadMember(spec=text, problem=f"the model is missing; write {text.rstrip('#')}#MODEL")
    provider = replace(ENDPOINT, keys=(_key_variable(host),), leaves_machine=not is_loopback(host))
    base_url = urlunsplit((address.scheme.lower(), address.netloc.lower(), address.path.rstrip("/"), "", ""))
    return MemberSpec(f"{base_url}#{address.fragment}", provider, address.fragment, base_url)


def _key_variable(host: str) -> str:
    """The variable belongs to one host, so that no key goes to a server it was not meant for."""
    return "MOOT_KEY_" + re.sub(r"[^A-Z0-9]", "_", host.upper())


def _shown(text: str) -> str:
    """The string as an error may quote it: without what could be a password."""
    return re.sub(r"(//)[^/#]*@|\?[^#]*", r"\1…", text)


def _unknown(text: str) -> str:
    from moot.gateway.known_models import member_for_model

    name, colon, _ = text.partition(":")
    whole = None if colon else member_for_model(text)
    hint = f"did you mean {whole}? " if whole else did_you_mean(name, provider_names())
    return f"{hint}there are {member_forms()}"


def _example(provider: Provider) -> str:
    return f"{provider.name}:{provider.default_model or provider.form}"
