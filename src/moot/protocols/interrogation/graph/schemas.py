"""The reply of a run in the `graph` form: steps, and what each holds because of (interrogation 4.2, rulings I11, I13).

The schema that a member is shown is strict and bounded, so that one which generates by it keeps to it. What is read is
lenient: a wrong item costs that item, and the paper's own `nodes` and `edges` are read where they come.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, WithJsonSchema, model_validator

from moot.core.calls import Reply

LONGEST_REASONING = 1_500
"""Characters that are asked for at most; what is longer is read all the same."""


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def _named(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^{pattern}$"}


def _listed(item: dict[str, Any], least: int, most: int) -> dict[str, Any]:
    return {"type": "array", "items": item, "minItems": least, "maxItems": most}


CLAIM = {"type": "string", "minLength": 1, "maxLength": 240}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
NUMBER = {"type": "integer", "minimum": 1, "maximum": 99_999}
REASON = {"anyOf": [NUMBER, _named("[sa][1-9]")]}
BECAUSE = _listed(REASON, 1, 6)
ASSUMPTIONS = _listed(_object({"id": _named("a[1-9]"), "claim": CLAIM}), 0, 4)
STEPS = _listed(_object({"id": _named("s[1-9]"), "claim": CLAIM, "because": BECAUSE}, confidence=SHARE), 0, 9)
OBJECTIONS = _listed(
    _object({"id": _named("o[1-9]"), "claim": CLAIM, "because": BECAUSE, "against": _named("(c|s[1-9])")}), 0, 3
)
# That the documents do not say rests on no sentence: only there `because` may be empty.
CONCLUSION = _object({"claim": CLAIM, "because": _listed(REASON, 0, 6)})

ASKED = ("reasoning", "assumptions", "steps", "objections", "conclusion", "answer")


def _worded(value: Any) -> Any:
    """A number stands for its digits, and null for nothing: 42 is an answer as good as "42"."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _items(value: Any) -> Any:
    """One item stands for a list of one, and null for none."""
    if value is None:
        return ()
    return value if isinstance(value, list | tuple) else (value,)


def _as_asked(schema: dict[str, Any]) -> None:
    """What a reply may lack when it is read, a member is asked for; what is only read, it is not."""
    schema["properties"] = {name: schema["properties"][name] for name in ASKED}
    schema["required"] = list(ASKED)


Words = Annotated[str, BeforeValidator(_worded)]
Items = Annotated[tuple[Any, ...], BeforeValidator(_items)]


class Argument(Reply):
    """One run's argument and the short answer it comes to: evidence before answer (rulings I11 and I13)."""

    model_config = ConfigDict(json_schema_extra=_as_asked)

    reasoning: Annotated[Words, WithJsonSchema({"type": "string", "maxLength": LONGEST_REASONING})] = ""
    assumptions: Annotated[Items, WithJsonSchema(ASSUMPTIONS)] = ()
    steps: Annotated[Items, WithJsonSchema(STEPS)] = ()
    objections: Annotated[Items, WithJsonSchema(OBJECTIONS)] = ()
    conclusion: Annotated[Any, WithJsonSchema(CONCLUSION)] = None
    answer: Annotated[Words, WithJsonSchema({"type": "string", "minLength": 1, "maxLength": 160})] = ""
    nodes: Items = ()
    edges: Items = ()
    conclusion_node: Any = None

    @model_validator(mode="after")
    def _argues(self) -> "Argument":
        if not self.conclusion and not self.nodes:
            raise ValueError('there is no "conclusion": give one with its "claim" and what it holds "because" of')
        return self
