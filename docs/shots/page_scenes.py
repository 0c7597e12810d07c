"""What is pictured of the pages: deliberations of every kind, under way and ended, and the addresses that show them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from docs.shots.board_scenes import board_scenes
from docs.shots.replies import HEAVIER, SERVERS
from tests.browser.kit import Server
from tests.web.evals_kit import RIGHT, ask_run, every_row, keep_run
from tests.web.pages.argument_kit import kept_record, servers

from moot.core.ports import Model
from moot.core.question import Document, Question
from moot.service.orders import Order
from moot.testing import scripted

DEMO = Path(__file__).parents[2] / "examples" / "demo"
DENSITY = "Which is heavier, a litre of water or a litre of oil?"
EMBEDDED = "embedded"
EMBEDDED_SECONDS = 900
"""For a model on two cores that do other things too."""
MORE_ARMS = {**RIGHT, "verbatim": "rrrrwwwwaa", "arrows": "rrwwwwwwww", "compressed": "wrrwrrwwww"}


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
    arguments = ("servers", plain, server.keep(kept_record(servers(), ("x9", "x8")), "servers-2"))
    fork = server.ended(server.fork(spiral, "revise/2/m1", members=["scripted:b"] * 3))
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
    yield PageScene("compare", f"/compare?{'&'.join(f'd={id_}' for id_ in (*arguments, debate, loops))}")
    yield PageScene("compare-fork", f"/compare?d={spiral}&d={fork}")
    yield PageScene("compare-none", f"/compare?d={spiral}")
    evaluated(server)
    yield PageScene("evals", "/evals")
    yield PageScene("eval", "/evals/gsm8k")
    yield PageScene("eval-live", "/evals/under-way")
    yield PageScene("eval-beside", "/evals/gsm8k?beside=gsm8k-second")
    yield PageScene("eval-cell", "/evals/asked/interrogation/q1")
    yield PageScene("usage", "/usage?by=model&show=tokens")
    yield PageScene("usage-days", "/usage")
    yield PageScene("keys", "/keys", click=".keys summary >> nth=0")
    yield from (PageScene(one.name, one.address) for one in board_scenes(server))
    server.release()


def evaluated(server: Server) -> None:
    """Keep evaluations: two of the same items, one under way, and one with a record of its deliberations."""
    home = server.here.serving.evals.folder.parent
    keep_run(home, "gsm8k", MORE_ARMS, dataset="gsm8k")
    keep_run(home, "gsm8k-second", {**MORE_ARMS, "revisit": "rrrrrrrrrw"}, dataset="gsm8k", seed=1)
    keep_run(home, "under-way", MORE_ARMS, rows=every_row(MORE_ARMS)[:24], started="2026-11-18T09:30:00+00:00")
    server.do(ask_run(home, "asked", ("single-pass", "interrogation")))


def embedded_scenes(server: Server) -> Iterator[PageScene]:
    """Yield pages of what the embedded model itself has said; it takes minutes."""
    order = Order(demo(), "interrogation", (EMBEDDED,), {"form": "plain"}, seed=1)
    id_ = server.ended(server.put(order), EMBEDDED_SECONDS)
    for tab in ("", "/argument", "/transcript", "/calls"):
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
