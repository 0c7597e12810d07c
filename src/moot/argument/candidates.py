"""Pairs of claims that could pass the similarity test, found without looking at every pair (interrogation 3.3).

Every filter here is a bound: it may let a pair through that does not match, it never drops one that does.
What passes is decided in `dedup` by the definition itself. No clusters and no guards live here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist  # ty: ignore[possibly-missing-import]

from moot.argument.wording.normal_form import NormalForm

Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]

_SLACK = 1e-6
_ROUNDING = 1e-2
# Small enough for a block of products to stay in the processor's cache.
_BLOCK_ROWS = 256
_BLOCK_COLUMNS = 2048
_PROBE_BUDGET = 2_000_000
# How many of each letter the bound tells apart; what lies above is counted as if it always matched.
_LEVELS = {" ": 7, "e": 8} | dict.fromkeys("aionrst", 6) | dict.fromkeys("ul", 5)
_LEVELS |= dict.fromkeys("dcmphg", 4) | dict.fromkeys("bfkvwy", 3)
_LETTERS = "abcdefghijklmnopqrstuvwxyz "
_OTHER_BUCKETS = 5
_BUCKET_LEVELS = np.array([_LEVELS.get(letter, 2) for letter in _LETTERS] + [2] * _OTHER_BUCKETS)
_LEVEL_OF_COLUMN = np.concatenate([np.arange(levels) for levels in _BUCKET_LEVELS])
_BUCKET_OF_ASCII = np.array(
    [
        _LETTERS.find(chr(code)) if chr(code) in _LETTERS else len(_LETTERS) + code % _OTHER_BUCKETS
        for code in range(128)
    ]
)
_SKETCH_WORDS = 8
_CODES = 1_114_112
_HASH = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class FormColumns:
    """What the filters need of every form, one row a form, and the tokens of all rows end to end."""

    lengths: NDArray[np.int64]
    denials: NDArray[np.int64]
    lone_number: NDArray[np.int64]
    plain: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    tokens: NDArray[np.int64]
    token_bits: NDArray[np.uint64]
    letters: NDArray[np.float32]
    neighbours: NDArray[np.uint64]
    number_ids: dict[frozenset[str], int]
    token_ids: dict[str, int]

    @classmethod
    def empty(cls) -> "FormColumns":
        """Return columns without rows."""
        ints = np.zeros(0, np.int64)
        letters = np.zeros((0, int(_BUCKET_LEVELS.sum()) + 3), np.float32)
        neighbours = np.zeros((_SKETCH_WORDS, 0), np.uint64)
        return cls(ints, ints, ints, ints.astype(bool), ints, ints, ints.astype(np.uint64), letters, neighbours, {}, {})

    def extended(self, forms: Sequence[NormalForm]) -> "FormColumns":
        """Return the columns with one more row for each form."""
        number_ids, token_ids = self.number_ids, self.token_ids
        lone = [number_ids.setdefault(f.digits, len(number_ids)) if len(f.digits) == 1 else -1 for f in forms]
        tokens = _ints(token_ids.setdefault(token, len(token_ids)) for form in forms for token in form.tokens)
        sizes = _ints(len(form.tokens) for form in forms)
        letters, neighbours = _spelling([form.text for form in forms])
        return FormColumns(
            np.append(self.lengths, _ints(len(form.text) for form in forms)),
            np.append(self.denials, _ints(form.denials for form in forms)),
            np.append(self.lone_number, np.array(lone, np.int64)),
            np.append(self.plain, np.array([not (form.digits or form.symbols) for form in forms], bool)),
            np.append(self.sizes, sizes),
            np.append(self.tokens, tokens),
            np.append(self.token_bits, _token_bits(tokens, sizes)),
            _appended(self.letters, letters),
            np.concatenate((self.neighbours, neighbours), axis=1),
            number_ids,
            token_ids,
        )

    @cached_property
    def folded_neighbours(self) -> NDArray[np.uint64]:
        """The sketches at half their length, for a first look."""
        return self.neighbours[: _SKETCH_WORDS // 2] | self.neighbours[_SKETCH_WORDS // 2 :]

    def comparable(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which pairs ruling A3 leaves open, as far as columns can tell."""
        left_number, right_number = self.lone_number[left], self.lone_number[right]
        open_number = (left_number == right_number) | (left_number < 0) | (right_number < 0)
        return open_number & (self.denials[left] == self.denials[right])


