"""Deliberations side by side on a page: chosen, with a base, by claims, a fork beside its parent."""

from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from tests.web.comparing_kit import AT, forked_debate, turncoats
from tests.web.kit import Site, at_site
from tests.web.pages.argument_kit import generated, kept_record, servers
from tests.web.pages.html_kit import attribute, one, parsed, words
from tests.web.pages.records_kit import HOSTILE, golden, hostile, keep

NAMES = ("interrogation_whole", "debate_flagged", "spiral_forced", "prism_whole", "vote_decided", "coherence_partial")


def columns(page: BeautifulSoup) -> list[str]:
    return [words(head, ".id") for head in page.select(".list-of-columns thead th")]


def cells(page: BeautifulSoup, row: str) -> list[str]:
    chosen = [tr for tr in page.select(".list-of-columns tbody tr") if words(tr, "th") == row]
    return [" ".join(cell.get_text(" ").split()) for cell in chosen[0].select("td")]


def claims(page: BeautifulSoup) -> dict[str, list[str]]:
    return {
        words(row, "th"): [" ".join(cell.get_text(" ").split()) for cell in row.select("td")]
        for row in page.select("#claims tbody tr")
    }


def ticked(page: BeautifulSoup) -> list[str]:
    return [str(box["value"]) for box in page.select("[name=d]") if box.has_attr("checked")]


async def keep_all(site: Site) -> list[str]:
    return [await keep(site, golden(name), name.replace("_", "-")) for name in NAMES]


def test_six_protocols_stand_side_by_side_each_confidence_with_its_own_basis_and_no_bar_across_them(
    tmp_path: Path,
) -> None:
    async def scene(site: Site) -> tuple[list[str], BeautifulSoup, BeautifulSoup]:
        ids = await keep_all(site)
        query = "&".join(f"d={id_}" for id_ in ids)
        page = parsed(await site.page(f"/compare?{query}"))
        return ids, page, parsed(await site.page(f"/compare?{query}&base={ids[2]}"))

    ids, page, other = at_site(tmp_path, scene)

    assert columns(page) == columns(other) == ids
    assert words(page, ".list-of-columns thead .word") == "base"
    assert [bool(head.select(".word")) for head in other.select(".list-of-columns thead th")] == [False] * 2 + [
        True
    ] + [False] * 3
    assert "Confidences of different bases are not comparable." in words(page, ".head")
    bases = [cell.split()[1] for cell in cells(page, "Confidence")[:5]]
    assert bases == ["votes", "stated", "agreement", "panel", "votes"]
    assert cells(page, "Confidence")[5].startswith("none")
    row = next(tr for tr in page.select(".list-of-columns tbody tr") if words(tr, "th") == "Confidence")
    assert not row.select("progress, meter, svg")
    assert "They were asked different questions." in words(page, ".head")
    assert cells(page, "Question")[3] == "Crows remember the faces of people who trapped them."
    assert cells(page, "Answer")[5] == "no answer" and "Osprey" in cells(page, "Dissent")[0]
    assert cells(page, "budget: calls")[:4] == ["20", "60", "90", "120"]


def test_claims_are_rows_with_where_each_stands_and_lead_into_their_arguments(tmp_path: Path) -> None:
    async def scene(site: Site) -> BeautifulSoup:
        await keep(site, kept_record(servers()), "servers")
        await keep(site, golden("interrogation_whole"), "whole")
        await keep(site, golden("vote_decided"), "vote")
        return parsed(await site.page("/compare?d=servers&d=whole&d=vote"))

    page = at_site(tmp_path, scene)

    told = claims(page)
    assert told["Server x9 is switched on at 02:00."] == ["refuted r6", "not said", "no argument"]
    assert told["Server x8 can be woken for a job."][0].startswith("held")
    assert told["The radio was not silent all night."] == [
        "not said",
        "refuted m1 refuted, says the log",
        "no argument",
    ]
    assert {words(row, "td:nth-of-type(1)").split()[0] for row in page.select("#claims tbody tr")} == {
        "held",
        "disputed",
        "refuted",
        "not",
    }
    link = attribute(page, "#claims .stand.refuted", "href")
    assert link == "/d/servers/argument?claim=r6%3Ae"
    assert "vote vote: this run of vote came to no argument" in words(page, "#claims").replace("  ", " ")


