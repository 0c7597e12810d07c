"""Making a plan from what the code and the data are today."""

import ast
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.evidence.asking import pool_prompts
from benchmarks.evidence.draw import DRAW, DRAW_ROW
from benchmarks.evidence.items import (
    FRESH,
    INVENTED,
    INVENTED_UNSETTLED,
    UNSETTLED,
    Slice,
    chosen,
    file_digests,
    spread,
)
from benchmarks.evidence.plan import (
    DEFINITIONS,
    FORM_REPLIES,
    GOALS,
    HYPOTHESIS,
    MAX_TOKENS,
    MEMBER,
    SEED,
    TEMPERATURE,
    ArmOrder,
    Plan,
    Stage,
)

from moot.core.canonical import canonical
from moot.evals.items.items import Item
from moot.gateway.members import parse_members
from moot.protocols import find_protocol
from moot.service.orders import valid_settings

SOURCE = Path(__file__).parents[2]
DECIDING = (
    *("src/moot/argument", "src/moot/methods", "src/moot/oracles"),
    *("src/moot/protocols/vote", "src/moot/protocols/interrogation"),
    *("src/moot/protocols/spiral", "src/moot/protocols/debate"),
    *("src/moot/evals/items/grading.py", "src/moot/evals/items/formats.py"),
)
OWN = ("asking", "bank", "covering", "draw", "grading", "outcomes")
"""What of the benchmark itself decides what a reply counts for."""

PROTOCOLS = ("vote", "interrogation", "spiral", "debate")

SPIRAL_CALLS = 18
"""Exposition, its comparisons and two loops of three seats: the protocol has no setting for loops."""

DRAWING = {"temperature": TEMPERATURE, "max_tokens": MAX_TOKENS}
ARMS = (
    *(
        ArmOrder(stage, protocol, protocol, {"form": "both", **DRAWING}, pooled=True)
        for stage in ("pool", "abstention")
        for protocol in ("vote", "interrogation")
    ),
    # Verifications would be another thing than the form, which is what is compared.
    ArmOrder("graph", "graph", "interrogation", {"form": "graph", "n": FORM_REPLIES, "verify": "never"}, pooled=False),
    ArmOrder("rounds", "spiral", "spiral", {}, pooled=False, calls=SPIRAL_CALLS),
    ArmOrder("rounds", "debate", "debate", {"rounds": 2}, pooled=False),
)
GRAPH_ITEMS, ROUNDS_ITEMS = 20, 6


@dataclass(frozen=True, slots=True)
class Sources:
    """The slices of the pool and of abstention, and the folder with their files."""

    folder: Path
    pool: tuple[Slice, ...] = FRESH
    unsettled: tuple[Slice, ...] = UNSETTLED
    member: str = MEMBER
    arms: tuple[ArmOrder, ...] = ARMS

    @property
    def parts(self) -> tuple[Slice, ...]:
        """All slices."""
        return (*self.pool, *self.unsettled)

    @property
    def spec(self) -> str:
        """The member by its full name: under another the pool would not be taken for it, and the model be asked."""
        return parse_members((self.member,))[0].spec

    def items(self) -> dict[str, Item]:
        """Return all items by name."""
        return {name: item for part in self.parts for name, item in chosen(part, self.folder).items()}


def invented(member: str = MEMBER) -> Sources:
    """Return the items that come with the benchmark, for a dry run: nobody's data set."""
    return Sources(Path(__file__).parent, INVENTED, INVENTED_UNSETTLED, member)


def planned(sources: Sources, *, date: str) -> Plan:
    """Return the plan as code and data are now."""
    pool = spread([list(chosen(part, sources.folder)) for part in sources.pool])
    unsettled = spread([list(chosen(part, sources.folder)) for part in sources.unsettled])
    return Plan(
        made=date,
        member=sources.spec,
        seed=SEED,
        replies=FORM_REPLIES,
        temperature=TEMPERATURE,
        max_tokens=MAX_TOKENS,
        files=file_digests(sources.parts, sources.folder),
        left_out={part.file: part.left_out for part in sources.parts if part.left_out},
        stages=(
            Stage("pool", pool),
            Stage("abstention", unsettled),
            Stage("graph", pool[:GRAPH_ITEMS]),
            Stage("rounds", pool[:ROUNDS_ITEMS], beside=4 * FORM_REPLIES),
        ),
        arms=sources.arms,
        prompts=prompt_digests(sources),
        rules=rules(sources.arms),
        definitions=DEFINITIONS,
        hypothesis=HYPOTHESIS,
        goals=GOALS,
    )


def prompt_digests(sources: Sources) -> dict[str, str]:
    """Return a digest of what is sent for each slice in each form: prompts and retrieval together."""
    texts: dict[str, list[Any]] = {}
    for part in sources.parts:
        for item in chosen(part, sources.folder).values():
            for wanted in pool_prompts(item.asked(), sources.spec, FORM_REPLIES):
                texts.setdefault(f"{part.name} {wanted.name}", []).append(wanted.messages)
    return {name: _digest(canonical(sent)) for name, sent in sorted(texts.items())}


def rules(arms: Sequence[ArmOrder]) -> dict[str, str]:
    """Return the version of each protocol, the settings of each arm, and a digest of each module that decides.

    Raises:
        BadSetting: where a protocol does not take the settings of an arm.
    """
    for order in arms:
        valid_settings(find_protocol(order.protocol), order.settings)
    orders = {f"arm {order.arm} of {order.stage}": _digest(canonical(order)) for order in arms}
    versions = {f"protocol {name}": str(find_protocol(name).version) for name in PROTOCOLS}
    modules = {path.relative_to(SOURCE).as_posix(): code_digest(path) for path in deciding()}
    return {**versions, **orders, f"protocol {DRAW}": str(DRAW_ROW.version), **modules}


def rules_digest(told: Mapping[str, str]) -> str:
    """Return one digest for all rules."""
    return _digest(canonical(told))


def deciding() -> Iterator[Path]:
    """Return the files of all modules that decide."""
    for name in DECIDING:
        path = SOURCE / name
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]
    yield from (Path(__file__).with_name(f"{name}.py") for name in OWN)


def code_digest(path: Path) -> str:
    """Return a digest of what a module does: comments, docstrings and line breaks are no part of it."""
    return _digest_of_code(path.read_text(encoding="utf-8"))


@cache
def _digest_of_code(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = _without_texts(node.body)
    return _digest(ast.dump(tree))


def _without_texts(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [
        part
        for part in body
        if not (
            isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, str)
        )
    ]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
