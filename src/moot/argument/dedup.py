"""Which claims say the same, and which contradict each other (interrogation 3.3, rulings A2 to A6).

The definition is pairwise: two guards, then a similarity. `ClaimIndex` gives exactly what comparing every pair in
assertion order would give, and keeps what it knows so that a later claim costs little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from moot.argument.candidates import FormColumns, jaccard_candidates, ratio_candidates
from moot.argument.graph import NaturalOrder
from moot.argument.normal_form import NormalForm, normal_form

Rank = tuple[NaturalOrder, NaturalOrder]

MAX_CONTRADICTED = 1_000


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which likeness on two claims are one; both tunable (interrogation 3.3)."""

    jaccard: float = 0.7
    ratio: float = 0.85


def contradicts(a: NormalForm, b: NormalForm) -> bool:
    """Return whether a guard holds: the claims differ in negation alone, or in their numbers alone (A2, A4)."""
    negated = bool(a.guard_key) and a.guard_key == b.guard_key and a.negations % 2 != b.negations % 2
    return negated or (bool(a.numbers) and bool(b.numbers) and a.words == b.words and a.numbers != b.numbers)


def comparable(a: NormalForm, b: NormalForm) -> bool:
    """Return whether similarity may merge the two at all (A3)."""
    if a.denials != b.denials or not a.text or not b.text:
        return False
    return not (_each_lacks(a.digits, b.digits) or _each_lacks(a.symbols, b.symbols))


def similar(earlier: NormalForm, later: NormalForm, thresholds: Thresholds) -> bool:
    """Return whether two comparable claims are one by Jaccard or by difflib's ratio (interrogation 3.3, A5)."""
    return likeness(earlier, later, thresholds) is not None


def likeness(earlier: NormalForm, later: NormalForm, thresholds: Thresholds) -> tuple[str, float] | None:
    """Return by which measure two comparable claims are alike, and how much; None below both thresholds."""
    jaccard = _jaccard(earlier.tokens, later.tokens)
    if jaccard >= thresholds.jaccard:
        return "jaccard", jaccard
    matcher = SequenceMatcher(None, earlier.text, later.text)
    if matcher.real_quick_ratio() >= thresholds.ratio and (ratio := matcher.ratio()) >= thresholds.ratio:
        return "ratio", ratio
    return None


def _each_lacks(a: frozenset[str], b: frozenset[str]) -> bool:
    return not (a <= b or b <= a)


