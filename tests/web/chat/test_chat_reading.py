"""From the messages of a chat to a question, its context and its documents; and progress in words."""

import base64
from typing import Any

import pytest

from moot.core.budget import Budget, Expectation
from moot.core.errors import BadContent
from moot.core.ports import Begun, ProgressEvent
from moot.web.chat.bodies import ChatMessage
from moot.web.chat.progress import progress_line
from moot.web.chat.reading import attached_documents, question_text


def chat(*messages: tuple[str, Any]) -> list[ChatMessage]:
    return [ChatMessage.model_validate({"role": role, "content": content}) for role, content in messages]


def file(data: str, name: str | None = "a.txt") -> dict[str, Any]:
    return {"type": "file", "file": {"filename": name, "file_data": data}}


def coded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def test_a_question_alone_is_put_as_it_is() -> None:
    assert question_text(chat(("user", " Is 97 prime? "))) == "Is 97 prime?"


def test_what_was_said_before_stands_below_the_question_in_its_order() -> None:
    said = chat(
        ("system", "Be brief."),
        ("user", "Hello"),
        ("assistant", "Yes?"),
        ("developer", "In German."),
        ("user", "Is 97 prime?"),
    )

    assert question_text(said) == (
        "Is 97 prime?\n\nAsked under these instructions:\nBe brief.\nIn German.\n\n"
        "Said before this question, as its context:\nuser: Hello\nassistant: Yes?"
    )


def test_parts_of_words_are_one_message_and_empty_ones_are_nothing() -> None:
    parts = [{"type": "text", "text": "Is 97"}, {"type": "text", "text": " "}, {"type": "input_text", "text": "prime?"}]

    assert question_text(chat(("assistant", None), ("user", parts))) == "Is 97\nprime?"
    assert question_text(chat(("system", "Be brief."), ("user", []))) == ""


def test_text_files_of_all_messages_are_documents() -> None:
    url = f"data:text/plain;charset=utf-8;base64,{coded('käse'.encode())}"
    told = chat(
        ("user", [file(coded(b"first"), None)]),
        ("user", [file(url), {"type": "input_file", "filename": "b.md", "file_data": "data:text/markdown,a%20b"}]),
    )

    found = [(one.name, one.text) for one in attached_documents(told)]

    assert found == [("attachment 1", "first"), ("a.txt", "käse"), ("b.md", "a b")]


@pytest.mark.parametrize(
    "part",
    [
        file(coded(b"%PDF-1.7 \xff\xfe")),
        file("no base64!"),
        file(coded(b"a\0b")),
        file(""),
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": "input_audio", "input_audio": {"data": "x"}},
        {"type": "image_url"},
    ],
)
def test_what_is_no_text_is_refused_at_its_place(part: dict[str, Any]) -> None:
    with pytest.raises(BadContent, match=r"messages\.1\.content\.0: "):
        attached_documents(chat(("user", "x"), ("user", [part])))


def test_more_documents_than_a_question_may_have_are_refused() -> None:
    with pytest.raises(BadContent, match="100 documents"):
        attached_documents(chat(("user", [file(coded(b"x"))] * 101)))


LINES = [
    (ProgressEvent("answered", "s", "m2", phase="loop 2 of 7", said="97 is prime"), "m2 answered; loop 2 of 7"),
    (ProgressEvent("missing", "s", "m1", "timeout", "round 1"), "m1 gave no answer (timeout); round 1"),
    (ProgressEvent("retrying", "s", "m1", "2"), "m1 is asked again"),
    (ProgressEvent("answered", "s", "m\x1b[2J\n1", phase="x"), "m\ufffd[2J 1 answered; x"),
    (ProgressEvent("tokens", "s", "m1", "12"), ""),
    (ProgressEvent("noted", said="a secret"), ""),
]


@pytest.mark.parametrize(("event", "line"), LINES, ids=lambda value: str(value)[:40])
def test_progress_is_told_in_words_without_what_was_said(event: ProgressEvent, line: str) -> None:
    assert progress_line(event) == line


def test_a_beginning_tells_the_protocol_and_the_calls_to_come() -> None:
    begun = Begun("id", "q", "spiral", Budget(), Expectation(12, 1, 1, 1))

    assert progress_line(ProgressEvent("begun", begun=begun)) == "spiral begins; about 12 calls to come"
