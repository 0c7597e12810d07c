"""A question asked by a form: the plan beside it, every refusal at its field, and one deliberation for one form."""

import asyncio
import shlex
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest
import typer
from bs4 import BeautifulSoup
from httpx2 import Response

from moot.cli import options
from moot.cli.app import app
from moot.cli.old_names import renamed_words
from moot.cli.questions import asked_question
from moot.service.orders import Order
from moot.web.pages.ask_form import AskForm
from moot.web.pages.forms import URLENCODED, SentForm
from tests.web.forum import with_forum
from tests.web.kit import MEMBER, Site, at_site
from tests.web.pages.html_kit import attribute, check_page, check_part, one, parsed, words

ASKED = {"question": "Is 97 a prime number?", "protocol": "single", "member": MEMBER, "do": "ask"}


async def sent(site: Site, path: str, form: dict[str, str] | list[tuple[str, str]], as_: str = "admin") -> Response:
    headers = {"Authorization": f"Bearer {site.keys[as_]}", "Content-Type": URLENCODED}
    return await site.client.post(path, content=urlencode(form), headers=headers)


async def seen(site: Site, path: str, as_: str = "admin") -> Response:
    return await site.client.get(path, headers={"Authorization": f"Bearer {site.keys[as_]}"})


def soup(answer: Response) -> BeautifulSoup:
    return check_page(answer.text) if "<html" in answer.text else check_part(answer.text)


def test_the_form_offers_every_protocol_with_what_its_confidence_means_and_the_members_that_may_be_named(
    tmp_path: Path,
) -> None:
    page = soup(at_site(tmp_path, lambda site: seen(site, "/ask?question=Why%3F&protocol=vote")))

    offered = {box["value"] for box in page.select("input[name=protocol]")}
    assert {"", "single", "vote", "spiral", "debate", "interrogation", "coherence"} <= offered
    assert one(page, "input[name=protocol][checked]")["value"] == "vote"
    assert one(page, "#question").get_text() == "Why?"
    assert [box["value"] for box in page.select("input[name=member]")] == [MEMBER]
    assert len(one(page, "input[name=once]")["value"]) > 20


def test_a_form_that_is_sent_twice_or_at_once_asks_once(tmp_path: Path) -> None:
    async def scene(site):
        form = {**ASKED, "once": "the same"}
        together = await asyncio.gather(sent(site, "/ask", form), sent(site, "/ask", form))
        again = await sent(site, "/ask", form)
        other = await sent(site, "/ask", {**form, "once": "another"})
        listed = (await site.get("/deliberations")).json()["items"]
        return [answer.status_code for answer in together], again, other, listed

    together, again, other, listed = at_site(tmp_path, scene)

    assert together == [303, 303] and again.status_code == 303
    assert again.headers["location"] != other.headers["location"]
    assert {f"/d/{row['id']}" for row in listed} == {again.headers["location"], other.headers["location"]}


def test_every_refusal_stands_at_its_field_and_nothing_that_was_written_is_lost(tmp_path: Path) -> None:
    wrong = {
        **ASKED,
        "question": " ",
        "document-name": "notes.md",
        "document-text": "Some notes.",
        "set.temperature": "9",
        "budget-calls": "many",
        "budget-usd": "-1",
        "seed": "x",
        "once": "k",
    }

    async def scene(site):
        answer = await sent(site, "/ask", wrong)
        return answer, (await site.get("/deliberations")).json()["items"]

    answer, listed = at_site(tmp_path, scene)
    page = soup(answer)

    assert answer.status_code == 422 and listed == []
    assert words(page, "#problems-question .problem") == "the question is empty; write down what is asked."
    assert "'many' is no whole number" in one(page, "#problems-budget-calls").get_text()
    assert "'x' is no whole number" in one(page, "#problems-seed").get_text()
    assert "2" in one(page, "#settings .problem").get_text()
    assert one(page, "#set-temperature")["value"] == "9"
    assert one(page, "textarea[name=document-text]").get_text() == "Some notes."
    assert one(page, "input[name=once]")["value"] == "k"


def test_the_plan_says_who_is_asked_what_it_may_take_and_the_same_as_commands(tmp_path: Path) -> None:
    form = {**ASKED, "copies.scripted:one": "3", "protocol": "vote", "budget-calls": "5", "set.temperature": "0.5"}
    answer = at_site(tmp_path, lambda site: sent(site, "/ask/plan", form))
    plan = one(soup(answer), "[data-part=plan]")

    assert answer.status_code == 200
    told = words(plan, ".plan")
    assert "scripted:one \u00d73" in told and "Ask 3 members, at most 5 calls" in told
    command, curl = (block.get_text() for block in plan.select("pre"))
    assert "--member scripted:one --member scripted:one" in command and "--set temperature=0.5" in command
    assert '"budget": {"calls": 5}' in curl
    assert not plan.select("button[disabled]")


