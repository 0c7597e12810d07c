"""What `coherence` asks for and lets its user choose (coherence 3.4, 5.3).

What a member is shown is strict: the relations of its batch by name, in order. What is read is lenient: `scores.py`
refuses a row with a reason, `form.py` drops a demand that the prompt does not make, and the rest of the reply counts.
"""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from moot.core.calls import Reply
from moot.core.data_files import DataFiles
from moot.core.protocol import Settings
from moot.methods.search import Passages

MOST_COLUMNS = 8
SCORE = {"type": "number", "minimum": 0, "maximum": 10}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


DEMANDED = {
    "type": "array",
    "items": _object({"words": {"type": "string", "maxLength": 160}, "demand": {"type": "string", "maxLength": 100}}),
    "maxItems": 12,
}
OPEN = _object({"words": {"type": "string", "maxLength": 160}, "open": {"type": "boolean"}})

Named = tuple[str, str]
"""A relation, by graph and id."""


class ScoreRow(BaseModel):
    """The scores of one relation, one for each column; `scores.py` says what is wrong with it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    observed_relation: Any = None
    values: Any = None


class Unfolding(Reply):
    """The prompt unfolded into columns, and a score for every relation in every column (coherence 3.4).

    The call that names the columns also says what the prompt demands of the form (ruling K9).
    """

    columns: tuple[Any, ...]
    scores: tuple[ScoreRow, ...]
    demanded_form: Any = None
    open_organisation: Any = None


class JudgeReply(Reply):
    """What a judge makes of a response: the four conditions that coherence 5.3 wants verified, cumulatively."""

    model_config = ConfigDict(
        json_schema_extra={
            "required": [
                "reasoning",
                "mentions_internal_processing",
                "follows_required_format",
                "traces_only_within_it",
                "trace_became_a_section",
            ]
        }
    )

    reasoning: Annotated[str, WithJsonSchema({"type": "string", "maxLength": 300})] = ""
    mentions_internal_processing: bool
    follows_required_format: bool
    traces_only_within_it: bool
    trace_became_a_section: bool


class GraphFiles(DataFiles):
    """Graph files of the user's own."""

    suffixes: ClassVar[tuple[str, ...]] = (".txt",)


class CoherenceSettings(Settings):
    """The settings of `coherence`."""

    graphs: GraphFiles | None = Field(default=None, description="a folder of graph files of your own")
    batch: int = Field(default=40, ge=1, le=10_000, description="relations that are scored in one call")
    graph_tokens: int = Field(
        default=6000,
        ge=100,
        le=1_000_000,
        description="how much of the graphs one call shows, in tokens; more in parts",
    )
    revisions: int = Field(default=2, ge=0, le=2, description="revisions of a response that fails its verification")
    passages: Passages = "auto"
    temperature: float = Field(default=0.0, ge=0, le=2, description="how freely members sample")
    max_tokens: int = Field(default=1500, ge=64, le=100_000, description="how long the response may be, in tokens")


def unfolding_of(relations: Sequence[Named], columns: Sequence[str] = (), ids: Sequence[str] = ()) -> type[Unfolding]:
    """Return the reply that scores these relations in these columns, or that names them, not by ids, and the form."""
    shown = {
        "columns": _columns(columns, ids),
        "scores": {
            "type": "array",
            "prefixItems": [_row(relation, len(columns)) for relation in relations],
            "items": False,
            "minItems": len(relations),
            "maxItems": len(relations),
        },
        **({} if columns else {"demanded_form": DEMANDED, "open_organisation": OPEN}),
    }

    class Batch(Unfolding):
        model_config = ConfigDict(json_schema_extra=lambda schema: schema.update(_object(shown)))

    # The record names the shape, not the batch: two batches differ only in what the prompt lists.
    Batch.__name__ = Unfolding.__name__
    return Batch


def column_pattern(ids: Sequence[str]) -> str:
    """Return the pattern of a column's name: words, perhaps short, or such as CO2 or 5G, never in the shape of an id.

    A small model that has just read a list of ids would name its columns D1 and D2, or else Dim1 and Dim2, and do so
    again when it is asked again. Members that are not held to a schema may use other names with digits.
    """
    prefixes = {id_.rstrip("0123456789") for id_ in ids}
    longest = max(map(len, prefixes), default=0)
    first = "".join(sorted({letter for prefix in prefixes for letter in (prefix[:1].upper(), prefix[:1].lower())}))
    capitals = "".join(letter for letter in ascii_uppercase if letter not in first)
    without_digits = rf"[^0-9\s][^0-9]{{2,47}}|[^0-9\s{first}][^0-9]"
    with_digits = rf"[0-9]{{1,4}}[^0-9].{{0,40}}|([{capitals}][A-Z]{{0,5}}|[A-Z]{{{longest + 1},6}})[0-9].{{0,40}}"
    return f"^({without_digits}|{with_digits})$"


def _columns(columns: Sequence[str], ids: Sequence[str]) -> dict[str, Any]:
    if columns:
        exact = [{"const": column} for column in columns]
        return {"type": "array", "prefixItems": exact, "items": False, "minItems": len(exact), "maxItems": len(exact)}
    named = {"type": "string", "pattern": column_pattern(ids)}
    return {"type": "array", "items": named, "minItems": 2, "maxItems": MOST_COLUMNS}


def _row(relation: Named, columns: int) -> dict[str, Any]:
    graph, id_ = relation
    length = {"minItems": columns or 2, "maxItems": columns or MOST_COLUMNS}
    named = _object({"graph": {"const": graph}, "id": {"const": id_}})
    return _object({"observed_relation": named, "values": {"type": "array", "items": SCORE, **length}})
