"""`/v1/models` and `/v1/chat/completions`: each model a protocol, a mode or a panel; each chat a deliberation."""

from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response

from moot.core.errors import BadParameter
from moot.core.question import Question
from moot.service.asking import check_members
from moot.service.orders import Order
from moot.web.access import AnyCaller, AskingCaller
from moot.web.chat.bodies import ChatRequest
from moot.web.chat.naming import OfferedModel, find_model, offered_models
from moot.web.chat.parameters import check_others
from moot.web.chat.reading import attached_documents, question_text
from moot.web.chat.replies import ChatFrame
from moot.web.chat.shapes import AnswerShape, shape_of
from moot.web.chat.waiting import AwaitedDeliberation, ChatStream, begin, whole_reply
from moot.web.concurrency import GIVE_BACK
from moot.web.idempotency import HEADER
from moot.web.serving import Here, Serving
from moot.web.starting import limits_of
from moot.web.streams import has_left

SEEDS = 2**31
GONE = 408
"""For a client that is not there any more; no answer of this status is kept for it."""

router = APIRouter(tags=["chat"])


@router.get("/models")
async def list_models(serving: Here, _caller: AnyCaller) -> dict[str, Any]:
    """List the models that a chat may name."""
    return {"object": "list", "data": [model.json() for model in offered_models(serving.service)]}


@router.get("/models/{model:path}")
async def show_model(model: Annotated[str, Path(max_length=500)], serving: Here, _caller: AnyCaller) -> dict[str, Any]:
    """Show a model that a chat may name."""
    return find_model(serving.service, model).json()


@router.post("/chat/completions")
async def complete_chat(sent: ChatRequest, serving: Here, caller: AskingCaller, request: Request) -> Response:
    """Put the last message of a chat to a panel, and answer with what it comes to."""
    check_others(sent.model_extra or {})
    shape = _shape(sent)
    order = _order(sent, find_model(serving.service, sent.model), shape)
    # Whoever chats waits, and fills no step.
    order = replace(order, settings=serving.service.planner.unattended(order))
    check_members(order.members, limits_of(caller, serving))
    deliberation = await begin(order, serving, caller, request)
    awaited = AwaitedDeliberation(deliberation, serving, is_repeatable=HEADER in request.headers)
    frame = ChatFrame(
        deliberation, sent.model, int(serving.clock.now()), _address(request, serving), shape, sent.moot.footer
    )
    if sent.stream:
        return ChatStream(awaited, frame, usage=sent.wants_usage)
    # It may take minutes, and others are not to wait in line for it.
    request.scope["state"][GIVE_BACK]()
    reply = await whole_reply(awaited, frame, partial(has_left, request.receive))
    return Response(status_code=GONE) if reply is None else JSONResponse(reply)


def _shape(sent: ChatRequest) -> AnswerShape | None:
    asked = sent.response_format
    shape = shape_of(asked.type, asked.json_schema) if asked else None
    if shape and sent.moot.footer:
        raise BadParameter(name="moot.footer", problem="an answer in a form for programs has no footer")
    if shape and sent.moot.form:
        raise BadParameter(name="moot.form", problem="response_format says what form the answer has")
    return shape


def _order(sent: ChatRequest, model: OfferedModel, shape: AnswerShape | None) -> Order:
    beside = sent.moot
    documents = (*attached_documents(sent.messages), *(one.document() for one in beside.documents))
    form = shape.form if shape else beside.form
    question = Question(text=question_text(sent.messages), documents=documents, form=form)
    seed = beside.seed if sent.seed is None else sent.seed % SEEDS
    settings = {**model.settings, **beside.settings}
    return Order(
        question, model.protocol, tuple(beside.members), settings, beside.budget.budget(), seed, panel=model.panel
    )


def _address(request: Request, serving: Serving) -> str:
    scheme = "https" if serving.limits.https else request.url.scheme
    return f"{scheme}://{request.url.netloc}"
