"""The argument's page: drawn, told and tabled alike; doubted without a trace, contested with a name."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from bs4 import BeautifulSoup, Tag

from moot.argument import GraphStore
from tests.web.kit import Site, at_site
from tests.web.pages.argument_kit import GRAPH, edge, generated, kept_record, node, servers
from tests.web.pages.html_kit import check_part, parsed
from tests.web.pages.records_kit import HOSTILE, golden, keep

PATH = "/d/servers/argument"
ANSWERS = ("x9", "x8")


async def opened(site: Site, path: str = PATH, as_: str = "reviewer") -> BeautifulSoup:
    return parsed(await site.page(path, as_))


async def drawer(site: Site, claim: str, path: str = PATH, as_: str = "reviewer") -> str:
    answer = await site.page(f"{path}?claim={quote(claim, safe='')}&fragment=drawer", as_)
    return words(check_part(answer.text))


def words(part: Any, selector: str = "") -> str:
    chosen = part.select_one(selector) if selector else part
    assert chosen is not None, selector
    return " ".join(chosen.get_text(" ").split())


def attribute(page: BeautifulSoup, selector: str, name: str) -> str:
    chosen = page.select_one(selector)
    assert chosen is not None, selector
    return str(chosen[name])


def with_servers(tmp_path: Path, scene: Any) -> Any:
    async def with_record(site: Site) -> Any:
        await keep(site, kept_record(servers(), ANSWERS), "servers")
        return await scene(site)

    return at_site(tmp_path, with_record)


def drawn(page: BeautifulSoup) -> dict[str, Tag]:
    return {str(each["data-id"]): each for each in page.select("svg.graph .node")}


def tabled(page: BeautifulSoup) -> dict[str, list[str]]:
    rows = page.select("table.claims tbody tr")
    return {words(row, ".id"): [words(cell) for cell in row.select("td")] for row in rows}


def test_drawing_table_and_drawers_tell_the_same_of_every_claim(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, dict[str, BeautifulSoup]]:
        page = await opened(site)
        return page, {id_: await opened(site, str(each["href"])) for id_, each in list(drawn(page).items())[:4]}

    page, followed = with_servers(tmp_path, scene)

    boxes, rows = drawn(page), tabled(page)
    assert len(boxes) == 26 and set(boxes) == set(rows)
    for id_, (kind, fate, marks, *_) in rows.items():
        label = str(boxes[id_]["aria-label"])
        assert label.startswith(f"{kind}: ")
        assert fate.removesuffix("s") in label
        assert all(mark in label for mark in re.findall(r"quoted|not found|disputed|cut|in a circle", marks)), label
    assert [each["tabindex"] for each in boxes.values()].count("0") == 1
    for id_, selected in followed.items():
        assert words(selected, "#drawer .id") == id_
        assert drawn(selected)[id_]["class"].count("chosen") == 1
    assert not page.select_one("#drawer h3")


def test_why_it_is_believed_and_what_would_have_to_be_wrong_are_told_in_sentences(tmp_path: Path) -> None:
    page = with_servers(tmp_path, opened)

    why = words(page, "[aria-labelledby=why-title]")
    assert "The answer is x9" in why
    assert "3 independent lines of support; 3 through claims that stand" in why
    assert "Resilience 3: 3 claims must be wrong before it falls" in why
    assert "Server x8 is switched off between 22:00 and 06:00. and Nightly jobs start at 02:00. → , so Server x8" in why
    assert "(through a claim that falls or is undecided)" in why
    wrong = words(page, "[aria-labelledby=wrong-title]")
    assert "It falls if these 3 are wrong together, and not if fewer are." in wrong
    structure = words(page, "[aria-labelledby=structure-title]")
    assert "1 circle of reasons" in structure and "2 claims said to be given and not met in a document" in structure
    assert words(page, "#contests").endswith("Nobody contests a claim; select one to do so.")


def test_a_drawer_has_the_quote_in_its_document_every_runs_words_and_the_premises_needed_together(
    tmp_path: Path,
) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, dict[str, str]]:
        page = await opened(site, f"{PATH}?claim=r1:k")
        return page, {one: await drawer(site, one) for one in ("r1:m", "r6:e", "r3:t", "r6:z", "handbook.md#2")}

    page, told = with_servers(tmp_path, scene)

    passage = page.select_one("#drawer .passage")
    assert words(passage, "mark") == "Server x9 runs Linux and stays on around the clock."
    assert words(passage, "blockquote").startswith("The survey covers every server in the hall. Server x9 runs")
    assert words(passage, "figcaption") == "survey.md, sentence 7"
    provenance = words(page, "#drawer")
    assert all(run in provenance for run in ("r1", "r5", "r6")) and "merged: equal 1.00; as r5:k" in provenance
    assert "on line 1" in provenance and "✓ quoted" in provenance
    assert "together A machine that takes a nightly job must run Linux. and A machine that takes" in told["r1:m"]
    assert "falls A claim that stands attacks it." in told["r6:e"]
    assert "Attacked by Server x9 is not always switched on. , which stands." in told["r6:e"]
    assert "undecided It is attacked, and whether its attackers stand is undecided." in told["r3:t"]
    assert "✗ not found no sentence covers it" in told["r6:z"]
    assert "sentence handbook.md#2" in told["handbook.md#2"] and "Claims taken from it" in told["handbook.md#2"]


def test_a_drawer_tells_who_said_a_claim_how_it_was_verified_and_where_in_the_transcript(tmp_path: Path) -> None:
    async def scene(site: Site) -> BeautifulSoup:
        await keep(site, golden("interrogation_verified"), "verified")
        return await opened(site, "/d/verified/argument?claim=r1:q")

    page = at_site(tmp_path, scene)

    told = words(page, "#drawer")
    assert "r1 1 m1, script:0 : Kestrel left, and the radio was silent." in told
    assert "Was it verified? supported" in told and "say this : supported, says the log" in told
    assert "Does it follow? refuted" in told
    assert "falls It was refuted: it does not follow from its sentences alone: as it is put." in told
    assert "verified 3 of 3" in words(page, ".claims") and "does not follow 2 of 3" in words(page, ".claims")
    links = {str(link["href"]) for link in page.select("#drawer a[href*=transcript]")}
    assert links and all(re.fullmatch(r"/d/verified/transcript\?at=(\d+)#e\1", link) for link in links)


def test_in_a_what_if_everything_is_computed_anew_and_nothing_is_stored(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[list[BeautifulSoup], list[str], Any]:
        suppositions = ("refute=r2:r", "refute=r1:c", "refute=handbook.md%232&refute=r2:r&claim=r2:r")
        pages = [await opened(site, f"{PATH}?{one}") for one in suppositions]
        link = attribute(pages[2], "#whatif a[href]:not([data-claim])", "href")
        kept = await site.serving.store.acts.read("servers")
        return pages, [link, words(await opened(site))], kept

    (narrower, turned, several), (way_out, plain), acts = with_servers(tmp_path, scene)

    assert "Supposing “ Server x9 is the only server that is not ruled out. ” is wrong" in words(narrower, "#whatif")
    assert "width 3 → 2 , the answer stays . Nothing is stored." in words(narrower, "#whatif").replace("2,", "2 ,")
    assert "2 independent lines of support, was 3" in words(narrower)
    assert tabled(narrower)["r2:r"][1] == "falls" and "supposed wrong" in tabled(narrower)["r2:r"][2]
    assert "falls" in drawn(narrower)["r2:r"]["class"]
    assert "the answer changes to “x8”" in words(turned, "#whatif") and "The answer is x8" in words(turned)
    assert "x9 falls" in words(turned, "[aria-labelledby=candidates-title]")
    assert "No longer suppose it wrong" in words(several, "#drawer")
    assert parse_qs(urlsplit(way_out).query) == {"claim": ["r2:r"]}
    assert not acts and "Supposing" not in plain


def test_a_contest_needs_a_reason_is_kept_with_its_author_once_and_can_be_undone(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[list[Any], list[BeautifulSoup], list[Any]]:
        form = {"claim": "r2:r", "reason": "The <b>hall</b> has a second room.", "once": "abc"}
        empty = parsed(await site.page(f"{PATH}/contest", "reviewer", {**form, "reason": " "}), 422)
        answers = [await site.page(f"{PATH}/contest", "reviewer", form) for _ in range(2)]
        contested = await opened(site, answers[0].headers["location"])
        undone = [await site.page(f"{PATH}/uncontest", "reviewer", {"claim": "r2:r", "once": "u"}) for _ in range(2)]
        again = await site.page(f"{PATH}/contest", "reviewer", form)
        pages = [empty, contested, await opened(site, undone[0].headers["location"])]
        return [*answers, *undone, again], pages, await site.serving.store.acts.read("servers")

    answers, (empty, contested, undone), acts = with_servers(tmp_path, scene)

    assert [answer.status_code for answer in answers] == [303] * 5
    assert [act.kind for act in acts] == ["contest", "undo"] and acts[0].author == "reviewer"
    problem = empty.select_one("#contest-reason")
    assert words(empty, f"#{problem['aria-describedby']}").startswith("Say why it is wrong")
    assert empty.select_one("details.contest[open]")
    assert "reviewer contests it: The <b>hall</b> has a second room. Undo the contest" in words(contested, "#drawer")
    assert "just now" in words(contested, "#contests")
    assert "contested" in tabled(contested)["r2:r"][2] and "Without it: width 3" in words(contested, "#contests")
    assert "2 independent lines" in words(contested) and "3 independent lines" in words(undone)
    assert undone.select_one("#drawer details.contest") and not undone.select("#drawer .contested")


def test_agents_see_their_own_argument_and_suppose_but_are_offered_no_contest(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[BeautifulSoup, list[int]]:
        await keep(site, kept_record(servers(), ANSWERS), "own", owner="agent")
        form = {"claim": "r2:r", "reason": "no"}
        others = [await site.page(path, "agent") for path in (PATH, f"{PATH}/drawing.svg", f"{PATH}/drawing.json")]
        sent = [await site.page(f"/d/own/argument/{name}", "agent", form) for name in ("contest", "uncontest")]
        return await opened(site, "/d/own/argument?claim=r2:r&refute=r2:r", "agent"), [
            answer.status_code for answer in (*others, *sent)
        ]

    own, refused = with_servers(tmp_path, scene)

    assert refused == [403] * 5
    assert not own.select("form[method=post][action*=contest]")
    assert "width 3 → 2" in words(own, "#whatif")


def test_what_an_address_names_and_there_is_not_is_said(tmp_path: Path) -> None:
    sayings = {
        "claim=zzz": "There is no claim “zzz” in this argument.",
        "focus=%3Cb%3E&view=cone": "There is no claim “<b>” in this argument.",
        "refute=zzz": "So nothing is supposed",
        "candidate=r1:k": "So nothing is supposed, and the answer is looked at.",
        "page=99999&sort=runs": "26 claims",
        "fragment=drawer&claim=%00%E2%80%AE": "No such claim",
    }

    async def scene(site: Site) -> list[Any]:
        return [await site.page(f"{PATH}?{query}") for query in sayings]

    for answer, said in zip(with_servers(tmp_path, scene), sayings.values(), strict=True):
        assert answer.status_code == 200
        assert said in words(BeautifulSoup(answer.text, "html.parser"))
        assert "\u202e" not in answer.text and "\x00" not in answer.text


def test_an_address_of_another_shape_is_refused_as_a_page(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[Any]:
        queries = ("view=sideways", "page=0", f"claim={'x' * 401}", "&".join(["refute=r2:r"] * 51))
        return [await site.page(f"{PATH}?{query}") for query in queries]

    for answer in with_servers(tmp_path, scene):
        parsed(answer, 422)


def test_search_focus_colour_order_and_candidate_live_in_the_address(tmp_path: Path) -> None:
    async def scene(site: Site) -> dict[str, BeautifulSoup]:
        queries = (
            "q=linux",
            "view=cone",
            "view=cone&focus=r1:m",
            "colour=run",
            "sort=runs",
            "sort=fate",
            "candidate=r3:c",
        )
        return {query: await opened(site, f"{PATH}?{query}") for query in queries}

    pages = with_servers(tmp_path, scene)

    searched = drawn(pages["q=linux"])
    hits = {id_ for id_, each in searched.items() if "dim" not in each["class"]}
    assert hits == set(tabled(pages["q=linux"])) == {"r1:l", "r1:k", "r3:l", "r5:i"}
    assert "4 of 26" in words(pages["q=linux"], "#hits")
    assert {"r3:c", "r3:a"}.isdisjoint(drawn(pages["view=cone"])) and len(tabled(pages["view=cone"])) == 26
    assert set(drawn(pages["view=cone&focus=r1:m"])) == {"r1:m", "r1:c", "r1:l", "r1:o", "r1:k"}
    assert "run-3" in drawn(pages["colour=run"])["r3:t"]["class"]
    assert "r3" in words(pages["colour=run"], ".graph-legend")
    assert next(iter(tabled(pages["sort=runs"]))) == "r1:c"
    assert next(iter(tabled(pages["sort=fate"]))) == "r6:e"
    assert pages["sort=runs"].select_one("th[aria-sort=descending] a")["href"] == f"{PATH}#table"
    assert "Below is another candidate: “ Server x8 can take the nightly job." in words(pages["candidate=r3:c"])
    for page in pages.values():
        for link in page.select("svg.graph a.node")[:1]:
            assert set(parse_qs(urlsplit(str(link["href"])).query)) >= {"claim"}


def test_the_drawing_is_downloaded_as_a_file_of_its_own(tmp_path: Path) -> None:
    answer = with_servers(tmp_path, lambda site: site.page(f"{PATH}/drawing.svg?view=cone&focus=r1:m"))

    assert answer.headers["content-disposition"] == 'attachment; filename="argument-servers.svg"'
    assert answer.headers["content-type"].startswith("image/svg+xml")
    svg = BeautifulSoup(answer.text, "xml")
    assert len(svg.select("g.node")) == 5 and not svg.select("script, a, foreignObject")


def test_a_run_without_an_argument_says_why_there_is_none(tmp_path: Path) -> None:
    async def scene(site: Site) -> list[Any]:
        texts = golden("interrogation_whole")
        await keep(site, texts[:4], "begun")
        await keep(site, texts[:-1], "running")
        await keep(site, golden("interrogation_not_stated"), "unsaid")
        await keep(site, golden("vote_decided"), "vote")
        pages = [await opened(site, f"/d/{id_}/argument") for id_ in ("begun", "running", "unsaid", "vote")]
        return [*pages, (await site.page("/d/vote/argument/drawing.json")).status_code]

    begun, running, unsaid, vote, status = at_site(tmp_path, scene)

    assert "there is no argument yet; it is drawn when its runs are merged" in words(begun, "main")
    assert "It has not ended: this is the argument as far as it goes" in words(running, "main")
    assert drawn(running) and not running.select("form[action$=contest]")
    assert "this run of interrogation came to no argument" in words(unsaid, "main")
    assert "this run of vote came to no argument" in words(vote, "main")
    assert status == 404


def hostile_graph() -> GraphStore:
    store = GraphStore()
    long = "W" * 1_500
    claims = [
        node("c'\"><img src=x onerror=alert(1)>", HOSTILE, "conclusion"),
        node("g", f"</svg><script>alert(1)</script> {long}", "given", quote=("</b>.md", 1)),
        node("h", "\u202ejavascript:alert(1)\u2066 {{ 7*7 }}", "inference"),
    ]
    store.assert_graph(GRAPH, claims, [edge("g", str(claims[0]["id"])), edge("h", "g", "attacks")], run_id="<i>r</i>")
    return store


def test_text_of_claims_quotes_documents_runs_and_reasons_stays_text(tmp_path: Path) -> None:
    async def scene(site: Site) -> Sequence[str]:
        document = {"</b>.md": f"</svg><script>alert(1)</script> {'W' * 20_000}"}
        await keep(site, kept_record(hostile_graph(), (HOSTILE,), document, HOSTILE), "hostile")
        path = "/d/hostile/argument"
        await site.page(f"{path}/contest", "reviewer", {"claim": "h", "reason": HOSTILE})
        plain = await site.page(path)
        addresses = [str(each["href"]) for each in drawn(parsed(plain)).values()]
        pages = [plain, *[await site.page(f"{one}&refute=g&colour=run&q=W") for one in addresses]]
        svg, data = [await site.page(f"{path}/drawing.{form}") for form in ("svg", "json")]
        json.loads(data.text)
        assert "<" not in data.text and BeautifulSoup(svg.text, "xml").select("g.node")
        return [answer.text for answer in pages]

    for text in at_site(tmp_path, scene):
        page = BeautifulSoup(text, "html.parser")
        assert len(page.select("svg.graph .node")) == 3
        assert not page.select("img[src=x], svg script, script:not([src]), [onerror], i:-soup-contains('r')")
        assert "\u202e" not in text and "\u2066" not in text and "\x07" not in text
        assert "{{ 7*7 }}" in text


def told_in(html: str) -> str:
    """The words of a page that is too long to be parsed for a test."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_over_400_claims_the_cone_is_drawn_with_what_is_behind_it_and_the_rest_is_sent_as_data(tmp_path: Path) -> None:
    async def scene(site: Site) -> tuple[str, BeautifulSoup, Any]:
        await keep(site, kept_record(generated(450)), "many")
        cone, whole = await site.page("/d/many/argument"), await opened(site, "/d/many/argument?view=all&page=3")
        return cone.text, whole, await site.page(attribute(whole, "#graph", "data-drawing"))

    cone, whole, data = at_site(tmp_path, scene)

    assert cone.count('class="node ') == 400
    assert "400 of 450 claims: what leads to the conclusion" in told_in(cone)
    assert re.search(r"\d+ more claims? behind it", cone)
    assert not drawn(whole) and "which takes JavaScript" in words(whole, "noscript")
    assert len(data.json()["boxes"]) == 450
    assert "450 claims, 401 to 450 shown" in words(whole) and "page 3 of 3" in words(whole, ".pages")


def test_over_5000_claims_the_cone_and_the_table_are_all_there_is_and_the_page_says_so(tmp_path: Path) -> None:
    async def scene(site: Site) -> str:
        await keep(site, kept_record(generated(10_000)), "most")
        return (await site.page("/d/most/argument?view=all&claim=n4000")).text

    page = at_site(tmp_path, scene)

    assert page.count('class="node ') == 400
    told = told_in(page)
    assert "There are 10,000 claims, more than can be drawn: the drawing has the 400 nearest to the conclusion" in told
    assert re.search("(given|inferred) n4000", told) and "page 1 of 50" in told
    assert len(page) < 2_000_000