def test_a_fork_beside_its_parent_shows_where_it_left_and_the_difference_from_there(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        parent, fork = await forked_debate(site)
        answer = parsed(await site.page(f"/d/{fork}"))
        beside = attribute(answer, '#part-actions a[href*="compare"]', "href")
        other = await keep(site, golden("vote_decided"), "other")
        alone = parsed(await site.page(f"/compare?d={fork}&d={other}"))
        return parent, fork, beside, alone, parsed(await site.page(f"/compare?d={parent}&d={fork}"))

    parent, fork, beside, alone, page = at_site(tmp_path, scene, models=turncoats())

    assert beside == f"/compare?d={parent}&d={fork}"
    assert words(page, ".fork h2") == f"Where {fork} left {parent}"
    assert words(page, ".fork header small") == f"at {AT} , 3 steps in common"
    assert len(page.select(".fork details")) == 3
    first = one(page, ".fork details")
    assert first.has_attr("open") and words(first, "code") == AT
    assert "yes" in words(first, "del") and "no" in words(first, "ins")
    assert "Nothing was settled otherwise" not in words(page, "main")
    assert not alone.select(".fork")
    assert attribute(alone, ".head p a[href*=other]", "href") == f"/compare?d={fork}&d=other&d={parent}&base={fork}"


@pytest.mark.parametrize(
    ("query", "status", "said", "chosen"),
    [
        ("", 200, "Tick two to six", []),
        ("?d=one", 200, "Tick two to six", ["one"]),
        ("?d=one&d=one", 200, "Tick two to six", ["one"]),
        ("?d=one&d=two&choose=1", 200, "Tick two to six", ["one", "two"]),
        ("?d=a1&d=a2&d=a3&d=a4&d=a5&d=one&d=two", 422, "7 are ticked, and at most 6", 7),
        ("?d=one&d=two&base=a1", 422, "'a1' is none of those compared", ["one", "two"]),
    ],
)
def test_with_fewer_than_two_or_more_than_six_what_may_be_ticked_is_offered_and_nothing_is_lost(
    tmp_path: Path, query: str, status: int, said: str, chosen: Any
) -> None:
    async def scene(site: Site) -> BeautifulSoup:
        for name in ("a1", "a2", "a3", "a4", "a5"):
            await keep(site, golden("debate_flagged"), name)
        for name in ("one", "two"):
            await keep(site, golden("vote_decided"), name)
        return parsed(await site.page(f"/compare{query}"), status)

    page = at_site(tmp_path, scene)

    assert said in words(page, "main")
    assert sorted(ticked(page)) == sorted(chosen) if isinstance(chosen, list) else len(ticked(page)) == chosen
    offered = [str(box["value"]) for box in page.select("[name=d]")]
    assert sorted(offered) == ["a1", "a2", "a3", "a4", "a5", "one", "two"]
    if query == "?d=one":
        groups = {words(group, "legend"): group.get_text() for group in page.select("fieldset")}
        assert list(groups) == ["Chosen", "The same question", "The latest"] and "two" in groups["The same question"]


def test_what_is_anothers_is_neither_compared_nor_offered_and_as_unknown_as_what_does_not_exist(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await keep(site, golden("vote_decided"), "own", owner="agent")
        await keep(site, golden("vote_decided"), "others")
        picker = parsed(await site.page("/compare?d=own", "agent"))
        unknown = [await site.page(f"/compare?d=own&d={name}", "agent") for name in ("others", "nobody")]
        empty = parsed(await site.page("/compare", "agent"))
        await site.agent("new")
        return picker, unknown, empty, parsed(await site.page("/compare", "new"))

    picker, unknown, some, none = at_site(tmp_path, scene)

    assert [str(box["value"]) for box in picker.select("[name=d]")] == ["own"]
    told = [
        words(parsed(answer, 404), "main").replace(name, "X")
        for answer, name in zip(unknown, ("others", "nobody"), strict=True)
    ]
    assert told[0] == told[1]
    assert len(some.select("[name=d]")) == 1
    assert "There is nothing to compare yet" in words(none, ".empty")


def test_columns_are_left_out_and_others_chosen_by_links_of_the_same_page(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        for name in ("a", "b", "c"):
            await keep(site, golden("vote_decided"), name)
        three = parsed(await site.page("/compare?d=a&d=b&d=c&base=b"))
        links = {str(link["href"]) for link in three.select(".choices a, .head .actions a")}
        for link in sorted(links):
            parsed(await site.page(link))
        return links, parsed(await site.page("/compare?d=a&d=b"))

    links, two = at_site(tmp_path, scene)

    assert links == {
        "/compare?d=a&d=b&d=c&base=a",
        "/compare?d=a&d=b&d=c&base=c",
        "/compare?d=b&d=c&base=b",
        "/compare?d=a&d=c",
        "/compare?d=a&d=b&base=b",
        "/compare?d=a&d=b&d=c&choose=1",
    }
    assert "leave out" not in words(two, ".list-of-columns")
    assert "One question, 2 ways." in words(two, ".head")


def test_a_running_one_an_empty_one_and_hostile_ones_stand_side_by_side_as_text(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        texts = golden("debate_attacked")
        await keep(site, texts[:1], "begun")
        await keep(site, hostile(golden("debate_flagged"))[:6], "running")
        await keep(site, hostile(texts), "attacked")
        await keep(site, hostile(golden("interrogation_verified")), "verified")
        answers = [
            await site.page(path)
            for path in ("/compare?d=begun&d=running&d=attacked&d=verified", "/compare?d=attacked")
        ]
        return [(answer.text, parsed(answer)) for answer in answers]

    (text, page), (offered, picker) = at_site(tmp_path, scene)

    for html, shown in ((text, page), (offered, picker)):
        assert not shown.select("img[src=x], [onerror]")
        assert "\u202e" not in html and "\x07" not in html
        assert "49" not in words(shown, "head > title") and len(words(shown, "h1")) <= 400
        assert len(html) < 400_000
    assert cells(page, "Answer")[:2] == ["not ended", "not ended"]
    assert "nobody works on it" in cells(page, "Status")[0]
    assert "so far" in cells(page, "Took")[1] and "the base" not in cells(page, "Took")[1]
    assert HOSTILE[:9] == "</script>"


def test_more_claims_than_a_page_has_room_for_are_turned_over_and_what_is_left_out_is_said(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await keep(site, kept_record(generated(260)), "large")
        await keep(site, kept_record(servers()), "small")
        first = parsed(await site.page("/compare?d=large&d=small"))
        second = parsed(await site.page(attribute(first, ".paging a", "href") or ""))
        return first, second, parsed(await site.page("/compare?d=large&d=small&start=100000"))

    first, second, past = at_site(tmp_path, scene)

    assert len(claims(first)) == len(claims(second)) == 100
    assert not set(claims(first)) & set(claims(second))
    assert "60 of its 260 claims are left out here" in words(first, "#claims")
    assert "101 to 200 of" in words(second, ".paging") and attribute(second, ".paging a", "href") == (
        "/compare?d=large&d=small&base=large"
    )
    assert "There are only" in words(past, "#claims")


def test_rows_of_the_list_can_be_ticked_and_sent_to_be_compared(tmp_path: Path) -> None:
    async def scene(site: Site) -> BeautifulSoup:
        for name in ("a", "b"):
            await keep(site, golden("vote_decided"), name)
        return parsed(await site.page("/"))

    page = at_site(tmp_path, scene)

    form = one(page, "#ticks")
    assert (form["method"], form["action"]) == ("get", "/compare")
    boxes = page.select('#rows [name=d][form="ticks"]')
    assert [str(box["value"]) for box in boxes] == ["b", "a"]
    assert all("Compare" in one(box.parent or page, ".unseen").get_text() for box in boxes)
