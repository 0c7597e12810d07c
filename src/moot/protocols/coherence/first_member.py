"""The first member: prompt and graphs become columns, scores and the form demanded (coherence 3, rulings K4 to K10)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from moot.core.calls import Ask, Missing
from moot.core.deliberation import Deliberation
from moot.core.question import Question
from moot.protocols.coherence.form import Form, read_form
from moot.protocols.coherence.graph_files import Graph
from moot.protocols.coherence.in_words import Relations, parts_of, relations_of
from moot.protocols.coherence.prompts import unfolding_messages
from moot.protocols.coherence.schemas import CoherenceSettings, Named, Unfolding, unfolding_of
from moot.protocols.coherence.scores import Scored, read_columns, read_scores, unscored, usable_columns

ROW_TOKENS = 40
"""What one row of scores takes at most: its names and eight numbers."""
COLUMN_TOKENS = 200
FORM_TOKENS = 400


@dataclass(frozen=True, slots=True)
class Portion:
    """What one call shows of the graphs, and the relations of these that it scores."""

    shown: Relations
    rows: Relations


@dataclass(frozen=True, slots=True)
class Unfolded:
    """What the first member made of a prompt; `seen` relations were shown to the call that fixed the columns."""

    columns: tuple[str, ...] = ()
    scored: Scored = field(default_factory=Scored)
    form: Form = field(default_factory=Form)
    seen: int = 0


@dataclass(frozen=True, slots=True)
class FirstMember:
    """Who unfolds what with which graphs."""

    seat: str
    question: Question
    deliberation: Deliberation
    settings: CoherenceSettings
    graphs: Sequence[Graph]

    async def unfold(self) -> Unfolded:
        """Return columns and form by the first call, and scores by all of them, each of which sees the graphs."""
        first, *others = batches_of(self.graphs, self.settings)
        if len(first.shown) < len(relations_of(self.graphs)):
            await self.deliberation.note("graphs in parts", {"shown": len(first.shown)})
        unfolded = await self._columns(first)
        if not unfolded.columns:
            return unfolded
        unfolded = await self._score(unfolded, others, step="scores/{}", start=2)
        if absent := unscored(self.graphs, unfolded.scored):
            # Asked for again once, and only what is missing or was refused.
            unfolded = await self._score(unfolded, batches_of(self.graphs, self.settings, set(absent)), step="again/{}")
        return unfolded

    async def _columns(self, batch: Portion) -> Unfolded:
        """Return what the first call fixes, and its scores; refused columns are asked for again once (ruling K4)."""
        problem, sent = "", None
        for step in ("unfold", "unfold/again"):
            reply = await self.deliberation.ask(self._ask(step, batch, problem=problem))
            if isinstance(reply, Missing):
                break
            sent, (names, problem) = reply, read_columns(reply.columns, self.graphs)
            if not problem:
                return Unfolded(names, await self._read(reply, len(names)), await self._form(reply), len(batch.shown))
            await self.deliberation.note("columns refused", {"step": step, "problem": problem})
        return await self._salvaged(sent, len(batch.shown)) if sent else Unfolded()

    async def _salvaged(self, reply: Unfolding, seen: int) -> Unfolded:
        """Return the columns that have a name of their own, where the second try repeats names too."""
        names, _ = read_columns(reply.columns, self.graphs)
        places, kept = usable_columns(names, self.graphs)
        scored = await self._read(reply, len(names))
        await self.deliberation.note("columns dropped", {"sent": names, "kept": kept})
        values = {relation: tuple(row[place] for place in places) for relation, row in scored.values.items()}
        return Unfolded(kept, replace(scored, values=values), await self._form(reply), seen)

    async def _form(self, reply: Unfolding) -> Form:
        """Return what words of the prompt demand of the form; what they do not is dropped, and the record says so."""
        form = read_form(self.question, reply.demanded_form, reply.open_organisation)
        await self.deliberation.note(
            "form", {"demanded": form.demands, "open_organisation": form.open_words, "dropped": form.dropped}
        )
        return form

    async def _score(self, unfolded: Unfolded, batches: Sequence[Portion], *, step: str, start: int = 1) -> Unfolded:
        """Return the scores with those of further batches, asked for together in the same columns (ruling K5)."""
        columns, scored = unfolded.columns, unfolded.scored
        problem = "; ".join(scored.refused[:3])
        asks = [
            self._ask(step.format(number), batch, columns=columns, problem=problem)
            for number, batch in enumerate(batches, start)
        ]
        for reply in await self.deliberation.ask_all(asks):
            if not isinstance(reply, Missing):
                scored = scored.with_more(await self._read(reply, len(columns)))
        return replace(unfolded, scored=scored)

    async def _read(self, reply: Unfolding, width: int) -> Scored:
        scored = read_scores(reply.scores, width, self.graphs)
        if scored.refused or scored.noted:
            await self.deliberation.note("scores repaired", {"refused": scored.refused, "noted": scored.noted})
        return scored

    def _ask(self, step: str, batch: Portion, *, columns: Sequence[str] = (), problem: str = "") -> Ask[Unfolding]:
        rows = [(graph.name, id_) for graph, id_ in batch.rows]
        return Ask(
            step,
            self.seat,
            unfolding_messages(self.question, batch.shown, batch.rows, columns=columns, problem=problem),
            unfolding_of(rows, columns, [id_ for _, id_ in relations_of(self.graphs)]),
            self.settings.temperature,
            reply_tokens(batch, names_columns=not columns),
        )


def batches_of(
    graphs: Sequence[Graph], settings: CoherenceSettings, only: Collection[Named] | None = None
) -> list[Portion]:
    """Return the calls that score the graphs, or only some relations: each shows all, or a part (ruling K10)."""
    return [
        Portion(part, rows[start : start + settings.batch])
        for part in parts_of(relations_of(graphs), settings.graph_tokens)
        for rows in [[(graph, id_) for graph, id_ in part if only is None or (graph.name, id_) in only]]
        for start in range(0, len(rows), settings.batch)
    ]


def reply_tokens(batch: Portion, *, names_columns: bool) -> int:
    """Return how long a reply may be: its columns and rows, and the form where it names the columns."""
    return COLUMN_TOKENS + FORM_TOKENS * names_columns + ROW_TOKENS * len(batch.rows)
