"""The votes of runs as Markdown, from a verdict's detail (rulings I16 to I19)."""

from collections.abc import Iterator, Mapping
from typing import Any

from moot.views.words import escaped, one_line


def vote_lines(detail: Mapping[str, Any]) -> Iterator[str]:
    """Return the candidates with their votes, and what each run answered and what was found in it."""
    yield from candidate_lines(detail)
    yield from run_lines(detail)


def candidate_lines(detail: Mapping[str, Any]) -> Iterator[str]:
    """Return the candidates with their votes."""
    yield "**Votes**"
    yield ""
    for item in detail["candidates"]:
        yield f"- {_cell(item['answer'])}: {item['votes']} ({', '.join(item['runs'])})"
    yield ""


def run_lines(detail: Mapping[str, Any]) -> Iterator[str]:
    """Return what each run answered, and what was found in it."""
    yield "**Runs**"
    yield ""
    yield "| run | seat | form | answer | found |"
    yield "|---|---|---|---|---|"
    for vote in detail["votes"]:
        wrong = [f"false: {item['sentence']}" for item in vote["equations"] if item["verdict"] == "false"]
        assumed = [f"assumes {', '.join(vote['assumed'])}"] if vote["assumed"] else []
        found = "; ".join([*([vote["problem"]] if vote["problem"] else []), *wrong, *assumed])
        yield f"| {vote['run']} | {vote['seat']} | {vote['form']} | {_cell(vote['answer'])} | {_cell(found)} |"
    yield ""


def _cell(text: str) -> str:
    return escaped(one_line(text, 200))
