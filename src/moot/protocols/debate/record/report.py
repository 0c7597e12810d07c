"""A debate for people: the block of a round as text (debate 5.2), and the whole as Markdown (debate 5.3).

Both are made of the same sections; `wording` and `speakers` have their words, `views/sections` their two forms.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from moot.core.record import Record
from moot.protocols.debate.record import wording
from moot.protocols.debate.record.speakers import final_positions, participants, positions
from moot.protocols.debate.record.wording import Item, listed, share
from moot.protocols.debate.rules import ACCEPTANCE, SURE
from moot.views.sections import Entry, Section, entries, markdown_of, text_of, wrapped
from moot.views.words import escaped, flat

NONE = (Entry("none"),)
FIRST = Section("Proposal", "none yet; the first is written from this round")
WIDTH = 80

SINCE = 3
"""The version of the protocol that began to record what these sections are made of."""
EARLIER = "Held by debate {version}, which recorded less than this report shows; the JSON export has all there is.\n"


def block_text(block: Item, width: int | None = WIDTH) -> str:
    """Return the block of a round as text (debate 5.2); without a width, one line for each thing that is said."""
    text = text_of(f"=== {_title(block).upper()} ===", _block(block, block["references"]))
    return text if width is None else wrapped(text, width)


def _title(block: Item) -> str:
    kind = ", critical objection round" if block["critical"] else ""
    return f"Round {block['round']} summary{kind}"


def _block(block: Item, sources: Sequence[Item]) -> Iterator[Section]:
    """What a round came to, from what was voted on to why the next is no ordinary one."""
    evidence = wording.new_evidence(block["new_evidence"], block["references"])
    yield wording.proposal(block["proposal"]) or FIRST
    yield _consensus(block)
    yield Section("A person said before this round", block["said"])
    yield Section("What the round was to look at", block["focus"])
    yield Section("Key agreements", entries=wording.claims(block["agreements"]) or NONE)
    yield Section("Unresolved disagreements", entries=wording.disagreements(block["disagreements"]) or NONE)
    yield Section("Refuted by computation", entries=wording.claims(block.get("refuted", ())))
    yield from positions(block)
    yield wording.vulnerabilities(block["vulnerabilities"])
    yield Section("Open questions", entries=wording.questions(block["questions"]))
    yield Section("Group figures", entries=wording.group_figures(block["agents"]))
    yield Section("Objections", entries=wording.objections(block["objections"]))
    yield Section("New evidence this round", entries=evidence or NONE)
    yield Section("References", entries=wording.references(sources, _labels(block)))
    yield Section("Attempts to give others orders", entries=wording.injections(block["injections"]))
    yield Section("Next", block["next"])


def _labels(block: Item) -> dict[str, str]:
    return {claim["id"]: claim["label"] for agent in block["agents"] for claim in agent.get("claims", ())}


def _consensus(block: Item) -> Section:
    """The paper's word for the share, and both figures (ruling D12)."""
    figures = block["consensus"]
    lead = f"{figures['status']} ({share(figures['score'])})"
    absent = "".join(f"; {words}" for words in _absent(block["agents"]))
    if not block["proposal"]:
        return Section("Consensus status", f"{lead}: nothing was voted on; {_commonest(figures)}{absent}")
    verb = "accepts" if figures["accepting"] == 1 else "accept"
    accept = f"{figures['accepting']} of {figures['asked']} agents {verb} {block['proposal']['id']}"
    votes = wording.votes(item["vote"] for item in block["agents"] if item["state"] == "spoke")
    return Section("Consensus status", f"{lead}: {accept} ({votes}){absent}", entries(_in_the_way(block)))


def _absent(agents: Sequence[Item]) -> Iterator[str]:
    states = [item["state"] for item in agents]
    if silent := states.count("silent"):
        yield f"{silent} did not answer"
    if kept_back := states.count("withheld"):
        yield f"{kept_back} withheld"


def _commonest(figures: Item) -> str:
    return f"the commonest answer has {round(figures['score'] * figures['asked'])} of {figures['asked']} agents"


