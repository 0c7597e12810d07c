"""`moot coherence`: validate graph files, and run the engine of `coherence` alone. No model is called."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given
from moot.cli.helping import command_group
from moot.core.errors import BadDataFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from moot.protocols.coherence.graph_files import Graph, GraphProblem

app = command_group("coherence", "Check graph files, and trace paths through them without a model.")

WRONG = 1

Folder = Annotated[
    Path | None, typer.Option("--folder", metavar="FOLDER", help="A folder of graph files. Without it, Moot's own.")
]


@app.command()
def check(
    folder: Folder = None,
    as_json: given.Json = False,
) -> None:
    """Check graph files: name every line that is wrong, and say what each graph consists of."""
    from moot.cli.session import print_json
    from moot.protocols.coherence.graph_files import examined, in_order

    texts = _texts(folder)
    found = [(name, *examined(name, texts[name])) for name in in_order(texts)]
    if as_json:
        print_json([{"file": name, **_facts(graph), "problems": _plain(wrong)} for name, graph, wrong in found])
    else:
        for name, graph, wrong in found:
            _show(name, graph, wrong)
    if any(wrong for _, _, wrong in found):
        raise typer.Exit(WRONG)


@app.command()
def paths(
    scores: Annotated[
        Path, typer.Option("--scores", metavar="FILE", help="A JSON file with columns and scores; - reads stdin.")
    ],
    folder: Folder = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print failures as JSON too; the paths are JSON in any case.")
    ] = False,
) -> None:
    """Run the engine alone: print the paths that columns and scores make, as one JSON object."""
    import json

    from moot.core.canonical import harmless_json
    from moot.protocols.coherence.graph_files import graphs_from
    from moot.protocols.coherence.rules import trace_paths
    from moot.protocols.coherence.scores import read_columns, read_scores, unscored
    from moot.views.words import counted

    known = graphs_from(_texts(folder))
    sent = _sent(scores)
    columns, problem = read_columns(sent.columns, known)
    scored = read_scores(sent.scores, len(columns), known)
    if problem or scored.refused:
        raise BadDataFile(file=_named(scores), problem=problem or "; ".join(scored.refused[:5]))
    for note in scored.noted:
        typer.echo(f"moot: {note}", err=True)
    if absent := unscored(known, scored):
        typer.echo(f"moot: no scores, counted as 0: {counted(len(absent), 'relation')}", err=True)
    traced = json.dumps(trace_paths(columns, scored.values, known), ensure_ascii=False, indent=2)
    typer.echo(harmless_json(traced))


def _texts(folder: Path | None) -> "Mapping[str, str]":
    from moot.gateway.data_files import read_data_files
    from moot.protocols.coherence.graph_files import shipped_texts
    from moot.protocols.coherence.schemas import GraphFiles

    return shipped_texts() if folder is None else read_data_files(str(folder), GraphFiles).texts


def _named(file: Path) -> str:
    return "stdin" if str(file) == "-" else str(file)


def _sent(file: Path) -> Any:
    import sys

    from pydantic import ValidationError

    from moot.gateway.documents import read_document
    from moot.protocols.coherence.schemas import Unfolding

    try:
        return Unfolding.model_validate_json(read_document(file, sys.stdin.buffer).text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise BadDataFile(file=_named(file), problem=f"{place}: {first['msg']}") from None


def _facts(graph: "Graph") -> dict[str, Any]:
    lonely = [id_ for id_, near in zip(graph.ids, graph.links, strict=True) if not near]
    labels = [label for (here, there), label in graph.labels.items() if here < there]
    return {
        "graph": graph.name,
        "relations": len(graph.ids),
        "adjacencies": len(labels),
        "parts": graph.parts,
        "lonely": lonely,
    }


def _plain(problems: "Iterable[GraphProblem]") -> list[dict[str, Any]]:
    return [{"line": item.line or None, "problem": item.problem} for item in problems]


def _show(file: str, graph: "Graph", problems: "list[GraphProblem]") -> None:
    from moot.views.words import counted

    facts = _facts(graph)
    adjacencies = "1 adjacency" if facts["adjacencies"] == 1 else f"{facts['adjacencies']} adjacencies"
    whole = f"{facts['parts']} parts that no adjacency joins" if facts["parts"] > 1 else "connected"
    typer.echo(f"{file}: {counted(facts['relations'], 'relation')}, {adjacencies}, {whole}")
    for item in problems:
        typer.echo(f"  {f'line {item.line}: ' if item.line else ''}{item.problem}")
    if facts["lonely"]:
        typer.echo(f"  next to nothing: {', '.join(facts['lonely'][:20])}")
