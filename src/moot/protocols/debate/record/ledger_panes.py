"""The ledger of a debate on a page: claims, evidence, look-ups, what else was found, and the final synthesis."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from moot.core.panes import ItemList, Pane, PaneCell, PaneItem, PaneRow, PaneTable, Tone
from moot.protocols.debate.record.course import DebateCourse, Item, claims_of, evidence_of, touches_of
from moot.protocols.debate.record.round_panes import withheld_words
from moot.protocols.debate.record.wording import FAULTS, cited_words
from moot.views.words import counted

STATUS_TONES: Mapping[str, Tone] = {"accepted": "good", "contested": "warn", "refuted": "bad", "retracted": "soft"}
COLUMNS = ("Id", "Claim", "Label", "Held by", "Since", "In the rounds", "Status")
NOT_TOLD = "This debate is of an earlier version, which tells its ledger when it ends."
TOUCHES = ("reinforced", "challenged", "retracted")


def ledger_pane(course: DebateCourse, *, argued: bool) -> Pane:
    """Return the claims with who holds them, what was done to each and where it stands; `argued`, they lead there."""
    claims = claims_of(course)
    if claims is None:
        return Pane("ledger", "Claim ledger", (ItemList((), empty=NOT_TOLD),))
    touches = _touches(course)
    sources = evidence_of(course)
    rows = tuple(_claim(claim, touches.get(name, ()), claims, sources, argued) for name, claim in claims.items())
    table = PaneTable(COLUMNS, rows, filters=("Label", "Status"), empty="Nobody has stated a claim yet.")
    return Pane("ledger", "Claim ledger", (table,), f"{counted(len(rows), 'claim')}, ids stay")


def _claim(
    claim: Item, touches: Sequence[PaneItem], claims: Mapping[str, Item], sources: Mapping[str, Item], argued: bool
) -> PaneRow:
    status = claim["status"]
    mark, tone = _mark(claim)
    cited = tuple(_citation(name, claim, sources) for name in claim["support"])
    against = tuple(PaneItem(f"opposed by {name}", link=name) for name in claim["opposition"] if name in claims)
    wordings = len(claim["wordings"])
    return PaneRow(
        (
            PaneCell(claim["id"], link=f"claim:{claim['id']}" if argued else ""),
            PaneCell(
                claim["text"],
                mark=mark,
                tone=tone,
                aside=counted(wordings, "wording") if wordings > 1 else "",
                items=cited,
            ),
            PaneCell(claim["label"]),
            PaneCell(seats=tuple(claim["held_by"]), words="" if claim["held_by"] else "nobody"),
            PaneCell(f"round {claim['introduced_round']}", number=claim["introduced_round"]),
            PaneCell(items=(*touches, *against)),
            PaneCell(status, tone=STATUS_TONES.get(status, "")),
        ),
        anchor=claim["id"],
        struck=status in ("retracted", "refuted"),
    )


def _mark(claim: Item) -> tuple[str, Tone]:
    """What the program knows of a claim that is called FACT, or that computes wrongly (rulings D13 and I18)."""
    if claim.get("refuted"):
        return f"refuted: {claim['refuted']}", "bad"
    if claim["verified"]:
        return "found", "good"
    if claim["computed_by"]:
        return "computed", "soft"
    return ("unverified", "warn") if claim["label"] == "FACT" else ("", "")


def _citation(name: str, claim: Item, sources: Mapping[str, Item]) -> PaneItem:
    source = sources.get(name)
    if source is None:
        return PaneItem(f"[{name}]")
    covered = name in claim["found_in"]
    mark = cited_words(source, claim["label"], covered=covered)
    return PaneItem(f"[{name}] {source['title']}", mark=mark, tone="good" if covered else "", link=name)


def _touches(course: DebateCourse) -> dict[str, list[PaneItem]]:
    """What was done to each claim, in the order of the rounds, those who did the same together."""
    seats: dict[tuple[str, int, str], list[str]] = {}
    for kind in TOUCHES:
        for claim, number, agent in touches_of(course, kind):
            seats.setdefault((claim, number, kind), []).append(agent)
    listed: dict[str, list[PaneItem]] = {}
    for (claim, number, kind), agents in sorted(seats.items(), key=lambda pair: pair[0][1]):
        tone: Tone = "warn" if kind == "challenged" else "soft" if kind == "retracted" else ""
        listed.setdefault(claim, []).append(PaneItem(f"{kind} in round {number}", tuple(agents), tone=tone))
    return listed


def evidence_pane(course: DebateCourse) -> Pane | None:
    """Return the sources with their passages, whether each was found, and the claims that cite it."""
    claims = claims_of(course) or {}
    items = tuple(_source(row, claims) for row in evidence_of(course).values())
    return Pane("evidence", "Evidence", (ItemList(items),), counted(len(items), "source"), side=True) if items else None


def _source(row: Item, claims: Mapping[str, Item]) -> PaneItem:
    under = [PaneItem(row["gist"], quote=True)] if row["gist"] and row["gist"] != row["title"] else []
    under += [PaneItem(f"cited for {name}", link=name if name in claims else "") for name in row["supports"]]
    mark, tone = ("found", "good") if row["verified"] else ("unverified", "warn")
    if row["kind"] == "calculation":
        mark = "computed" if row["verified"] else "computed otherwise"
    return PaneItem(f"{row['id']} {row['title']}", mark=mark, tone=tone, anchor=row["id"], under=tuple(under))


def lookups_pane(course: DebateCourse) -> Pane | None:
    """Return what agents looked up before they spoke, and what it gave."""
    sources = evidence_of(course)
    rows = tuple(
        PaneRow(
            (
                PaneCell(f"round {item['round']}", number=item["round"]),
                PaneCell(seats=(item["agent"],)),
                PaneCell(item["tool"]),
                PaneCell(item["input"]),
                PaneCell(
                    item["problem"],
                    tone="warn" if item["problem"] else "",
                    items=tuple(PaneItem(name, link=name if name in sources else "") for name in item["evidence"]),
                ),
            )
        )
        for item in course.lookups
    )
    columns = ("Round", "Agent", "Tool", "Looked for", "It gave")
    return Pane("lookups", "Look-ups", (PaneTable(columns, rows),)) if rows else None


def risks_pane(course: DebateCourse) -> Pane | None:
    """Return what the red team found and what mends it; what nothing mends comes first (ruling D5)."""
    listed = course.notes[-1]["vulnerabilities"] if course.notes else ()
    items = tuple(map(_vulnerability, sorted(listed, key=lambda item: bool(item["mitigations"]))))
    return Pane("vulnerabilities", "Vulnerabilities", (ItemList(items),)) if items else None


def _vulnerability(item: Item) -> PaneItem:
    mends = tuple(PaneItem(one["text"], (one["by"],), mark="mitigation") for one in item["mitigations"])
    return PaneItem(
        f"{item['id']} {item['text']}",
        (item["by"],),
        mark="" if mends else "nothing mends it yet",
        tone="" if mends else "bad",
        anchor=item["id"],
        under=mends,
    )


def questions_pane(course: DebateCourse) -> Pane | None:
    """Return the questions that are open, with who asked (ruling D15)."""
    listed = course.notes[-1]["questions"] if course.notes else ()
    items = tuple(
        PaneItem(f"{item['id']} {item['text']}", (item["by"],), aside=f"round {item['round']}", anchor=item["id"])
        for item in listed
    )
    return Pane("questions", "Open questions", (ItemList(items),)) if items else None


def breaches_pane(course: DebateCourse) -> Pane | None:
    """Return which rules of the contract each agent broke, and how often."""
    told: Item = course.detail.get("breaches") or next((note.get("breaches", {}) for note in course.notes[::-1]), {})
    rows = tuple(
        PaneRow((PaneCell(seats=(agent,)), PaneCell(FAULTS.get(kind, kind)), PaneCell(str(times), number=times)))
        for agent, kinds in told.items()
        for kind, times in kinds.items()
    )
    return Pane("breaches", "Breaches", (PaneTable(("Agent", "Breach", "Times"), rows),), side=True) if rows else None


def safety_pane(course: DebateCourse) -> Pane | None:
    """Return what was withheld, of whom and why."""
    items = tuple(
        PaneItem(withheld_words(item, course), (item["agent"],), tone="bad", aside=f"round {told.number}")
        for told in course.rounds
        for item in told.withheld
    )
    return Pane("safety", "Safety", (ItemList(items),), side=True) if items else None


def synthesis_pane(course: DebateCourse) -> Pane | None:
    """Return what the debate came to: agreed, not resolved, decided (debate 5.3)."""
    synthesis = course.detail.get("synthesis")
    if not synthesis:
        return None
    blocks = tuple(block for block in _synthesis(course, synthesis) if block.items)
    return Pane("synthesis", "Final synthesis", blocks, counted(len(course.notes), "round")) if blocks else None


def _synthesis(course: DebateCourse, synthesis: Item) -> Iterator[ItemList]:
    claims = claims_of(course) or {}
    anchors = {*claims, *(item["id"] for note in course.notes[-1:] for item in note["objections"])}
    yield ItemList(tuple(_agreed(item, claims) for item in synthesis["agreements"]), "Agreed")
    yield ItemList(tuple(_disagreement(item, anchors) for item in synthesis["disagreements"]), "Not resolved")
    yield ItemList(tuple(_agreed(item, claims) for item in synthesis.get("refuted", ())), "Refuted by computation")
    yield ItemList(tuple(PaneItem(f"{item['id']} {item['text']}") for item in synthesis["decisions"]), "Decided")


def _agreed(item: Item, claims: Mapping[str, Item]) -> PaneItem:
    name = item["id"]
    words, holders = f"{name} {item['text']}", tuple(item["held_by"])
    return PaneItem(words, holders, mark=item["label"], link=name if name in claims else "")


def _disagreement(item: Item, anchors: Collection[str]) -> PaneItem:
    sides = tuple(PaneItem(side["says"], tuple(side["held_by"])) for side in item["sides"])
    return PaneItem(item["about"], under=sides, tone="warn", link=item["about"] if item["about"] in anchors else "")