@pytest.mark.parametrize("question", ["What --is?", "--json", "-h", "It's \n two `lines`, $HOME"])
def test_the_command_is_the_same_order_whatever_is_asked(tmp_path: Path, question: str) -> None:
    form = [
        *{**ASKED, "question": question, "form": "--a number", "protocol": "vote", "copies.scripted:one": "2"}.items(),
        ("set.temperature", "0.5"),
        ("budget-calls", "5"),
        ("budget-usd", "0.25"),
        ("seed", "7"),
    ]
    answer = at_site(tmp_path, lambda site: sent(site, "/ask/plan", form))

    program, *words = shlex.split(one(soup(answer), "[data-part=plan] pre").get_text())

    assert program == "moot" and renamed_words(words) == (words, [])
    assert ordered_by(words) == AskForm.sent(SentForm(parse_qs(urlencode(form)))).order()[0]


def ordered_by(words: Sequence[str]) -> Order:
    """The order that the command line makes of words."""
    commands = typer.main.get_command(app).commands  # ty: ignore[missing-attribute]
    given = commands[words[0]].make_context("ask", list(words[1:])).params
    limits = [given[f"budget_{name}"] for name in ("calls", "tokens", "usd", "seconds")]
    return Order(
        question=asked_question(given["question"], given["task"], given["claim"], given["doc"] or [], given["form"]),
        protocol=given["protocol"],
        members=tuple(given["member"] or ()),
        settings=options.settings_from(given["set_"]),
        budget=options.budget_from(*limits),
        seed=given["seed"],
    )


def test_a_plan_asks_nobody_and_stores_nothing(tmp_path: Path) -> None:
    async def scene(site):
        await sent(site, "/ask/plan", ASKED)
        await sent(site, "/ask", {**ASKED, "do": "plan"})
        added = await sent(site, "/ask", {**ASKED, "do": "document", "document-name": "a", "document-text": "b"})
        return (await site.get("/deliberations")).json()["items"], soup(added)

    listed, added = at_site(tmp_path, scene)

    assert listed == []
    assert len(added.select(".document")) == 2


def test_a_file_is_read_into_the_form_and_one_that_cannot_be_is_named(tmp_path: Path) -> None:
    async def scene(site):
        headers = {"Authorization": f"Bearer {site.keys['agent']}", "Content-Type": "application/octet-stream"}
        post = site.client.post
        return (
            await post("/ask/document?name=a.md", content="Grüße".encode(), headers=headers),
            await post("/ask/document?name=b.bin", content=b"\x00\x01", headers=headers),
        )

    read, binary = at_site(tmp_path, scene)

    assert read.json() == {"text": "Grüße"}
    assert set(binary.json()) == {"problem"} and "b.bin" in binary.json()["problem"]


def test_what_is_too_long_is_refused_at_its_field_with_both_numbers_and_kept_as_it_was_written(tmp_path: Path) -> None:
    long = {
        **ASKED,
        "question": "Why? " * 5001,
        "form": "short " * 200,
        "document-name": "n" * 201,
        "document-text": "Some notes.",
    }
    answer = at_site(tmp_path, lambda site: sent(site, "/ask", long))
    page = soup(answer)

    assert answer.status_code == 422
    assert "at most 20,000 characters, not 25,004" in words(page, "#problems-question")
    assert "at most 1,000 characters, not 1,199" in words(page, "#problems-form")
    assert "at most 200 characters, not 201" in words(page, "#problems-documents")
    assert one(page, "#question").get_text() == ("Why? " * 5001).strip()
    assert one(page, "input[name=document-name]")["value"] == "n" * 201
    assert not page.select("#ask [maxlength]:not(.settings *)")


def test_every_field_that_is_refused_is_marked_and_points_to_why_and_no_other_is(tmp_path: Path) -> None:
    wrong = {**ASKED, "question": "", "budget-calls": "many", "seed": "x", "member": "scripted:gone"}
    page = soup(at_site(tmp_path, lambda site: sent(site, "/ask", wrong)))

    for field in ("#question", "#budget-calls", "#seed", "input[value='scripted:gone']"):
        assert attribute(page, field, "aria-invalid") == "true"
        assert words(page, f"#{attribute(page, field, 'aria-describedby')} .problem")
    for field in ("#form", "#budget-usd", "textarea[name=document-text]"):
        assert attribute(page, field, "aria-invalid") is None
        assert not page.select(f"#{attribute(page, field, 'aria-describedby')} .problem")


