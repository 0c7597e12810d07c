"""What a client of chat completions sends."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from moot.service.asking import MOST_DOCUMENTS
from moot.web.api.bodies.common import Text
from moot.web.api.bodies.sent import SentDocument, SentOrder

MOST_MESSAGES, MOST_PARTS = 1000, 200


class Lenient(BaseModel):
    """What clients fill with fields of many versions; those that say nothing here are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class AttachedFile(Lenient):
    """A file in a message."""

    filename: Annotated[str, Field(max_length=1000)] | None = None
    file_data: str | None = None
    file_id: str | None = None


class ContentPart(Lenient):
    """A part of a message: words, or a file."""

    type: Annotated[str, Field(max_length=100)]
    text: Text | None = None
    file: AttachedFile | None = None
    filename: Annotated[str, Field(max_length=1000)] | None = None
    file_data: str | None = None


class ChatMessage(Lenient):
    """What somebody has said in the chat."""

    role: Annotated[str, Field(max_length=100)]
    content: Text | Annotated[list[ContentPart], Field(max_length=MOST_PARTS)] | None = None


class StreamOptions(Lenient):
    """What a stream is to hold beside."""

    include_usage: bool = False


class ChatOptions(SentOrder):
    """What a deliberation can be told beside, under `moot`; a field that nobody knows is refused, as by the API."""

    footer: bool = Field(default=False, description="end the answer with its status, confidence and address")
    form: Annotated[str, Field(max_length=1000)] = ""
    documents: list[SentDocument] = Field(default_factory=list, max_length=MOST_DOCUMENTS)


class ResponseFormat(Lenient):
    """The form that the answer is to have."""

    type: Literal["text", "json_object", "json_schema"] = "text"
    json_schema: dict[str, Any] | None = None


def _or_nothing(sent: Any) -> Any:
    # Clients send null for what they leave out.
    return {} if sent is None else sent


class ChatRequest(BaseModel):
    """A chat to be completed. What is not named here is looked up in the table of parameters."""

    model_config = ConfigDict(extra="allow", frozen=True)

    model: Annotated[str, Field(max_length=500)]
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    response_format: ResponseFormat | None = None
    seed: int | None = None
    moot: Annotated[ChatOptions, BeforeValidator(_or_nothing)] = Field(default_factory=ChatOptions)

    @property
    def wants_usage(self) -> bool:
        """Whether a stream is to end with the usage."""
        return bool(self.stream_options and self.stream_options.include_usage)
