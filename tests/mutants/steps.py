"""Mutants of the `graph` form of a run and of verifications (I2, I5, I10 to I14, I18; A21, A22; G4)."""

from tests.mutants.mutant import Mutant

QUOTING, GROUNDING = "methods/quoting.py", "methods/grounding.py"
FORM, CLAIMS, REASONS, RESTING, SCHEMA, PROMPT, VERIFICATION = (
    f"protocols/interrogation/{name}.py"
    for name in (
        "graph/form",
        "graph/claims",
        "graph/reasons",
        "graph/resting",
        "graph/schemas",
        "graph/prompts",
        "verification",
    )
)

QUOTED, GROUNDED = ("methods/test_quoting.py",), ("methods/test_grounding.py",)
READ, ASKED, VERIFIED = (
    (f"protocols/interrogation/test_{name}.py",) for name in ("graph_form", "graph_prompt", "verification")
)

MUTANTS = (
    # Where a quote stands.
    Mutant("ruling:I5", QUOTING, "FLOOR = 90.0", "FLOOR = 60.0", QUOTED),
    Mutant("ruling:I5", QUOTING, "FLOOR = 90.0", "FLOOR = 99.9", QUOTED),
    Mutant("ruling:I5", QUOTING, "if _decisive(wanted) == _decisive(flat.whole(first, last)) else None", "", QUOTED),
    Mutant("ruling:I5", QUOTING, r"(?<!\d[.,])(?<!\s-)", "", QUOTED),
    Mutant("ruling:I5", QUOTING, r"(?!\w|[.,]\d)", "", QUOTED),
    Mutant("ruling:I5", QUOTING, ", set(_COUNTING.findall(text))", ", set()", QUOTED),
    # What a given rests on.
    Mutant("ruling:I10", GROUNDING, "key=lambda place: grounds.documents[place] is not named", "key=str", GROUNDED),
    Mutant("ruling:I10", GROUNDING, 'repair="" if is_there else said', 'repair=""', GROUNDED),
    Mutant("ruling:I10", GROUNDING, "Quoted(tuple(named)) if named else", "", GROUNDED),
    Mutant(
        "ruling:I12",
        GROUNDING,
        "quoted.problem or cover_by(claim, quoted.sentences, grounds).problem",
        "quoted.problem",
        GROUNDED,
    ),
    Mutant("ruling:I12", GROUNDING, "if others := covering_sentences(claim, grounds):", "if others := ():", GROUNDED),
    Mutant("ruling:I12", GROUNDING, 'else [said, [" ".join(said)]]', "else [said]", GROUNDED),
    Mutant("ruling:I5", GROUNDING, "question if documents else", "question if question else", GROUNDED),
    Mutant("ruling:I5", GROUNDING, "to_the_letter=is_own", "to_the_letter=False", GROUNDED),
    Mutant("ruling:A22", GROUNDING, "document_names(documents)[place]", "documents[place].name", GROUNDED),
    # What a reason names.
    Mutant("ruling:I10", REASONS, r"(?:S|[Ss]", r"(?:[Ss]|[Ss]", READ),
    Mutant("ruling:I10", REASONS, r"(?:S|[Ss](?:entence", r"(?:[Ss](?:entence", READ),
    Mutant("ruling:I10", REASONS, "or _LINE.fullmatch(reason.strip())", "", READ),
    Mutant("ruling:I10", REASONS, r"|\band\b", "", READ),
    Mutant("ruling:I10", REASONS, "isinstance(reason, bool) or", "", READ),
    Mutant("ruling:I10", REASONS, "and reason == int(reason)", "", READ),
    Mutant("ruling:I10", REASONS, 'return found_quote(reason, "", grounds).sentences', "return ()", READ),
    Mutant(
        "ruling:I10", REASONS, 'repairs.append(f"{shown(reason)} is no', 'repairs.count(f"{shown(reason)} is no', READ
    ),
    # What a step becomes.
    Mutant("ruling:I11", CLAIMS, "            taken.append(claim.id)\n", "            pass\n", READ),
    Mutant("ruling:A21", CLAIMS, "first = first_to_say.get(form)", "first = None", READ),
    Mutant(
        "ruling:A21", CLAIMS, "first_to_say = {strict_form(conclusion.text): conclusion.id}", "first_to_say = {}", READ
    ),
    Mutant("ruling:A21", CLAIMS, "ways=(*held[first].ways, *claim.ways)", "ways=held[first].ways", READ),
    Mutant("ruling:I11", FORM, 'group = f"{claim.id}/{place + 1}"', "group = None", READ),
    Mutant("ruling:A21", FORM, 'group = f"{claim.id}/{place + 1}"', 'group = f"{claim.id}"', READ),
    Mutant("ruling:I11", FORM, "(*way.sentences, *way.claims, *(f", "(*way.sentences, *(f", READ),
    Mutant("ruling:I10", FORM, '"type": "given", "source": source}', '"type": "given"}', READ),
    Mutant(
        "ruling:I10",
        FORM,
        "for sentence in sorted(set(used)",
        "for sentence in sorted(set(self.grounds.sentences)",
        READ,
    ),
    Mutant("ruling:I11", FORM, '"type": "assumption", "ungrounded": True', '"type": "assumption"', READ),
    Mutant("ruling:I11", FORM, '"type": "assumption", "ungrounded": True', '"ungrounded": True', READ),
    Mutant("ruling:I11", RESTING, '"it rests on itself")', '"")', READ),
    Mutant("ruling:A21", RESTING, "if claim.id in way.claims:", "if False:", READ),
    Mutant("ruling:A21", RESTING, '["it rests on itself"]', "[]", READ),
    Mutant("interrogation:4.2.A", FORM, 'str(against), "attacks", claim', 'str(against), "supports", claim', READ),
    Mutant("interrogation:4.2.A", FORM, "known.setdefault(CONCLUSION", "known.get(CONCLUSION", READ),
    Mutant(
        "interrogation:4.2.A", FORM, "known.get(name_of(start)) or next(iter", "known.get(name_of(start)) or min", READ
    ),
    Mutant("ruling:I11", SCHEMA, "confidence=SHARE), 0, 9)", "confidence=SHARE), 0, 12)", ASKED),
    Mutant("ruling:I11", SCHEMA, "for name in ASKED}", "for name in schema['properties']}", ASKED),
    # What covers a step.
    Mutant("ruling:I12", RESTING, "    if cover.holds:\n        return way\n", "    return way\n", READ),
    Mutant("ruling:I12", RESTING, "if way.claims or sums.false:", "if sums.false:", READ),
    Mutant("ruling:I12", RESTING, "return RestingWay(others) if others else", "return", READ),
    Mutant("ruling:I12", RESTING, "standing | stated_numbers(question))", "stated_numbers(question))", READ),
    Mutant("ruling:I12", RESTING, "if one.operands & there}", "}", READ),
    Mutant("ruling:I12", RESTING, "there = given.union(*standing.values())", "there = given", READ),
    Mutant("ruling:I12", FORM, 'return checked.rests[conclusion].problem or "no', 'return "no', READ),
    Mutant("ruling:I12", FORM, "if is_judgement(answer) or is_abstention(answer):", "if is_judgement(answer):", READ),
    Mutant("ruling:I12", FORM, "if is_judgement(answer) or is_abstention", "if is_abstention", READ),
    Mutant("ruling:I12", FORM, 'return "no sentence beneath it has the answer\'s own words"', 'return ""', READ),
    # What is computed.
    Mutant("ruling:I18", RESTING, 'if item.verdict == "false"), right', "if False), right", READ),
    Mutant("ruling:I18", RESTING, "    if sums.right:\n", "    if False:\n", READ),
    Mutant("ruling:I18", RESTING, "    if granted == sums.operands:\n", "    if False:\n", READ),
    Mutant("ruling:I18", RESTING, "granted=tuple(sorted(granted))", "granted=()", READ),
    Mutant("ruling:I18", RESTING, "if words and not words & there:", "if False:", READ),
    Mutant("ruling:I18", RESTING, "if not content_words(name) <= there]", "if False]", READ),
    Mutant("ruling:I18", RESTING, "foreign += sorted(", "foreign += () and sorted(", READ),
    Mutant("ruling:I18", RESTING, "- Sums((), self.right[:place]).results", "", READ),
    Mutant("ruling:I18", FORM, "if claim in seen or claim in refuted:", "if claim in seen:", READ),
    # How it is asked.
    Mutant("ruling:I13", PROMPT, "EVERY_CLAIM[documents]", "EVERY_CLAIM[True]", ASKED),
    Mutant("ruling:I13", PROMPT, 'UNSETTLED if documents else ""', "UNSETTLED", ASKED),
    Mutant("ruling:I13", PROMPT, 'UNSETTLED if documents else ""', '""', ASKED),
    Mutant(
        "ruling:I13", SCHEMA, '"objections", "conclusion", "answer")', '"objections", "answer", "conclusion")', ASKED
    ),
    Mutant("ruling:I10", PROMPT, "key=lambda sentence: sentence.document", "key=lambda sentence: 0", ASKED),
    Mutant("interrogation:4.2.A", PROMPT, "at least {k} independent", "{k} independent", ASKED),
    Mutant(
        "ruling:I11",
        PROMPT,
        '"claim":"The red boat was back by dusk.","because":[3]',
        '"claim":"It was.","because":[3]',
        ASKED,
    ),
    # What a verification says.
    Mutant("ruling:I2", VERIFICATION, "> asked // 2", ">= asked // 2", VERIFIED),
    Mutant("ruling:I2", VERIFICATION, 'counts["not_determinable"] == asked', 'counts["not_determinable"]', VERIFIED),
    Mutant("ruling:I14", VERIFICATION, 'reply.verdict != "refuted" or any', "True or any", VERIFIED),
    Mutant("ruling:I14", VERIFICATION, "covered(claim, [sentence.said]).share > 0 and", "", VERIFIED),
    Mutant("ruling:I14", VERIFICATION, "and merging(sentence.said, claim) is None", "", VERIFIED),
    Mutant("ruling:I14", VERIFICATION, "if cover_by(claim, [one], grounds).holds)", ")", VERIFIED),
    Mutant(
        "ruling:I14",
        VERIFICATION,
        'for reply in replies if reply.verdict == "supported" for',
        "for reply in replies for",
        VERIFIED,
    ),
    Mutant("ruling:I14", VERIFICATION, "if counts(reply, claim, sentences)], asked", "], asked", VERIFIED),
    Mutant("ruling:I14", VERIFICATION, "in dict.fromkeys(named) if", "in named if", VERIFIED),
    Mutant(
        "ruling:I14",
        VERIFICATION,
        '"supported" if self.follows == "yes"',
        '"supported" if self.follows == "no"',
        VERIFIED,
    ),
    Mutant("interrogation:4.2.B", VERIFICATION, '"says": value["verdict"]', '"said": value["verdict"]', VERIFIED),
    Mutant("ruling:G4", VERIFICATION, 'claim=fenced("Claim:", claim)', "claim=claim", VERIFIED),
)
