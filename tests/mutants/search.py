"""Mutants of sentences with numbers (I10) and of what is shown of long documents (I20, G7)."""

from tests.mutants.mutant import Mutant

SENTENCES, PASSAGES, TERMS = "methods/sentences.py", "methods/search/passages.py", "methods/search/terms.py"
TITLES, NARROWING = "methods/search/titles.py", "methods/search/narrowing.py"
SPLIT, SEARCHED, SHOWN = (("methods/test_sentences.py",), ("methods/test_search.py",), ("methods/test_narrowing.py",))

MUTANTS = (
    Mutant("ruling:I10", SENTENCES, "enumerate(spans, 1)", "enumerate(spans)", SPLIT),
    Mutant("ruling:I10", SENTENCES, "if lead[0] < first.depth", "if lead[0] <= first.depth", SPLIT),
    Mutant("ruling:I10", SENTENCES, "leads += _as_lead(said, first.depth)", "pass", SPLIT),
    Mutant("ruling:I10", SENTENCES, "if spans else ()", "if not spans else leads", SPLIT),
    Mutant("ruling:I10", SENTENCES, "head = head or _as_head(said)", "head = _as_head(said)", SPLIT),
    Mutant("ruling:I10", SENTENCES, "and not any(map(str.isdecimal, said))", "", SPLIT),
    Mutant("ruling:I10", SENTENCES, 'kind="heading")]', 'kind="line")]', SPLIT),
    Mutant("ruling:I10", SENTENCES, "return bare if bare[-1:].isspace() else heading", "return bare", SPLIT),
    Mutant("ruling:I10", SENTENCES, "is_code = not is_code", "pass", SPLIT),
    Mutant("ruling:I10", SENTENCES, "if following.islower():", "if False:", SPLIT),
    Mutant("ruling:I10", SENTENCES, "is_counting or _UNFINISHED", "_UNFINISHED", SPLIT),
    Mutant("ruling:I10", SENTENCES, "following.isdecimal() and _COUNTING", "_COUNTING", SPLIT),
    Mutant("ruling:I10", SENTENCES, "while end - start > LONGEST_SENTENCE:", "while False:", SPLIT),
    Mutant("ruling:I10", SENTENCES, "[-MOST_LEADS:]", "", SPLIT),
    Mutant(
        "ruling:I10",
        SENTENCES,
        "item.start < end and start < item.end",
        "item.start <= end and start <= item.end",
        SPLIT,
    ),
    Mutant("ruling:G7", PASSAGES, "if sentence.end - part[0].start > LONGEST_PASSAGE:", "if False:", SEARCHED),
    Mutant("ruling:I20", PASSAGES, 'last.kind == "heading" or last.text', "last.text", SEARCHED),
    Mutant("ruling:I20", PASSAGES, ' or last.text.endswith(":")', "", SEARCHED),
    Mutant("ruling:I20", TERMS, "fold_inflection(word)", "word", SEARCHED),
    Mutant("ruling:I20", TERMS, "{passage.title}\\n", "", SEARCHED),
    Mutant("ruling:I20", TERMS, "run[place : place + 2]", "run", SEARCHED),
    Mutant("ruling:I20", TERMS, "rarity[term]\n            * count", "1.0\n            * count", SEARCHED),
    Mutant("ruling:I20", TITLES, "and not SMALL_WORDS.issuperset(words)", "", SHOWN),
    Mutant("ruling:I20", TITLES, "_without_aside(name).casefold()", "name.casefold()", SHOWN),
    Mutant("ruling:I20", TITLES, " - {titles[place]}", "", SHOWN),
    Mutant("ruling:I20", NARROWING, "heappush(tiers[0], rank[best[title]])", "pass", SHOWN),
    Mutant("ruling:I20", NARROWING, "heappush(tiers[1], rank[naming])", "pass", SHOWN),
    Mutant("ruling:I20", NARROWING, "for tier in (asked, named, naming)", "for tier in (asked, naming, named)", SHOWN),
    Mutant("ruling:I20", NARROWING, "titles_in(question, links.titled)}) or", "()}) or", SHOWN),
    Mutant("ruling:I20", NARROWING, "if used > tokens and end - start >= FEWEST:", "if used > tokens:", SHOWN),
    Mutant(
        "ruling:I20", NARROWING, "_shown(before.order, before.seen, tokens)", "_shown(before.order, 0, tokens)", SHOWN
    ),
    Mutant("ruling:I20", NARROWING, 'return "" if self.is_all else f"{self.seen}', 'return f"{self.seen}', SHOWN),
    Mutant("ruling:I20", NARROWING, "tokens is None or ", "tokens is not None and ", SHOWN),
    Mutant(
        "ruling:I20", NARROWING, "for document in documents) <= tokens", "for document in documents) < tokens", SHOWN
    ),
    Mutant(
        "ruling:I20",
        NARROWING,
        "return _shown(ordered(question, passages_of(documents)), 0, tokens)",
        "return _shown(tuple(passages_of(documents)), 0, tokens)",
        SHOWN,
    ),
    Mutant("ruling:I20", NARROWING, 'parts.append(f"# {passage.heading}")', "pass", SHOWN),
)
