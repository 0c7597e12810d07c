"""Failures as RFC 9457 problem documents, with the codes of Moot's error tree."""

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.types import Scope

from moot.core import errors
from moot.core.canonical import storable
from moot.core.errors import MootError
from moot.service.asking import field_of
from moot.views.surfaces import Surface, said_to
from moot.web.chat.failures import chat_field, error_object, error_status
from moot.web.origins import is_chat

MEDIA_TYPE = "application/problem+json"
URN = "urn:moot:problem:"
LISTED = "/api/v1/openapi.json lists what there is"
CHATTING = "a client of chats calls /v1/models and /v1/chat/completions"

# The nearest class of the tree decides.
STATUS: Mapping[type, int] = {
    MootError: 500,
    errors.UsageError: 422,
    errors.NotFound: 404,
    errors.ForbiddenByLocal: 403,
    errors.DocumentsTooLong: 413,
    errors.ModelFileError: 503,
    errors.StoreError: 503,
    errors.DiskFull: 507,
    errors.AlreadyRunning: 409,
    errors.Fenced: 409,
    errors.RecordError: 409,
    errors.StepError: 409,
    errors.NotYourStep: 403,
    errors.ReviewOfOwnWork: 403,
    errors.BadAgentName: 422,
    errors.BadSubmission: 422,
    errors.RequestError: 400,
    errors.KeyRequired: 401,
    errors.WrongKey: 401,
    errors.SignedOut: 401,
    errors.LinkGone: 410,
    errors.MissingScope: 403,
    errors.NotYours: 403,
    errors.TooManyRequests: 429,
    errors.BodyTooLarge: 413,
    errors.HeadersTooLarge: 431,
    errors.BadBody: 422,
    errors.ForeignHost: 403,
    errors.ForeignOrigin: 403,
    errors.IdempotencyMismatch: 422,
    errors.StillUnderWay: 409,
    errors.ShownOnce: 409,
    errors.ServerBusy: 503,
    errors.MemberNotAllowed: 403,
    errors.OverBudget: 403,
    errors.UsedUp: 403,
    errors.DayUsedUp: 429,
    errors.NoSlots: 404,
    errors.BadParameter: 422,
    errors.BadContent: 422,
    errors.NoSuchModel: 404,
    errors.NoAnswer: 422,
}

Refusal = Callable[[MootError, Scope], Response]
"""How what stands before the endpoints says no: to a program by a problem document, to a person by a page."""

log = logging.getLogger("moot.web")


class FieldProblem(BaseModel):
    """One thing that is wrong with a request, and where."""

    field: str = Field(examples=["body.question"])
    problem: str = Field(examples=["Field required"])


class Problem(BaseModel):
    """A failure, as RFC 9457 has it; `code` is its name in Moot's error tree, and `detail` says what to do."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    type: str = Field(examples=["urn:moot:problem:no_slots"])
    title: str = Field(examples=["No slot is open that this agent may take"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["no slot is open that 'ada' may take; ask again in a while."])
    instance: str = Field(examples=["/api/v1/jobs/work"])
    code: str = Field(examples=["no_slots"])
    errors: list[FieldProblem] = Field(default_factory=list, description="for a bad request: what, and where")


def status_of(error: MootError) -> int:
    """Return the HTTP status of a failure."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def words_of(error: MootError, surface: Surface) -> str:
    """Return what a caller is told of a failure, in the words of where they are."""
    status = status_of(error)
    # What is wrong with the machine is for the one who runs it: it may name files and hosts.
    private = (
        isinstance(error, errors.StoreError | errors.ModelFileError) and status >= HTTPStatus.INTERNAL_SERVER_ERROR
    )
    if private:
        log.error("%s: %s", error.code, error)
    return "the server cannot do this just now; ask again in a while." if private else said_to(surface, str(error))


