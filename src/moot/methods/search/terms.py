"""How much texts share with a question: words without inflection, weighted by rarity (BM25)."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from moot.argument.wording.folding import fold_inflection
from moot.argument.wording.normal_form import AUXILIARIES, STOPWORDS
from moot.methods.search.passages import Passage

SATURATION, LENGTH_WEIGHT = 1.2, 0.75
"""The usual constants of BM25."""

SMALL_WORDS = (
    STOPWORDS
    | AUXILIARIES
    | {"who", "whom", "whose", "what", "which", "when", "where", "why", "how", "many", "much"}
    | {"or", "by", "with", "from", "for", "as", "both", "than", "between"}
)
"""English words that say nothing of what a text is about, those that ask among them."""

_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")


def terms(text: str) -> list[str]:
    """Return the words by which a text is found; of scripts that do not part words, pairs of letters."""
    found: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if word.isascii():
            found += [] if word in SMALL_WORDS else [fold_inflection(word)]
            continue
        found += _UNSPACED.sub(" ", word).split()
        found += [pair for run in _UNSPACED.findall(word) for pair in _pairs(run)]
    return found


def closeness(query: str, texts: Sequence[Sequence[str]]) -> list[float]:
    """Return how much each text, given by its terms, shares with a query (BM25)."""
    counts = [Counter(text) for text in texts]
    mean = sum(map(len, texts)) / len(texts) if texts else 1.0
    holding = Counter(term for count in counts for term in count)
    rarity = {term: _rarity(holding[term], len(texts)) for term in terms(query)}
    return [
        sum(
            rarity[term]
            * count[term]
            * (SATURATION + 1)
            / (count[term] + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * len(text) / mean))
            for term in sorted(count.keys() & rarity.keys())
        )
        for count, text in zip(counts, texts, strict=True)
    ]


def best_passages(query: str, passages: Sequence[Passage], most: int) -> list[Passage]:
    """Return the passages that share most with the query by BM25, in the order of the documents."""
    titled = [f"{passage.title}\n{passage.text}" for passage in passages]
    return [passages[place] for place in _closest(query, titled, most)]


def nearest(query: str, texts: Sequence[str], most: int) -> list[str]:
    """Return the texts that share most with the query, in their order."""
    return [texts[place] for place in _closest(query, texts, most)]


def _closest(query: str, texts: Sequence[str], most: int) -> list[int]:
    scores = closeness(query, [terms(text) for text in texts])
    order = sorted(range(len(texts)), key=lambda place: (-scores[place], place))
    return sorted(order[:most])


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(max(len(run) - 1, 1))]


def _rarity(holding: int, total: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))
