"""What is pictured of the pages: deliberations of every kind, under way and ended, and the addresses that show them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from docs.shots.replies import HEAVIER, SERVERS
from tests.browser.kit import Server
from tests.web.pages.argument_kit import kept_record, servers

from moot.core.ports import Model
from moot.core.question import Document, Question
from moot.service.orders import Order
from moot.testing import scripted

DEMO = Path(__file__).parents[2] / "examples" / "demo"
DENSITY = "Which is heavier, a litre of water or a litre of oil?"
EMBEDDED = "embedded"


@dataclass(frozen=True)
class PageScene:
    """A page to be pictured, and what is done on it first."""

    name: str
    address: str
    click: str | tuple[str, ...] = ()
    """What is clicked once it is there, one after the other."""
    signed_in: bool = True
    ready: str = "main"
    """What must be there before it is pictured."""


def panel() -> Mapping[str, Model]:
    """Return the members of the docs, beside those that answer every protocol of the tests."""
    return {f"scripted:{name}": scripted(script) for name, script in {**HEAVIER, **SERVERS}.items()}


def scenes(server: Server) -> Iterator[PageScene]:
    """Yield every page: of runs that have ended, of one under way, and of one that waits for a person."""
    plain = server.ended(server.put(Order(demo(), "interrogation", members(SERVERS), {"form": "plain"}, seed=1)))
    spiral = server.ended(server.put(Order(Question(text=DENSITY), "spiral", members(HEAVIER), seed=1)))
    ended = {protocol: server.ended(server.ask(protocol)) for protocol in ("coherence", "vote", "single")}
    debate, loops, prism = (server.keep(name) for name in ("debate_attacked", "spiral_forced", "prism_whole"))
    argument = f"/d/{server.keep(kept_record(servers(), ('x9', 'x8')), 'servers')}/argument"
    joined = server.ended(server.ask("debate", join=True))
    server.hold()
    running = server.ask("debate")
    server.let(4)
    yield PageScene("in", "/in", signed_in=False)
    yield PageScene("live", f"/d/{running}", ready="#part-answer .positions li")
    yield PageScene("list", "/", ready="#rows tr")
    yield PageScene("ask", "/ask", ready="#plan")
    yield PageScene("answer", f"/d/{plain}")
    yield PageScene("answer-spiral", f"/d/{spiral}")
    yield PageScene("argument", argument, ready="#graph[data-live]")
    yield PageScene("argument-claim", argument, click="#graph .node >> nth=3", ready="#graph[data-live]")
    yield PageScene("what-if", argument, click=("#graph .node >> nth=3", "text=What if it is wrong?"))
    yield PageScene("loops", f"/d/{loops}/rounds")
    yield PageScene("rounds", f"/d/{debate}/rounds")
    yield PageScene("layers", f"/d/{prism}/rounds")
    yield PageScene("columns", f"/d/{ended['coherence']}/rounds")
    yield PageScene("votes", f"/d/{ended['vote']}/rounds")
    yield PageScene("single", f"/d/{ended['single']}")
    yield PageScene("transcript", f"/d/{debate}/transcript?event=4", ready="#inspector h2")
    yield PageScene("calls", f"/d/{spiral}/calls")
    yield PageScene("record", f"/d/{plain}/record")
    yield PageScene("turn", f"/d/{joined}")
    server.release()


def embedded_scenes(server: Server) -> Iterator[PageScene]:
    """Yield pages of what the embedded model itself has said; it takes minutes."""
    order = Order(demo(), "interrogation", (EMBEDDED,), {"form": "plain"}, seed=1)
    id_ = server.ended(server.put(order))
    for tab in ("", "/argument", "/rounds", "/transcript", "/calls"):
        yield PageScene(f"embedded{tab.replace('/', '-')}", f"/d/{id_}{tab}")


def demo() -> Question:
    """Return the question of the demo, over its two documents."""
    documents = tuple(
        Document(name=name, text=(DEMO / name).read_text(encoding="utf-8")) for name in ("survey.md", "handbook.md")
    )
    return Question(text=(DEMO / "question.txt").read_text(encoding="utf-8").strip(), documents=documents)


def members(scripts: Mapping[str, object]) -> tuple[str, ...]:
    """Return the members that follow these scripts."""
    return tuple(f"scripted:{name}" for name in scripts)
