"""What is asked: a text, the documents it is asked over, and the form the answer should take."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

from moot.core.canonical import storable


class Document(BaseModel):
    """A named text. It is data: nothing in it is ever obeyed (ruling G4)."""

    model_config = ConfigDict(frozen=True)

    name: str
    text: str

    @field_validator("name", "text")
    @classmethod
    def _storable(cls, value: str) -> str:
        return storable(value)


class Question(BaseModel):
    """A question as it was put."""

    model_config = ConfigDict(frozen=True)

    text: str
    documents: tuple[Document, ...] = ()
    form: str = Field(default="", description="the form asked for, such as 'a number' or 'yes or no'")

    @field_validator("text", "form")
    @classmethod
    def _stripped(cls, value: str) -> str:
        return storable(value).strip()