def problem_of(error: MootError, instance: str) -> JSONResponse:
    """Return a failure as a response."""
    status = status_of(error)
    title = (type(error).__doc__ or "").splitlines()[0].rstrip(".")
    detail = words_of(error, "chat" if is_chat(instance) else "program")
    found = [_field_problem(*said) for said in _named_problems(error, instance)] or None
    return document(status, error.code, title, detail, instance, found=found, headers=headers_of(error))


def document(
    status: int,
    code: str,
    title: str,
    detail: str,
    instance: str,
    *,
    found: list[FieldProblem] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return a problem document as a response; to a chat, the error of which its clients know the shape."""
    if is_chat(instance):
        told = error_object(status, code, storable(detail), found[0].field if found else None)
        return JSONResponse(told, status_code=error_status(status, code), headers=dict(headers or {}))
    problem = Problem(
        type=f"{URN}{code}",
        title=title,
        status=status,
        detail=storable(detail),
        instance=storable(instance),
        code=code,
        errors=found or [],
    )
    return JSONResponse(problem.model_dump(), status_code=status, media_type=MEDIA_TYPE, headers=dict(headers or {}))


def handle_failures(app: FastAPI) -> None:
    """Make an application answer every failure with a problem document."""

    @app.exception_handler(MootError)
    async def moot_error(request: Request, error: MootError) -> JSONResponse:
        return problem_of(error, request.url.path)

    @app.exception_handler(RequestValidationError)
    async def bad_request(request: Request, error: RequestValidationError) -> JSONResponse:
        found = [_wrong_field(item, request.url.path) for item in error.errors()[:20]]
        detail = "; ".join(": ".join(filter(None, (item.field, item.problem))) for item in found)
        title = "The request does not have the shape it should"
        named = [item for item in found if item.field]
        return document(422, "bad_request", title, f"{detail}.", request.url.path, found=named)

    @app.exception_handler(HTTPException)
    async def not_served(request: Request, error: HTTPException) -> JSONResponse:
        status = HTTPStatus(error.status_code)
        there = CHATTING if is_chat(request.url.path) else LISTED
        detail = f"{request.method} {request.url.path}: {error.detail}; {there}."
        code = {404: "not_found", 405: "method_not_allowed"}.get(status, "bad_request")
        return document(status, code, status.phrase, detail, request.url.path, headers=error.headers)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> JSONResponse:
        log.error("unforeseen failure at %s", request.url.path, exc_info=error)
        return document(500, "internal", "A fault of the server", "the server's log has more.", request.url.path)


def _wrong_field(item: Mapping[str, Any], path: str) -> FieldProblem:
    """What is wrong with a request, and where; a chat's clients know its fields, and no body that they are in."""
    if item.get("type") == "json_invalid":
        place, what = ("", "the body is no JSON") if is_chat(path) else ("body", "no JSON")
        return _field_problem(place, f"{what}: {item['ctx']['error']}")
    place = [str(part) for part in item["loc"]]
    return _field_problem(".".join(place[1:] if is_chat(path) and place[0] == "body" else place), item["msg"])


def _field_problem(field: str, problem: str) -> FieldProblem:
    return FieldProblem(field=storable(field)[:200], problem=storable(problem))


def _named_problems(error: MootError, path: str) -> list[tuple[str, str]]:
    if isinstance(error, errors.BadParameter | errors.BadContent | errors.NoSuchModel):
        return [(error.name, str(error))]
    if is_chat(path) and (field := chat_field(field_of(error))):
        return [(field, str(error))]
    return list(error.problems) if isinstance(error, errors.BadSubmission) else []


def headers_of(error: MootError) -> dict[str, str]:
    """Return what goes with the answer to a failure: how to sign in, when to come again."""
    if isinstance(error, errors.KeyRequired | errors.WrongKey | errors.SignedOut):
        return {"WWW-Authenticate": "Bearer"}
    wait = getattr(error, "retry_after", None)
    return {} if wait is None else {"Retry-After": str(max(1, round(wait)))}
