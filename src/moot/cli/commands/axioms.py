"""`moot axioms`: read, search and check the axioms of the spiral protocol, and the user's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given
from moot.cli.helping import command_group

if TYPE_CHECKING:
    from moot.protocols.spiral.axioms.registry import Axiom
    from moot.protocols.spiral.axioms.retrieval import Relevant, Vector

app = command_group("axioms", "Read, search and check the axioms that disagreements are held against.")

Level = Annotated[
    int | None, typer.Option("--level", metavar="N", min=1, max=7, help="Only the axioms of this level, from 1 to 7.")
]
Folder = Annotated[
    Path | None,
    typer.Option("--folder", metavar="FOLDER", help="A folder of your own axioms: every .toml file in it is read."),
]


@app.command("list")
def list_(level: Level = None, folder: Folder = None, as_json: given.Json = False) -> None:
    """List the axioms, level by level."""
    from moot.cli.session import print_json

    axioms = _chosen(_axioms(folder), level)
    if as_json:
        print_json([_as_json(axiom) for axiom in axioms])
        return
    from moot.protocols.spiral.axioms.registry import LEVELS, at_level
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
    everything: Annotated[
        bool, typer.Option("--all", help="Show also what is too far from the question to count.")
    ] = False,
    as_json: given.Json = False,
) -> None:
    """Find the axioms that bear on a question: of each level the nearest, where they are near enough to count."""
    from moot.cli.session import print_json
    from moot.core.errors import EmptyQuestion
    from moot.protocols.spiral.axioms.registry import LEVELS
    from moot.protocols.spiral.axioms.retrieval import by_similarity, floors_for, relevant

    if not question.strip():
        raise EmptyQuestion
    axioms = _axioms(folder)
    backend, (asked, *rows) = _embedded([question, *(axiom.search_text for axiom in axioms)])
    vectors = {axiom.id: row for axiom, row in zip(axioms, rows, strict=True)}
    floors = floors_for(backend, axioms, vectors)
    found: dict[int, Sequence[Relevant]] = {
        number: by_similarity(axioms, number, vectors, asked)
        if everything
        else relevant(axioms, number, vectors, asked, floor=floors[number])
        for number in LEVELS
        if level in (None, number)
    }
    if as_json:
        hits = [hit for hits in found.values() for hit in hits]
        print_json({"backend": backend, "floors": floors, "axioms": [_hit_as_json(hit, floors) for hit in hits]})
    else:
        _show_found(found, floors)
        typer.echo(f"Similarity by {backend}; relevant from {_ranged(floors)} on.")


@app.command("check")
def check(folder: Folder = None, as_json: given.Json = False) -> None:
    """Check the files, compute every check that an axiom brings, and measure how well the search finds axioms."""
    from moot.cli.session import FAILURE, print_json
    from moot.core.errors import BadAxioms
    from moot.protocols.spiral.axioms.checking import counted, refuted_by_oracles, unused_fields

    try:
        axioms = _axioms(folder)
    except BadAxioms as error:
        axioms, problems, notes, search = (), list(error.problems), [], None
    else:
        problems = [one.message for one in refuted_by_oracles(axioms)]
        notes = [one.message for one in unused_fields(axioms)]
        search = _measured_search(axioms)
    told = {**counted(axioms), "problems": problems, "notes": notes, "search": search}
    if as_json:
        print_json(told)
    else:
        _show_check(told)
    raise typer.Exit(FAILURE if problems else 0)


def _axioms(folder: Path | None) -> "tuple[Axiom, ...]":
    from moot.gateway.data_files import read_data_files
    from moot.protocols.spiral.axioms.shipped import AxiomFiles, all_axioms

    return all_axioms(read_data_files(str(folder), AxiomFiles).texts if folder else {})


def _chosen(axioms: "tuple[Axiom, ...]", level: int | None) -> "tuple[Axiom, ...]":
    from moot.protocols.spiral.axioms.registry import at_level

    return axioms if level is None else at_level(axioms, level)


def _measured_search(axioms: "Sequence[Axiom]") -> dict[str, Any]:
    """The backend, its floors, and how its vectors find what bears on the shipped disputes."""
    from dataclasses import asdict

    from moot.protocols.spiral.axioms.checking import measured_search
    from moot.protocols.spiral.axioms.retrieval import floors_for
    from moot.protocols.spiral.axioms.shipped import shipped_disputes

    disputes = shipped_disputes()
    texts = [*(axiom.search_text for axiom in axioms), *(dispute.query for dispute in disputes)]
    backend, rows = _embedded(texts)
    vectors = {axiom.id: row for axiom, row in zip(axioms, rows[: len(axioms)], strict=True)}
    floors = floors_for(backend, axioms, vectors)
    measure = measured_search(disputes, rows[len(axioms) :], axioms, vectors, floors)
    return {"backend": backend, "floors": floors, **asdict(measure)}


def _show_check(told: Mapping[str, Any]) -> None:
    from moot.views.words import harmless

    for line in (*told["problems"], *told["notes"]):
        typer.echo(harmless(line), err=True)
    if told["problems"]:
        return
    typer.echo(
        f"{told['axioms']} axioms are well formed. {told['checked']} have checks, and all {told['checks']} are "
        f"true by the oracles; {told['reviewed']} say why they are left to review by people."
    )
    _show_search(told["search"])


def _show_search(search: Mapping[str, Any]) -> None:
    from moot.protocols.spiral.axioms.registry import LEVELS

    typer.echo(f"Disputes that find an axiom which bears on them, by {search['backend']}:")
    for number, name in LEVELS.items():
        typer.echo(f"  level {number}, {name}: {search['found'][number]} of {search['wanted'][number]}")
    typer.echo(f"  in all: {sum(search['found'].values())} of {sum(search['wanted'].values())}")
    typer.echo(f"Disputes on which no axiom bears and that find one: {search['misled']} of {search['without']}")
    typer.echo(f"Relevant is what comes to {_ranged(search['floors'])} or more.")


def _ranged(floors: Mapping[int, float]) -> str:
    lowest, highest = min(floors.values()), max(floors.values())
    return f"{lowest:.2f}" if lowest == highest else f"{lowest:.2f} to {highest:.2f} by level"


def _show_found(found: "Mapping[int, Sequence[Relevant]]", floors: Mapping[int, float]) -> None:
    from moot.protocols.spiral.axioms.registry import LEVELS
    from moot.views.words import harmless

    for number, hits in found.items():
        typer.echo(f"level {number}, {LEVELS[number]}:{'' if hits else ' nothing relevant'}")
        for hit in hits:
            mark = "" if hit.similarity >= floors[number] else "  (below the floor)"
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
    from moot.service.configuring import product_settings
    from moot.service.opening import gateway_options

    gateway = Gateway(environ, gateway_options(environ))
    try:
        embedder = gateway.embedder(product_settings(environ).values["embeddings"] or None)
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


def _hit_as_json(hit: "Relevant", floors: Mapping[int, float]) -> dict[str, Any]:
    relevant = hit.similarity >= floors[hit.axiom.level]
    return {**_as_json(hit.axiom), "similarity": hit.similarity, "relevant": relevant}
