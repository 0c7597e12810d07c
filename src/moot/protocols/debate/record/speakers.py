"""Who spoke and what they said, agent by agent: the positions of a round, and those at the end (debate 5.2, 5.3)."""

from collections.abc import Iterator, Mapping, Sequence

from moot.protocols.debate.record import wording
from moot.protocols.debate.record.wording import Item, is_pseudonym, listed, share
from moot.views.sections import Entry, Section, entries

CASES = (("for", "the case for"), ("against", "the case against"), ("judgement", "judgement"))
BESIDE = ("objection", "concern", "steelman")
"""What is shown of a response beside its position, its answer and its claims."""


def positions(block: Item) -> Iterator[Section]:
    """Yield the positions of a round; in devils-advocate the case for, the case against and the judgement."""
    said: dict[str, Entry] = {}
    told: list[Item] = []
    for agent in block["agents"]:
        said[agent["agent"]] = _spoken(agent, block, told)
        told += agent.get("claims", ())
    yield from _by_case(f"Agent positions{_one_role(block['agents'])}", said, block["cases"])


def final_positions(detail: Item) -> Iterator[Section]:
    """Yield what each agent holds at the end, in full (debate 5.3), under its case where the mode has cases."""
    roles = {name: item["role"] for name, item in detail["participants"].items()}
    said = {item["agentName"]: _held(item, roles[item["agentName"]]) for item in detail["finalPositions"]}
    yield from _by_case("Final positions", said, detail["cases"])


def participants(detail: Item) -> Iterator[str]:
    """Yield who each agent was, also where the others knew it by a pseudonym, and how it voted last."""
    votes = detail["synthesis"]["votes"]
    for name, item in detail["participants"].items():
        seat = [f"seat {item['seat']}"] if item["seat"] != name else []
        about = [*seat, item["model"], item["role"], item["anchor"]]
        yield f"{name} ({listed(about)}): {votes.get(name) or 'no vote'}"


def _by_case(title: str, said: Mapping[str, Entry], cases: Mapping[str, Sequence[Item]]) -> Iterator[Section]:
    """What was said by case, and under the title alone what belongs to none."""
    argued = {name: [item["agent"] for item in cases[name]] for name, _ in CASES}
    for name, words in CASES:
        if argued[name]:
            yield Section(f"{title}, {words}", entries=tuple(said[agent] for agent in argued[name]))
    taken = {agent for agents in argued.values() for agent in agents}
    rest = tuple(entry for agent, entry in said.items() if agent not in taken)
    if rest:
        yield Section(title, entries=rest)


def _one_role(agents: Sequence[Item]) -> str:
    roles = {item["role"] for item in agents}
    return f" (each as {roles.pop()})" if len(roles) == 1 else ""


def _spoken(agent: Item, block: Item, told: Sequence[Item]) -> Entry:
    """One agent's part in a round: who it is, how it voted, its position in full, and what goes with it."""
    who = f"{agent['agent']} ({listed(_about(agent, block))})"
    if agent["state"] != "spoke":
        return Entry(f"{who}: {_absence(agent, block)}")
    return Entry(f"{who}: {agent['position']}", entries([*_beside(agent), *_claims(agent["claims"], told)]))


def _about(agent: Item, block: Item) -> Iterator[str]:
    if not is_pseudonym(agent):
        yield agent["model"]
    if not _one_role(block["agents"]):
        yield agent["role"]
    if agent["stance"] and agent["stance"] not in agent["role"]:
        yield f"stance {agent['stance']}"
    yield agent["anchor"]
    if agent["state"] == "spoke":
        yield from [agent["vote"] or "no vote"] if block["proposal"] else []
        yield share(agent["confidence"])
        yield from [f"was {share(agent['confidence'] - agent['delta'])}"] if agent["delta"] else []


def _absence(agent: Item, block: Item) -> str:
    kept_back = [item for item in block["withheld"] if item["agent"] == agent["agent"]]
    if kept_back:
        return wording.withheld(kept_back[0])
    return f"did not answer: {wording.ABSENT.get(agent['why'], agent['why'])}"


def _beside(agent: Item) -> Iterator[str]:
    if agent["answer"] != agent["position"]:
        yield f"answer: {agent['answer']}"
    yield from (f"{name}: {agent[name]}" for name in BESIDE if agent[name])


def _claims(claims: Sequence[Item], told: Sequence[Item]) -> Iterator[str]:
    """The claims of an agent; of those that somebody before it put in the same words, the ids alone."""
    yield from (wording.claim(item) for item in claims if item not in told)
    again = [f"{item['id']} [{item['label']}]" for item in claims if item in told]
    if again:
        yield f"also, in the same words: {listed(again)}"


def _held(item: Item, role: str) -> Entry:
    """What an agent holds at the end, with its claims under their labels (debate 3.3)."""
    vote = [item["vote"]] if item["vote"] else []
    stance = [f"stance {item['stance']}"] if item.get("stance") and item["stance"] not in role else []
    about = [role, *stance, item["perspectiveAnchor"], *vote, share(item["confidence"])]
    labels = (("facts", "FACT"), ("inferences", "INFER"), ("assumptions", "ASSUME"))
    claims = [f"[{label}] {text}" for name, label in labels for text in item["epistemicClaims"][name]]
    return Entry(f"{item['agentName']} ({listed(about)}): {item['position']}", entries(claims))