def test_a_member_or_protocol_that_is_offered_no_longer_stays_chosen_and_struck_until_somebody_takes_it_out(
    tmp_path: Path,
) -> None:
    form = {**ASKED, "member": "scripted:gone", "copies.scripted:gone": "2", "protocol": "oracle-of-old"}
    page = soup(at_site(tmp_path, lambda site: sent(site, "/ask", form)))

    gone = one(page, "input[name=member][value='scripted:gone']")
    assert gone.has_attr("checked") and gone.parent and words(gone.parent, "s") == "scripted:gone"
    assert attribute(page, "input[name='copies.scripted:gone']", "value") == "2"
    assert attribute(page, f"input[name=member][value='{MEMBER}']", "checked") is None
    assert attribute(page, "input[name=protocol][checked]", "value") == "oracle-of-old"
    assert "scripted:gone" in words(page, "#problems-members")


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/ask/plan", "/ask"),
        ("/ask/document?name=a", "/ask"),
        ("/d/a%20b/stop", "/d/a%20b"),
        ("/d/x/argument/contest", "/d/x/argument"),
        ("/keys/moot_1/revoke", "/keys"),
        ("/board/x/L1.1~work~1/take", "/board/x/L1.1~work~1"),
        ("/out", "/"),
    ],
)
def test_the_address_that_a_form_leaves_behind_leads_to_its_page_when_it_is_read(
    tmp_path: Path, address: str, page: str
) -> None:
    answer = at_site(tmp_path, lambda site: seen(site, address))

    assert (answer.status_code, answer.headers["location"]) == (303, page)


def test_a_form_that_is_too_large_without_a_script_is_refused_in_words_for_whoever_wrote_it(tmp_path: Path) -> None:
    large = {**ASKED, "document-name": "a.md", "document-text": "x" * 3_500_000}
    page = parsed(at_site(tmp_path, lambda site: sent(site, "/ask", large)), 413)

    assert words(page, ".failure p") == (
        "What was sent is larger than 1000000 bytes, which is all that is taken here; go back and shorten it."
    )


def test_the_documents_are_told_with_their_sizes_and_the_sum_beside_the_limit(tmp_path: Path) -> None:
    form = [
        *ASKED.items(),
        ("document-name", "a.md"),
        ("document-text", "Grüße,\nA-b"),
        ("document-name", "b.md"),
        ("document-text", "*"),
    ]
    answer = at_site(tmp_path, lambda site: sent(site, "/ask/plan", form))
    parts = soup(answer)

    assert [" ".join(row.get_text().split()) for row in parts.select("[data-part=documents-sizes] li")] == [
        f"a.md {len('a.md' + 'Gr%C3%BC%C3%9Fe%2C%0D%0AA-b')} bytes to send",
        "b.md 5 bytes to send",
    ]
    assert words(parts, "[data-part=documents-sum]") == (
        f"{len(urlencode(form)):,} of at most 1,000,000 bytes, with the question"
    )


def test_a_persons_turn_is_a_form_that_comes_back_with_its_faults_and_then_goes_on(tmp_path: Path) -> None:
    async def scene(site):
        made = await site.post("/deliberations", {"question": "Shall we?", "protocol": "forum"}, "agent")
        id_ = made.json()["id"]
        await site.serving.runs.finished(id_)
        address = f"/d/{id_}/turns/turn/1"
        form = await seen(site, address, "agent")
        refused = await sent(site, address, {"text": "I agree.", "weight": "heavy"}, "agent")
        filled = await sent(site, address, {"text": "I agree.", "weight": "2"}, "agent")
        again = await sent(site, address, {"text": "Twice."}, "agent")
        step = await site.get(f"/deliberations/{id_}/open-steps/turn~1", "admin")
        return form, refused, filled, again, step

    form, refused, filled, again, step = at_site(tmp_path, scene, protocols=with_forum)

    assert "Two say yes." in soup(form).get_text() and one(soup(form), "textarea[name=text]")
    page = soup(refused)
    assert refused.status_code == 422 and one(page, "textarea[name=text]").get_text() == "I agree."
    assert one(page, "input[name=weight]")["value"] == "heavy" and page.select(".turn .problem")
    assert filled.status_code == 303
    assert step.json()["state"] == "done"
    assert again.status_code == 404
