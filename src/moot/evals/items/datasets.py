"""Items with known answers, read from a file, from the set that comes with Moot, or from one that a package brings.

The published formats are in `formats`. What cannot be read is counted and named with its file and line; nothing is
left out in silence.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, cast

from typing_extensions import override

from moot import plugins
from moot.core.errors import BadSetting, DocumentUnreadable, NotFound, PluginBroken
from moot.evals.items.formats import FORMATS, BadRecord, Format, Record, format_of
from moot.evals.items.items import Item

SAMPLE = "sample"
CORPUS = "corpus.jsonl"
"""SciFact publishes its abstracts apart from its claims; both files lie in one folder."""


@dataclass(frozen=True, slots=True)
class ItemProblem:
    """Something in a dataset that became no item: where, and why."""

    where: str
    what: str

    @override
    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class Dataset:
    """The items of a set, in its order, and what could not be read of it."""

    name: str
    items: tuple[Item, ...]
    problems: tuple[ItemProblem, ...] = ()

    def item(self, item_id: str) -> Item | None:
        """Return the item of this id, if the set has it."""
        return next((item for item in self.items if item.id == item_id), None)


def load(path_or_name: str | Path, *, limit: int | None = None, format_name: str | None = None) -> Dataset:
    """Return the first `limit` items of a set. Its problems are those of the whole file, whatever the limit.

    The format is recognised from the fields of the first line that shows one, unless `format_name` names it.

    Raises:
        NotFound: there is neither such a file nor a set of this name.
        PluginBroken, PluginClash: a set of another package cannot be used.
        DocumentUnreadable: the file cannot be read.
        BadSetting: the limit is below 1, or there is no such format.
    """
    if limit is not None and limit < 1:
        raise BadSetting(name="limit", problem=f"{limit} items are too few; give 1 or more, or none for all")
    wanted = _format_named(format_name) if format_name else None
    if str(path_or_name) == SAMPLE:
        data = resources.files("moot.evals").joinpath("data", "sample.jsonl").read_bytes()
        return _made(SAMPLE, data, "sample.jsonl", limit, wanted, None)
    path = Path(path_or_name)
    if not path.is_file():
        if plugin := plugins.find("moot.datasets", str(path_or_name)):
            return _brought(plugin, limit)
        installed = "".join(f", `{name}`" for name in plugins.names("moot.datasets"))
        see = f"give the path of a file, or `{SAMPLE}`{installed} for a set that is installed"
        raise NotFound(what="dataset", name=str(path_or_name), see=see)
    return _made(path.stem, _bytes(path), path.name, limit, wanted, path.with_name(CORPUS))


def _brought(plugin: plugins.Plugin, limit: int | None) -> Dataset:
    """The items that a function of another package gives, each in Moot's own form (docs/evals.md)."""
    records = cast("Callable[[], Iterable[Any]]", plugin.load(Callable))
    try:
        given = [(f"{plugin.name}, item {number}", record) for number, record in enumerate(records(), 1)]
    except Exception as error:
        problem = f"it fails with {type(error).__name__}: {error}"
        raise PluginBroken(what="dataset", name=plugin.name, origin=plugin.origin, problem=problem) from error
    read = [
        (where, record) if isinstance(record, Mapping) else ItemProblem(where, "is no object of names and values")
        for where, record in given
    ]
    return _collected(plugin.name, read, plugin.name, limit, _format_named("moot"), None)


def _made(
    name: str, data: bytes, file: str, limit: int | None, wanted: Format | None, corpus_path: Path | None
) -> Dataset:
    return _collected(name, list(_records(data, file)), file, limit, wanted, corpus_path)


