"""A council as Markdown: the common ranking, who ranked what, and what members think of their own answers."""

from collections.abc import Mapping
from typing import Any

from moot.protocol import Record
from moot_council.wording import count_text, listing

CELL = 100


def council_report(record: Record) -> str:
    """Return the council's part of a run's report, from what its verdict kept."""
    detail = record.verdict.detail if record.verdict else {}
    if not detail.get("answers"):
        return "## Council\n\nThere is no answer to report on."
    parts = [_chairman(detail["chairman"]), _ranking(detail), _same_answers(detail), _rankers(detail), _own(detail)]
    return "\n\n".join(["## Council", *(part for part in parts if part)])


def _chairman(chairman: Mapping[str, Any]) -> str:
    how = "" if chairman["named"] else " (the first member: no other was named)"
    if chairman["missing"]:
        return f"Chairman: {chairman['seat']}{how}, who sent nothing: {chairman['missing']}."
    return f"Chairman: {chairman['seat']}{how}." if chairman["answer"] else ""


def _ranking(detail: Mapping[str, Any]) -> str:
    places = {line["entry"]: line for line in detail["ranking"]}
    order = sorted(detail["answers"], key=lambda each: _position(detail["ranking"], each["entry"]))
    rows = [_row(each, places.get(each["entry"])) for each in order]
    return "\n".join(
        ["| place | answer of | answer | mean rank | Borda | rankings |", "|---|---|---|---|---|---|", *rows]
    )


def _position(ranking: list[Mapping[str, Any]], entry: str) -> int:
    return next((at for at, line in enumerate(ranking) if line["entry"] == entry), len(ranking))


def _row(answer: Mapping[str, Any], line: Mapping[str, Any] | None) -> str:
    figures = (
        ["-", "-", "0"] if line is None else [f"{line['mean_rank']:.2f}", f"{line['borda']:.2f}", line["rankings"]]
    )
    place = line["place"] if line else "-"
    cells = [place, listing(answer["held_by"]), _cell(answer["answer"]), *figures]
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    """Return a member's text as it may stand in a table: one line, short, and without anything that Markdown reads."""
    line = " ".join(text.split())
    short = line if len(line) <= CELL else line[: CELL - 1] + "…"
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#!~&" else char for char in short)


def _same_answers(detail: Mapping[str, Any]) -> str:
    shared = [listing(each["held_by"]) for each in detail["answers"] if len(each["held_by"]) > 1]
    return "\n".join(f"{seats} gave the same answer: it was ranked once." for seats in shared)


def _rankers(detail: Mapping[str, Any]) -> str:
    if not detail["rankers"]:
        return "Nothing was ranked."
    return "\n".join(
        ["Who ranked what, best first (an answer goes by its first holder):", ""]
        + [_paper(p) for p in detail["rankers"]]
    )


def _paper(paper: Mapping[str, Any]) -> str:
    if "unusable" in paper:
        return f"- {paper['seat']}: unusable, {_cell(paper['unusable'])}"
    if "missing" in paper:
        return f"- {paper['seat']}: missing ({paper['missing']})"
    order = " > ".join(" = ".join(tier) for tier in paper["order"])
    repairs = f" ({_cell('; '.join(paper['repairs']))})" if paper["repairs"] else ""
    return f"- {paper['seat']}: {order}{repairs}"


def _own(detail: Mapping[str, Any]) -> str:
    own = detail["self_preference"]
    if not own["had_own"]:
        return ""
    who = f" ({listing(own['put_first'])})" if own["put_first"] else ""
    decided = " It decided the first place." if own["decided"] else ""
    return (
        f"Self-preference: {len(own['put_first'])} of {count_text(len(own['had_own']), 'member')} put their own answer "
        f"first{who}; by chance it would be {own['by_chance']:.1f}.{decided}"
    )
