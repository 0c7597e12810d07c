"""Which claims say the same, and which contradict each other (interrogation 3.3, rulings A2 to A6).

The definition is pairwise: the guards, then a similarity. Claims of one normal form are read by the guards as the first
of them was written. `ClaimIndex` gives exactly what comparing every pair in assertion order would give, and keeps what
it knows so that a later claim costs little.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from moot.argument.candidates import FormColumns, jaccard_candidates, ratio_candidates
from moot.argument.clusters import Clusters, Merge, Rank, Thresholds
from moot.argument.guards import opposed_words, opposing_guard, opposing_keys, separating_guard
from moot.argument.wording.normal_form import NormalForm, normal_form

MAX_CONTRADICTED = 1_000


def likeness(earlier: NormalForm, later: NormalForm, thresholds: Thresholds) -> tuple[str, float] | None:
    """Return by which measure two claims reach its threshold, and how alike they are; None if by neither."""
    overlap = _jaccard(earlier.tokens, later.tokens)
    if overlap >= thresholds.jaccard:
        return "jaccard", overlap
    matcher = SequenceMatcher(None, earlier.text, later.text)
    if matcher.real_quick_ratio() < thresholds.ratio or (ratio := matcher.ratio()) < thresholds.ratio:
        return None
    return "ratio", ratio


class ClaimIndex(Clusters):
    """The claims of one graph in assertion order, their clusters and their contradictions.

    Equal normal forms behave alike, so the work is done once a form. `admit` takes claims in, `forbid` keeps two of
    them apart, `link` joins what `admit` took in since the last time.
    """

    def __init__(self, *, identifiers: bool = False, thresholds: Thresholds | None = None) -> None:
        super().__init__(identifiers=identifiers, thresholds=thresholds)
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
        self._by_opposing_key: dict[str, dict[str, None]] = {}
        self._columns = FormColumns.empty()
        self._linked = 0

    @override
    def admit(self, claim: str, rank: Rank) -> int | None:
        """Return the claim's place in assertion order, or None for one more of an endless template.

        Of a cluster's claims the one with the least rank is its first.
        """
        form = normal_form(claim, identifiers=self.identifiers)
        form_id = self._form_ids.get(form.text)
        if form_id is None:
            keys = opposing_keys(form)
            rivals = self._contradicted(form, keys)
            if len(rivals) > MAX_CONTRADICTED:
                return None
            form_id = self._add_form(form, rivals, keys)
        self._form_of.append(form_id)
        return super().admit(claim, rank)

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

    def _add_form(self, form: NormalForm, rivals: list[int], keys: Sequence[str]) -> int:
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
            for key in keys:
                self._by_opposing_key.setdefault(key, {})[form.guard_key] = None
        if form.numbers:
            self._by_words.setdefault(form.words, []).append(form_id)
        return form_id

    def _contradicted(self, form: NormalForm, keys: Sequence[str]) -> list[int]:
        """The forms that a guard sets against this one, found by their keys."""
        negated = self._by_guard_key.get(form.guard_key, ((), ()))[1 - form.negations % 2] if form.guard_key else ()
        counted = self._by_words.get(form.words, ()) if form.numbers else ()
        near = [*counted, *self._opposed(form, keys)] if keys or form.guard_key in self._by_opposing_key else counted
        if not near:
            return list(negated)
        return sorted({*negated, *(other for other in near if opposing_guard(self._forms[other], form))})

    def _opposed(self, form: NormalForm, keys: Sequence[str]) -> Iterator[int]:
        """The forms whose words are equal to this one's but for two opposites."""
        known = self._by_opposing_key
        near = {*keys, *known.get(form.guard_key, ())}.union(*(known.get(key, ()) for key in keys))
        for key in near:
            if key in self._by_guard_key and opposed_words(form.guard_key, key):
                yield from (other for parity in self._by_guard_key[key] for other in parity)

    def _candidates(self, new_from: int, thresholds: Thresholds) -> list[tuple[int, int]]:
        """The pairs of forms that may reach a threshold, in assertion order; the guards have not seen them."""
        columns, total = self._columns, len(self._forms)
        found: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        for left, right in jaccard_candidates(columns, new_from, thresholds.jaccard):
            pairs = np.unique(np.minimum(left, right) * total + np.maximum(left, right))
            found.append(pairs[_overlap(self._forms, pairs) >= thresholds.jaccard])
        known: NDArray[np.int64] = np.unique(np.concatenate(found))
        found = [known]
        for left, right in ratio_candidates(columns, self._texts, new_from, thresholds.ratio, known):
            found.append(np.minimum(left, right) * total + np.maximum(left, right))
        left, right = np.divmod(np.unique(np.concatenate(found)), total)
        return list(zip(left.tolist(), right.tolist(), strict=True))

    def _likeness(self, partner: int, form: int, thresholds: Thresholds) -> tuple[str, float] | None:
        """By what two forms are one, and how alike they are, where no guard holds them apart."""
        if partner == form:
            return "equal", 1.0
        # Guards read every word, so they see a pair only here: most claims that are alike are one by now.
        earlier, later = (self._forms[one] for one in sorted((partner, form)))
        if separating_guard(earlier, later) or opposing_guard(earlier, later):
            return None
        return likeness(self._forms[partner], self._forms[form], thresholds)

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
                if by := self._likeness(partner, form, thresholds):
                    self._unite(a, b, lost, Merge(other, place, by[0], round(by[1], 6)))
        instances = self._instances[form]
        apart = bool(instances) and self.root(instances[0]) != self.root(place)
        if apart:
            self._scattered.add(form)
        instances.append(place)
        return apart or len(instances) == 1


def _overlap(forms: Sequence[NormalForm], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    left, right = np.divmod(pairs, len(forms))
    both = zip(left.tolist(), right.tolist(), strict=True)
    return np.fromiter((_jaccard(forms[a].tokens, forms[b].tokens) for a, b in both), np.float64, len(pairs))


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)
