"""Mutants of the coherence paper and its rulings."""

from tests.mutants.mutant import Mutant

FOLDER = "protocols/coherence"
FORM = f"{FOLDER}/form.py"
GRAPHS = f"{FOLDER}/graph_files.py"
WORDS = f"{FOLDER}/in_words.py"
FIRST = f"{FOLDER}/first_member.py"
SECOND = f"{FOLDER}/second_member.py"
PROMPTS = f"{FOLDER}/prompts.py"
PROTOCOL = f"{FOLDER}/protocol.py"
REPORT = f"{FOLDER}/report.py"
RULES = f"{FOLDER}/rules.py"
SCHEMAS = f"{FOLDER}/schemas.py"
SCORES = f"{FOLDER}/scores.py"
CHECKS = f"{FOLDER}/verification.py"

WHOLE = ("protocols/test_coherence.py", "protocols/test_coherence_conditions.py", "protocols/test_coherence_report.py")
ENGINE = ("protocols/test_coherence_engine.py",)
FILES = ("protocols/test_coherence_graphs.py",)
READING = ("protocols/test_coherence_scores.py", *WHOLE)
FORMS = ("protocols/test_coherence_form.py", "protocols/test_coherence_verification.py", *WHOLE, READING[0])

MUTANTS = (
    # 2: the graphs
    Mutant("coherence:2", GRAPHS, '("knowledge.txt", "ethics.txt", "integration.txt")', '("knowledge.txt",)', FILES),
    Mutant("coherence:2", GRAPHS, "links[there].add(here)", "pass", FILES),
    # 3: the first member
    Mutant("coherence:3.1", PROMPTS, "graphs=graphs_in_words(shown))", 'graphs="")', WHOLE),
    Mutant("coherence:3.1", WORDS, "{f' [{near}]' if near else ''}", "", WHOLE),
    Mutant("coherence:3.1", PROMPTS, "parts = [_prompt_to_read(question)]", "parts = [question.text]", WHOLE),
    Mutant("coherence:3.2", PROTOCOL, '"columns": list(unfolded.columns)', '"columns": []', WHOLE),
    Mutant("coherence:3.2", FIRST, "return Unfolded(names, await", "return Unfolded(names[:1], await", WHOLE),
    Mutant("coherence:3.3", PROMPTS, "with a number from 0 to 10: how much", "with a number: how much", WHOLE),
    Mutant("coherence:3.3", PROMPTS, "as many as\nthis case needs and no more, between", "between", WHOLE),
    Mutant("coherence:3.3", PROMPTS, "You unfold the prompt into its dimensions:", "You name:", WHOLE),
    Mutant("coherence:3.4", SCHEMAS, "    observed_relation: Any = None", "    relation: Any = None", READING),
    Mutant("coherence:3.4", SCORES, '"values": list(values[graph.name, id_])', '"scores": 0', READING),
    # 4: the engine
    Mutant("coherence:4.2", PROTOCOL, "_detail(traces.unfolded, graphs) | traces.paths", "{}", WHOLE),
    Mutant(
        "coherence:4.2", RULES, 'return {"paths": traced}', 'return {"paths": {name: [] for name in traced}}', WHOLE
    ),
    Mutant("coherence:4.3", RULES, "traced[column] += [", "traced[columns[0]] += [", ENGINE),
    Mutant("coherence:4.3", RULES, "[row[place] if row else 0.0", "[max(row) if row else 0.0", ENGINE),
    Mutant("coherence:4.4.1", RULES, "free = [score >= threshold", "free = [score > threshold", ENGINE),
    Mutant("coherence:4.4.1", RULES, "THRESHOLD = 6.0", "THRESHOLD = 5.5", ENGINE),
    Mutant("coherence:4.4.2", RULES, "entries = [(-scores[rank], -left", "entries = [(scores[rank], -left", ENGINE),
    Mutant("coherence:4.4.2", RULES, "entries = [(-scores[rank], -left", "entries = [(0, -left", ENGINE),
    Mutant("coherence:4.4.3", RULES, "(-scores[rank], -left[rank], rank)", "(-scores[rank], 0, rank)", ENGINE),
    Mutant("coherence:4.4.3", RULES, "if -count != left[here]:", "if False:", ENGINE),
    Mutant(
        "coherence:4.4.3", GRAPHS, "return letters, int(id_[len(letters) :] or 0), id_", 'return id_, 0, ""', ENGINE
    ),
    Mutant(
        "coherence:4.4.4", RULES, "best is None or score > best_score", "best is None or score < best_score", ENGINE
    ),
    Mutant(
        "coherence:4.4.4",
        RULES,
        "    for rank in near:\n        if not",
        "    for rank in near[:1]:\n        if not",
        ENGINE,
    ),
    Mutant("coherence:4.4.5", RULES, "        yield path\n", "        yield path\n        return\n", ENGINE),
    Mutant("coherence:4.4.5", RULES, "    while entries:", "    for _ in entries[:1]:", ENGINE),
    Mutant("coherence:4.4.6", RULES, "range(len(ids)) if free[rank]]", "range(len(ids)) if left[rank]]", ENGINE),
    Mutant("coherence:4.4.6", RULES, "    while entries:", "    while len(entries) > 1:", ENGINE),
    Mutant("coherence:4.5", RULES, '{"graph": graph.name, "path": path}', '{"path": path}', ENGINE),
    Mutant("coherence:4.5", RULES, "path += (labels[here, there], ids[there])", "path += (ids[there],)", ENGINE),
    # 5: the second member
    Mutant("coherence:5.1", WORDS, "if any(row := ", "if 6 <= max(row := ", WHOLE),
    Mutant("coherence:5.1", PROMPTS, "columns=canonical(list(columns)), scores", 'columns="", scores', WHOLE),
    Mutant("coherence:5.1", PROMPTS, '["- " + "\\n  ".join(steps) for steps in walked]', "[]", WHOLE),
    Mutant("coherence:5.2", PROTOCOL, "answer=best.text,", 'answer="",', WHOLE),
    Mutant("coherence:5.2", SECOND, "self._verified(reply.text, number)", 'self._verified("", number)', WHOLE),
    Mutant("coherence:5.3", PROMPTS, ", and how one thought follows another inside a part", "", WHOLE),
    Mutant("coherence:5.3", PROMPTS, "which tensions may not be left out, and ", "", WHOLE),
    Mutant("coherence:5.3", PROMPTS, "the overall order, or any visible structure", "or any structure", WHOLE),
    Mutant("coherence:5.3.form", FORM, "if question.form else {}", "if False else {}", FORMS),
    Mutant(
        "coherence:5.3.form",
        SECOND,
        "self.traces.shown, form, response)",
        "self.traces.shown, Form(), response)",
        FORMS,
    ),
    Mutant("coherence:5.3.form", CHECKS, "not judged.follows_required_format", "False", FORMS),
    Mutant("coherence:5.3.open", FORM, "return bool(self.open_words)", "return True", FORMS),
    Mutant("coherence:5.3.open", FORM, "return bool(self.open_words)", "return not self.demands", FORMS),
    Mutant("coherence:5.3.open", PROMPTS, "if form.is_open else NOT_OPEN", "if True else NOT_OPEN", FORMS),
    Mutant("coherence:5.3.open", FORM, "return bool(self.open_words)", "return False", FORMS),
    Mutant("coherence:5.3.hidden", CHECKS, "        if word in ids:", "        if False:", FORMS),
    Mutant("coherence:5.3.hidden", CHECKS, "        elif word in MODULATIONS:", "        elif False:", FORMS),
    Mutant("coherence:5.3.hidden", CHECKS, "judged.mentions_internal_processing,", "False,", FORMS),
    Mutant(
        "coherence:5.3.hidden", SECOND, "prompt = whole_prompt(self.question)", "prompt = self.question.text", FORMS
    ),
    Mutant("coherence:5.3.within", CHECKS, "not judged.traces_only_within_it", "False", WHOLE),
    Mutant("coherence:5.3.within", PROMPTS, "shown = [traces, _prompt_to_read", "shown = [_prompt_to_read", WHOLE),
    Mutant("coherence:5.3.within", PROMPTS, "show only in what is said where, inside that structure;", "show;", WHOLE),
    Mutant(
        "coherence:5.3.sections",
        CHECKS,
        "for heading, column in _column_headings(",
        "for heading, column in () and (",
        FORMS,
    ),
    Mutant("coherence:5.3.sections", CHECKS, " and not form.asks_for(heading)", "", FORMS),
    Mutant("coherence:5.3.sections", CHECKS, "judged.trace_became_a_section,", "False,", FORMS),
    Mutant("coherence:5.3.sections", FORM, "NEARLY_EQUAL = 85.0", "NEARLY_EQUAL = 100.0", FORMS),
    Mutant("coherence:5.3.sections", FORM, "NEARLY_EQUAL = 85.0", "NEARLY_EQUAL = 50.0", FORMS),
    Mutant(
        "coherence:5.3.cumulative",
        SECOND,
        "        messages = judge_messages(",
        "        if failures:\n            return Version(response, tuple(failures), judged=True)\n"
        "        messages = judge_messages(",
        FORMS,
    ),
    Mutant("coherence:5.3.cumulative", SECOND, "(*failures, *judge_failures(judged))", "tuple(failures)", FORMS),
    Mutant(
        "coherence:5.3.cumulative",
        SECOND,
        "(*failures, *judge_failures(judged))",
        "tuple(judge_failures(judged))",
        FORMS,
    ),
    # 6 and 7: preservation and the formula
    Mutant("coherence:6", REPORT, "whole_prompt(record.header.question)", "record.header.question.text", WHOLE),
    Mutant("coherence:6", REPORT, '        "scores.json"', '        "marks.json"', WHOLE),
    Mutant("coherence:6", PROTOCOL, '"scores": score_rows(values, graphs), **paths}', '"scores": [], **paths}', WHOLE),
    Mutant("coherence:7", PROTOCOL, "traces_of(columns, values, paths[", "traces_of((), values, paths[", WHOLE),
    Mutant("coherence:7", PROTOCOL, "trace_paths(columns, values, graphs)", "trace_paths(columns, {}, graphs)", WHOLE),
    # rulings
    Mutant("ruling:K1", GRAPHS, "problems[0].line or None", "None", FILES),
    Mutant("ruling:K1", GRAPHS, "    if id_ in known:\n", "    if False:\n", FILES),
    Mutant("ruling:K2", GRAPHS, '"M3": "M4", "M4": "M3"}', '"M3": "M3", "M4": "M4"}', ENGINE),
    Mutant("ruling:K2", GRAPHS, "min(label, labels.get(pair, label))", "label", ENGINE),
    Mutant("ruling:K3", RULES, "if -count != left[here]:", "if False:", ENGINE),
    Mutant("ruling:K3", RULES, "(-scores[rank], -left[rank], rank)", "(-scores[rank], left[rank], rank)", ENGINE),
    Mutant("ruling:K4", FIRST, 'for step in ("unfold", "unfold/again"):', 'for step in ("unfold",):', READING),
    Mutant("ruling:K4", SCORES, "    if len(values) != width:", "    if len(values) > width:", READING),
    Mutant("ruling:K4", PROTOCOL, "2 * len(absent) >", "4 * len(absent) >", READING),
    Mutant("ruling:K4", SCORES, "name in graph.ranks or ", "", READING),
    Mutant("ruling:K4", SCHEMAS, "({without_digits}|{with_digits})", "({without_digits})", READING),
    Mutant("ruling:K4", SCHEMAS, "for prefix in prefixes for letter in", "for prefix in () for letter in", READING),
    Mutant("ruling:K5", FIRST, "batch, columns=columns, problem=problem)", "batch, problem=problem)", WHOLE),
    Mutant("ruling:K5", FIRST, "range(0, len(rows), settings.batch)", "range(0, 1)", WHOLE),
    Mutant(
        "ruling:K6", SECOND, "range(1, self.settings.revisions + 2)", "range(1, self.settings.revisions + 1)", FORMS
    ),
    Mutant("ruling:K6", CHECKS, "sorted(said - asked)", "sorted(said)", FORMS),
    Mutant("ruling:K6", PROTOCOL, "min(reversed(versions), key=", "max(reversed(versions), key=", FORMS),
    Mutant("ruling:K7", REPORT, "whole_prompt(record.header.question)", "record.header.question.text", WHOLE),
    Mutant("ruling:K7", REPORT, '        "response.txt"', '        "answer.txt"', WHOLE),
    Mutant("ruling:K8", WORDS, "{lead}{id_}: {graph.text(id_)}", "{lead}{id_}", WHOLE),
    Mutant("ruling:K8", WORDS, "        said.add((graph.name, id_))\n", "", WHOLE),
    Mutant("ruling:K8", PROMPTS, "scores=score_table(values, graphs)", "scores=graphs[-1].texts", WHOLE),
    Mutant("ruling:K9", FORM, "        if problem := _unsaid(words, asked):", '        if problem := "":', FORMS),
    Mutant("ruling:K9", FORM, 'return ("", f"open organisation: {problem}")', 'return (words, "")', FORMS),
    Mutant("ruling:K9", FORM, '_folded(f"{question.text}\\n{question.form}")', "_folded(str(question))", FORMS),
    Mutant("ruling:K9", FORM, "<= length + BESIDE_A_NAME", "", FORMS),
    Mutant("ruling:K9", SCHEMAS, "**({} if columns else", "**({} if False else", FORMS),
    Mutant("ruling:K10", PROMPTS, "shown = [traces, _prompt_to_read", "shown = [_prompt_to_read", WHOLE),
    Mutant("ruling:K10", PROMPTS, "graphs=graphs_in_words(shown))", "graphs=graphs_in_words(rows))", WHOLE),
    Mutant("ruling:K10", PROTOCOL, "if unfolded.seen < total:", "if False:", WHOLE),
    Mutant("ruling:K10", WORDS, " or graph.ids[there] not in shown", "", WHOLE),
)
