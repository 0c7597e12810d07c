"""Evaluations over HTTP: listed, in figures, row by row; for reviewers, and by their names alone."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.web.evals_kit import RIGHT, eval_row, every_row, keep_run
from tests.web.kit import Site, at_site, environ


def answered(tmp_path: Path, *paths: str, as_: str = "reviewer") -> list[Any]:
    async def scene(site: Site) -> list[Any]:
        return [(await site.get(path, as_)).json() for path in paths]

    return at_site(tmp_path, scene)


def test_runs_are_listed_page_by_page_the_latest_first_and_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    for day in (1, 2, 3):
        keep_run(tmp_path, f"run-{day}", started=f"2026-11-0{day}T00:00:00+00:00")
    (keep_run(tmp_path, "broken").folder / "run.json").write_text("{")

    async def scene(site: Site) -> list[dict[str, Any]]:
        first = (await site.get("/evals?limit=2")).json()
        return [first, (await site.get(f"/evals?limit=2&cursor={first['next']}")).json()]

    first, second = at_site(tmp_path, scene)

    assert [run["name"] for page in (first, second) for run in page["items"]] == ["run-3", "run-2", "run-1"]
    assert second["next"] is None and "is no JSON" in first["unreadable"]["broken"]
    assert str(tmp_path) not in first["unreadable"]["broken"]
    assert first["items"][0] | {"name": ""} == {
        "name": "",
        "dataset": "apples",
        "items": 10,
        "arms": list(RIGHT),
        "members": ["scripted:a", "scripted:a"],
        "started": "2026-11-03T00:00:00+00:00",
        "answered": 40,
        "planned": 40,
        "calls": 40,
        "usd": 0.0,
        "usd_unknown": 0,
    }


def test_a_run_has_the_figures_of_the_command_line_and_the_sentence_first(tmp_path: Path) -> None:
    keep_run(tmp_path)

    [run] = answered(tmp_path, "/evals/first")

    assert run["finding"].startswith("10 items do not tell any two arms apart")
    assert run["figures"]["self-consistency"]["all_items"]["right"] == 6
    assert {goal["name"] for goal in run["goals"]} == {"G1", "G2", "G3", "G4", "G5"}
    assert [(one["arm"], one["p"]) for one in run["comparisons"] if one["against"] == "self-consistency"] == [
        ("revisit", 0.5),
        ("interrogation", 0.5),
    ]
    assert run["problems"] == []


def test_rows_come_in_pages_and_by_arm_item_and_outcome(tmp_path: Path) -> None:
    keep_run(tmp_path)

    async def scene(site: Site) -> tuple[list[Any], list[Any]]:
        seen, cursor = [], ""
        while cursor is not None:
            page = (await site.get(f"/evals/first/rows?limit=7{f'&cursor={cursor}' if cursor else ''}")).json()
            seen, cursor = [*seen, *page["items"]], page["next"]
        failed = (await site.get("/evals/first/rows?arm=revisit&outcome=failed&item=q9")).json()["items"]
        return seen, failed

    seen, failed = at_site(tmp_path, scene)

    assert len({(row["arm"], row["item"]) for row in seen}) == len(seen) == 40
    assert Counter(row["outcome"] for row in seen) == {"right": 19, "wrong": 19, "abstained": 1, "failed": 1}
    assert [(row["answer"], row["problem"]) for row in failed] == [(None, "the member answers nothing")]


def test_rows_that_another_process_adds_are_there_at_the_next_request(tmp_path: Path) -> None:
    results = keep_run(tmp_path, rows=every_row()[:3])

    async def scene(site: Site) -> list[int]:
        counts = [(await site.get("/evals/first")).json()["answered"]]
        results.end(eval_row("revisit", 9, "w"))
        return [*counts, (await site.get("/evals/first")).json()["answered"]]

    assert at_site(tmp_path, scene) == [3, 4]


@pytest.mark.parametrize("name", ["..", "%2e%2e", "..%2fevals%2ffirst", "first%2farms", "first%00", "%2e", "~"])
def test_a_path_is_no_name_of_a_run(tmp_path: Path, name: str) -> None:
    keep_run(tmp_path)

    async def scene(site: Site) -> list[int]:
        paths = (f"/evals/{name}", f"/evals/{name}/rows")
        return [(await site.get(path)).status_code for path in paths]

    statuses = at_site(tmp_path, scene)

    assert set(statuses) <= {404, 200} and statuses[1] == 404
    assert statuses[0] == 404 or name in ("..", "%2e%2e", "%2e")


def test_a_run_that_cannot_be_read_is_a_problem_with_its_code(tmp_path: Path) -> None:
    (keep_run(tmp_path).folder / "run.json").write_text("{")

    [told] = answered(tmp_path, "/evals/first")

    assert told["code"] == "bad_evaluation" and "put its folder right" in told["detail"]


def test_another_folder_of_evaluations_is_chosen_by_the_environment(tmp_path: Path) -> None:
    keep_run(tmp_path / "elsewhere")

    async def scene(site: Site) -> list[str]:
        return [run["name"] for run in (await site.get("/evals")).json()["items"]]

    chosen = environ(tmp_path, evals=str(tmp_path / "elsewhere" / "evals"))
    assert at_site(tmp_path, scene) == []
    assert at_site(tmp_path, scene, environ_=chosen) == ["first"]
