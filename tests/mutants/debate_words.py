"""Mutants of what a person reads of a debate: the parts of a block and of the synthesis, and whose words they are."""

from tests.mutants.mutant import Mutant

_HERE = "protocols/debate"
WORDS = (f"{_HERE}/test_debate_words.py",)


def _of(clause: str, file: str, old: str, new: str) -> Mutant:
    return Mutant(clause, f"{_HERE}/{file}.py", old, new, WORDS)


MUTANTS = (
    # 5.2: the block of a round.
    _of("debate:5.2", "record/report", "    yield from positions(block)\n", ""),
    _of("debate:5.2", "record/report", '    yield Section("Next", block["next"])\n', ""),
    _of("debate:5.2", "record/report", '    yield Section("A person said before this round", block["said"])\n', ""),
    _of("debate:5.2", "record/report", "{lead}: {accept} ({votes}){absent}", "{lead}: {accept} ({votes})"),
    _of(
        "debate:5.2",
        "record/speakers",
        'BESIDE = ("objection", "concern", "steelman")',
        'BESIDE = ("concern", "steelman")',
    ),
    _of("debate:5.2", "record/speakers", "{who}: {agent['position']}", "{who}: {agent['position'][:60]}"),
    _of("debate:5.2", "record/speakers", '        yield agent["model"]\n', '        yield agent["seat"]\n'),
    _of(
        "ruling:D11", "record/wording", "{item['answer']}{rests}{contested}{tied}", "{item['answer']}{contested}{tied}"
    ),
    # 5.3: the end.
    _of("debate:5.3", "record/report", "    yield from final_positions(detail)\n", ""),
    _of(
        "debate:5.3", "record/report", '    yield Section("Who took part", entries=entries(participants(detail)))\n', ""
    ),
    # What the modes are for.
    _of(
        "ruling:D5",
        "record/wording",
        "map(_vulnerability, (*unmended, *mended))",
        "map(_vulnerability, (*mended, *unmended))",
    ),
    _of("ruling:D15", "record/wording", "mitigation by {mending['by']}: ", "mitigation: "),
    _of("ruling:D15", "record/report", '    yield wording.vulnerabilities(detail["vulnerabilities"])\n', ""),
    _of("ruling:D15", "record/wording", "{item['id']}, {item['by']} in round", "{item['id']} in round"),
    _of(
        "ruling:D15",
        "record/speakers",
        "        if argued[name]:\n",
        "        if argued[name] and name != 'judgement':\n",
    ),
    _of("ruling:D6", "record/speakers", "    if not is_pseudonym(agent):\n", "    if agent:\n"),
    _of("ruling:D6", "record/wording", "median {share(median(sure))}", "median {share(min(sure))}"),
    _of("ruling:D6", "record/speakers", """[f"seat {item['seat']}"] if item["seat"] != name else []""", "[]"),
    # Who was asked, what was found.
    _of("ruling:D12", "record/report", 'item["confidence"] < SURE]', 'item["confidence"] < 0.5]'),
    _of("ruling:D12", "record/report", 'if item["resolved_round"] is None]', "if False]"),
    _of(
        "ruling:D13",
        "record/wording",
        '        return "computed"\n    return "inferred',
        '        return "found in it"\n    return "inferred',
    ),
    _of("ruling:D13", "record/wording", '    if not source["verified"]:\n        return "unverified"\n', ""),
    _of(
        "ruling:D13",
        "record/wording",
        '"computed" if item["computed"] else "unverified" if',
        '"" if item["computed"] else "unverified" if',
    ),
    _of("ruling:D14", "record/report", '" / ".join(detail["tie"])', '""'),
    _of("ruling:D18", "record/wording", "[{item['label']}][{item['evidence']}]:", "[FACT][{item['evidence']}]:"),
    _of("debate:9.2.4", "record/wording", """f"[{item['id']}] {_source(item)}""", """f"{_source(item)}"""),
)
