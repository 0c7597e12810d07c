"""Sections as text and as Markdown: nothing lost, nothing too wide, nothing that a model's words could forge."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from moot.views.sections import Entry, Section, entries, markdown_of, text_of, wrapped
from moot.views.words import flat

WORDS = st.lists(st.text(max_size=12) | st.sampled_from(["a-long-word", "-"]), max_size=20).map(" ".join)
UNDER = st.lists(st.builds(Entry, WORDS), max_size=2).map(tuple)
ENTRIES = st.lists(st.builds(Entry, WORDS, UNDER), max_size=2).map(tuple)
SECTIONS = st.builds(Section, st.just("Title"), WORDS, ENTRIES)


def said(items: tuple[Entry, ...]) -> list[str]:
    return [word for item in items for word in (*flat(item.words).split(), *said(item.under))]


def counted(items: tuple[Entry, ...]) -> int:
    return sum(1 + counted(item.under) for item in items)


def html(lines: list[str]) -> str:
    return MarkdownIt("commonmark", {"html": False}).enable("table").render("\n".join(lines))


@settings(max_examples=30)
@given(SECTIONS, st.sampled_from([60, 80, 100]))
def test_a_section_is_no_wider_than_asked_and_loses_no_word(section: Section, width: int) -> None:
    text = wrapped(text_of("=== TITLE ===", [section]), width)

    assert max(map(len, text.splitlines())) <= width
    shown = [word for word in text.split() if word != "-"]
    wanted = [*flat(section.lead).split(), *said(section.entries)]
    title = ["TITLE:"] if section.lead or section.entries else []
    assert shown[3:] == [*title, *(word for word in wanted if word != "-")]


@settings(max_examples=30)
@given(SECTIONS, st.sampled_from([60, None]))
def test_nothing_but_titles_and_entries_begins_at_the_margin_or_with_a_bullet(
    section: Section, width: int | None
) -> None:
    text = text_of("=== TITLE ===", [section])

    lines = (text if width is None else wrapped(text, width)).split("\n")

    at_the_margin = [line for line in lines if line and not line.startswith(" ")]
    assert all(line.startswith(("=== TITLE ===", "TITLE:", "- ")) for line in at_the_margin)
    assert sum(line.startswith("- ") for line in at_the_margin) <= len(section.entries)
    assert sum(line.lstrip(" ").startswith("- ") for line in lines) <= counted(section.entries)


def test_further_lines_hang_under_the_words_of_their_entry() -> None:
    section = Section("Said", entries=(Entry("m1: " + "word " * 9, entries(["under " * 6])),))

    assert wrapped(text_of("T", [section]), 30).splitlines()[3:] == [
        "- m1: word word word word word",
        "  word word word word",
        "  - under under under under",
        "    under under",
    ]


def test_a_word_that_is_too_long_is_not_cut() -> None:
    address = f"https://example.org/{'a' * 90}"

    assert wrapped(f"- the page {address} there", 60).splitlines() == ["- the page", f"  {address}", "  there"]


@pytest.mark.parametrize(
    "nasty", ["~~~~~", "```", "# head", "<script>x</script>", "[a](b:c)", "![a](b)", "~~gone~~", "&lt;", "a\n\n- b"]
)
def test_markup_in_an_entry_stays_words_in_markdown(nasty: str) -> None:
    section = Section("T", f"it says {nasty}", entries([f"m1: {nasty}"]))

    page = html(list(markdown_of(section)))

    plain = flat(nasty).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert page == f"<p><strong>T</strong>: it says {plain}</p>\n<ul>\n<li>m1: {plain}</li>\n</ul>\n"


def test_what_belongs_under_an_entry_is_a_list_in_it() -> None:
    page = html(list(markdown_of(Section("T", entries=(Entry("one", entries(["two"])), Entry("three"))))))

    flattened = page.replace("\n", "")
    assert flattened == "<p><strong>T</strong></p><ul><li>one<ul><li>two</li></ul></li><li>three</li></ul>"
