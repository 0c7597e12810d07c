"""An argument as one reader looks at it: what is drawn and marked, and what the templates are given."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from markupsafe import Markup

from moot.methods.argued import ArgumentReading
from moot.service.reading.arguments import DeliberationArgument
from moot.views.drawn_graph import KINDS, DrawnGraph
from moot.views.graph_svg import graph_svg
from moot.views.words import counted
from moot.web.pages.argued import told
from moot.web.pages.argued.drawer import ArgumentIndex
from moot.web.pages.argued.picture import ArgumentPicture, picture_of
from moot.web.pages.argued.state import ArgumentState
from moot.web.pages.forms import fresh_once
from moot.web.pages.heading import Heading

RUN_HUES = 12
LINES_IN_LEGEND = 8


@dataclass(frozen=True)
class ArgumentPage:
    """An argument with what its reader has chosen."""

    read: DeliberationArgument
    state: ArgumentState
    index: ArgumentIndex
    """The argument; those who look at it share it, and what was worked out for one of them is there for the next."""
    now: float
    problem: str = ""

    @property
    def argument(self) -> ArgumentReading:
        """What is looked at."""
        return self.index.argument

    @cached_property
    def picture(self) -> ArgumentPicture:
        """What is drawn of it."""
        return picture_of(self.argument, self.index.whole, self.state)

    @property
    def problems(self) -> tuple[str, ...]:
        """What the address names in vain; a claim that is not there is said to be missing."""
        named = dict.fromkeys(name for name in (self.state.claim, self.state.focus) if name)
        missing = [f"There is no claim “{name}” in this argument." for name in named if not self.index.knows(name)]
        return (*([self.problem] * bool(self.problem)), *missing)

    def drawn(self, *, is_still: bool) -> DrawnGraph:
        """Return the graph with what is looked for and coloured; a still one has its selection marked as well."""
        hues = {run: number % RUN_HUES + 1 for number, run in enumerate(told.runs_of(self.argument))}
        chosen = self.state.claim if is_still else ""
        near = self.index.beside(chosen)
        graph = self.picture.graph

        def looks(id_: str, runs: tuple[str, ...]) -> tuple[str, ...]:
            if self.state.q:
                is_dim = id_ not in self.picture.hits
            else:
                is_dim = chosen in graph.by_id and id_ != chosen and id_ not in near
            words = {"chosen": id_ == chosen, "near": id_ in near, "dim": is_dim}
            hue = [f"run-{hues[runs[0]]}"] if self.state.colour and runs else []
            return (*(word for word, holds in words.items() if holds), *hue)

        return replace(graph, nodes=tuple(replace(node, looks=looks(node.id, node.runs)) for node in graph.nodes))

    def drawer_context(self, heading: Heading) -> dict[str, Any]:
        """Return what the drawer is given."""
        documents = self.read.header.question.documents
        is_there = self.state.claim and self.index.knows(self.state.claim)
        return heading.context(
            "argument",
            read=self.read,
            argument=self.argument,
            state=self.state,
            index=self.index,
            drawer=self.index.drawer(self.state.claim, documents) if is_there else None,
            kinds=KINDS,
            once=fresh_once(),
            contest_problem="",
            now=self.now,
            problems=self.problems,
        )

    def context(self, heading: Heading) -> dict[str, Any]:
        """Return what the whole page is given."""
        argument = self.argument
        # What the writer of drawings returns is markup, with whatever somebody wrote escaped in it.
        still = "" if self.picture.is_culled else graph_svg(self.drawn(is_still=True), self.link_prefix)
        return {
            **self.drawer_context(heading),
            "picture": self.picture,
            "svg": Markup(still),  # noqa: S704
            "link_prefix": self.link_prefix,
            "drawn_words": self.drawn_words,
            "runs": told.runs_of(argument),
            "roads": told.roads_of(argument, self.index),
            "roads_drawn": range(1, min(LINES_IN_LEGEND, len(argument.paths)) + 1),
            "structure": told.structure_of(argument),
            "whatif": told.supposition_of(argument),
            "fates_words": told.fates_words(argument),
            "table": told.table_of(argument, self.index, self.state),
        }

    @property
    def link_prefix(self) -> str:
        """The address of a claim's drawer, to which the claim's id is added."""
        address = self.state.address(claim="")
        return f"{address}{'&' if '?' in address else '?'}claim="

    @property
    def drawn_words(self) -> str:
        """What is drawn, in words."""
        total, drawn = self.picture.total, self.picture.drawn
        if not self.picture.is_cone:
            return counted(total, "claim")
        whose = "one claim" if self.picture.root != self.argument.conclusion else "the conclusion"
        return f"{drawn:,} of {counted(total, 'claim')}: what leads to {whose}"
