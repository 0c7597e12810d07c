"""A person's turn in a debate as a form: what it asks, what it refuses, and what becomes of it."""

import json
from pathlib import Path
from typing import Any

from moot.testing import scripted
from moot.web.pages.schema_form import fields_of
from tests.protocols.debate.kit import response
from tests.web.kit import MEMBER, Site, at_site
from tests.web.pages.html_kit import attribute, parsed, words

SAFE = {"reasoning": "", "blocks": [], "clear": True}
ORDER = {
    "question": "Should we build a pier?",
    "protocol": "debate",
    "members": [f"{MEMBER}*3"],
    "settings": {"join": True},
}


def debater() -> Any:
    """Members who debate, and whose debate is over after its second round."""
    return scripted(lambda request: json.dumps(SAFE if "safety" in request.step else response(confidence=0.75)))


async def waiting(site: Site) -> str:
    """Return the address of a debate that waits for its person."""
    id_ = (await site.post("/deliberations", ORDER)).json()["id"]
    await site.serving.runs.finished(id_)
    return f"/d/{id_}"


async def replies(site: Site, path: str) -> list[Any]:
    await site.serving.runs.finished(path.removeprefix("/d/"))
    record = (await site.serving.service.show(path.removeprefix("/d/"))).record
    return [dict(event.reply) for event in record.events if event.kind == "filled"]


def test_a_turn_is_asked_for_in_words_and_an_empty_one_is_refused_at_its_field_before_anybody_takes_it(
    tmp_path: Path,
) -> None:
    async def scene(site: Site) -> Any:
        path = await waiting(site)
        page = parsed(await site.page(path))
        empty = parsed(await site.page(f"{path}/turns/turn/1", form={"text": " ", "focus_question": ""}), 422)
        [step] = await site.serving.open_steps.waiting(path.removeprefix("/d/"))
        return path, page, empty, step.state

    path, page, empty, state = at_site(tmp_path, scene, models={MEMBER: debater()})

    assert [label.get_text() for label in page.select(".turn label")] == [
        *("What you want to say", "A question for the next round")
    ]
    assert words(page, ".turn header small") == "for whoever asked"
    assert [button.get_text() for button in page.select(".turn .actions button")] == ["Send", "Pass"]
    assert str(attribute(page, ".turn form", "data-draft")).endswith(f" {path}/turns/turn/1")
    assert attribute(empty, "[name=text]", "aria-describedby") == "turn-1-text-hint turn-1-text-problem"
    assert "write something and send it, or pass" in words(empty, "#turn-1-text-problem")
    assert state == "open"


def test_a_turn_is_passed_by_a_button_of_its_own_and_one_that_is_sent_lets_go_of_its_draft(tmp_path: Path) -> None:
    async def scene(site: Site, form: dict[str, str]) -> Any:
        path = await waiting(site)
        answer = await site.page(f"{path}/turns/turn/1", form=form)
        page = parsed(await site.page(answer.headers["location"]))
        return path, answer, page, (await replies(site, path))[0]

    for form, told, reply in (
        ({"text": "", "pass": "yes"}, "You passed.", {"text": "", "focus_question": ""}),
        ({"text": "Think of the ice."}, "Your turn is in.", {"text": "Think of the ice.", "focus_question": ""}),
    ):
        folder = tmp_path / str(len(form))
        folder.mkdir()
        path, answer, page, filled = at_site(
            folder, lambda site, form=form: scene(site, form), models={MEMBER: debater()}
        )
        assert answer.status_code == 303 and filled == reply
        assert told in words(page, "[data-draft-done]")
        assert str(attribute(page, "[data-draft-done]", "data-draft-done")).endswith(f" {path}/turns/turn/1")


def test_a_field_has_the_title_that_a_protocol_gave_it_and_every_other_the_words_of_its_name() -> None:
    schema = {
        "properties": {
            "key_points": {"type": "string", "title": "Key Points"},
            "keyPoints": {"type": "string", "title": "Keypoints"},
            "text": {"type": "string", "title": "What you want to say"},
            "part": {"$ref": "#/$defs/Part"},
        },
        "$defs": {"Part": {"type": "object", "title": "A class of ours"}},
    }

    labels = [field.label for field in fields_of(schema, {})]

    assert labels == ["key points", "key points", "What you want to say", "part"]
