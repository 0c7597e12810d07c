"""What holds for the HTML of every page, whatever is on it."""

import re
from collections import Counter
from itertools import pairwise

from bs4 import BeautifulSoup, Tag
from httpx2 import Response

VOID_OF_WORDS = ("input", "select", "textarea")
NEEDS_NO_LABEL = ("hidden", "submit", "button")


def parsed(answer: Response, status: int = 200) -> BeautifulSoup:
    """Return a page that was answered with, and fail where it is none or breaks a rule."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text[:2000]}"
    assert answer.headers["content-type"].startswith("text/html")
    return check_page(answer.text)


def check_page(html: str) -> BeautifulSoup:
    """Return a page, and fail where it breaks a rule."""
    page = BeautifulSoup(html, "html.parser")
    wrong = [*wrong_ids(page), *inline_code(page), *unlabelled(page), *wrong_outline(page), *foreign(page)]
    assert not wrong, "\n".join(wrong)
    return page


def check_part(html: str) -> BeautifulSoup:
    """Return a piece of a page, and fail where it breaks a rule that holds for pieces."""
    part = BeautifulSoup(html, "html.parser")
    wrong = [*wrong_ids(part), *inline_code(part), *foreign(part)]
    assert not wrong, "\n".join(wrong)
    return part


def one(page: Tag, selector: str) -> Tag:
    """Return the element that a selector chooses, and fail where there is none."""
    chosen = page.select_one(selector)
    assert chosen is not None, f"there is no {selector}"
    return chosen


def words(page: Tag, selector: str) -> str:
    """Return the words of an element, in one line."""
    return " ".join(one(page, selector).get_text(" ").split())


def attribute(page: Tag, selector: str, name: str) -> str | None:
    """Return what an element says in an attribute; None where it does not have it."""
    value = one(page, selector).get(name)
    return None if value is None else str(value)


def wrong_ids(page: BeautifulSoup) -> list[str]:
    """Ids that stand twice, and references to ids that stand nowhere."""
    ids = Counter(str(element["id"]) for element in page.find_all(id=True))
    twice = [f"the id {id_!r} stands {count} times" for id_, count in ids.items() if count > 1]
    names = ("aria-labelledby", "aria-describedby", "aria-controls", "for")
    named = [(name, id_) for name in names for each in page.select(f"[{name}]") for id_ in str(each[name]).split()]
    return twice + [f"{name}={id_!r} names nothing" for name, id_ in named if id_ not in ids and page.find("html")]


def inline_code(page: BeautifulSoup) -> list[str]:
    """Scripts and styles that stand in the page itself."""
    wrong = [
        f"inline {each.name}: {str(each)[:100]}" for each in page.find_all(["script", "style"]) if not each.get("src")
    ]
    for element in page.select("*"):
        wrong += [f"{name} on <{element.name}>" for name in element.attrs if name == "style" or name.startswith("on")]
    return wrong


def foreign(page: BeautifulSoup) -> list[str]:
    """Addresses that a page loads from elsewhere, or that would run something."""
    wrong = []
    for element in page.find_all(["script", "link", "img", "iframe", "object", "embed", "source", "base", "meta"]):
        address = str(element.get("src") or element.get("href") or "")
        if element.name in ("iframe", "object", "embed", "base") or (address and not address.startswith("/static/")):
            wrong.append(f"<{element.name}> of {address[:100]!r}")
    for element in page.find_all(["a", "form", "area"]):
        address = str(element.get("href") or element.get("action") or "")
        if re.match(r"\s*(javascript|data|vbscript):", address, re.IGNORECASE):
            wrong.append(f"<{element.name}> leads to {address[:100]!r}")
    return wrong


def unlabelled(page: BeautifulSoup) -> list[str]:
    """Fields without a name for whoever does not see them, buttons without a word."""
    labels = {str(label["for"]) for label in page.find_all("label", attrs={"for": True})}
    wrong = []
    for field in page.find_all(VOID_OF_WORDS):
        inside = isinstance(field.find_parent("label"), Tag)
        if field.get("type") not in NEEDS_NO_LABEL and not (
            inside or field.get("aria-label") or field.get("aria-labelledby") or field.get("id") in labels
        ):
            wrong.append(f"no label: {str(field)[:120]}")
    wrong += [
        f"no word: {str(b)[:120]}" for b in page.find_all("button") if not (b.get_text().strip() or b.get("aria-label"))
    ]
    return wrong


def wrong_outline(page: BeautifulSoup) -> list[str]:
    """What every page has once: a language, a title, a main part, and a first heading."""
    html = page.find("html")
    wrong = [] if isinstance(html, Tag) and html.get("lang") else ["no language"]
    counts = {name: len(page.select(name)) for name in ("main", "h1", "head > title")}
    wrong += [f"{count} times {name}" for name, count in counts.items() if count != 1]
    ranks = [int(heading.name[1]) for heading in page.find_all(re.compile("^h[1-6]$"))]
    leaps = [f"h{after} after h{before}" for before, after in pairwise(ranks) if after > before + 1]
    return wrong + leaps
