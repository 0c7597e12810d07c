"""The form of a new question: what was sent, and what it orders."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.budget import Budget
from moot.core.canonical import storable
from moot.core.question import Document, Question
from moot.service.asking import Refusal
from moot.service.orders import Order
from moot.web.pages.forms import SentForm, sent_size

MOST_COPIES = 20
LIMITS = {"calls": "calls", "tokens": "tokens", "usd": "dollars", "seconds": "seconds"}
WHOLE = ("calls", "tokens")
SETTING = "set."
LARGEST = 2**62
LONGEST_QUESTION, LONGEST_SHAPE, LONGEST_NAME = 20_000, 1000, 200


@dataclass(frozen=True, slots=True)
class AskForm:
    """What somebody has written into the form."""

    question: str = ""
    shape: str = ""
    """The form that the answer should take."""
    protocol: str = ""
    members: Mapping[str, int] | None = None
    """How many seats each of the chosen members has; None where nobody has chosen yet."""
    documents: tuple[tuple[str, str], ...] = ()
    settings: Mapping[str, str] | None = None
    budget: Mapping[str, str] | None = None
    seed: str = ""
    once: str = ""
    size: int = 0
    """How many bytes it took to send; nothing where nobody has sent it yet."""

    @classmethod
    def sent(cls, form: SentForm) -> "AskForm":
        """Return what a form says."""
        chosen = form.all("member")
        copies = {spec: form.text(f"copies.{spec}", "1") for spec in chosen}
        return cls(
            question=form.whole("question").strip(),
            shape=form.text("form"),
            protocol=form.text("protocol"),
            members={spec: _copies(number) for spec, number in copies.items()},
            documents=_documents(form.all("document-name"), form.all("document-text")),
            settings={
                name.removeprefix(SETTING): form.text(name)
                for name in form.fields
                if name.startswith(SETTING) and form.text(name)
            },
            budget={name: form.text(f"budget-{name}") for name in LIMITS},
            seed=form.text("seed"),
            once=form.once,
            size=form.size,
        )

    def order(self) -> tuple[Order, tuple[Refusal, ...]]:
        """Return what is ordered, without the numbers that are none, and a refusal of those and of what is too long."""
        refusals = list(self._too_long())
        limits: dict[str, Any] = {
            name: _number(f"budget.{name}", text, refusals, whole=name in WHOLE)
            for name, text in (self.budget or {}).items()
            if text
        }
        order = Order(
            question=Question(
                text=self.question,
                form=self.shape,
                documents=tuple(Document(name=name, text=storable(text)) for name, text in self.documents),
            ),
            protocol=self.protocol or None,
            members=tuple(spec for spec, copies in (self.members or {}).items() for _ in range(copies)),
            settings=dict(self.settings or {}),
            budget=Budget(**limits),
            seed=_number("seed", self.seed, refusals, whole=True) if self.seed else None,
        )
        return order, tuple(refusals)

    @property
    def sizes(self) -> tuple[tuple[str, int], ...]:
        """The documents by name, each with the bytes that it takes to send."""
        return tuple((name, sent_size(name) + sent_size(text)) for name, text in self.documents if text)

    def _too_long(self) -> Iterator[Refusal]:
        told = [("question", "a question", self.question, LONGEST_QUESTION, "put what is to be read into a document")]
        told += [("form", "what is said of the answer's form", self.shape, LONGEST_SHAPE, "say it in fewer words")]
        told += [
            ("documents", "the name of a document", name, LONGEST_NAME, "shorten it") for name, _ in self.documents
        ]
        for field, what, text, most, way_out in told:
            if len(text) > most:
                yield Refusal(
                    field, "too_long", f"{what} has at most {most:,} characters, not {len(text):,}; {way_out}."
                )


def _documents(names: Sequence[str], texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The documents that have a text; one without a name is numbered, and one of a name that is taken too."""
    kept: dict[str, str] = {}
    for number, (name, text) in enumerate(zip(names, texts, strict=False), 1):
        if text.strip():
            named = name.strip() or f"document {number}"
            kept[named if named not in kept else f"{named} ({number})"] = text
    return tuple(kept.items())


def _copies(text: str) -> int:
    return min(max(int(text), 1), MOST_COPIES) if text.isascii() and text.isdigit() and len(text) < len("1000") else 1


def _number(field: str, text: str, refusals: list[Refusal], *, whole: bool) -> Any:
    """The number that a text is; None, with a refusal, where it is none."""
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        number = math.nan
    if math.isfinite(number) and abs(number) < LARGEST:
        return number
    kind = "whole number" if whole else "number"
    refusals.append(Refusal(field, "bad_setting", f"{text[:40]!r} is no {kind}; give one, or leave it empty."))
    return None
