"""The gateway: a member's string in, a model out. One client per endpoint, one limit per provider."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from moot.core.errors import BadMember, MootError
from moot.core.ports import Embedder, Model
from moot.gateway.embedded.model import EmbeddedModel, FetchedServer
from moot.gateway.embedded.progress import FetchProgress, ShowProgress
from moot.gateway.embeddings import MemberEmbedder, StaticEmbedder
from moot.gateway.foreign import ForeignModel
from moot.gateway.keys import Secret
from moot.gateway.limits import Limits
from moot.gateway.members import MemberSpec, check_local, key_of, machine_wide, parse_members
from moot.gateway.openai_compatible import Endpoint, OpenAICompatible
from moot.gateway.pauses import Pauses
from moot.gateway.pricing import Price, Prices
from moot.gateway.retries import Retries
from moot.gateway.scripted import Replay, read_script
from moot.settings import ProductSettings

if TYPE_CHECKING:
    from moot.gateway.client import Client
    from moot.gateway.embedded.speed import Speed


@dataclass(frozen=True, slots=True)
class GatewayOptions:
    """What a user may choose about how models are reached."""

    timeout: float | None = None
    """Seconds that one try may take; without it, what suits the provider."""
    tries: int = 3
    calls_at_once: int | None = None
    """Calls that may be under way with one provider; without it, what suits the provider."""
    cache: Path | None = None
    """Where weights are kept; without it, where the product's settings say."""
    embedded_threads: int | None = None
    embedded_slots: int | None = None
    """Replies to one prompt that the embedded model writes at once; without it, what suits most machines."""
    embedded_context: int | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    """Dollars per million tokens in and out, by model, where nobody else knows."""
    local: bool = False
    """Forbid everything that leaves the machine."""
    offline: bool = False
    """Fetch no weights and no catalogue."""


