"""What may be asked here: the protocols with their settings, the members, the limits."""

from dataclasses import asdict, dataclass
from typing import Any

from pydantic import ValidationError

from moot.core.budget import Budget
from moot.core.canonical import plain
from moot.core.errors import MootError, UsageError
from moot.core.protocol import ProtocolSpec
from moot.gateway.members import parse_members
from moot.protocols import WITH_DOCUMENTS, WITHOUT_DOCUMENTS, protocol_names
from moot.service.asking import MOST_DOCUMENTS, MOST_MEMBERS, AskingLimits
from moot.service.service import Service

NO_CONFIDENCE = "it gives none: nothing in it is measured"


@dataclass(frozen=True, slots=True)
class ProtocolOffer:
    """A protocol that a question can be put to."""

    name: str
    version: int
    summary: str
    basis: str | None
    confidence: str
    """What its confidence means, in a sentence."""
    settings: dict[str, Any]
    """The JSON schema of its settings, with their defaults."""
    seats: int
    """How many seats it has where one member is named."""
    fewest: int | None
    """How many members it needs with its settings as they are by default; None where these alone are not enough."""
    budget: Budget
    asks_people: bool
    """Whether it has steps that people or outside agents fill."""
    origin: str
    """Where it comes from, where it is not Moot's own."""


@dataclass(frozen=True, slots=True)
class MemberOffer:
    """A member that a caller may name."""

    spec: str
    provider: str
    model: str
    leaves_machine: bool
    usd_in: float | None
    usd_out: float | None
    """Dollars for a million tokens; None where nobody knows."""
    context: int | None
    """How many tokens prompt and reply may have together, where that is known."""
    problem: str = ""
    """Why it cannot be asked now; empty where it can."""


@dataclass(frozen=True, slots=True)
class AskingOffers:
    """All that a caller needs to know before asking."""

    protocols: tuple[ProtocolOffer, ...]
    broken: tuple[str, ...]
    """Why each of the other installed protocols cannot be used."""
    with_documents: str
    without_documents: str
    """The protocols that are used where none is named."""
    members: tuple[MemberOffer, ...]
    usual_members: tuple[str, ...]
    why_usual: str
    """Who is asked where nobody is named, and why."""
    limits: AskingLimits
    most_members: int
    most_documents: int
    scopes: tuple[str, ...]

    def json(self) -> dict[str, Any]:
        """Return it for programs."""
        told = {name: value for name, value in asdict(self).items() if name != "protocols"}
        protocols = [{**plain(one), "settings": one.settings} for one in self.protocols]
        return {**plain(told), "protocols": protocols}


async def read_offers(service: Service, limits: AskingLimits, scopes: tuple[str, ...] = ()) -> AskingOffers:
    """Return what a caller with these limits and scopes may ask for; nobody is asked and nothing is started."""
    usable: list[ProtocolOffer] = []
    broken: list[str] = []
    for name in protocol_names():
        try:
            usable.append(_protocol(service.find_protocol(name)))
        except UsageError as error:
            broken.append(str(error))
    usual, why = await _usual(service)
    return AskingOffers(
        protocols=tuple(usable),
        broken=tuple(broken),
        with_documents=WITH_DOCUMENTS,
        without_documents=WITHOUT_DOCUMENTS,
        members=tuple(_member(service, spec) for spec in _distinct(limits.members)),
        usual_members=usual,
        why_usual=why,
        limits=limits,
        most_members=MOST_MEMBERS,
        most_documents=MOST_DOCUMENTS,
        scopes=scopes,
    )


def _protocol(row: ProtocolSpec) -> ProtocolOffer:
    return ProtocolOffer(
        name=row.name,
        version=row.version,
        summary=row.summary,
        basis=row.basis.value if row.basis else None,
        confidence=row.basis.meaning if row.basis else NO_CONFIDENCE,
        settings=row.settings.model_json_schema(),
        seats=row.seats,
        fewest=_fewest(row),
        budget=row.budget,
        asks_people=bool(row.submissions),
        origin=row.origin,
    )


def _fewest(row: ProtocolSpec) -> int | None:
    try:
        return row.fewest(row.settings())
    except ValidationError:
        return None


async def _usual(service: Service) -> tuple[tuple[str, ...], str]:
    try:
        usual = await service.planner.usual_members()
    except UsageError as error:
        return (), str(error)
    return tuple(member.spec for member in usual.members), usual.why


def _distinct(specs: tuple[str, ...]) -> list[str]:
    """The members that are offered; of one that is offered several seats, one."""
    return list(dict.fromkeys(member.spec for member in parse_members(specs)))


def _member(service: Service, spec: str) -> MemberOffer:
    [named] = service.gateway.members([spec])
    price, context, problem = None, None, ""
    try:
        model = service.gateway.model(spec)
        price, context = model.price, model.context
    except MootError as error:
        problem = str(error)
    return MemberOffer(
        spec=spec,
        provider=named.provider.name,
        model=named.model,
        leaves_machine=named.leaves_machine,
        usd_in=_a_million(price[0]) if price else None,
        usd_out=_a_million(price[1]) if price else None,
        context=context,
        problem=problem,
    )


def _a_million(usd: float) -> float:
    return round(usd * 1_000_000, 6)
