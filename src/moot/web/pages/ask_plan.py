"""A plan in words, and the same order as a command."""

import json
import shlex
from collections import Counter
from dataclasses import dataclass

from moot.core.budget import Budget
from moot.service.orders import Order, Plan
from moot.views.words import counted, usd_words
from moot.web.pages.ask_form import LIMITS


@dataclass(frozen=True, slots=True)
class PlanView:
    """A plan in words."""

    protocol: str
    seats: tuple[tuple[str, int], ...]
    why: str
    calls: int
    tokens_in: int
    tokens_out: int
    price: str
    most: str
    warning: str
    button: str
    command: str
    curl: str

    @classmethod
    def of(cls, plan: Plan, order: Order, address: str) -> "PlanView":
        """Return the plan of an order as it was written; `address` is where the server is reached."""
        seats, most = len(plan.panel), _most(plan.budget)
        large = f"the prompt is long, and nobody knows how much {', '.join(plan.unmeasured)} can read"
        return cls(
            protocol=f"{plan.row.name} {plan.row.version}",
            seats=tuple(Counter(member.model for member in plan.panel).items()),
            why=plan.why,
            calls=plan.expected.calls,
            tokens_in=plan.expected.tokens_in,
            tokens_out=plan.expected.tokens_out,
            price=usd_words(plan.usd),
            most=most,
            warning=large if plan.unmeasured else "",
            button=f"Ask {counted(seats, 'member')}, at most {most}" if seats else "Put it to people",
            command=_command(order),
            curl=_curl(order, address),
        )


def _most(budget: Budget) -> str:
    told = {
        "calls": lambda value: f"{value} calls",
        "tokens": lambda value: f"{value:,} tokens",
        "usd": lambda value: f"${value:g}",
        "seconds": lambda value: f"{value:g} seconds",
    }
    words = [word(value) for name, word in told.items() if (value := getattr(budget, name)) is not None]
    return ", ".join(words) or "whatever it takes"


def _command(order: Order) -> str:
    """The same order at a terminal; documents are named, since a command reads them from files.

    The question comes last, behind the sign after which nothing is an option.
    """
    words = ["moot", "ask", *(["--form", order.question.form] if order.question.form else [])]
    words += [word for document in order.question.documents for word in ("--doc", document.name)]
    words += ["--protocol", order.protocol] if order.protocol else []
    words += [word for spec, seats in Counter(order.members).items() for word in ("--member", spec) * seats]
    words += [word for name, value in order.settings.items() for word in ("--set", f"{name}={value}")]
    limits = {name: getattr(order.budget, name) for name in LIMITS}
    words += [word for name, value in limits.items() if value is not None for word in (f"--budget-{name}", str(value))]
    words += ["--seed", str(order.seed)] if order.seed is not None else []
    return shlex.join([*words, "--", order.question.text])


def _curl(order: Order, address: str) -> str:
    question = order.question
    limits = {name: value for name in LIMITS if (value := getattr(order.budget, name)) is not None}
    body = {
        "question": question.text,
        "form": question.form,
        "documents": [
            {"name": document.name, "text": f"… {len(document.text)} characters"} for document in question.documents
        ],
        "protocol": order.protocol,
        "members": list(order.members),
        "settings": dict(order.settings),
        "budget": limits,
        "seed": order.seed,
    }
    told = json.dumps(
        {name: value for name, value in body.items() if value not in (None, "", [], {})}, ensure_ascii=False
    )
    key = '-H "Authorization: Bearer $MOOT_KEY" -H "Content-Type: application/json"'
    return f"curl -X POST {address}/api/v1/deliberations {key} \\\n  -d {shlex.quote(told)}"