class Gateway:
    """All models of one run. It opens nothing until something is started or called, and `close` ends what it opened."""

    def __init__(
        self,
        environ: Mapping[str, str],
        options: GatewayOptions | None = None,
        *,
        retries: Retries | None = None,
        progress: ShowProgress | None = None,
        own: Mapping[str, Model] | None = None,
    ) -> None:
        self._environ = environ
        self._options = options or GatewayOptions()
        self._retries = retries or Retries(tries=self._options.tries)
        self.pauses = Pauses(self._retries)
        self._progress = progress or _unheard
        self.limits = Limits(self._options.calls_at_once)
        self._prices = Prices(self._options.prices)
        self._clients: dict[str, Client] = {}
        self._own = own or {}
        self._models: dict[str, Model] = {}
        self._embedders: dict[str, Embedder] = {}

    def model(self, spec: str) -> Model:
        """Return the model that the string names; the same string gives the same model.

        Raises:
            BadMember: the string names none, or more than one seat.
            KeyMissing: its provider needs a key.
            ForbiddenByLocal: it leaves the machine, and only local members are allowed.
        """
        if spec in self._own:
            return self._own[spec]
        member = self._member(spec)
        if member.spec not in self._models:
            self._models[member.spec] = self._built(member)
        return self._models[member.spec]

    def embedder(self, spec: str | None = None) -> Embedder:
        """Return the backend for vectors: the member that the string names, or the offline one.

        Raises:
            UsageError: as for `model`; and a member that gives no embeddings.
        """
        if spec is None:
            return self._embedders.setdefault("", StaticEmbedder())
        member = self._member(spec)
        if member.provider.kind != "http":
            raise BadMember(
                spec=spec, problem="it gives no embeddings; name an HTTP member, or leave it to the offline one"
            )
        if member.spec not in self._embedders:
            self._embedders[member.spec] = MemberEmbedder(member, self._endpoint(member))
        return self._embedders[member.spec]

    async def learn_prices(self, specs: Iterable[str]) -> None:
        """Fetch the price lists that the members' providers publish; one that cannot be had is done without."""
        for member in (self._member(spec) for spec in dict.fromkeys(specs)):
            if member.provider.has_catalogue and not self._options.offline:
                await self._prices.load_catalogue(member, self._client(member, key_of(member, self._environ)))

    async def start(self, specs: Iterable[str]) -> None:
        """Make the members ready now instead of at their first call: start what is embedded, open clients to the rest.

        Starting a server and importing the SDK take seconds, and no call should seem to have taken them.

        Raises:
            MootError: the weights could not be had, or the model did not start.
        """
        for spec in specs:
            model = self.model(spec)
            if isinstance(model, EmbeddedModel):
                await model.started()
            elif isinstance(model, OpenAICompatible):
                model.open()

    async def speed(self, spec: str) -> "Speed":
        """Return how fast an embedded model reads and writes on this machine.

        Raises:
            MootError: it is no embedded model, it could not be started, or nobody can say.
        """
        model = self.model(spec)
        if not isinstance(model, EmbeddedModel):
            raise BadMember(spec=spec, problem="only the speed of an embedded model is measured")
        return await model.speed()

    async def close(self) -> None:
        """End the embedded models and close every connection; the gateway can be used again after."""
        models, clients = list(self._models.values()), list(self._clients.values())
        self._models.clear()
        self._embedders.clear()
        self._clients.clear()
        closing = [model.close() for model in models if isinstance(model, EmbeddedModel)]
        await asyncio.gather(*closing, *(client.close() for client in clients))

    async def __aenter__(self) -> "Gateway":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def members(self, specs: Iterable[str]) -> list[MemberSpec]:
        """Return a value for each seat that these strings name, models of the program's own included.

        Raises:
            BadMember: for a string that names none.
        """
        return parse_members(specs, self._own)

    def _member(self, spec: str) -> MemberSpec:
        members = self.members([spec])
        if len(members) != 1:
            raise BadMember(spec=spec, problem="one model is wanted here, so without *N")
        if self._options.local:
            check_local(members)
        return members[0]

    def _built(self, member: MemberSpec) -> Model:
        match member.provider.kind:
            case "scripted":
                return read_script(member.model)
            case "replay":
                return Replay()
            case "embedded":
                return self._embedded(member)
            case "http":
                return OpenAICompatible(member, self._endpoint(member), self._prices)
            case "python":
                return self._python(member)

    def _python(self, member: MemberSpec) -> Model:
        provider = member.provider
        key_of(member, self._environ)
        try:
            built = provider.build(member.model, self._environ) if provider.build else None
            # Looked at now: what is not there would end a run that others are part of.
            _ = built and (built.context, built.price, built.at_once, built.complete)
        except MootError:
            raise
        except Exception as error:
            problem = f"{provider.origin} could not make it ({type(error).__name__}: {error})"
            raise BadMember(spec=member.spec, problem=problem) from error
        if built is None:
            raise BadMember(spec=member.spec, problem="no model is brought for it")
        return ForeignModel(built, provider.origin)

    def _embedded(self, member: MemberSpec) -> EmbeddedModel:
        from moot.gateway.embedded.catalogue import find
        from moot.gateway.embedded.grammar import compact_json_grammar
        from moot.gateway.embedded.server import DEFAULT_CONTEXT

        options = self._options
        slots = member.provider.at_once if options.embedded_slots is None else options.embedded_slots
        server = FetchedServer(
            member.model,
            options.cache or ProductSettings.read(self._environ).cache,
            slots=slots,
            context=options.embedded_context,
            threads=options.embedded_threads,
            offline=options.offline or options.local,
            progress=self._progress,
        )
        return EmbeddedModel(
            member,
            server,
            open_client=_open_embedded_client,
            limit=asyncio.Semaphore(member.provider.concurrency),
            retries=self._retries,
            timeout=options.timeout or member.provider.timeout,
            prices=self._prices,
            context=options.embedded_context or min(DEFAULT_CONTEXT, find(member.model).context),
            slots=slots,
            grammar=compact_json_grammar,
        )

    def _endpoint(self, member: MemberSpec) -> Endpoint:
        secret = key_of(member, self._environ)
        provider = member.provider
        return Endpoint(
            client=lambda: self._client(member, secret),
            secret=secret,
            limit=self.limits.of(machine_wide(member.base_url), provider.concurrency),
            retries=self._retries,
            timeout=self._options.timeout or provider.timeout,
            pause=self.pauses.of(machine_wide(member.base_url)),
        )

    def _client(self, member: MemberSpec, secret: Secret | None) -> "Client":
        if member.base_url not in self._clients:
            self._clients[member.base_url] = _open_client(member.base_url, secret)
        return self._clients[member.base_url]


def _open_client(base_url: str, secret: Secret | None) -> "Client":
    from moot.gateway.client import open_client

    return open_client(base_url, secret)


def _open_embedded_client(base_url: str, secret: Secret | None) -> "Client":
    from moot.gateway.client import ClosingClient, open_client

    return open_client(base_url, secret, ClosingClient)


def _unheard(_progress: FetchProgress) -> None:
    pass
