"""What the drawer tells of one claim: where it stands in the argument, and the passage that it is taken from."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from moot.core.question import Document
from moot.methods.argued import ArgumentClaim, ArgumentReading, ArgumentRelation, SourceSentence
from moot.service.reading.acts import ActReading
from moot.views.drawn_graph import DrawnGraph
from moot.web.pages.argued.picture import drawn_graph_of

AROUND = 500
"""Letters of a document that are shown before a quote, and after it."""


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A quote in its document: what stands before it, the quote, what follows."""

    document: str
    number: int
    before: str
    quote: str
    after: str
    is_cut_before: bool = False
    is_cut_after: bool = False
    is_placed: bool = True
    """Whether the quote was met in the document, so that what is around it can be shown."""


@dataclass(frozen=True, slots=True)
class PremiseGroup:
    """Premises that hold a claim up only together; one that does so alone is a group of one."""

    premises: tuple[str, ...]
    relation: str


@dataclass(frozen=True, slots=True)
class Drawer:
    """A claim, or a sentence beneath one, with all that is known of it."""

    id: str
    words: str
    claim: ArgumentClaim | None
    sentence: SourceSentence | None
    passages: tuple[QuotedPassage, ...]
    groups: tuple[PremiseGroup, ...]
    attackers: tuple[str, ...]
    leads_to: tuple[ArgumentRelation, ...]
    resting: tuple[str, ...]
    """Claims that a sentence is the source of."""
    contests: tuple[ActReading, ...]
    is_supposed: bool

    @property
    def why(self) -> str:
        """Why the claim has its fate, in a sentence."""
        claim = self.claim
        if claim is None:
            return ""
        if claim.is_supposed:
            return "It is supposed to be wrong."
        if claim.refuted:
            return f"It was refuted: {(claim.refute_reason or 'no reason is told').rstrip('.')}."
        if claim.fate == "defeated":
            return "A claim that stands attacks it."
        if claim.fate == "undecided":
            return "It is attacked, and whether its attackers stand is undecided."
        held = "" if claim.surviving else " But nothing given holds it up."
        return ("It stands under all attacks." if claim.attackers else "Nothing attacks it.") + held


@dataclass(frozen=True)
class ArgumentIndex:
    """An argument, to be looked up in by ids."""

    argument: ArgumentReading
    contests: tuple[ActReading, ...] = ()
    """What people contest and nobody has taken back."""

    @cached_property
    def claims(self) -> Mapping[str, ArgumentClaim]:
        """The claims by their ids."""
        return {claim.id: claim for claim in self.argument.claims}

    @cached_property
    def sentences(self) -> Mapping[str, SourceSentence]:
        """The sentences of documents by their ids."""
        return {sentence.id: sentence for sentence in self.argument.sentences}

    @cached_property
    def behind(self) -> Mapping[str, Sequence[ArgumentRelation]]:
        """What leads to each claim."""
        return _grouped((relation.dst, relation) for relation in self.argument.relations)

    @cached_property
    def ahead(self) -> Mapping[str, Sequence[ArgumentRelation]]:
        """What each claim leads to."""
        return _grouped((relation.src, relation) for relation in self.argument.relations)

    @cached_property
    def whole(self) -> DrawnGraph:
        """The whole argument as it is drawn."""
        return drawn_graph_of(self.argument)

    def knows(self, id_: str) -> bool:
        """Whether there is such a claim or sentence."""
        return id_ in self.claims or id_ in self.sentences

    def words(self, id_: str) -> str:
        """Return a claim or a sentence in its words; the id where there is neither."""
        if id_ in self.claims:
            return self.claims[id_].claim
        return self.sentences[id_].text if id_ in self.sentences else id_

    def beside(self, id_: str) -> frozenset[str]:
        """Return the claims that lead to one, and those that it leads to."""
        behind, ahead = self.behind.get(id_, ()), self.ahead.get(id_, ())
        return frozenset({one.src for one in behind} | {one.dst for one in ahead})

    def resting(self, sentence: str) -> Iterator[str]:
        """Yield the claims that a sentence is a source of."""
        return (one.id for one in self.argument.claims if any(sentence in source for source in one.sources))

    def drawer(self, id_: str, documents: Sequence[Document]) -> Drawer:
        """Return what is told of a claim or a sentence that there is."""
        claim, sentence = self.claims.get(id_), self.sentences.get(id_)
        quoted = dict.fromkeys(one for source in claim.sources for one in source) if claim else (id_,)
        named = [self.sentences[one] for one in quoted if one in self.sentences]
        behind = self.behind.get(id_, ())
        return Drawer(
            id=id_,
            words=self.words(id_),
            claim=claim,
            sentence=sentence,
            passages=tuple(passage_of(one, documents) for one in named),
            groups=tuple(premise_groups(behind)),
            attackers=claim.attackers if claim else (),
            leads_to=tuple({(one.dst, one.relation): one for one in self.ahead.get(id_, ())}.values()),
            resting=tuple(self.resting(id_)) if sentence else (),
            contests=tuple(one for one in self.contests if one.data["node"] == id_),
            is_supposed=id_ in self.argument.supposed,
        )


def premise_groups(behind: Iterable[ArgumentRelation]) -> list[PremiseGroup]:
    """Return what holds a claim up, larger groups first; what several runs say alike stands once."""
    together: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in behind:
        if one.relation != "attacks":
            # A group is a run's own; one relation that has none stands alone.
            together[one.relation, one.group or f"alone {one.src}"].append(one.src)
    groups = {
        (tuple(sorted(set(members))), relation): PremiseGroup(tuple(dict.fromkeys(members)), relation)
        for (relation, _), members in together.items()
    }
    return sorted(groups.values(), key=lambda group: -len(group.premises))


def passage_of(sentence: SourceSentence, documents: Sequence[Document]) -> QuotedPassage:
    """Return a sentence with what is around it in its document."""
    text = documents[sentence.place].text if sentence.place is not None else ""
    start, end = sentence.start, sentence.end
    if start is None or end is None or not text[start:end]:
        return QuotedPassage(sentence.document, sentence.number, "", sentence.text, "", is_placed=False)
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    return QuotedPassage(
        sentence.document,
        sentence.number,
        text[first:start],
        text[start:end],
        text[end:last],
        is_cut_before=first > 0,
        is_cut_after=last < len(text),
    )


def _grouped(pairs: Iterable[tuple[str, ArgumentRelation]]) -> dict[str, list[ArgumentRelation]]:
    groups: dict[str, list[ArgumentRelation]] = defaultdict(list)
    for key, relation in pairs:
        groups[key].append(relation)
    return dict(groups)
