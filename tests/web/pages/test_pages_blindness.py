"""Nobody reads what an unfinished phase has brought: every address there is, read by everybody, in every phase."""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route

from moot.web.pages.app import ROUTERS
from tests.protocols.prism.kit import OUTPUTS
from tests.web.kit import API, Site, at_site
from tests.web.pages.board_kit import PEOPLE, people
from tests.web.pages.test_pages_live import Listening, listening_to

SHAPES = ("framing", "classification", "evidence", "critique", "defense", "deliberation", "synthesis")
ROLES = ("contributor", "critic", "supporter", "critic", "defender", "questioner")
LAYERS = [
    f'[[layers]]\nnumber = {number}\nname = "{shape}"\nshape = "{shape}"\nconsensus = 2\nthreshold = 0.7\n'
    + (f"work = {{ {ROLES[number - 1]} = 2 }}\n" if number <= len(ROLES) else "")
    for number, shape in enumerate(SHAPES, 1)
]
TABLE = {"path": "pairs.toml", "texts": {"pairs.toml": "\n".join(['name = "pairs"', *LAYERS])}}
"""Every layer of the paper, with two slots in each phase: of the first to be filled nobody hears before the other."""
PHASES = 13
CHOSEN_WORDS = ("strength", "severity", "verdict", "recommendation", "answer")

ANOTHER, OVERSEER = "another", "overseer"
READERS = (ANOTHER, OVERSEER)
"""Who put the claim and works on it beside the others, and somebody with every scope that there is."""

FULLY_READ = ("L1", "L7")
"""The layers in which all of them read; in the others the first of them does."""

STREAMS = ("/live", "/d/{id}/live", "/live/evals", "/live/evals/{run}", "/api/v1/deliberations/{id}/events")
NOT_OF_CLAIMS = ("/static/{version}/{name}",)
AT_A_GLANCE = ("/", "/board", "/board/work", "/flags", f"{API}/claims", f"{API}/jobs/work", f"{API}/deliberations")
TABS = ("answer", "rounds", "transcript", "calls", "record")
FORMS = ("md", "json", "html", "files")


@dataclass(frozen=True)
class Secret:
    """What one slot says, by a word of its own, and how sure its author is."""

    number: int

    @property
    def word(self) -> str:
        return f"sesame{self.number}x"

    @property
    def sure(self) -> float:
        return 0.8013 + self.number / 10_000

    def is_told(self, text: str) -> bool:
        """Whether a text gives away what is said, or how sure its author is."""
        return bool(re.search(rf"{self.word}|(?<![\d:.]){self.sure:.4f}", text, re.IGNORECASE))

    def output(self, step: str) -> dict[str, Any]:
        """Return an output for a step that has the word in everything that its author writes."""
        said = {
            name: value if name in CHOSEN_WORDS else self._marked(value) for name, value in OUTPUTS[step[1]].items()
        }
        return {**said, "confidence": self.sure}

    def _marked(self, value: Any) -> Any:
        return [f"{each} {self.word}" for each in value] if isinstance(value, list) else f"{value} {self.word}"


@dataclass
class Phase:
    """A phase of which the first slot has just been filled, or both."""

    step: str
    secret: Secret
    is_over: bool
    texts: Mapping[str, str]
    """What each address told each reader."""
    hits: Mapping[str, int]
    """How often it was found by those who searched for it."""


async def phases_of(site: Site, id_: str) -> AsyncGenerator[tuple[str, Secret, bool]]:
    """Let people fill a claim slot by slot, and yield each with what it said and whether its phase is over."""
    board, number = site.serving.board, 0
    while True:
        found = [(name, slot) for name in PEOPLE if (slot := await board.next_slot(name, claim=id_))]
        if not found:
            return
        name, slot = found[0]
        secret = Secret(number)
        await board.take(id_, slot.step, name)
        await board.done(id_, slot.step, name, secret.output(slot.step))
        await site.serving.runs.finished(id_)
        yield slot.step, secret, number % 2 == 1
        number += 1


async def put(site: Site) -> str:
    await people(site)
    await site.agent(ANOTHER)
    await site.agent(OVERSEER, "agent", "reviewer", "admin")
    claim = {"claim": "Crows remember faces.", "settings": {"table": TABLE}}
    made = await site.post("/claims", claim, ANOTHER)
    assert made.status_code == 201, made.text
    return made.json()["id"]