def _appended(rows: NDArray[np.float32], more: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows with more behind them, written into the room kept for them, so that a few rows cost little."""
    total = len(rows) + len(more)
    buffer = rows if rows.base is None else rows.base
    if len(buffer) < total:
        buffer = np.empty((total + total // 8, rows.shape[1]), np.float32)
        buffer[: len(rows)] = rows
    buffer[len(rows) : total] = more
    return buffer[:total]


def _ints(values: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(values, np.int64)


def _token_bits(tokens: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.uint64]:
    bits = np.zeros(len(sizes), np.uint64)
    spread = np.uint64(1) << ((tokens.astype(np.uint64) * _HASH) >> np.uint64(58))
    np.bitwise_or.at(bits, np.repeat(np.arange(len(sizes)), sizes), spread)
    return bits


def _spelling(texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.uint64]]:
    """Rows whose product counts shared letters, and for each text a sketch of its pairs of neighbouring letters.

    A row has one 0/1 column for each letter and level, then 1, the length, and the letters above all levels.
    """
    rows = np.empty((len(texts), len(_LEVEL_OF_COLUMN) + 3), np.float32)
    sketches = np.zeros((_SKETCH_WORDS, len(texts)), np.uint64)
    for begin in range(0, len(texts), 8 * _BLOCK_ROWS):
        part = texts[begin : begin + 8 * _BLOCK_ROWS]
        codes = np.frombuffer("".join(part).encode("utf-32-le"), np.uint32).astype(np.int64)
        row_of_code = np.repeat(np.arange(len(part)), _ints(map(len, part)))
        counts = _letter_counts(codes, row_of_code, len(part))
        block = rows[begin : begin + len(part)]
        block[:, :-3] = np.repeat(counts, _BUCKET_LEVELS, axis=1) > _LEVEL_OF_COLUMN
        block[:, -3] = 1
        block[:, -2] = counts.sum(axis=1)
        block[:, -1] = block[:, -2] - block[:, :-3].sum(axis=1)
        sketches[:, begin : begin + len(part)] = _sketches(codes, row_of_code, len(part))
    return rows, sketches


def _sketches(codes: NDArray[np.int64], row_of_code: NDArray[np.int64], rows: int) -> NDArray[np.uint64]:
    """One bit, chosen by a hash, for the first, second, ... time that two letters stand side by side."""
    within = row_of_code[1:] == row_of_code[:-1]
    keys = (row_of_code[1:] * _CODES + codes[:-1]) * _CODES + codes[1:]
    keys = np.sort(keys[within])
    run_starts = np.flatnonzero(np.diff(keys, prepend=-1))
    times = np.arange(len(keys)) - np.repeat(run_starts, np.diff(run_starts, append=len(keys)))
    row, pair = np.divmod(keys, _CODES * _CODES)
    bits = ((pair * 64 + times % 64).astype(np.uint64) * _HASH) >> np.uint64(55)
    sketches = np.zeros((_SKETCH_WORDS, rows), np.uint64)
    np.bitwise_or.at(sketches, ((bits >> np.uint64(6)).astype(np.int64), row), np.uint64(1) << (bits & np.uint64(63)))
    return sketches


def _letter_counts(codes: NDArray[np.int64], row_of_code: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    width = len(_BUCKET_LEVELS)
    buckets = np.where(codes < 128, _BUCKET_OF_ASCII[np.minimum(codes, 127)], len(_LETTERS) + codes % _OTHER_BUCKETS)
    return np.bincount(row_of_code * width + buckets, minlength=rows * width).reshape(-1, width)


def jaccard_candidates(columns: FormColumns, new_from: int, threshold: float) -> Iterator[Pairs]:
    """Yield pairs whose token sets may overlap by the threshold: a prefix filter on the rarest tokens."""
    frequency = np.bincount(columns.tokens, minlength=len(columns.token_ids))
    rows, tokens = _probes(columns, new_from, threshold, frequency)
    owners, starts = _postings(columns, tokens)
    reach = np.cumsum(frequency[tokens])
    begin = 0
    while begin < len(rows):
        base = reach[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(reach, base + _PROBE_BUDGET, side="right")))
        found = frequency[tokens[begin:end]]
        partners = owners[_ranges(starts[tokens[begin:end]], found)]
        yield _overlapping(columns, partners, np.repeat(rows[begin:end], found), threshold)
        begin = end


def ratio_candidates(
    columns: FormColumns, texts: Sequence[str], new_from: int, threshold: float, known: NDArray[np.int64]
) -> Iterator[Pairs]:
    """Yield pairs whose Indel similarity reaches the threshold; difflib's ratio never exceeds it.

    `known` holds the pairs that are candidates anyway, as the lower row times the number of rows and the higher.
    """
    blocks = _blocks_among_all if new_from == 0 else _blocks_against_new
    for left, right in blocks(columns, new_from, threshold):
        keep = columns.comparable(left, right)
        left, right = left[keep], right[keep]
        keep = _share_neighbours(columns, left, right, threshold)
        left, right = left[keep], right[keep]
        new = ~np.isin(np.minimum(left, right) * len(columns.lengths) + np.maximum(left, right), known)
        left, right = left[new], right[new]
        if len(left):
            near = _indel_similarity(texts, left, right, threshold) >= threshold - _SLACK
            yield left[near], right[near]


def _share_neighbours(
    columns: FormColumns, left: NDArray[np.int64], right: NDArray[np.int64], threshold: float
) -> NDArray[np.bool_]:
    # A letter put in or taken out changes at most two pairs of neighbours on one side and one on the other.
    most = 3 * (1 - threshold) * (columns.lengths[left] + columns.lengths[right]) + _SLACK
    likely = np.flatnonzero(_differing(columns.folded_neighbours, left, right) <= most)
    close = np.zeros(len(left), bool)
    close[likely] = _differing(columns.neighbours, left[likely], right[likely]) <= most[likely]
    return close


def _differing(sketches: NDArray[np.uint64], left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.uint16]:
    differing = np.zeros(len(left), np.uint16)
    for word in sketches:
        differing += np.bitwise_count(word[left] ^ word[right])
    return differing


def _indel_similarity(
    texts: Sequence[str], left: NDArray[np.int64], right: NDArray[np.int64], threshold: float
) -> NDArray[np.float32]:
    return cpdist(
        [texts[row] for row in left.tolist()],
        [texts[row] for row in right.tolist()],
        scorer=Indel.normalized_similarity,
        score_cutoff=max(threshold - _SLACK, 0),
        dtype=np.float32,
    )


def _probes(columns: FormColumns, new_from: int, threshold: float, frequency: NDArray[np.int64]) -> Pairs:
    sizes = columns.sizes[new_from:]
    tokens = columns.tokens[int(columns.sizes[:new_from].sum()) :]
    rows = np.repeat(np.arange(new_from, len(columns.sizes)), sizes)
    order = np.lexsort((frequency[tokens], rows))
    rank = np.arange(len(tokens)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    # A set that shares all but k of its tokens shares one of any k + 1 of them.
    needed = np.ceil(threshold * sizes - _SLACK).astype(np.int64)
    chosen = rank < np.repeat(sizes - needed + 1, sizes)
    return rows[order][chosen], tokens[order][chosen]


def _postings(columns: FormColumns, wanted: NDArray[np.int64]) -> Pairs:
    is_wanted = np.zeros(len(columns.token_ids), bool)
    is_wanted[wanted] = True
    hits = np.flatnonzero(is_wanted[columns.tokens])
    tokens = columns.tokens[hits]
    rows = np.repeat(np.arange(len(columns.sizes)), columns.sizes)[hits]
    counts = np.bincount(tokens, minlength=len(columns.token_ids))
    return rows[np.argsort(tokens, kind="stable")], np.concatenate(([0], np.cumsum(counts)))


def _ranges(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + lengths, lengths)


def _overlapping(columns: FormColumns, found: NDArray[np.int64], probing: NDArray[np.int64], threshold: float) -> Pairs:
    apart = found != probing
    left, right = found[apart], probing[apart]
    left_bits, right_bits = columns.token_bits[left], columns.token_bits[right]
    left_size, right_size = columns.sizes[left], columns.sizes[right]
    shared = np.minimum(
        left_size - np.bitwise_count(left_bits & ~right_bits), right_size - np.bitwise_count(right_bits & ~left_bits)
    )
    close = shared >= threshold * (left_size + right_size - shared) - _SLACK
    left, right = left[close], right[close]
    open_pairs = columns.comparable(left, right)
    return left[open_pairs], right[open_pairs]


def _seeking(rows: NDArray[np.float32], threshold: float) -> NDArray[np.float32]:
    """Rows that, multiplied with plain ones, are negative where too few letters are shared."""
    seeking = rows.copy()
    seeking[:, -3] = rows[:, -1] / 2 - rows[:, -2] * threshold / 2
    seeking[:, -2] = -threshold / 2
    seeking[:, -1] = 0.5
    return seeking


def _blocks_among_all(columns: FormColumns, _new_from: int, threshold: float) -> Iterator[Pairs]:
    order = np.argsort(columns.lengths, kind="stable")
    order = order[columns.lengths[order] > 0]
    lengths = columns.lengths[order]
    furthest = np.searchsorted(lengths, lengths * (2 / threshold - 1) + _SLACK, side="right")
    rows = columns.letters[order]
    for begin in range(0, len(order), _BLOCK_ROWS):
        seeking = _seeking(rows[begin : begin + _BLOCK_ROWS], threshold)
        reach = int(furthest[begin + len(seeking) - 1])
        for first in range(begin, reach, _BLOCK_COLUMNS):
            row, column = _enough_letters(seeking, rows[first : min(first + _BLOCK_COLUMNS, reach)])
            left, right = begin + row, first + column
            upper = right > left
            yield order[left[upper]], order[right[upper]]


def _blocks_against_new(columns: FormColumns, new_from: int, threshold: float) -> Iterator[Pairs]:
    for begin in range(new_from, len(columns.lengths), _BLOCK_ROWS):
        seeking = _seeking(columns.letters[begin : begin + _BLOCK_ROWS], threshold)
        for first in range(0, begin + len(seeking), _BLOCK_COLUMNS):
            row, column = _enough_letters(seeking, columns.letters[first : first + _BLOCK_COLUMNS])
            left, right = first + column, begin + row
            upper = (left < right) & (columns.lengths[left] > 0) & (columns.lengths[right] > 0)
            yield left[upper], right[upper]


def _enough_letters(seeking: NDArray[np.float32], rows: NDArray[np.float32]) -> Pairs:
    surplus = seeking @ rows.T
    row, column = np.divmod(np.flatnonzero(surplus >= -_ROUNDING), surplus.shape[1])
    return row, column
