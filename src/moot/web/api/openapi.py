"""The OpenAPI document: every operation with the problems it may answer with, and with its Idempotency-Key."""

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from moot.version import __version__
from moot.web.problems import MEDIA_TYPE, Problem

PROBLEM = {"$ref": "#/components/schemas/Problem"}
PROBLEMS = {
    "400": "A request that nobody can read",
    "401": "No key, or one that does not count",
    "403": "Not with this key, from this page, or under this name",
    "404": "There is no such thing",
    "409": "It is too late, or not yet time",
    "413": "More than the server takes",
    "422": "It does not have the shape it should; `errors` says where",
    "429": "Too many requests; Retry-After says how long to wait",
    "503": "Not just now; Retry-After says how long to wait",
}
PUBLIC = {"/api/v1/health"}
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A name of the caller's choice; the same request with it again gets the first one's answer.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}
DESCRIPTION = """Moot puts questions to panels of language models and claims on a board.

Send a key as `Authorization: Bearer KEY`. Failures are problem documents (RFC 9457): `code` names the failure, and
`detail` says what to do. Lists come in pages: give `next` as `cursor`. A POST with an `Idempotency-Key` is done once.
"""


def documented(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """Return what makes the document of an application, once."""

    def make() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title="Moot", version=__version__, description=DESCRIPTION, routes=app.routes)
            app.openapi_schema = _completed(made)
        return app.openapi_schema

    return make


def _completed(made: dict[str, Any]) -> dict[str, Any]:
    schemas = made["components"]["schemas"]
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= {**problem.pop("$defs"), "Problem": problem}
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            _complete(operation, path, method)
    return made


def _complete(operation: dict[str, Any], path: str, method: str) -> None:
    responses = operation["responses"]
    for status, description in PROBLEMS.items():
        if path not in PUBLIC or status in ("403", "422", "429", "503"):
            responses[status] = {"description": description, "content": {MEDIA_TYPE: {"schema": PROBLEM}}}
    if method == "post":
        operation.setdefault("parameters", []).append(IDEMPOTENCY_KEY)