async def addresses(site: Site, id_: str, step: str) -> list[str]:
    """Return every address that anything is read at, of the pages and of the API, for a claim and the slots of a phase.

    Those that name no claim are read in the first phase alone.
    """
    api = (await site.client.get(f"{API}/openapi.json")).json()["paths"]
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, Route)]
    pages = [route.path for route in routes if "GET" in (route.methods or ())]
    known = [*pages, *(path for path, of in api.items() if "get" in of)]
    if not step.startswith("L1.1/work"):
        known = [path for path in known if "{id}" in path or path in AT_A_GLANCE]
    slots = [f"{step.replace('/', '~')[:-1]}{place}" for place in (1, 2)]
    made = [_filled(path, id_, slot) for path in known if path not in (*STREAMS, *NOT_OF_CLAIMS) for slot in slots]
    asked = [f"{start}/{id_}/export?format={form}" for start in (f"{API}/deliberations", "/d") for form in FORMS]
    asked += [f"/d/{id_}/transcript?fragment=rows&start=0", f"/compare?d={id_}&d={id_}"]
    asked += [f"/d/{id_}/transcript?event={seq}" for seq, _ in await site.serving.store.deliberations.events(id_)][-3:]
    return [*dict.fromkeys(made), *asked, f"{API}/compare?ids={id_},{id_}"]


def _filled(path: str, id_: str, slot: str) -> str:
    values = {
        "id": f"{id_}~{slot}" if path.startswith("/flags") else id_, "slot": slot, "step": slot, "number": "1",
        "run": "none", "arm": "none", "item": "none", "graph_id": id_, "token": "none", "model": "moot",
    }  # fmt: skip
    return re.sub(r"\{(\w+)(:path)?\}", lambda match: values[match[1]], path)


async def told(site: Site, id_: str, step: str) -> dict[str, str]:
    """Return what each address tells each reader."""
    return {
        f"{who} {path}": (await (_of_api if path.startswith(API) else site.page)(*_asked(site, path, who))).text
        for path in await addresses(site, id_, step)
        for who in (READERS if step[:2] in FULLY_READ else READERS[:1])
    }


def _asked(site: Site, path: str, who: str) -> tuple[Any, ...]:
    return (site, path, who) if path.startswith(API) else (path, who)


async def _of_api(site: Site, path: str, who: str) -> Any:
    return await site.get(path.removeprefix(API), who)


async def searched(site: Site, id_: str, word: str) -> dict[str, int]:
    """Return how many hits each reader has who searches for a word."""
    paths = {"list": f"/deliberations?q={word}", "record": f"/deliberations/{id_}/record?q={word}"}
    return {
        f"{who} {name}": len((await site.get(path, who)).json()["items" if name == "list" else "events"])
        for name, path in paths.items()
        for who in READERS
    }


@pytest.mark.clause("ruling:P8")
def test_no_address_tells_anybody_what_an_unfinished_phase_has_brought_whichever_it_is(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[Phase]:
        id_, seen = await put(site), []
        async for step, secret, is_over in phases_of(site, id_):
            texts = await told(site, id_, step) if not is_over else {}
            seen.append(Phase(step, secret, is_over, texts, await searched(site, id_, secret.word)))
        seen[-1].texts = await told(site, id_, seen[-1].step)
        return seen

    seen = at_site(tmp_path, scene)

    assert len(seen) == 2 * PHASES
    for one in seen:
        telling = [address for address, text in one.texts.items() if one.secret.is_told(text)]
        assert one.is_over or not telling, (one.step, telling)
        assert one.is_over or set(one.hits.values()) == {0}, (one.step, one.hits)
    ended = {address for address, text in seen[-1].texts.items() if seen[-1].secret.is_told(text)}
    assert len(ended) > len(TABS) + len(FORMS), "what a finished phase has brought is told by many addresses"


@pytest.mark.clause("ruling:P8")
def test_no_stream_tells_anybody_what_an_unfinished_phase_has_brought_before_it_is_over(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[list[tuple[str, str]], list[Listening]]:
        id_, early = await put(site), []
        async with AsyncExitStack() as stack:
            heard = [await stack.enter_async_context(each) for each in _streams(site, id_, *READERS)]
            async for step, secret, is_over in phases_of(site, id_):
                async with _fresh(site, id_) as fresh:
                    early += [(step, one.text) for one in (*heard, *fresh) if not is_over and secret.is_told(one.text)]
            for one in heard[: len(TABS)]:
                await one.until(lambda each: each.named("end"))
            return early, heard

    early, heard = at_site(tmp_path, scene, live=True)

    assert early == []
    assert sum(Secret(0).is_told(one.text) for one in heard) >= len(READERS), "when it is over, it is told"


def _streams(site: Site, id_: str, *readers: str) -> list[Any]:
    paths = [*(f"/d/{id_}/live?tab={tab}&after=-1" for tab in TABS), f"/live?d={id_}"]
    return [_heard(site, path, who) for who in readers for path in paths]


@asynccontextmanager
async def _heard(site: Site, path: str, who: str) -> AsyncGenerator[Listening]:
    async with listening_to(site, path, who) as (heard, _):
        yield heard


@asynccontextmanager
async def _fresh(site: Site, id_: str) -> AsyncGenerator[list[Listening]]:
    """Give what is told at once to those who begin to listen now, which is all that there is."""
    async with AsyncExitStack() as stack:
        fresh = [await stack.enter_async_context(each) for each in _streams(site, id_, ANOTHER)]
        for one in fresh:
            await one.until(lambda each: each.named("parts") or each.named("end"))
        yield fresh
