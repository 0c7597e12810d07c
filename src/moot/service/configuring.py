"""What the moot.toml files of this process say, and what it makes of an order's open ends."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from moot.configuration import (
    Choices,
    Configuration,
    Said,
    find_configuration,
    places,
    said_members,
    said_settings,
    values_of,
)
from moot.core.errors import BadConfiguration, BadSetting, UsageError
from moot.gateway.discovery import Discovered, discover
from moot.gateway.members import check_local, parse_member, parse_members
from moot.service.orders import Fork, merged
from moot.settings import ProductSettings


def look_for_configuration(environ: Mapping[str, str]) -> Configuration:
    """Return what the files say; what is wrong with them is among its problems."""
    return find_configuration(places(environ), _member_problem)


def read_configuration(environ: Mapping[str, str]) -> Configuration:
    """Return what the files say.

    Raises:
        BadConfiguration: where one of them cannot be used.
    """
    return look_for_configuration(environ).check()


def evals_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of evaluations, as the environment and the files have it.

    Raises:
        BadConfiguration: where a file cannot be used.
    """
    return ProductSettings.read(read_configuration(environ).environment(environ)).evals


async def members_of(configuration: Configuration, environ: Mapping[str, str]) -> Discovered:
    """Return who is asked where nobody is named, as the files and the environment have it."""
    named = bool(ProductSettings.read(environ).members)
    return await usual_members(environ, configuration.choices(None, members_named=named))


def product_settings(environ: Mapping[str, str]) -> ProductSettings:
    """Return the product's settings as the environment and the files make them.

    Raises:
        BadConfiguration: where a file cannot be used.
    """
    return ProductSettings.read(read_configuration(environ).environment(environ))


async def usual_members(
    environ: Mapping[str, str], choices: Sequence[Choices], *, by_name: bool = False, local: bool = False
) -> Discovered:
    """Return who is asked where an order names nobody, and why. `by_name`: the first choice is a panel it named.

    Raises:
        BadMember: MOOT_MEMBERS names something that is no member.
        ForbiddenByLocal: somebody is named who leaves the machine, and `local` forbids that.
    """
    said = said_members(choices)
    if said is None or (ProductSettings.read(environ).members and not by_name):
        return await discover(environ, local=local)
    members = tuple(parse_members(said.members))
    if local:
        check_local(members)
    named = said.where if said.panel else f"named in {said.file}"
    return Discovered(members, f"using {', '.join(said.members)}: {named}")


def fork_with_panel(fork: Fork, protocol: str, panel: Choices) -> tuple[Fork, dict[str, Said]]:
    """Return a fork in which a panel has filled what it left open, and where the panel says the settings."""
    said = said_settings(protocol, [panel])
    filled = replace(
        fork,
        members=fork.members or panel.members,
        settings={**values_of(said), **fork.settings},
        budget=merged(panel.budget, fork.budget),
    )
    return filled, {name: one for name, one in said.items() if name not in fork.settings}


@contextmanager
def naming_files(said: Mapping[str, Said]) -> Generator[None, None, None]:
    """Let a setting that a file says, and that cannot be used, be told with its file.

    Raises:
        BadConfiguration: in the place of the BadSetting.
    """
    try:
        yield
    except BadSetting as bad:
        origin = said.get(bad.name.partition(".")[0])
        if origin is None:
            raise
        raise BadConfiguration(problems=[origin.problem(bad.problem).words]) from None


def _member_problem(spec: str) -> str:
    try:
        parse_member(spec)
    except UsageError as error:
        return str(error).rstrip(".")
    return ""