def _in_the_way(block: Item) -> Iterator[str]:
    """What keeps votes that are enough from being a consensus (debate 2 P1)."""
    if block["consensus"]["score"] < ACCEPTANCE:
        return
    unsure = [item["agent"] for item in block["agents"] if item["state"] == "spoke" and item["confidence"] < SURE]
    if unsure:
        yield f"no consensus: less than {share(SURE)} sure: {listed(unsure)}"
    standing = [item["id"] for item in block["objections"] if item["resolved_round"] is None]
    if standing:
        yield f"no consensus: not resolved: {listed(standing)}"


def markdown_report(record: Record) -> str:
    """Return the debate's own part of the Markdown view."""
    verdict = record.verdict
    if verdict is None or "synthesis" not in verdict.detail:
        return ""
    if record.header.protocol_version < SINCE:
        return EARLIER.format(version=record.header.protocol_version)
    return "\n".join([*_synthesis(verdict.detail), *_rounds(record)]).rstrip() + "\n"


def _synthesis(detail: Item) -> Iterator[str]:
    yield f"## Synthesis of a {detail['mode']} debate, {detail['rounds']} rounds"
    yield ""
    yield f"**{escaped(flat(detail['synthesis']['answer'] or 'There is no answer'))}**"
    yield ""
    for section in _final(detail):
        yield from markdown_of(section)


def _final(detail: Item) -> Iterator[Section]:
    """Executive summary, key evidence, final positions (debate 5.3), and what the mode is held for (ruling D15)."""
    synthesis, claims = detail["synthesis"], detail["debateState"]["claims"]
    labels = {claim["id"]: claim["label"] for claim in claims}
    yield wording.proposal(synthesis["proposal"]) or Section("Proposal")
    yield Section("Who took part", entries=entries(participants(detail)))
    yield Section("A tie: as many agents hold", " / ".join(detail["tie"]))
    yield Section("Agreed", entries=wording.claims(synthesis["agreements"]))
    yield Section("Not resolved", entries=wording.disagreements(synthesis["disagreements"]))
    yield Section("Refuted by computation", entries=wording.claims(synthesis.get("refuted", ())))
    yield Section("Other claims", entries=wording.other_claims(claims))
    yield wording.vulnerabilities(detail["vulnerabilities"])
    yield Section("Open questions", entries=wording.questions(detail["openQuestions"]))
    yield Section("Objections", entries=wording.objections(detail["objections"]))
    yield Section("Decided", entries=entries(f"{item['id']}: {item['text']}" for item in synthesis["decisions"]))
    yield from final_positions(detail)
    yield Section("References", entries=wording.references(detail["references"], labels))
    yield Section("A person said", entries=tuple(_words_of_a_person(item) for item in detail["said"]))
    yield Section("Agreement that came too easily", entries=entries(_suspicions(detail["groupthink"])))
    yield Section("Withheld", entries=entries(map(_kept_back, detail["withheld"])))
    yield Section("Breaches of the contract", entries=wording.faults(detail["breaches"]))
    yield Section("Checks not met", entries=wording.faults(detail["unmetChecks"]))
    yield Section("Mended by a revision", entries=wording.faults(detail["drafts"]))


def _words_of_a_person(item: Item) -> Entry:
    asked = (Entry(f"asked to look at: {item['focus']}"),) if item["focus"] else ()
    return Entry(f"after round {item['round']}: {item['text'] or 'nothing'}", asked)


def _kept_back(item: Item) -> str:
    return f"{item['agent']} in round {item['round']}: {wording.withheld(item)}"


def _suspicions(items: Any) -> Iterator[str]:
    for item in items:
        without = f"; judged without {'; '.join(item['skipped'])}" if item["skipped"] else ""
        yield f"{item['trigger']}: {'; '.join(item['why'])}{without}"


def _rounds(record: Record) -> Iterator[str]:
    for note in record.notes:
        if note.name == "round":
            yield f"## {_title(note.data)}"
            yield ""
            # The sources stand once, in the synthesis.
            for section in _block(note.data, ()):
                yield from markdown_of(section)
