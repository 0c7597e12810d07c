"""What the files that were found come to: the nearer is heard before the other, key by key."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from moot.configuration.choices import Choices, Said, said_settings, values_of
from moot.configuration.problems import Problem, dotted
from moot.core.errors import BadConfiguration, NotFound
from moot.core.near_names import did_you_mean
from moot.settings import TABLE

Price = tuple[float, float]
"""Dollars per million tokens in and out."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What one moot.toml says."""

    path: str
    own: Choices
    panel: str | None = None
    """The panel that is asked by default."""
    panels: Mapping[str, Choices] = field(default_factory=dict)
    confirm_usd: float | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    product: Mapping[str, str] = field(default_factory=dict)
    """The product's settings, each as its variable would hold it."""
    is_of_a_folder: bool = False
    """Whether it was found in a folder, which may be somebody else's work."""

    @property
    def names_members(self) -> bool:
        """Whether it says who is asked."""
        return bool(self.own.members or self.panel)


@dataclass(frozen=True, slots=True)
class Configuration:
    """All that the files say; the file of the folder comes before the user's own."""

    files: tuple[ConfigFile, ...] = ()
    problems: tuple[Problem, ...] = ()
    """What is wrong with files that are there; nothing of such a file is heard."""

    def check(self) -> "Configuration":
        """Return the configuration itself where nothing is wrong with it.

        Raises:
            BadConfiguration: with every problem.
        """
        if self.problems:
            raise BadConfiguration(problems=[problem.words for problem in self.problems])
        return self

    @property
    def panels(self) -> dict[str, Choices]:
        """The panels by name; one of a nearer file stands for the whole of the other."""
        return {name: panel for file in reversed(self.files) for name, panel in file.panels.items()}

    @property
    def prices(self) -> dict[str, Said]:
        """The price of each model."""
        return {
            model: Said(price, file.path, dotted(("prices", model)))
            for file in reversed(self.files)
            for model, price in file.prices.items()
        }

    @property
    def confirm_usd(self) -> Said | None:
        """The dollars above which a terminal asks first."""
        said = [
            Said(file.confirm_usd, file.path, "limits.confirm_usd")
            for file in self.files
            if file.confirm_usd is not None
        ]
        return said[0] if said else None

    @property
    def product(self) -> dict[str, Said]:
        """The product's settings."""
        return {
            name: Said(value, file.path, f"product.{name}")
            for file in reversed(self.files)
            for name, value in file.product.items()
        }

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """The settings of each protocol, those of panels left out."""
        own = [file.own for file in self.files]
        names = {name for one in own for name in one.settings}
        return {name: values_of(said_settings(name, own)) for name in sorted(names)}

    @property
    def default_panel(self) -> Said | None:
        """The panel that is asked where nobody else is named."""
        file = next((file for file in self.files if file.names_members), None)
        return Said(file.panel, file.path, "panel") if file and file.panel else None

    def environment(self, environ: Mapping[str, str]) -> dict[str, str]:
        """Return an environment in which the product's settings hold that it leaves open."""
        variables = {row.name: row.variable for row in TABLE}
        open_ = {variables[name]: said.value for name, said in self.product.items()}
        return {**environ, **{name: value for name, value in open_.items() if not environ.get(name, "").strip()}}

    def find_panel(self, name: str) -> Choices:
        """Return the panel of this name.

        Raises:
            NotFound: where no file has it.
        """
        panels = self.panels
        if name not in panels:
            there = f"{did_you_mean(name, panels)}there are {', '.join(sorted(panels))}"
            none = "no moot.toml names one; `moot config --path` shows where it is looked for"
            raise NotFound(what="panel", name=name, see=there if panels else none)
        return panels[name]

    def choices(self, panel: str | None, *, members_named: bool) -> tuple[Choices, ...]:
        """Return all that is said of an order, first to be heard first.

        `panel` is the one that was asked for by name. The panel by default is heard where nothing else says who is
        asked: neither a panel by name, nor `members_named`, nor a nearer file.

        Raises:
            NotFound: for a panel that no file has.
        """
        by_name = (self.find_panel(panel),) if panel else ()
        default = None if by_name or members_named else self.default_panel
        heard: list[Choices] = [*by_name]
        for file in self.files:
            if default and default.file == file.path:
                heard.append(self.panels[default.value])
            heard.append(file.own)
        return tuple(heard)

    def for_a_server(self) -> "Configuration":
        """Return what holds for a server: the product's settings, the prices, and panels for whoever names one.

        Of a folder's file no panel is offered: it may be somebody else's, and members may be addresses to call.
        """
        files = (
            ConfigFile(
                file.path,
                Choices(file.path),
                panels={} if file.is_of_a_folder else file.panels,
                prices=file.prices,
                product=file.product,
            )
            for file in self.files
        )
        return replace(self, files=tuple(files))

    def for_arms(self, settings: Mapping[str, Mapping[str, Any]], kept_in: str) -> "Configuration":
        """Return what holds for an evaluation: who is asked, prices, the product's settings, and these of protocols.

        They are `kept_in` its results, so that they hold for all of them; limits an evaluation has of its own.
        """
        files = (
            replace(
                file,
                own=Choices(file.path, members=file.own.members),
                panels={name: Choices(one.file, name, members=one.members) for name, one in file.panels.items()},
            )
            for file in self.files
        )
        return replace(self, files=(ConfigFile(kept_in, Choices(kept_in, settings=settings)), *files))


def merge(files: tuple[ConfigFile, ...], problems: tuple[Problem, ...] = ()) -> Configuration:
    """Return what files come to, the first heard first. A panel by default that none of them has is a problem too."""
    known = {name for file in files for name in file.panels}
    # A panel may well be in the file that could not be read.
    lost = [] if problems else [file for file in files if file.panel and file.panel not in known]
    told = [Problem(file.path, _lost_panel(file.panel or "", sorted(known)), "panel") for file in lost]
    return Configuration(tuple(file for file in files if file not in lost), (*problems, *told))


def _lost_panel(name: str, known: list[str]) -> str:
    there = f"there are {', '.join(known)}" if known else "none is there: write one as [panels.NAME]"
    return f"there is no panel {dotted([name])}; {did_you_mean(name, known)}{there}"