class ClaimIndex:
    """The claims of one graph in assertion order, their clusters and their contradictions.

    Equal normal forms behave alike, so the work is done once a form. `admit` takes claims in, `forbid` keeps two of
    them apart, `link` joins what `admit` took in since the last time.
    """

    def __init__(self, *, identifiers: bool = False, thresholds: Thresholds | None = None) -> None:
        self.identifiers = identifiers
        self.thresholds = thresholds or Thresholds()
        self.contradictions: list[tuple[int, int]] = []
        self._forms: list[NormalForm] = []
        self._texts: list[str] = []
        self._form_ids: dict[str, int] = {}
        self._form_of: list[int] = []
        self._instances: list[list[int]] = []
        self._scattered: set[int] = set()
        self._partners: list[list[int]] = []
        self._rivals: list[list[int]] = []
        self._by_guard_key: dict[str, tuple[list[int], list[int]]] = {}
        self._by_words: dict[str, list[int]] = {}
        self._columns = FormColumns.empty()
        self._linked = 0
        self._parent: list[int] = []
        self._ranks: list[Rank] = []
        self._first: list[int] = []
        self._enemies: dict[int, set[int]] = {}

    def __len__(self) -> int:
        return len(self._form_of)

    def admit(self, claim: str, rank: Rank) -> int | None:
        """Return the claim's place in assertion order, or None for one more of an endless template.

        Of a cluster's claims the one with the least rank is its first.
        """
        form = normal_form(claim, identifiers=self.identifiers)
        form_id = self._form_ids.get(form.text)
        if form_id is None:
            rivals = self._contradicted(form)
            if len(rivals) > MAX_CONTRADICTED:
                return None
            form_id = self._add_form(form, rivals)
        place = len(self._form_of)
        self._form_of.append(form_id)
        self._parent.append(place)
        self._ranks.append(rank)
        self._first.append(place)
        return place

    def forbid(self, a: int, b: int) -> bool:
        """Return whether the two claims are now kept apart for good; False if they are one already (A6)."""
        if self.root(a) == self.root(b):
            return False
        self._enemies.setdefault(self.root(a), set()).add(b)
        self._enemies.setdefault(self.root(b), set()).add(a)
        return True

    def link(self) -> list[int]:
        """Join the claims admitted since the last link; return those that lost their cluster's first place."""
        new_from = self._columns.lengths.shape[0]
        self._columns = self._columns.extended(self._forms[new_from:])
        for a, b in self._candidates(new_from, self.thresholds):
            self._partners[a].append(b)
            self._partners[b].append(a)
        lost: list[int] = []
        for place in range(self._linked, len(self)):
            rivals = self._oppose(place)
            first_said = self._join(place, self._partners[self._form_of[place]], self.thresholds, lost)
            # Where an equal claim of the same cluster stands already, its contradictions stand too.
            self.contradictions.extend((rival, place) for rival in rivals if first_said)
            self._linked = place + 1
        return lost

    def relink(self, thresholds: Thresholds) -> list[int]:
        """Compare every pair again under these thresholds; return the claims that lost their first place."""
        partners = self._partners if thresholds == self.thresholds else self._partners_under(thresholds)
        lost: list[int] = []
        for instances in self._instances:
            instances.clear()
        for place in range(len(self)):
            self._join(place, partners[self._form_of[place]], thresholds, lost)
        return lost

    def _partners_under(self, thresholds: Thresholds) -> list[list[int]]:
        partners: list[list[int]] = [[] for _ in self._forms]
        for a, b in self._candidates(0, thresholds):
            partners[a].append(b)
            partners[b].append(a)
        return partners

    def union(self, a: int, b: int) -> list[int]:
        """Join two claims that are known to be one; return the claim that lost its first place."""
        lost: list[int] = []
        self._unite(self.root(a), self.root(b), lost)
        return lost

    def rerank(self, place: int, rank: Rank) -> int | None:
        """Give a claim another rank; return the claim that lost its first place by it."""
        self._ranks[place] = rank
        root = self.root(place)
        first = self._first[root]
        if first != place and rank < self._ranks[first]:
            self._first[root] = place
            return first
        return None

    def root(self, place: int) -> int:
        """Return the mark that all claims of one cluster share."""
        parent = self._parent
        if parent[place] == place:
            return place
        path = [place]
        while parent[path[-1]] != path[-1]:
            path.append(parent[path[-1]])
        for passed in path:
            parent[passed] = path[-1]
        return path[-1]

    def parents(self) -> list[int]:
        """Return for each claim one that it is joined with; enough to join them again."""
        return list(self._parent)

    def first(self, place: int) -> int:
        """Return the earliest claim of this claim's cluster (A7)."""
        return self._first[self.root(place)]

    def _add_form(self, form: NormalForm, rivals: list[int]) -> int:
        form_id = len(self._forms)
        self._forms.append(form)
        self._texts.append(form.text)
        self._form_ids[form.text] = form_id
        self._instances.append([])
        self._partners.append([])
        self._rivals.append(rivals)
        for rival in rivals:
            self._rivals[rival].append(form_id)
        if form.guard_key:
            self._by_guard_key.setdefault(form.guard_key, ([], []))[form.negations % 2].append(form_id)
        if form.numbers:
            self._by_words.setdefault(form.words, []).append(form_id)
        return form_id

    def _contradicted(self, form: NormalForm) -> list[int]:
        negated = self._by_guard_key.get(form.guard_key, ((), ()))[1 - form.negations % 2] if form.guard_key else ()
        counted = self._by_words.get(form.words, ()) if form.numbers else ()
        differing = (other for other in counted if self._forms[other].numbers != form.numbers)
        return sorted({*negated, *differing})

    def _candidates(self, new_from: int, thresholds: Thresholds) -> list[tuple[int, int]]:
        """The pairs of forms that may merge and reach a threshold, in assertion order."""
        columns, total = self._columns, len(self._forms)
        found = [np.zeros(0, np.int64)]
        for left, right in jaccard_candidates(columns, new_from, thresholds.jaccard):
            pairs = np.unique(np.minimum(left, right) * total + np.maximum(left, right))
            found.append(pairs[_overlap(self._forms, pairs) >= thresholds.jaccard])
        for left, right in ratio_candidates(columns, self._texts, new_from, thresholds.ratio):
            found.append(np.minimum(left, right) * total + np.maximum(left, right))
        left, right = np.divmod(np.unique(np.concatenate(found)), total)
        plain = columns.plain[left] | columns.plain[right]
        found_pairs = zip(left.tolist(), right.tolist(), plain.tolist(), strict=True)
        return [(int(a), int(b)) for a, b, is_plain in found_pairs if is_plain or self._may_merge(a, b)]

    def _may_merge(self, a: int, b: int) -> bool:
        return comparable(self._forms[a], self._forms[b]) and not contradicts(self._forms[a], self._forms[b])

    def _standing(self, form: int) -> list[int]:
        """The earlier claims of a form, one for each cluster; nearly always that is the first alone."""
        return self._instances[form] if form in self._scattered else self._instances[form][:1]

    def _oppose(self, place: int) -> list[int]:
        """Set a claim against the earlier claims that a guard holds it to contradict, and return those."""
        rivals = [other for rival in self._rivals[self._form_of[place]] for other in self._standing(rival)]
        for other in rivals:
            self._enemies.setdefault(self.root(place), set()).add(other)
            self._enemies.setdefault(self.root(other), set()).add(place)
        return rivals

    def _join(self, place: int, partners: Sequence[int], thresholds: Thresholds, lost: list[int]) -> bool:
        """Join one claim with its earlier partners; return whether it is the first of its form in its cluster."""
        form = self._form_of[place]
        if self._forms[form].text:
            earlier = [(other, partner) for partner in (form, *partners) for other in self._standing(partner)]
            for other, partner in sorted(earlier):
                a, b = self.root(other), self.root(place)
                if a == b or self._forbidden(a, b):
                    continue
                if partner == form or similar(self._forms[partner], self._forms[form], thresholds):
                    self._unite(a, b, lost)
        instances = self._instances[form]
        apart = bool(instances) and self.root(instances[0]) != self.root(place)
        if apart:
            self._scattered.add(form)
        instances.append(place)
        return apart or len(instances) == 1

    def _forbidden(self, a: int, b: int) -> bool:
        hated_by_a, hated_by_b = self._enemies.get(a, ()), self._enemies.get(b, ())
        fewer, other = (hated_by_a, b) if len(hated_by_a) <= len(hated_by_b) else (hated_by_b, a)
        return any(self.root(enemy) == other for enemy in fewer)

    def _unite(self, a: int, b: int, lost: list[int]) -> None:
        if a == b:
            return
        first, second = sorted((self._first[a], self._first[b]), key=self._ranks.__getitem__)
        lost.append(second)
        # The smaller place becomes the root, so that the trees do not depend on the order of asserts.
        root, child = (a, b) if a < b else (b, a)
        self._parent[child] = root
        self._first[root] = first
        if child in self._enemies:
            self._enemies.setdefault(root, set()).update(self._enemies.pop(child))


def _overlap(forms: Sequence[NormalForm], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    left, right = np.divmod(pairs, len(forms))
    both = zip(left.tolist(), right.tolist(), strict=True)
    return np.fromiter((_jaccard(forms[a].tokens, forms[b].tokens) for a, b in both), np.float64, len(pairs))


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)
