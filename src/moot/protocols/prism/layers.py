"""The layer tables as data: `prism-v1`, `prism-v1-solo`, and those that a user writes (prism, ruling P7).

A table is written in TOML or JSON. What is wrong with one is told by the name of the field.
"""

import json
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError, field_validator, model_validator

from moot.core.canonical import canonical
from moot.core.data_files import DataFiles
from moot.core.errors import BadDataFile

Role = Literal["contributor", "critic", "supporter", "counter", "questioner", "defender", "answerer"]
Shape = Literal["framing", "classification", "evidence", "critique", "defense", "deliberation", "synthesis"]
SlotType = Literal["work", "consensus"]

CONSENSUS: SlotType = "consensus"
WORK: SlotType = "work"
MOST_LAYERS = 20
MOST_SLOTS = 20

Count = Annotated[StrictInt, Field(ge=1, le=MOST_SLOTS)]


class TableFile(DataFiles):
    """A layer table of the user's own."""

    suffixes: ClassVar[tuple[str, ...]] = (".toml", ".json")


class Layer(BaseModel):
    """One row of a table: who works, how many agree, and how sure they must be."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: StrictInt
    name: Annotated[str, Field(min_length=1, max_length=60)]
    shape: Shape
    work: Mapping[Role, Count] = Field(default_factory=dict)
    consensus: Count
    threshold: Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]

    @property
    def roles(self) -> tuple[Role, ...]:
        """The role of each work slot, in order."""
        return tuple(role for role, count in self.work.items() for _ in range(count))

    @property
    def slots(self) -> int:
        """How many distinct agents the layer needs (ruling P1)."""
        return len(self.roles) + self.consensus


class LayerTable(BaseModel):
    """A protocol of the board: its layers, numbered from 1 without a gap, the last a synthesis."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
    layers: tuple[Layer, ...]

    @field_validator("layers")
    @classmethod
    def _numbered(cls, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
        if not 1 <= len(layers) <= MOST_LAYERS:
            raise ValueError(f"a table has 1 to {MOST_LAYERS} layers, and this one has {len(layers)}")
        for expected, layer in enumerate(layers, 1):
            if layer.number != expected:
                problem = f"layer {expected} is missing: {layer.number} stands in its place"
                raise ValueError(f"{problem}; number the layers 1, 2, 3 and so on without a gap")
        return layers

    @model_validator(mode="after")
    def _concluded(self) -> "LayerTable":
        shapes = [layer.shape for layer in self.layers]
        if shapes[-1] != "synthesis" or "synthesis" in shapes[:-1]:
            raise ValueError("layers: the last layer, and no other, has the shape 'synthesis'")
        return self


def _row(number: int, name: str, shape: str, work: Mapping[str, int], consensus: int, threshold: float) -> Any:
    fields = {"number": number, "name": name, "shape": shape, "work": work}
    return {**fields, "consensus": consensus, "threshold": threshold}


PRISM_V1 = LayerTable.model_validate(
    {
        "name": "prism-v1",
        "layers": [
            _row(1, "Framing", "framing", {"contributor": 2}, 2, 0.7),
            _row(2, "Classification", "classification", {"critic": 2}, 2, 0.7),
            _row(3, "Evidence", "evidence", {"supporter": 2, "counter": 1}, 2, 0.7),
            _row(4, "Critique", "critique", {"critic": 2, "questioner": 1}, 2, 0.7),
            _row(5, "Defense", "defense", {"defender": 1, "answerer": 1}, 2, 0.7),
            _row(
                6, "Deliberation", "deliberation", {"critic": 2, "questioner": 2, "supporter": 1, "counter": 1}, 3, 0.7
            ),
            _row(7, "Synthesis", "synthesis", {}, 3, 0.7),
        ],
    }
)

SOLO = LayerTable.model_validate(
    {
        "name": "prism-v1-solo",
        "layers": [
            _row(1, "Framing", "framing", {"contributor": 1}, 1, 0.5),
            _row(2, "Classification", "classification", {"critic": 1}, 1, 0.5),
            _row(3, "Evidence", "evidence", {"supporter": 1}, 1, 0.5),
            _row(4, "Critique", "critique", {"critic": 1}, 1, 0.5),
            _row(5, "Defense", "defense", {"defender": 1}, 1, 0.5),
            _row(6, "Deliberation", "deliberation", {"critic": 1}, 1, 0.5),
            _row(7, "Synthesis", "synthesis", {}, 1, 0.5),
        ],
    }
)

TABLES: Mapping[str, LayerTable] = {table.name: table for table in (PRISM_V1, SOLO)}


def table_of(chosen: str | TableFile) -> LayerTable:
    """Return the table that a setting names, or that a user's file holds.

    Raises:
        BadDataFile: for a file that holds none, with the field that is wrong.
    """
    if isinstance(chosen, str):
        return TABLES[chosen]
    if len(chosen.texts) != 1:
        raise BadDataFile(file=chosen.path, problem=f"it holds {len(chosen.texts)} tables; name the one file")
    [(file, text)] = chosen.texts.items()
    try:
        table = LayerTable.model_validate(_parsed(file, text))
    except ValidationError as error:
        wrong = error.errors()
        problem = "; ".join(f"{_field(item['loc'])}{_message(item)}" for item in wrong[:5])
        raise BadDataFile(file=file, problem=problem) from None
    if table.name in TABLES:
        raise BadDataFile(file=file, problem=f"name: {table.name!r} comes with Moot; give yours another name")
    return table


def table_text(chosen: str | TableFile) -> dict[str, str]:
    """Return the text of the table by its name, so that a record can tell when it is another."""
    if isinstance(chosen, str):
        return {chosen: canonical(TABLES[chosen])}
    return dict(chosen.texts)


def _parsed(file: str, text: str) -> Any:
    try:
        return json.loads(text) if file.lower().endswith(".json") else tomllib.loads(text)
    except RecursionError:
        raise BadDataFile(file=file, problem="it is nested too deeply") from None
    except ValueError as error:
        kind = "JSON" if file.lower().endswith(".json") else "TOML"
        raise BadDataFile(file=file, problem=f"it is no {kind}: {error}") from None


def _field(loc: tuple[int | str, ...]) -> str:
    """Return the place of a field as its author counts: layers from 1."""
    parts = [str(part + 1) if isinstance(part, int) else str(part) for part in loc if part != "[key]"]
    return f"{'.'.join(parts)}: " if parts else ""


def _message(item: Any) -> str:
    message = item["msg"].removeprefix("Value error, ")
    return message if item["type"] in ("value_error", "missing") else f"{message}, not {str(item['input'])[:40]!r}"
