"""`moot graph`: assess an argument graph from a file, draw its lines of support, or write it in another format."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import completing
from moot.core.errors import BadDataFile, BadSetting, NotFound

if TYPE_CHECKING:
    from rich.console import Console
    from rich.tree import Tree

    from moot.argument import GraphStore, Node

GRAPH = "graph"
REFUSED = 3
SHOWN = 8
FROM = ("json", "argdown", "aif")
ARGDOWN_NAMES = (".argdown", ".ad")
COLOURS = {"conclusion": "bold green", "given": "blue", "inference": "default", "assumption": "yellow"}


WrittenAs = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="json|argdown|aif",
        help="The format of the file. Without it, its name (.argdown, .ad) and what is in it tell.",
        autocompletion=completing.graph_sources,
    ),
]


def graph(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A JSON file with nodes and edges, or with a list of such graphs, one for each run; an Argdown or AIF "
            "file; - reads stdin.",
        ),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what every graph function says as JSON; failures are JSON too.")
    ] = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="json|argdown|aif|dot|mermaid|graphml",
            help="Print the graph itself in this format, and no assessment.",
            autocompletion=completing.graph_formats,
        ),
    ] = None,
    written_as: WrittenAs = None,
    conclusion: Annotated[
        str | None,
        typer.Option("--conclusion", metavar="ID", help="The node to assess. Without it, every conclusion is."),
    ] = None,
    keep_apart: Annotated[
        list[str] | None,
        typer.Option(
            "--keep-apart",
            metavar="ID,ID",
            help="Two ids, with a comma between them, that must not be merged. May be given several times.",
        ),
    ] = None,
) -> None:
    """Assess an argument graph: how widely its conclusion is supported, what it hangs on, and what stands or falls.

    Nodes and edges that cannot be used are refused one by one. What was taken is still shown, and the exit code is 3.
    """
    from moot.argument import GraphStore

    store = GraphStore()
    name = "stdin" if str(file) == "-" else str(file)
    report = _load(store, _read(file, name, written_as), name)
    if not report["accepted_nodes"]:
        _begin_empty(store, report, name)
    _tell_passed_over(f"the field {name}" for name in report.get("passed_over", ()))
    _keep_apart(store, keep_apart or [])
    if form is not None:
        typer.echo(_written(store, form, as_json=as_json))
        for refusal in report["rejected"]:
            typer.echo(_plain(f"refused: {refusal['reason']}"), err=True)
    else:
        assessment = _assessment(store, _chosen(store, conclusion), report)
        typer.echo(_json(assessment)) if as_json else _show(store, assessment)
    if report["rejected"]:
        raise typer.Exit(REFUSED)


def _written(store: "GraphStore", form: str, *, as_json: bool) -> str:
    from moot.argument import FORMATS

    _check_format("format", form, ["json", *FORMATS])
    if as_json and form not in ("json", "aif"):
        raise BadSetting(name="format", problem=f"{form!r} is not JSON and --json asks for it; drop one of the two")
    return _json(store.to_json(GRAPH)) if form == "json" else store.export(GRAPH, form)


def _check_format(option: str, form: str, formats: Sequence[str]) -> None:
    from moot.core.near_names import did_you_mean

    if form not in formats:
        meant = did_you_mean(form, formats)
        raise BadSetting(name=option, problem=f"{form!r} is no format; {meant}there are {', '.join(formats)}")


def _json(value: object) -> str:
    from moot.core.canonical import harmless_json

    return harmless_json(json.dumps(value, ensure_ascii=False, indent=2))


def _read(file: Path, name: str, written_as: str | None) -> Any:
    """Return the graph of a file as JSON; what a graph has no place for is told on stderr."""
    from moot.argument.interchange import FileProblem, is_aif, read_aif, read_argdown
    from moot.gateway.documents import read_document

    if written_as is not None:
        _check_format("from", written_as, FROM)
    text = read_document(file, sys.stdin.buffer).text
    try:
        if written_as == "argdown" or (written_as is None and file.suffix in ARGDOWN_NAMES):
            carried = read_argdown(text)
        else:
            data = _parsed(text, name)
            if written_as != "aif" and not (written_as is None and is_aif(data)):
                return data
            carried = read_aif(data)
    except FileProblem as problem:
        raise BadDataFile(file=name, line=problem.line, problem=str(problem)) from None
    _tell_passed_over(carried.passed_over)
    return carried.graph


def _tell_passed_over(told: Iterable[str]) -> None:
    for what in told:
        typer.echo(_plain(f"passed over, since a graph has no place for it: {what}"), err=True)


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        expected = "it should hold an object with `nodes` and `edges`; Argdown is read with --from argdown"
        problem = f"it is not JSON ({error}); {expected}"
        raise BadDataFile(file=name, problem=problem) from None


def _load(store: "GraphStore", data: Any, name: str) -> dict[str, Any]:
    """Take in one graph, or several as runs r1, r2, ... whose node ids get the run as prefix."""
    if data == []:
        problem = "the list holds no graph; give one object with `nodes` and `edges` for each run"
        raise BadDataFile(file=name, problem=problem)
    if not isinstance(data, list):
        report = store.from_json(GRAPH, data)
        if "error" in report:
            raise BadDataFile(file=name, problem=f"this is no argument graph: {report['error']}")
        return report
    report: dict[str, Any] = {"accepted_nodes": 0, "accepted_edges": 0, "rejected": [], "auto_merged": []}
    strange: dict[str, None] = {}
    for number, run in enumerate(data, start=1):
        run = run if isinstance(run, dict) else {"nodes": [run]}
        part = store.assert_graph(
            GRAPH, _of_run(run, "nodes", number), _of_run(run, "edges", number), run_id=f"r{number}"
        )
        strange.update(dict.fromkeys(part.get("passed_over", ())))
        report = {key: known + part[key] for key, known in report.items()}
    return {**report, "passed_over": list(strange)} if strange else report


def _begin_empty(store: "GraphStore", report: Mapping[str, Any], name: str) -> None:
    """Make the graph of which everything was refused, and which nothing has made so far."""
    if not report["rejected"]:
        problem = "this is no argument graph: it has no claim; write one at least, in `nodes` where it is JSON"
        raise BadDataFile(file=name, problem=problem)
    if GRAPH not in store.graph_ids():
        store.create_graph(GRAPH)


def _keep_apart(store: "GraphStore", pairs: list[str]) -> None:
    if not pairs:
        return
    told: Any = store.keep_apart(GRAPH, [[part.strip() for part in pair.split(",")] for pair in pairs])
    for refusal in told["rejected"]:
        problem = f"{','.join(refusal['item'])}: {refusal['reason']}; name two ids as in r1:A,r2:A"
        raise BadSetting(name="keep-apart", problem=problem)


def _of_run(run: dict[str, Any], key: str, number: int) -> list[Any]:
    items = run.get(key, [])
    return [_prefixed(item, number) for item in items] if isinstance(items, list) else [items]


def _prefixed(item: Any, number: int) -> Any:
    if not isinstance(item, dict):
        return item
    names = ("id", "src", "dst", "from", "to", "source", "target")
    return {
        key: f"r{number}:{value}" if key in names and isinstance(value, str) else value for key, value in item.items()
    }


def _chosen(store: "GraphStore", conclusion: str | None) -> list[str]:
    if conclusion is None:
        return list(store.conclusions(GRAPH))
    node_id = store.resolve(GRAPH, conclusion) or store.resolve(GRAPH, f"r1:{conclusion}")
    if node_id is None:
        known = ", ".join(node.id for node in store.nodes(GRAPH)[:SHOWN])
        raise NotFound(what="node", name=conclusion, see=f"the graph has {known} …" if known else "the graph is empty")
    return [node_id]


def _assessment(store: "GraphStore", conclusions: list[str], report: dict[str, Any]) -> dict[str, Any]:
    merged = store.merge_duplicates(GRAPH)
    return {
        "assert_graph": report,
        "merge_duplicates": merged,
        "merges": store.merges(GRAPH),
        "surviving_claims": store.surviving_claims(GRAPH),
        "fates": _fates(store.surviving_claims(GRAPH)),
        "conclusions": {
            node_id: {
                "support_width": store.support_width(GRAPH, node_id),
                "resilience": store.resilience(GRAPH, node_id),
                "critical_links": store.critical_links(GRAPH, node_id),
                "check_structure": store.check_structure(GRAPH, node_id),
                "disputed_nodes": store.disputed_nodes(GRAPH, node_id),
                "standing_lines": store.standing_lines(GRAPH, node_id),
            }
            for node_id in conclusions
        },
    }


def _fates(labels: Any) -> dict[str, str]:
    """Return one fate for each claim. The paper's survivors hold what is undecided too; here it is undecided alone."""
    fates = dict.fromkeys(labels["in"], "unsupported")
    fates |= dict.fromkeys(labels["surviving"], "survives")
    return fates | dict.fromkeys(labels["undecided"], "undecided") | dict.fromkeys(labels["out"], "falls")


