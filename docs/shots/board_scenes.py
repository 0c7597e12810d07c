"""What is pictured of the board: claims on every part of their way, filled by people, and their addresses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.browser.kit import Server
from tests.protocols.prism.kit import output
from tests.web.kit import Site

AGENTS = ("Ada", "Bea", "Cyd", "Dov", "Eli", "Fay", "Gus", "Hal", "Ivo")
SPEED = "A speed limit of 30 km/h in towns lowers the number of serious injuries."
CITIES = {
    "content": "Before-and-after counts from three cities point the same way, and streets nearby that kept 50 km/h "
    "serve as a comparison.",
    "keyPoints": [
        "Three cities report fewer serious injuries after the change.",
        "Counts on the same streets fell by 8 %.",
    ],
    "strength": "moderate",
}
TOWNS = {"content": "Traffic in towns is a matter of planning.", "domain": "urban planning"}
NOTES = {
    "name": "counts.md",
    "text": "# Serious injuries\n\nBefore: 412 a year in three cities.\nAfter: 379 a year on the same streets.\n",
}


@dataclass(frozen=True)
class BoardScene:
    """A page of the board, and whose page it is."""

    name: str
    address: str


def board_scenes(server: Server) -> Iterator[BoardScene]:
    """Yield the pages of the board; the reader is an admin, who may work and review."""
    claims = server.do(_filled_board(server.here))
    slot = f"/board/{claims['Honey']}/L2.1~consensus~2"
    yield BoardScene("board", "/board")
    yield BoardScene("board-slots", "/board?tab=slots")
    yield BoardScene("board-agents", "/board?tab=agents")
    yield BoardScene("claim", f"/board/{claims['Speed']}")
    yield BoardScene("claim-sealed", f"/board/{claims['Crows']}")
    yield BoardScene("claim-redone", f"/board/{claims['Remote']}")
    yield BoardScene("slot", slot)
    yield BoardScene("slot-open", f"/board/{claims['Remote']}/L3.2~work~2")
    yield BoardScene("flags", "/flags")
    yield BoardScene("flag", f"/flags/{claims['Speed']}~L3.1~review")


async def _filled_board(site: Site) -> Mapping[str, str]:
    crows = await _put(site, "Crows remember the faces of people who trapped them.")
    await _fill(site, crows, 100)
    four = await _put(site, "A four-day week keeps output the same in software teams.")
    await _fill(site, four, 1)
    honey = await _put(site, "Honey never spoils if it is kept dry and sealed.")
    await _fill(site, honey, 7)
    await site.serving.board.take(honey, "L2.1/consensus/2", "admin", lease=900)
    remote = await _put(site, "Remote work makes small teams slower.", [NOTES])
    await _fill(site, remote, 13, {"L3.1/consensus": 0.4})
    await site.serving.board.clear(remote, "reviewer", "redo", "Only one study was cited; look for others.")
    await site.serving.runs.finished(remote)
    await _fill(site, remote, 1, {"L3.2": 0.8})
    speed = await _put(site, SPEED, [NOTES])
    sure = {"L1.1/consensus": 0.9, "L2.1/consensus": 0.84, "L3.1/consensus/1": 0.6, "L3.1/consensus/2": 0.64}
    await _fill(site, speed, 13, {**sure, "L3.1/work/2": 0.59})
    await site.serving.board.take(remote, "L3.2/work/3", "Ivo", lease=2832)
    return {"Crows": crows, "Four": four, "Honey": honey, "Remote": remote, "Speed": speed}


async def _put(site: Site, claim: str, documents: list[Mapping[str, str]] | None = None) -> str:
    made = await site.post("/claims", {"claim": claim, "documents": documents or []})
    return made.json()["id"]


async def _fill(site: Site, claim: str, slots: int, sure: Mapping[str, float] | None = None) -> None:
    """Let people fill so many slots of a claim, each in its turn."""
    for turn in range(slots):
        for agent in (*AGENTS[turn % 5 :], *AGENTS[: turn % 5]):
            slot = await site.serving.board.next_slot(agent, claim=claim)
            if slot:
                break
        else:
            return
        await site.serving.board.take(claim, slot.step, agent)
        confidence = next((value for step, value in (sure or {}).items() if slot.step.startswith(step)), 0.8)
        await site.serving.board.done(claim, slot.step, agent, {**_said(slot.step, sure), "confidence": confidence})
        await site.serving.runs.finished(claim)


def _said(step: str, sure: Mapping[str, float] | None) -> dict[str, Any]:
    """What a slot says: of a claim whose gates are told of, something about towns."""
    layer = step[1]
    return {**output(layer), **({"2": TOWNS, "3": CITIES}.get(layer, {}) if sure else {})}
