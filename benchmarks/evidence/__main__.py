"""`python -m benchmarks.evidence plan|run|tables`: fix the plan, sample and read, compute the tables."""

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path

from benchmarks.evidence.items import data_folder
from benchmarks.evidence.page import written_results
from benchmarks.evidence.plan import MEMBER, amended, check_agrees, check_asked, read_plan, write_plan
from benchmarks.evidence.planning import Sources, invented, planned
from benchmarks.evidence.rows import Rows
from benchmarks.evidence.running import Wanted, Watch, run

from moot.core.errors import MootError, UsageError
from moot.evals.runs.harness import Access

HERE = Path(__file__).parent
ROWS = "rows.jsonl"
RECORD, INVENTED = Path("build/evidence"), Path("build/evidence-invented")
"""The record holds texts of the data sets, so it lies where nothing is committed."""


def main() -> int:
    """Do what the command says; return 0 where it is done, 3 where some of it is left for later."""
    given = parsed()
    try:
        match given.command:
            case "plan":
                return plan(given)
            case "run":
                return carried_out(given)
            case _:
                return tables(given)
    except MootError as error:
        print(f"evidence: {error}", file=sys.stderr)
        return 2


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    each = {name: commands.add_parser(name) for name in ("plan", "run", "tables")}
    for command in each.values():
        command.add_argument("--at", type=Path, help="where plan, rows and results are; beside this code by default")
        command.add_argument("--invented", action="store_true", help="a dry run over items that come with it")
        command.add_argument("--member", default=MEMBER, help="who is asked in a dry run")
    each["run"].add_argument("--record", type=Path, help=f"where the record is; {RECORD} by default")
    each["run"].add_argument("--stage", action="append", default=[], help="this stage alone; may be repeated")
    each["run"].add_argument("--minutes", type=float, help="stop after the item that passes so many minutes")
    each["run"].add_argument("--reread", action="store_true", help="read all replies again by today's rules")
    each["tables"].add_argument("--page", type=Path, help="the page between whose marks the tables go")
    return parser.parse_args()


def place(given: argparse.Namespace) -> Path:
    return given.at or (INVENTED if given.invented else HERE)


def sources(given: argparse.Namespace) -> Sources:
    return invented(given.member) if given.invented else Sources(data_folder())


def today() -> str:
    return time.strftime("%Y-%m-%d")


def plan(given: argparse.Namespace) -> int:
    folder = place(given)
    if rows := Rows(folder / ROWS).read():
        raise UsageError(
            f"{len(rows)} rows were sampled by the plan in {folder}, so it stays; `run --reread` amends its rules, and "
            "--at begins in another folder."
        )
    made = planned(sources(given), date=today())
    write_plan(folder, made)
    told = ", ".join(f"{stage.name} {len(stage.items)}" for stage in made.stages)
    print(f"{folder}/plan.json: {told} items; {len(made.prompts)} prompts and {len(made.rules)} rules by digest")
    return 0


def carried_out(given: argparse.Namespace) -> int:
    folder, wanted = place(given), Wanted(tuple(given.stage), given.minutes, given.reread)
    rows, fixed, whence = Rows(folder / ROWS), read_plan(folder), sources(given)
    now = planned(whence, date=today())
    if wanted.reread:
        check_asked(fixed, now)
        fixed = amended(fixed, now, rows=len(rows.read()), date=today())
    else:
        check_agrees(fixed, now)
    record = given.record or (INVENTED if given.invented else RECORD)
    watch = Watch(told=lambda line: print(line, file=sys.stderr, flush=True))
    done = asyncio.run(run(fixed, whence.items(), rows, record, Access(os.environ), wanted, watch))
    if wanted.reread:
        # Only what was read again was read by today's rules.
        write_plan(folder, fixed)
    return 0 if done else 3


def tables(given: argparse.Namespace) -> int:
    folder = place(given)
    page = given.page or (folder / "results.md" if given.invented else HERE.parents[1] / "docs" / "results.md")
    told = written_results(read_plan(folder), Rows(folder / ROWS).read(), page, folder / "results.json")
    print(f"{page}: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
