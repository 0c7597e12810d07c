"""What the shell offers at a press of Tab. A completion prints nothing, makes nothing, and never fails."""

import os
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec

import typer

Offer = str | tuple[str, str]
"""A word, or a word and what it stands for."""

Rest = ParamSpec("Rest")

LONGEST_HELP = 60


def _never_failing(offers: Callable[Rest, Iterable[Offer]]) -> Callable[Rest, list[Offer]]:
    @wraps(offers)
    def offered(*words: Rest.args, **named: Rest.kwargs) -> list[Offer]:
        try:
            return list(offers(*words, **named))
        except Exception:  # Whatever is wrong is said when the command runs, not while it is typed.
            return []

    return offered


@_never_failing
def deliberations(incomplete: str) -> Iterable[Offer]:
    """Return the ids of stored deliberations, newest first, each with its question."""
    from moot.views.words import one_line

    stored = [(id_, one_line(question, LONGEST_HELP)) for id_, _, question in _stored(incomplete)]
    return [*stored, *([("last", "the newest of them")] if _stored("") else [])]


@_never_failing
def protocols(incomplete: str) -> Iterable[Offer]:
    """Return the names of protocols, the installed ones included; after a comma, the next name."""
    from moot.protocols import protocol_names

    said, comma, _ = incomplete.rpartition(",")
    return [f"{said}{comma}{name}" for name in protocol_names()]


@_never_failing
def panels(incomplete: str) -> Iterable[Offer]:
    """Return the panels of moot.toml, each with who sits in it."""
    from moot.service.configuring import look_for_configuration
    from moot.views.words import one_line

    there = look_for_configuration(os.environ).panels
    return [(name, one_line(", ".join(panel.members), LONGEST_HELP)) for name, panel in there.items()]


@_never_failing
def members(incomplete: str) -> Iterable[Offer]:
    """Return who may be asked: the members of panels, the embedded models, and the providers with their defaults."""
    from moot.service.configuring import look_for_configuration
    from moot.service.models import known_members

    of_panels = [
        (member, f"of the panel {name}")
        for name, panel in look_for_configuration(os.environ).panels.items()
        for member in panel.members
    ]
    return list(dict([*known_members(), *of_panels]).items())


@_never_failing
def statuses(incomplete: str) -> Iterable[Offer]:
    """Return the statuses of a deliberation, each with what it means."""
    from moot.views.words import MEANING

    return [(status.value, meaning) for status, meaning in MEANING.items()]


@_never_failing
def settings(context: typer.Context, incomplete: str) -> Iterable[Offer]:
    """Return the settings of the protocol that the command names, as `name=`."""
    from moot.protocols import find_protocol

    fields = [find_protocol(name).settings.model_fields for name in _protocols_of(context)]
    return {f"{name}=": field.description or "" for each in fields for name, field in each.items()}.items()


def _protocols_of(context: typer.Context) -> list[str]:
    """The protocols whose settings a command may have: named, of the deliberation, or those used without a name."""
    from moot.protocols import WITH_DOCUMENTS, WITHOUT_DOCUMENTS

    said, path = context.params, context.command_path.split()
    if "board" in path:
        return ["prism"]
    # While the value of an option is awaited, the words beside it have not become parameters yet.
    if path[-1] == "fork" and (id_ := said.get("id_") or next(iter(context.args), "")):
        return [protocol for _, protocol, _ in _stored("" if id_ == "last" else id_)][:1]
    named = said.get("protocol") or []
    several = [named] if isinstance(named, str) else named
    if words := [name.strip() for word in several for name in word.split(",") if name.strip()]:
        return words
    from_documents = said.get("doc") or said.get("task") or said.get("claim") or path[-1] in ("compare", "run")
    return [WITH_DOCUMENTS if from_documents else WITHOUT_DOCUMENTS]


def _stored(prefix: str) -> list[tuple[str, str, str]]:
    from moot.service.configuring import product_settings
    from moot.store.glance import newest_questions

    return newest_questions(product_settings(os.environ).database, prefix)


def export_formats(incomplete: str) -> list[Offer]:
    """Return the forms in which a deliberation is written."""
    from moot.views.formats import EXPORT_FORMATS

    return list(EXPORT_FORMATS.items())


def graph_sources(incomplete: str) -> list[Offer]:
    """Return the forms in which a graph is read."""
    return ["json", "argdown", "aif"]


def graph_formats(incomplete: str) -> list[Offer]:
    """Return the forms in which a graph is written."""
    from moot.argument import FORMATS

    return ["json", *FORMATS]
