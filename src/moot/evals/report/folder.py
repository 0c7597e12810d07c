"""The summary of a folder of results: the same rows as text and pictures."""

from dataclasses import replace
from pathlib import Path

from moot.core.errors import ExtraMissing
from moot.evals.figures.forms import FORMS_BESIDE, read_form_rows
from moot.evals.figures.goals import ScreenCost
from moot.evals.figures.screen import cost_of_screen, read_rows
from moot.evals.report.markdown import summary_markdown
from moot.evals.report.plots import plots
from moot.evals.report.summary import EvalSummary, summarise
from moot.evals.runs.harness import Finished
from moot.evals.runs.results import SUMMARY, RunInfo

PLOTS = "plots"


def summary_of(done: Finished) -> EvalSummary:
    """Return the figures of an evaluation as far as it has come."""
    return summarise(
        done.rows,
        arms=tuple(done.info.arms),
        planned=done.info.items,
        problems=done.problems,
        facts=run_facts(done.info),
        screen=screen_cost(done.info.screen),
    )


def summary_text(done: Finished) -> str:
    """Return the summary in Markdown."""
    return summary_markdown(summary_of(done), title=_title(done.info))


def write_summary(done: Finished) -> None:
    """Write the summary and its plots into the folder of the results; without matplotlib the summary says so."""
    summary, pictures = summary_of(done), list[tuple[str, str]]()
    try:
        for plot in plots(summary):
            address = f"{PLOTS}/{plot.name}.svg"
            _write(done.folder / address, plot.image)
            pictures.append((plot.caption, address))
    except ExtraMissing as missing:
        summary = replace(summary, problems=(*summary.problems, f"no plots were drawn: {missing}"))
    text = summary_markdown(summary, title=_title(done.info), plots=pictures)
    _write(done.folder / SUMMARY, text.encode("utf-8"))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def run_facts(info: RunInfo) -> dict[str, str]:
    """Return what was run, on what, with whom and when, as it should be printed."""
    limit = f", the first {info.limit}" if info.limit else ""
    facts = {
        "command": info.command,
        "started": info.started,
        "items": f"{info.items} of {info.dataset}{limit} (sha256 {info.digest[:12]}…)",
        "members": ", ".join(info.members),
        "frontier": info.frontier or "",
        "settings": ", ".join(f"{name}={value}" for name, value in info.settings.items()),
        "settings of moot.toml": ", ".join(
            f"{protocol}.{name}={value}" for protocol, own in info.defaults.items() for name, value in own.items()
        ),
        "calls an item at most": str(info.calls_per_item or "as each arm has it"),
        "seed": str(info.seed),
        "Moot": f"{info.moot}, Python {info.python}",
        "arms": ", ".join(f"{arm} {version}" for arm, version in info.arms.items()),
    }
    return {name: value for name, value in facts.items() if value}


def screen_cost(file: str) -> ScreenCost | None:
    """Return what the screen cost that belongs to a run, for goal G1; None where there is none."""
    rows = read_rows(Path(file)) if file else []
    return cost_of_screen(rows, read_form_rows(Path(f"{file}{FORMS_BESIDE}"))) if rows else None


def _title(info: RunInfo) -> str:
    return f"Evaluation on {info.dataset}"
