"""No parameter is ignored: one that nobody knows may be one that was meant and misspelt, and is refused."""

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from moot.core.near_names import did_you_mean


def check_parameters(request: Request) -> None:
    """Do nothing where the query of a request has only what its endpoint itself knows.

    Raises:
        RequestValidationError: with every other parameter.
    """
    route: APIRoute = request.scope["route"]
    known = sorted(parameter.alias for parameter in route.dependant.query_params)
    unknown = [name for name in dict.fromkeys(request.query_params.keys()) if name not in known]
    if unknown:
        raise RequestValidationError([{"loc": ("query", name), "msg": _problem(name, known)} for name in unknown])


def _problem(name: str, known: list[str]) -> str:
    there = f"there are {', '.join(known)}" if known else "there are none here"
    return f"there is no such parameter; {did_you_mean(name, known)}{there}"