def _collected(
    name: str,
    read: Sequence[tuple[str, Record] | ItemProblem],
    file: str,
    limit: int | None,
    wanted: Format | None,
    corpus_path: Path | None,
) -> Dataset:
    problems = [entry for entry in read if isinstance(entry, ItemProblem)]
    records = [entry for entry in read if not isinstance(entry, ItemProblem)]
    chosen = wanted or next((known for _, record in records if (known := format_of(record))), None)
    corpus: Mapping[str, Record] = {}
    if chosen and corpus_path and any("cited_doc_ids" in record and "documents" not in record for _, record in records):
        corpus, lost = _corpus(corpus_path)
        problems += lost
    items: dict[str, Item] = {}
    for number, (where, record) in enumerate(records, 1):
        try:
            item = _item(record, number, chosen, corpus)
        except BadRecord as bad:
            problems.append(ItemProblem(where, str(bad)))
            continue
        if item.id in items:
            problems.append(ItemProblem(where, f"the id {item.id!r} was used before"))
        else:
            items[item.id] = item
    if not items:
        problems.append(ItemProblem(file, "holds no items"))
    return Dataset(name, tuple(items.values())[:limit], tuple(problems))


def _item(record: Record, number: int, chosen: Format | None, corpus: Mapping[str, Record]) -> Item:
    if chosen is None:
        fields = ", ".join(map(str, record)) or "none"
        raise BadRecord(f"the fields ({fields}) are those of no format that Moot reads")
    if "cited_doc_ids" in record and "documents" not in record:
        cited = [str(key) for key in record["cited_doc_ids"] or ()]
        if absent := [key for key in cited if key not in corpus]:
            raise BadRecord(f"the abstracts {', '.join(absent)} are not in {CORPUS} beside the file")
        record = {**record, "documents": [corpus[key] for key in cited]}
    return chosen.read(record, f"{chosen.name}-{number:04d}")


def _records(data: bytes, file: str) -> Iterator[tuple[str, Record] | ItemProblem]:
    """Yield each record with its place: of a JSON list, of a CSV file with a header, or of one JSON object a line."""
    if file.lower().endswith(".csv"):
        yield from _csv_records(data, file)
    elif data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        yield from _list_records(data, file)
    else:
        for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
            if line.strip():
                yield _record(line, f"{file}:{number}")


def _record(line: bytes, where: str) -> tuple[str, Record] | ItemProblem:
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return ItemProblem(where, "is not UTF-8")
    except (json.JSONDecodeError, RecursionError) as bad:
        return ItemProblem(where, f"is no JSON ({bad})")
    return (where, value) if isinstance(value, dict) else ItemProblem(where, "is no JSON object")


def _list_records(data: bytes, file: str) -> Iterator[tuple[str, Record] | ItemProblem]:
    try:
        values: list[Any] = json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as bad:
        yield ItemProblem(file, f"is no JSON list ({bad})")
        return
    for number, value in enumerate(values, 1):
        where = f"{file}, entry {number}"
        yield (where, value) if isinstance(value, dict) else ItemProblem(where, "is no JSON object")


def _csv_records(data: bytes, file: str) -> Iterator[tuple[str, Record] | ItemProblem]:
    try:
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        for row in reader:
            yield f"{file}:{reader.line_num}", {key: value for key, value in row.items() if isinstance(key, str)}
    except UnicodeDecodeError:
        yield ItemProblem(file, "is not UTF-8")
    except csv.Error as bad:
        yield ItemProblem(file, f"is no CSV ({bad})")


def _corpus(path: Path) -> tuple[Mapping[str, Record], list[ItemProblem]]:
    """Return SciFact's abstracts by their id."""
    if not path.is_file():
        return {}, [ItemProblem(path.name, "is not beside the file, and holds the abstracts")]
    abstracts: dict[str, Record] = {}
    problems: list[ItemProblem] = []
    for entry in _records(_bytes(path), path.name):
        if isinstance(entry, ItemProblem):
            problems.append(entry)
            continue
        where, record = entry
        try:
            text = " ".join(record["abstract"])
            abstracts[str(record["doc_id"])] = {"name": str(record["title"]), "text": text}
        except (KeyError, TypeError):
            problems.append(ItemProblem(where, "lacks `doc_id`, `title` or `abstract`"))
    return abstracts, problems


def _format_named(name: str) -> Format:
    for known in FORMATS:
        if known.name == name:
            return known
    raise BadSetting(name="format", problem=f"{name!r} is none of {', '.join(known.name for known in FORMATS)}")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as bad:
        raise DocumentUnreadable(name=str(path), problem=bad.strerror or "cannot be read") from None
