"""`moot axioms`: read, search and check the axioms of the spiral protocol, and the user's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given

if TYPE_CHECKING:
    from moot.protocols.spiral.registry import Axiom
    from moot.protocols.spiral.retrieval import Relevant, Vector

app = typer.Typer(
    help="Read, search and check the axioms that disagreements are held against.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Level = Annotated[int | None, typer.Option("--level", metavar="N", min=1, max=7, help="One level, 1 to 7.")]
Folder = Annotated[
    Path | None, typer.Option("--folder", metavar="DIR", help="A folder of your own axioms: every .toml file in it.")
]


@app.command("list")
def list_(level: Level = None, folder: Folder = None, as_json: given.Json = False) -> None:
    """List the axioms, by level."""
    from moot.cli.running import print_json

    axioms = _chosen(_axioms(folder), level)
    if as_json:
        print_json([_as_json(axiom) for axiom in axioms])
        return
    from moot.protocols.spiral.registry import LEVELS, at_level
    from moot.views.words import harmless

    for number, name in LEVELS.items():
        here = at_level(axioms, number)
        if here:
            typer.echo(f"level {number}, {name}: {len(here)}")
        for axiom in here:
            typer.echo(f"  {axiom.id:<6}{harmless(axiom.domain)}: {harmless(axiom.statement)}")


@app.command("search")
def search(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="A question, or a claim that is disputed.")],
    level: Level = None,
    folder: Folder = None,
    everything: Annotated[bool, typer.Option("--all", help="Show what is below the floor too.")] = False,
    as_json: given.Json = False,
) -> None:
    """Find the axioms that bear on a question: the nearest of each level, above the floor of relevance."""
    from moot.cli.running import print_json
    from moot.core.errors import EmptyQuestion
    from moot.protocols.spiral.registry import LEVELS
    from moot.protocols.spiral.retrieval import RELEVANCE_FLOOR, by_similarity, relevant

    if not question.strip():
        raise EmptyQuestion
    axioms = _axioms(folder)
    backend, (asked, *rows) = _embedded([question, *(axiom.search_text for axiom in axioms)])
    vectors = {axiom.id: row for axiom, row in zip(axioms, rows, strict=True)}
    found: dict[int, Sequence[Relevant]] = {
        number: (by_similarity if everything else relevant)(axioms, number, vectors, asked)
        for number in LEVELS
        if level in (None, number)
    }
    if as_json:
        hits = [hit for hits in found.values() for hit in hits]
        print_json({"backend": backend, "floor": RELEVANCE_FLOOR, "axioms": [_hit_as_json(hit) for hit in hits]})
    else:
        _show_found(found)
        typer.echo(f"Similarity by {backend}; relevant from {RELEVANCE_FLOOR:.2f} on.")


@app.command("check")
def check(folder: Folder = None, as_json: given.Json = False) -> None:
    """Validate the files, put every check to its oracle, and find every axiom by its own question."""
    from moot.cli.running import FAILURE, print_json
    from moot.core.errors import BadAxioms
    from moot.protocols.spiral.checking import not_found_by_question, refuted_by_oracles, texts_to_embed
    from moot.views.words import harmless

    try:
        axioms = _axioms(folder)
    except BadAxioms as error:
        axioms, backend, problems = (), None, list(error.problems)
    else:
        backend, rows = _embedded([text for axiom in axioms for text in texts_to_embed(axiom)])
        triples = zip(rows[::3], rows[1::3], rows[2::3], strict=True)
        vectors = {axiom.id: triple for axiom, triple in zip(axioms, triples, strict=True)}
        shortcomings = (*refuted_by_oracles(axioms), *not_found_by_question(axioms, vectors))
        problems = [one.message for one in shortcomings]
    checks = sum(len(axiom.checks) for axiom in axioms)
    if as_json:
        print_json({"axioms": len(axioms), "checks": checks, "backend": backend, "problems": problems})
    else:
        for problem in problems:
            typer.echo(harmless(problem), err=True)
        if not problems:
            typer.echo(
                f"{len(axioms)} axioms are well formed, their {checks} checks are true by the oracles, "
                f"and each is found by its own question ({backend})."
            )
    raise typer.Exit(FAILURE if problems else 0)


def _axioms(folder: Path | None) -> "tuple[Axiom, ...]":
    from moot.gateway.data_files import read_data_files
    from moot.protocols.spiral.shipped import AxiomFiles, all_axioms

    return all_axioms(read_data_files(str(folder), AxiomFiles).texts if folder else {})


def _chosen(axioms: "tuple[Axiom, ...]", level: int | None) -> "tuple[Axiom, ...]":
    from moot.protocols.spiral.registry import at_level

    return axioms if level is None else at_level(axioms, level)


def _show_found(found: "Mapping[int, Sequence[Relevant]]") -> None:
    from moot.protocols.spiral.registry import LEVELS
    from moot.protocols.spiral.retrieval import RELEVANCE_FLOOR
    from moot.views.words import harmless

    for number, hits in found.items():
        typer.echo(f"level {number}, {LEVELS[number]}:{'' if hits else ' nothing relevant'}")
        for hit in hits:
            mark = "" if hit.similarity >= RELEVANCE_FLOOR else "  (below the floor)"
            typer.echo(f"  {hit.similarity:.2f}  {hit.axiom.id:<6}{harmless(hit.axiom.statement)}{mark}")


def _embedded(texts: Sequence[str]) -> "tuple[str, Sequence[Vector]]":
    import asyncio
    import os

    return asyncio.run(_vectors(os.environ, texts))


async def _vectors(environ: Any, texts: Sequence[str]) -> "tuple[str, Sequence[Vector]]":
    """The name of the backend that the environment asks for, and a vector for each text."""
    from moot.core.calls import Failure
    from moot.core.errors import MootError
    from moot.gateway.gateway import Gateway
    from moot.service.opening import gateway_options
    from moot.settings import ProductSettings

    gateway = Gateway(environ, gateway_options(environ))
    try:
        embedder = gateway.embedder(ProductSettings.read(environ).values["embeddings"] or None)
        made = await embedder.embed(texts, before_retry=_always)
    finally:
        await gateway.close()
    if isinstance(made, Failure):
        raise MootError(f"there are no vectors to search by: {made.detail}; leave MOOT_EMBEDDINGS out to work offline.")
    return embedder.name, made


async def _always(_number: int) -> bool:
    return True


def _as_json(axiom: "Axiom") -> dict[str, Any]:
    return axiom.model_dump(mode="json")


def _hit_as_json(hit: "Relevant") -> dict[str, Any]:
    from moot.protocols.spiral.retrieval import RELEVANCE_FLOOR

    return {**_as_json(hit.axiom), "similarity": hit.similarity, "relevant": hit.similarity >= RELEVANCE_FLOOR}
