"""What each claim rests on: its ways, each a set of claims or sentences that hold it up together (A21, A22)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from moot.argument.graph import Columns, is_given

Way = tuple[int, ...]


@dataclass(frozen=True)
class Premises:
    """The ways of each claim among what is live; sentences are numbered after the claims and have none.

    A start holds by itself and begins a line: a sentence, or a given that names no source. An assumption holds by
    itself and begins none.
    """

    ways: Sequence[Sequence[Way]]
    is_start: Sequence[bool]
    is_assumption: Sequence[bool]

    @property
    def is_joint(self) -> bool:
        """Whether some claim needs several others together."""
        return any(len(way) > 1 for ways in self.ways for way in ways)


def premises_of(columns: Columns, defeated: Collection[int] = ()) -> Premises:
    """Return what each claim rests on; what is refuted or defeated has no ways and starts nothing."""
    struck = _struck(columns, defeated)
    ways: list[list[Way]] = [[] for _ in struck]
    for src, dst in zip(columns.support_src.tolist(), columns.support_dst.tolist(), strict=True):
        if not (struck[dst] or src == dst or (src, dst) in columns.only_joint):
            ways[dst].append((src,))
    for dst, members in (*columns.joint, *_sources(columns)):
        if not struck[dst]:
            ways[dst].append(tuple(sorted(members)))
    of_documents = [is_given(node) and not node.sources for node in columns.nodes]
    assumed = [node.type == "assumption" and not struck[number] for number, node in enumerate(columns.nodes)]
    starts = [*of_documents, *(True for _ in columns.sentences)]
    return Premises(
        ways,
        [starts_line and not gone for starts_line, gone in zip(starts, struck, strict=True)],
        [*assumed, *(False for _ in columns.sentences)],
    )


def _struck(columns: Columns, defeated: Collection[int]) -> list[bool]:
    struck = [*columns.refuted, *(sentence.refuted for sentence in columns.sentences)]
    for number in defeated:
        struck[number] = True
    return struck


def _sources(columns: Columns) -> list[tuple[int, frozenset[int]]]:
    """Each given with the sentences of one of its sources: two sources are two ways."""
    number = columns.sentence_number
    return [
        (given, frozenset(number[name] for name in source.ids))
        for given, node in enumerate(columns.nodes)
        if is_given(node)
        for source in node.sources
    ]
