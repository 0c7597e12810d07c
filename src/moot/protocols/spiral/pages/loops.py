"""Loop by loop: what was contradicted by whom, what axioms and oracles said of it, who moved, why nobody was asked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.core.panes import ItemList, PaneItem, PaneSection, Tone
from moot.methods.tellings import shown_words
from moot.protocols.spiral.axioms.registry import LEVELS
from moot.protocols.spiral.pages.progress import HeldPosition, LoopNote, LoopProgress
from moot.protocols.spiral.telling import SPIRAL_TELLING
from moot.views.words import counted

VERDICT_TONES: Mapping[str, Tone] = {"true": "good", "false": "bad"}
NOTHING_CONTRADICTED = "Nothing is contradicted, and the answers are not the same."

Data = Mapping[str, Any]


def loop_section(loop: LoopProgress, *, anchored: bool = False) -> PaneSection:
    """Return what happened in a loop; loop 0 is the exposition."""
    items = tuple(_exposed(loop) if not loop.loop else _looped(loop))
    return PaneSection(
        f"Loop {loop.loop}" if loop.loop else "Exposition",
        LEVELS.get(loop.loop, "each answers alone"),
        (ItemList(items, empty="Nothing has come yet."),),
        f"loop-{loop.loop}" if anchored else "",
    )


def _exposed(loop: LoopProgress) -> Iterator[PaneItem]:
    for said in loop.replies:
        under = tuple(PaneItem(claim) for claim in said.claims)
        yield PaneItem(said.answer, (said.seat,), aside=said.why, link=f"e{said.event}", under=under)
    yield from _absent(loop)
    for note in loop.notes:
        if note.name == "initialization":
            yield PaneItem(f"Played as a {note.data['structure']}.", aside="; ".join(note.data["because"]), tone="soft")
        elif note.name == "shown":
            yield PaneItem(shown_words(note.data), tone="soft")


def _looped(loop: LoopProgress) -> Iterator[PaneItem]:
    told = [note for note in loop.notes if note.name in ("loop", "draft", "stretto")]
    for note in loop.notes:
        if note.name == "draft":
            yield from _draft(note, loop)
        elif note.name in ("loop", "stretto"):
            yield from _note(note, loop)
        elif words := _worded(note):
            yield PaneItem(words, tone="warn", link=f"e{note.event}")
    if not told:
        yield from _under_way(loop)
        yield from _absent(loop)


def _note(note: LoopNote, loop: LoopProgress) -> Iterator[PaneItem]:
    data = note.data
    if note.name == "stretto":
        yield PaneItem(
            "Stretto: with all evidence so far, members look for what they can hold together.", mark="stretto"
        )
    else:
        yield from map(_contradiction, data["disagreements"])
    yield from map(_computed, data["oracles"])
    yield from map(_denial, data["self_reference"])
    if data.get("no_call"):
        yield PaneItem(f"Nobody was asked: {data['no_call']}.", tone="soft", link=f"e{note.event}")
    else:
        yield from _movements(note, loop)


def _contradiction(point: Data) -> PaneItem:
    (first, second), (for_first, for_second) = point["claims"], point["held_by"]
    against = PaneItem(second, tuple(for_second), mark="against", tone="bad")
    return PaneItem(first, tuple(for_first), under=(against, *map(_axiom, point["axioms"])))


def _axiom(axiom: Data) -> PaneItem:
    near = f"near {axiom['similarity']:.2f}" if "similarity" in axiom else ""
    return PaneItem(axiom["statement"], mark=axiom["id"], aside=near, quote=True)


def _computed(item: Data) -> PaneItem:
    finding = item["finding"]
    told = finding["explanation"] or finding["value"] or finding["limit"]
    read = f", read as {finding['reading']}" if finding["reading"] else ""
    # Of what the program checks by itself, nobody is the author.
    author = () if " " in item["by"] else (item["by"],)
    aside = f"oracle {finding['oracle']}{read}{f': {told}' if told else ''}"
    return PaneItem(item["check"], author, finding["verdict"], VERDICT_TONES.get(finding["verdict"], "soft"), aside)


def _denial(item: Data) -> PaneItem:
    words = f"{item['by']} says that {item['seat']} denies what it rests on."
    axiom = _axiom({"id": item["axiom"], "statement": item["statement"]})
    return PaneItem(words, (item["seat"],), "denies itself", "warn", item["why"], under=(axiom,))


def _movements(note: LoopNote, loop: LoopProgress) -> Iterator[PaneItem]:
    said = {reply.seat: reply.event for reply in loop.replies if reply.event < note.event}
    for item in note.data["moved"]:
        from_ = PaneItem(item["from"], mark="from", tone="soft")
        changed = item["from"] != item["to"]
        mark, under = ("moved", (from_,)) if changed else ("new claims", ())
        yield PaneItem(item["to"], (item["seat"],), mark, "now", item["why"], link=_link(said, item), under=under)
    for item in note.data["stayed"]:
        is_silent = item["seat"] in loop.absent and item["seat"] not in said
        why = "gave no answer" if is_silent else item["why"]
        tone: Tone = "warn" if is_silent else "soft"
        yield PaneItem("stays", (item["seat"],), tone=tone, aside=why, link=_link({**loop.absent, **said}, item))


def _link(events: Mapping[str, int], item: Data) -> str:
    return f"e{events[item['seat']]}" if item["seat"] in events else ""


def _draft(note: LoopNote, loop: LoopProgress) -> Iterator[PaneItem]:
    draft, accepted = note.data["draft"], tuple(note.data["accepted_by"])
    yield PaneItem(NOTHING_CONTRADICTED, tone="soft", link=f"e{note.event}")
    if draft is None:
        yield PaneItem("Nobody drafted.", tone="warn")
        return
    yield PaneItem(draft["answer"], (draft["by"],), "draft", under=tuple(PaneItem(claim) for claim in draft["claims"]))
    yield PaneItem(f"It is held as it stands by {counted(len(accepted), 'member')}.", accepted)
    yield from _movements(note, loop)


def _under_way(loop: LoopProgress) -> Iterator[PaneItem]:
    for said in loop.replies:
        yield PaneItem(said.answer, (said.seat,), *_moved_mark(said, loop), said.why, link=f"e{said.event}")


def _moved_mark(said: HeldPosition, loop: LoopProgress) -> tuple[str, Tone]:
    return ("moved", "now") if loop.positions[said.seat].event == said.event else ("stays", "soft")


def _absent(loop: LoopProgress) -> Iterator[PaneItem]:
    for seat, seq in loop.absent.items():
        yield PaneItem("gave no answer", (seat,), "missing", "warn", link=f"e{seq}")


def _worded(note: LoopNote) -> str:
    return SPIRAL_TELLING.note(note.name, note.data) if SPIRAL_TELLING.note else ""


def all_loops(loops: Sequence[LoopProgress]) -> tuple[PaneSection, ...]:
    """Return every loop that has begun, each under an anchor of its own."""
    return tuple(loop_section(loop, anchored=True) for loop in loops)
