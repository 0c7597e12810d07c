"""A graph read from Argdown: statements are claims, premises and a conclusion are a group, relations are relations."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from moot.argument.interchange.argdown_lines import ArgdownLine, Element, read_lines
from moot.argument.interchange.argdown_text import shown
from moot.argument.interchange.carried import (
    EDGE_FIELDS,
    NODE_FIELDS,
    Carried,
    FileProblem,
    Item,
    carried,
    is_relation,
    is_type,
    known_fields,
)

Key = tuple[str, str]

_OUTGOING = {"+>": "supports", "->": "attacks"}
_INCOMING = {"+": "supports", "<+": "supports", "-": "attacks", "<-": "attacks"}


@dataclass(slots=True)
class ArgdownEntry:
    """All that a file says of one statement or argument, and where it does."""

    name: str
    line: int
    claim: str = ""
    is_defined: bool = False
    data: Item = field(default_factory=dict)
    steps: list[tuple[list[Key], Key]] = field(default_factory=list)


@dataclass(slots=True)
class OpenArgument:
    """The premises and conclusions that are being read, of one argument."""

    argument: Key
    line: int
    before: list[Key] = field(default_factory=list)
    is_conclusion_next: bool = False


def read_argdown(text: str) -> Carried:
    """Return the graph of an Argdown file.

    Raises:
        FileProblem: at its line, for what is no Argdown or has no place in a graph of claims.
    """
    if _is_json(text):
        raise FileProblem("this is JSON and no Argdown; read it as json, or as aif")
    reader = _Reader()
    for line in read_lines(text):
        reader.take(line)
    return reader.graph()


def _is_json(text: str) -> bool:
    """Whether a text is a JSON object or a list of such; [1] is a title, and no such list."""
    try:
        data = json.loads(text) if text.lstrip().startswith(("{", "[")) else None
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) or (isinstance(data, list) and any(isinstance(one, dict) for one in data))


class _Reader:
    def __init__(self) -> None:
        self._told: dict[Key, ArgdownEntry] = {}
        self._relations: list[tuple[Key, Key, str, int]] = []
        self._above: list[tuple[int, Key]] = []
        self._open: OpenArgument | None = None
        self._goes_on: ArgdownEntry | None = None
        self._untitled = 0
        self._passed_over: Counter[str] = Counter()

    def take(self, line: ArgdownLine) -> None:
        """Take in the next line."""
        if line.kind == "blank":
            self._goes_on = None
        elif line.kind == "inference":
            self._infer(line.number)
        elif line.element is not None:
            self._take_element(line, line.element)

    def _take_element(self, line: ArgdownLine, element: Element) -> None:
        if line.kind == "element" and element.title is None and self._goes_on is not None:
            self._note(self._goes_on, element)
            self._goes_on.claim = f"{self._goes_on.claim} {element.text}".strip()
            return
        key = self._key(element, line.number)
        if line.kind == "relation":
            self._relate(line, key)
        elif line.kind == "numbered":
            self._number(key, line.number)
        else:
            self._shut()
            self._above = [(-1, key)]

    def _key(self, element: Element, line: int) -> Key:
        """Note what is said of an element here, and return what it is known by."""
        self._untitled += element.title is None
        kind = "untitled" if element.title is None else "argument" if element.is_argument else "statement"
        key = (kind, element.title or f"untitled {self._untitled}")
        told = self._told.setdefault(key, ArgdownEntry(key[1], line))
        if element.text or element.data:
            told.line, told.is_defined = line, True
        told.claim = element.text or told.claim
        self._note(told, element)
        self._goes_on = told if element.text else None
        return key

    def _note(self, told: ArgdownEntry, element: Element) -> None:
        told.data |= {**({"type": tag} if (tag := next(filter(is_type, element.tags), "")) else {}), **element.data}
        self._passed_over["data that is not JSON"] += element.foreign_data
        self._passed_over["tag"] += sum(not is_type(tag) for tag in element.tags)

    def _relate(self, line: ArgdownLine, key: Key) -> None:
        while self._above and self._above[-1][0] >= line.indent:
            self._above.pop()
        if not self._above:
            raise FileProblem(
                f"nothing stands above this {line.mark}; write the claim it belongs to first", line.number
            )
        above = self._above[-1][1]
        self._above.append((line.indent, key))
        if line.mark in _OUTGOING:
            self._relations.append((above, key, _OUTGOING[line.mark], line.number))
        elif line.mark in _INCOMING:
            self._relations.append((key, above, _INCOMING[line.mark], line.number))
        elif line.mark == "><":
            self._relations += [(above, key, "attacks", line.number), (key, above, "attacks", line.number)]
        else:
            way_out = "attack one of the premises with - or leave it out"
            raise FileProblem(f"{line.mark} attacks an inference, and a graph has claims only; {way_out}", line.number)

    def _number(self, key: Key, line: int) -> None:
        if self._open is None:
            last = self._above[0][1] if self._above else ("", "")
            argument = last if last[0] == "argument" else ("argument", f"of line {line}")
            self._told.setdefault(argument, ArgdownEntry(argument[1], line))
            self._open = OpenArgument(argument, line)
        self._above = [(-1, key)]
        if not self._open.is_conclusion_next:
            self._open.before.append(key)
            return
        self._told[self._open.argument].steps.append((self._open.before, key))
        self._open.before, self._open.is_conclusion_next = [key], False

    def _infer(self, line: int) -> None:
        if self._open is None or self._open.is_conclusion_next:
            raise FileProblem("this inference has no premises; write them above it, as (1) [a]", line)
        self._open.is_conclusion_next = True

    def _shut(self) -> None:
        opened, self._open = self._open, None
        if opened and (opened.is_conclusion_next or not self._told[opened.argument].steps):
            problem = "these premises have no conclusion; write ---- below them and the conclusion below that"
            raise FileProblem(problem, opened.line)

    def graph(self) -> Carried:
        """Return all that was taken in as a graph."""
        self._shut()
        self._passed_over["reading of an argument, beside its premises"] = sum(
            bool(told.steps and told.claim and "group" not in told.data) for told in self._told.values()
        )
        claims = {key: told for key, told in self._told.items() if not told.steps}
        ids = {key: str(told.data.get("id", told.name)) for key, told in claims.items()}
        in_order = sorted(claims.items(), key=lambda entry: (not entry[1].is_defined, entry[1].line))
        nodes = [(_node(ids[key], told), told.line) for key, told in in_order]
        edges = [made for relation in self._relations for made in self._related(*relation, ids)]
        for told in self._told.values():
            edges += [(edge, told.line) for edge in self._joint(told, ids)]
        notes = [f"{what} ({count})" for what, count in self._passed_over.items() if count]
        return carried(nodes, edges, notes)

    def _related(self, src: Key, dst: Key, relation: str, line: int, ids: dict[Key, str]) -> list[tuple[Item, int]]:
        """The relations that one drawn line stands for; an argument with premises speaks by its conclusion."""
        if self._told[dst].steps:
            way_out = "name one of its premises or its conclusion instead"
            raise FileProblem(f"<{dst[1]}> has premises of its own, and a graph has claims only; {way_out}", line)
        speaker = self._told[src].steps[-1][1] if self._told[src].steps else src
        ends = {"src": ids[speaker], "dst": ids[dst]}
        told = [one for one in _list(self._told[src].data) if one.get("to") == ids[dst]]
        return [({**ends, **fields}, line) for fields in self._fields(speaker, relation, told)]

    def _joint(self, argument: ArgdownEntry, ids: dict[Key, str]) -> list[Item]:
        """The premises of an argument as supports that hold only together."""
        edges: list[Item] = []
        for number, (premises, conclusion) in enumerate(argument.steps, start=1):
            name = argument.name if len(argument.steps) == 1 else f"{argument.name}, step {number}"
            group = argument.data.get("group", name if len(premises) > 1 else None)
            for premise in premises:
                told = [one for one in _list(argument.data) if one.get("from") == ids[premise]]
                ends = {"src": ids[premise], "dst": ids[conclusion], **({} if group is None else {"group": group})}
                edges += [{**ends, **fields} for fields in self._fields(premise, "supports", told)]
        return edges

    def _fields(self, src: Key, relation: str, told: Sequence[Item]) -> list[Item]:
        """What the data says of a relation that is drawn; where it says nothing, it is of the runs of its claim."""
        fitting = [
            one
            for one in (known_fields(entry, EDGE_FIELDS) for entry in told)
            if is_relation(one.get("relation")) and (one["relation"] == "attacks") == (relation == "attacks")
        ]
        return fitting or [{"relation": relation, **known_fields(self._told[src].data, ("run_ids",))}]


def _node(name: str, told: ArgdownEntry) -> Item:
    """A claim with its data; words that were changed by hand count more than what the data has letter by letter."""
    kept = told.data.get("claim")
    claim = kept if isinstance(kept, str) and shown(kept) == told.claim else told.claim or told.name
    return {"id": name, "claim": claim, **known_fields(told.data, NODE_FIELDS)}


def _list(data: Item) -> list[Item]:
    told = data.get("relations")
    return [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
