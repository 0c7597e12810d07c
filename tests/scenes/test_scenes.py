"""Every protocol, and one from outside: the right status, stop reason, `missing` and exit code for whoever fails."""

import pytest

from moot.cli.session import exit_code
from moot.core.verdict import Verdict
from moot.protocols import PROTOCOLS
from tests.scenes.stage import STAGES
from tests.scenes.table import SCENES, Scene


@pytest.mark.clause("ruling:G2", "ruling:G8", "ruling:G9")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: f"{scene.protocol}: {scene.what}")
def test_a_run_is_called_what_it_is(scene: Scene) -> None:
    result = STAGES[scene.protocol].play(scene.acts, scene.seats, scene.budget, **scene.settings)

    verdict = result.record.verdict
    assert (result.status.value, exit_code(result)) == scene.ends
    if verdict is None:
        assert result.waiting and scene.stopped in result.json()["stop_reason"]
        return
    assert f"{verdict.answered} of {verdict.asked}" == scene.answered
    assert scene.stopped in verdict.stop_reason
    assert _who_is_missing(verdict) == dict(scene.missing)
    assert (verdict.answer is None) == (scene.ends[1] == 1)


def test_every_protocol_has_its_scenes_and_there_are_forty_of_them_at_least() -> None:
    assert {scene.protocol for scene in SCENES} >= {*PROTOCOLS, "council"}
    assert len(SCENES) >= 40
    assert len({(scene.protocol, scene.what) for scene in SCENES}) == len(SCENES)


def _who_is_missing(verdict: Verdict) -> dict[str, str]:
    return {item.seat: item.reason for item in verdict.missing}
