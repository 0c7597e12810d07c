"""Failures in the shape that clients of chat completions know. Pure."""

from typing import Any

from moot.core.errors import NoAnswer, StillUnderWay

TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
CODES = {
    "key_required": "invalid_api_key",
    "wrong_key": "invalid_api_key",
    "too_many_requests": "rate_limit_exceeded",
    "documents_too_long": "context_length_exceeded",
}
"""The codes that clients look for, in the place of Moot's own."""

NO_SHAPE, CONFLICT, FAULT = 422, 409, 500


def error_status(status: int, code: str) -> int:
    """Return the status of a failure for a client that sends a request again, and pays again, after 409 and 5xx.

    A request that cannot be used is 400, as such clients expect; 422 is left for a deliberation without an answer.
    """
    kept = {NO_SHAPE: NoAnswer.code, CONFLICT: StillUnderWay.code}
    return 400 if kept.get(status, code) != code else status


def error_object(status: int, code: str, message: str, param: str | None = None) -> dict[str, Any]:
    """Return a failure as such clients read it; `param` is the field of the body that is wrong."""
    kind = "server_error" if status >= FAULT else TYPES.get(status, "invalid_request_error")
    return {"error": {"message": message, "type": kind, "param": param, "code": CODES.get(code, code)}}


def chat_field(field: str) -> str | None:
    """Return the field of a chat in which it says what an order says in a field; None for no field."""
    first = field.partition(".")[0]
    return {"": None, "question": "messages", "protocol": "model"}.get(first, f"moot.{field}")
