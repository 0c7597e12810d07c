"""What a token costs: by the provider's own catalogue, by genai-prices, by the user's word; or nobody knows.

A reply's own `usage.cost` comes before all of these and is read where the reply is read. Nothing here touches the
network except `load_catalogue`, which is told when.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from moot.gateway.members import MemberSpec

if TYPE_CHECKING:
    from moot.gateway.client import Client

Price = tuple[float, float]
"""Dollars for a token in and a token out."""

MILLION = 1_000_000
CATALOGUE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Listing:
    """A model as its provider's catalogue lists it."""

    price: Price | None
    context: int | None


class Prices:
    """The prices and context sizes of members, looked up once each."""

    def __init__(self, user: Mapping[str, Price] | None = None) -> None:
        """Take the user's own prices: dollars per million tokens in and out, by model or member string."""
        self._user = dict(user or {})
        self._catalogues: dict[str, dict[str, Listing]] = {}
        self._known: dict[str, tuple[Price | None, int | None]] = {}

    def price(self, member: MemberSpec) -> Price | None:
        """Return dollars for a token in and a token out, or None where nobody knows."""
        return self._facts(member)[0]

    def context(self, member: MemberSpec) -> int | None:
        """Return how many tokens the model takes in all, where somebody says so."""
        return self._facts(member)[1]

    def cost(self, member: MemberSpec, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """Return dollars for so many tokens; a part that is unknown makes it unknown, unless the model is free."""
        if member.provider.is_free:
            return 0.0
        price = self.price(member)
        if price is None or tokens_in is None or tokens_out is None:
            return None
        return price[0] * tokens_in + price[1] * tokens_out

    async def load_catalogue(self, member: MemberSpec, client: "Client") -> None:
        """Fetch the catalogue of the member's provider, once; without it the other sources answer."""
        from moot.gateway.call_errors import Site, from_exception

        if not member.provider.has_catalogue or member.provider.name in self._catalogues:
            return
        self._catalogues[member.provider.name] = {}
        try:
            listed = await client.get("/models", cast_to=object, options={"timeout": CATALOGUE_SECONDS})
        except Exception as error:
            from_exception(Site(member.spec), error)
            return
        self._catalogues[member.provider.name] = listings_of(listed)
        self._known.clear()

    def _facts(self, member: MemberSpec) -> tuple[Price | None, int | None]:
        if member.spec not in self._known:
            self._known[member.spec] = self._looked_up(member)
        return self._known[member.spec]

    def _looked_up(self, member: MemberSpec) -> tuple[Price | None, int | None]:
        if member.provider.is_free:
            return (0.0, 0.0), None
        listing = self._catalogues.get(member.provider.name, {}).get(member.model)
        if listing and listing.price:
            return listing.price, listing.context
        price, context = _from_book(member)
        context = (listing.context if listing else None) or context
        return price or self._users_own(member), context

    def _users_own(self, member: MemberSpec) -> Price | None:
        own = self._user.get(member.spec) or self._user.get(member.model)
        return (own[0] / MILLION, own[1] / MILLION) if own else None


def listings_of(listed: object) -> dict[str, Listing]:
    """Return the models of an OpenRouter-like `/models`, leaving out what cannot be read."""
    rows = listed.get("data") if isinstance(listed, Mapping) else None
    found: dict[str, Listing] = {}
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, Mapping) and isinstance(row.get("id"), str):
            found[row["id"]] = Listing(_listed_price(row.get("pricing")), _listed_context(row.get("context_length")))
    return found


def _listed_price(pricing: object) -> Price | None:
    if not isinstance(pricing, Mapping):
        return None
    try:
        price = float(pricing["prompt"]), float(pricing["completion"])
    except (KeyError, TypeError, ValueError):
        return None
    return price if all(math.isfinite(part) and part >= 0 for part in price) else None


def _listed_context(length: object) -> int | None:
    return length if isinstance(length, int) and length > 0 else None


def _from_book(member: MemberSpec) -> tuple[Price | None, int | None]:
    """The book is the data inside genai-prices: it is read as installed and never updated over the network."""
    book, is_endpoint = member.provider.price_book, member.provider.name == "endpoint"
    if not book and not (is_endpoint and member.leaves_machine):
        return None, None
    from genai_prices import Usage, calc_price

    sample = Usage(input_tokens=1000, output_tokens=1000)
    try:
        if book:
            found = calc_price(sample, member.model, provider_id=book)
        else:
            found = calc_price(sample, member.model, provider_api_url=member.base_url)
    except (LookupError, ValueError):
        return None, None
    return (float(found.input_price) / 1000, float(found.output_price) / 1000), found.model.context_window