def _show(store: "GraphStore", assessment: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    _show_intake(console, assessment)
    if not assessment["conclusions"]:
        console.print("The graph has no conclusion; --conclusion ID names the node to assess.")
    fates = assessment["fates"]
    for node_id, payloads in assessment["conclusions"].items():
        _show_conclusion(console, store, node_id, payloads, fates)
    for title, fate in (("Survives", "survives"), ("Falls", "falls"), ("Undecided", "undecided")):
        console.print(_line(title, [name for name, its_own in fates.items() if its_own == fate]))


def _show_intake(console: "Console", assessment: dict[str, Any]) -> None:
    from moot.views.words import counted

    report = assessment["assert_graph"]
    taken = f"{counted(report['accepted_nodes'], 'claim')} and {counted(report['accepted_edges'], 'relation')}"
    console.print(f"{taken} taken in", markup=False)
    for merge in assessment["merges"][:SHOWN]:
        by = merge["by"] if merge["score"] is None or merge["by"] == "equal" else f"{merge['by']} {merge['score']:.2f}"
        console.print(_plain(f"  {merge['merged']} is merged into {merge['kept']} ({by})"), markup=False)
    for a, b in assessment["merge_duplicates"]["contradictions_created"][:SHOWN]:
        console.print(_plain(f"  {a} and {b} contradict each other"), markup=False)
    for refusal in report["rejected"][:SHOWN]:
        console.print(_plain(f"  refused: {refusal['reason']}"), style="red", markup=False)
    if len(report["rejected"]) > SHOWN:
        console.print(f"  and {len(report['rejected']) - SHOWN} more refused; --json lists them", style="red")


def _show_conclusion(
    console: "Console", store: "GraphStore", node_id: str, payloads: dict[str, Any], fates: Mapping[str, str]
) -> None:
    from moot.argument.words import support_words

    console.print()
    console.print(_drawing(store, node_id, payloads["standing_lines"], fates))
    console.print()
    standing = payloads["resilience"]
    console.print(f"{support_words(standing)}.", style="bold", markup=False)
    console.print(_width_words(payloads), markup=False)
    console.print(_line("Must be wrong", standing["any_one_of"] or standing["must_be_wrong"]))
    _show_links(console, payloads["critical_links"], fates)
    _show_structure(console, payloads["check_structure"], payloads["disputed_nodes"])


def _width_words(payloads: dict[str, Any]) -> str:
    """The paper's figures, which count a line also where a claim on it has fallen; and how many lines stand."""
    width, stand = payloads["support_width"], len(payloads["standing_lines"])
    fallen = "" if stand == width["disjoint_paths"] else f", counting lines on fallen claims; without them {stand}"
    return f"Support width {width['disjoint_paths']}{fallen}. Maximum flow {width['max_flow']:g}."


def _show_links(console: "Console", links: dict[str, Any], fates: Mapping[str, str]) -> None:
    """Show what the conclusion hangs on; what has fallen holds nothing up any more."""

    def stands(edge: Sequence[str]) -> bool:
        return not any(fates.get(name) == "falls" for name in edge)

    console.print(_line("Would fall without", [name for name in links["min_cut_nodes"] if stands([name])]))
    console.print(_line("Bridges", [" → ".join(edge) for edge in links["bridge_edges"] if stands(edge)]))
    ranked = [link for link in links["ranked"] if stands(link["edge"])]
    weakest = [f"{' → '.join(link['edge'])} ({link['min_confidence_on_edge']:g})" for link in ranked[:3]]
    console.print(_line("Least confident links", weakest))


def _show_structure(console: "Console", structure: dict[str, Any], disputed: dict[str, Any]) -> None:
    console.print(_line("Nothing supports", structure["orphans"]))
    console.print(_line("Assumptions", structure["assumptions"]))
    console.print(_line("Circular", [" → ".join(cycle) for cycle in structure["cycles"]]))
    console.print(_line("Refuted but feeding", structure["refuted_but_feeding"]))
    if structure.get("broad"):
        console.print(_line("Broad sources", structure["broad"]))
    console.print(_line("Contradictions", [" ↔ ".join(pair) for pair in disputed["contradiction_pairs"]]))
    console.print(_line("One run only", [entry["id"] for entry in disputed["isolated_load_bearing"]]))


def _drawing(store: "GraphStore", node_id: str, paths: Sequence[Sequence[str]], fates: Mapping[str, str]) -> "Tree":
    """The disjoint lines as branches below the conclusion: a chain step by step, premises of one claim side by side."""
    from rich.text import Text
    from rich.tree import Tree

    from moot.argument import Sentence

    items: dict[str, Node | Sentence] = {item.id: item for item in (*store.nodes(GRAPH), *store.sentences(GRAPH))}
    joined = {(edge.src, edge.dst) for edge in store.edges(GRAPH)}
    joined |= {(name, node.id) for node in store.nodes(GRAPH) for source in node.sources for name in source.ids}

    def label(name: str) -> Text:
        item = items[name]
        kind, facts = (
            ("given", "sentence") if isinstance(item, Sentence) else (item.type, f"{item.type} {item.confidence:g}")
        )
        fate = fates.get(name, "")
        told = f"  {facts}{' refuted' if item.refuted else f' {fate}' if fate in ('falls', 'undecided') else ''}"
        return Text.assemble((_plain(name), "bold"), "  ", (_plain(item.claim), COLOURS[kind]), (told, "dim"))

    tree = Tree(label(node_id), guide_style="dim")
    for number, path in enumerate(paths[:SHOWN], start=1):
        branches = {path[-1]: tree.add(Text(f"line {number}", style="cyan"))}
        for place in range(len(path) - 2, -1, -1):
            above = next(name for name in path[place + 1 :] if (path[place], name) in joined)
            branches[path[place]] = branches[above].add(label(path[place]))
    if len(paths) > SHOWN:
        tree.add(f"and {len(paths) - SHOWN} more lines")
    return tree


def _line(title: str, items: list[str]) -> str:
    from rich.markup import escape

    shown = ", ".join(items[:SHOWN]) + (f" and {len(items) - SHOWN} more" if len(items) > SHOWN else "")
    return f"[dim]{title:<22}[/dim]{escape(_plain(shown)) if items else '[dim]none[/dim]'}"


def _plain(text: str) -> str:
    """Text without what a terminal would obey: control characters are shown as a question mark."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
