"""What other packages bring works like Moot's own, and what is broken costs nothing else."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from moot import Result, ask_sync, resume
from moot.core.errors import (
    BadMember,
    BadReference,
    BadSetting,
    PluginBroken,
    PluginChanged,
    PluginClash,
    ProtocolNotInstalled,
    UnknownProtocol,
)
from moot.core.question import Question
from moot.evals.arms.table import all_arms, chosen_arms
from moot.evals.items.datasets import load
from moot.gateway.members import parse_member
from moot.gateway.providers import find_provider
from moot.methods.offering import further_oracles, oracle_origins
from moot.oracles import claim_checks, consult, judged
from moot.protocols import BroughtProtocols, find_protocol, import_protocol, protocol_names
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.testing import scripted
from tests.plugins.kit import ECHO, ENTRIES, MODULES, install, write_package
from tests.protocols.spiral.kit import OPPOSED, Member, panel_of, position


@pytest.fixture(autouse=True)
def _no_module_is_left() -> Iterator[None]:
    yield
    for name in [name for name in sys.modules if name in MODULES or name.startswith(("moot_file_", "broken_package"))]:
        del sys.modules[name]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {"MOOT_HOME": str(tmp_path / "home"), "MOOT_CONFIG": "none"}


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_package(tmp_path / "site")
    install(folder, monkeypatch)
    return folder


# Protocols


@pytest.mark.usefixtures("parts")
def test_an_installed_protocol_is_asked_by_its_name(home: dict[str, str]) -> None:
    result = ask_sync("hello", protocol="echo", members="scripted:a", models={"scripted:a": said()}, environ=home)

    assert (result.answer, result.status.value) == ("hello back", "complete")


def said(words: str = "hello back") -> Any:
    return scripted({"echo": words})


@pytest.mark.usefixtures("parts")
def test_the_record_says_which_package_in_which_version_brought_the_protocol(home: dict[str, str]) -> None:
    result = ask_sync("hello", protocol="echo", members="scripted:a", models={"scripted:a": said()}, environ=home)

    assert result.record.header.data == {"protocol echo": "moot-parts 1.0"}


@pytest.mark.usefixtures("parts")
def test_an_installed_protocol_is_listed_and_not_loaded() -> None:
    assert "echo" in protocol_names()
    assert "echo_package" not in sys.modules


@pytest.mark.usefixtures("parts")
def test_an_installed_protocol_is_an_arm_of_evaluations() -> None:
    assert all_arms()["echo"].row.name == "echo"
    assert list(chosen_arms(["echo"])) == ["echo"]


def test_a_broken_protocol_is_named_and_costs_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {"moot.protocols": {"echo": "echo_package:ECHO", "broken": "broken_package:NAME"}}
    modules = {"echo_package": ECHO, "broken_package": "import nothing_of_this_name"}
    install(write_package(tmp_path, entries=entries, modules=modules), monkeypatch)

    with pytest.raises(PluginBroken, match=r"the protocol 'broken' of moot-parts 1.0 .*nothing_of_this_name"):
        find_protocol("broken")

    assert find_protocol("echo").name == "echo"
    assert find_protocol("vote").origin == ""
    assert "broken" not in all_arms()
    with pytest.raises(PluginBroken):
        chosen_arms(["broken"])


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("NAME = 3", "is a int and no ProtocolSpec"),
        ("from moot.protocols.vote.protocol import VOTE as NAME", "calls itself 'vote'"),
        ("raise SystemError('at import')", "SystemError: at import"),
        ("other = 3", "AttributeError"),
    ],
)
def test_what_is_no_protocol_is_refused_with_the_reason(
    source: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {"moot.protocols": {"mine": "broken_package:NAME"}}
    install(write_package(tmp_path, entries=entries, modules={"broken_package": source}), monkeypatch)

    with pytest.raises(PluginBroken, match=problem):
        find_protocol("mine")


def test_a_name_that_two_packages_bring_is_refused_with_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(write_package(tmp_path / "a", "first-package"), monkeypatch)
    install(write_package(tmp_path / "b", "second-package"), monkeypatch)

    with pytest.raises(PluginClash, match=r"first-package 1.0 and by second-package 1.0"):
        find_protocol("echo")


def test_nothing_that_is_installed_takes_a_name_of_moots_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(write_package(tmp_path, entries={"moot.protocols": {"vote": "echo_package:ECHO"}}), monkeypatch)

    assert find_protocol("vote").summary.startswith("independent runs")


@pytest.mark.usefixtures("parts")
def test_an_unknown_protocol_is_answered_with_the_installed_ones_too() -> None:
    with pytest.raises(UnknownProtocol, match="echo"):
        find_protocol("eco")


# A protocol from a file, or from a module


def test_a_file_with_one_protocol_needs_no_name(tmp_path: Path, home: dict[str, str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(ECHO, encoding="utf-8")

    result = ask_sync("hello", protocol=str(file), members="scripted:a", models={"scripted:a": said()}, environ=home)

    assert result.answer == "hello back"
    assert result.record.header.data["protocol echo"].startswith("mine.py sha256 ")
    assert str(tmp_path) not in str(result.record.header)


@pytest.mark.usefixtures("parts")
def test_a_module_and_a_name_bring_a_protocol() -> None:
    spec = import_protocol("echo_package:ECHO")

    assert spec.name == "echo"
    assert spec.origin.startswith(("moot-parts 1.0", "echo_package.py sha256"))


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        ("nowhere.py", "there is no file nowhere.py"),
        ("no_such_package.module:NAME", "No module named 'no_such_package'"),
        ("moot.protocols.vote.protocol:NAME", "it holds no ProtocolSpec NAME, but VOTE"),
        ("moot.core.verdict:Verdict", "it holds no ProtocolSpec"),
        ("moot.protocols.vote.protocol:VOTE", "Moot has a protocol of this name"),
    ],
)
def test_a_reference_that_names_no_protocol_says_why(reference: str, problem: str) -> None:
    with pytest.raises((BadReference, PluginBroken), match=problem):
        import_protocol(reference)


def test_a_file_with_two_protocols_asks_for_a_name(tmp_path: Path) -> None:
    file = tmp_path / "two.py"
    file.write_text(f"{ECHO}\nfrom dataclasses import replace\nOTHER = replace(ECHO, name='other')\n", encoding="utf-8")

    with pytest.raises(BadReference, match="several: name one of ECHO, OTHER"):
        import_protocol(str(file))

    assert import_protocol(f"{file}:OTHER").name == "other"


def test_a_caller_over_the_network_cannot_have_a_module_imported() -> None:
    with pytest.raises(UnknownProtocol):
        find_protocol("moot.protocols.vote.protocol:VOTE")


# Going on


def stopped(home: dict[str, str], **options: Any) -> str:
    """A run that was begun and not gone on with."""

    async def begin() -> str:
        models = {"scripted:a": said()}
        brought = BroughtProtocols(*([import_protocol(options["protocol"])] if options else []))
        async with open_service(home, models=models, protocols=brought) as service:
            order = Order(Question(text="hello"), "echo", ("scripted:a",))
            return await service.start(await service.planner.plan(order))

    return asyncio.run(begin())


def go_on(deliberation: str, home: dict[str, str], **options: Any) -> Result:
    return asyncio.run(resume(deliberation, models={"scripted:a": said()}, environ=home, **options))


@pytest.mark.usefixtures("parts")
def test_a_run_goes_on_with_the_plugin_that_began_it(home: dict[str, str]) -> None:
    assert go_on(stopped(home), home).answer == "hello back"


def test_a_run_does_not_go_on_with_another_version_of_its_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: dict[str, str]
) -> None:
    with monkeypatch.context() as before:
        install(write_package(tmp_path / "old"), before)
        begun = stopped(home)
    install(write_package(tmp_path / "new", version="1.1"), monkeypatch)

    with pytest.raises(PluginChanged, match=r"used protocol echo of moot-parts 1.0, and here it is moot-parts 1.1"):
        go_on(begun, home)


def test_a_run_whose_plugin_is_gone_names_the_package_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: dict[str, str]
) -> None:
    with monkeypatch.context() as before:
        install(write_package(tmp_path / "old"), before)
        begun = stopped(home)

    with pytest.raises(ProtocolNotInstalled, match=r"the protocol echo of moot-parts 1.0, which is not installed here"):
        go_on(begun, home)


def test_a_run_of_a_file_goes_on_with_the_same_file_alone(tmp_path: Path, home: dict[str, str]) -> None:
    file, other = tmp_path / "mine.py", tmp_path / "other.py"
    file.write_text(ECHO, encoding="utf-8")
    other.write_text(f"{ECHO}# and more\n", encoding="utf-8")
    begun = stopped(home, protocol=str(file))

    with pytest.raises(PluginChanged, match=r"used protocol echo of mine\.py"):
        go_on(begun, home, protocol=str(other))

    assert go_on(begun, home, protocol=str(file)).answer == "hello back"


# Providers


@pytest.mark.usefixtures("parts")
def test_an_installed_provider_answers_under_its_own_name(home: dict[str, str]) -> None:
    result = ask_sync("hello", protocol="echo", members="parrot:polly", environ=home)

    assert result.answer == "polly wants a cracker"
    assert result.record.header.panel[0].model == "parrot:polly"
    assert result.record.header.backends["provider parrot"] == "moot-parts 1.0"


def test_a_run_does_not_go_on_with_another_version_of_the_plugin_that_brings_a_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: dict[str, str]
) -> None:
    async def begin() -> str:
        async with open_service(home) as service:
            plan = await service.planner.plan(Order(Question(text="hello"), "single", ("parrot:polly",)))
            return await service.start(plan)

    with monkeypatch.context() as before:
        install(write_package(tmp_path / "old"), before)
        begun = asyncio.run(begin())
    install(write_package(tmp_path / "new", version="1.1"), monkeypatch)

    with pytest.raises(PluginChanged, match=r"used provider parrot of moot-parts 1.0, and here it is moot-parts 1.1"):
        go_on(begun, home)


@pytest.mark.usefixtures("parts")
@pytest.mark.parametrize(
    ("model", "why"),
    [
        ("dead", "moot-parts 1.0 failed with OSError: the parrot is no more"),
        ("odd", "moot-parts 1.0 gave a str and no Completion or Failure"),
    ],
)
def test_a_model_of_a_plugin_that_fails_is_missing_and_the_others_go_on(
    model: str, why: str, home: dict[str, str]
) -> None:
    position = {"reasoning": "r", "answer": "yes", "claims": []}
    judge = {"reasoning": "", "a_to_b": "entails", "b_to_a": "entails", "same": [], "contradicting": []}
    well = scripted({"exposition/*": position, "judge/*": judge})

    result = ask_sync(
        "Is it?",
        protocol="spiral",
        members=["scripted:a", "scripted:a", f"parrot:{model}"],
        models={"scripted:a": well},
        environ=home,
    )

    assert result.answer == "yes"
    assert [(item.seat, item.reason, item.detail) for item in result.missing][:1] == [("m3", "unreachable", why)]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("Provider(name='other')", "calls itself 'other'"),
        ("Provider(name='parrot')", "base_url is empty"),
        ("Provider(name='parrot', kind='python')", "no `build`"),
        ("Provider(name='parrot', kind='replay')", "brings `http` or `python`"),
    ],
)
def test_a_provider_that_cannot_be_used_is_named(
    row: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules = {"parrot_package": f"from moot.provider import Provider\nPARROT = {row}"}
    entries = {"moot.providers": ENTRIES["moot.providers"]}
    install(write_package(tmp_path, entries=entries, modules=modules), monkeypatch)

    with pytest.raises(PluginBroken, match=problem):
        parse_member("parrot:polly")

    assert find_provider("openai") is not None


def test_a_model_that_lacks_a_part_of_one_is_refused_before_anybody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: dict[str, str]
) -> None:
    source = "from moot.provider import Provider\nPARROT = Provider(name='parrot', kind='python', build=lambda m, e: 3)"
    entries = {"moot.providers": ENTRIES["moot.providers"]}
    install(write_package(tmp_path / "site", entries=entries, modules={"parrot_package": source}), monkeypatch)

    with pytest.raises(BadMember, match=r"moot-parts 1\.0 could not make it \(AttributeError: .*'context'"):
        ask_sync("?", protocol="single", members="parrot:polly", environ=home)


@pytest.mark.usefixtures("parts")
def test_a_member_that_is_misspelt_is_answered_with_the_installed_providers() -> None:
    with pytest.raises(BadMember, match="did you mean parrot"):
        parse_member("parot:polly")


def test_a_model_of_ones_own_may_go_by_any_name(home: dict[str, str]) -> None:
    answer = {"reasoning": "r", "answer": "42", "confidence": 0.9}

    result = ask_sync(
        "?", protocol="single", members="bedrock:claude", models={"bedrock:claude": scripted([answer])}, environ=home
    )

    assert result.answer == "42"
    assert result.record.header.panel[0].model == "bedrock:claude"


# Oracles


@pytest.mark.usefixtures("parts")
def test_an_installed_oracle_reads_and_decides_where_it_is_offered() -> None:
    further = further_oracles(["rhyme"])

    assert judged("station rhymes with nation", further).verdict == "true"
    assert judged("station rhymes with nation").verdict == "not decided"
    assert consult({"kind": "rhyme", "first": "cat", "second": "dog"}, further).verdict == "false"
    assert consult({"kind": "rhyme", "first": "cat", "second": "dog"}).verdict == "not computable"
    assert oracle_origins(["rhyme"]) == {"oracle rhyme": "moot-parts 1.0"}


@pytest.mark.usefixtures("parts")
def test_an_oracle_that_fails_has_computed_nothing() -> None:
    further = further_oracles(["rhyme"])

    assert consult({"kind": "rhyme", "first": "crash", "second": "smash"}, further).limit.endswith("RuntimeError")
    assert consult({"kind": "rhyme", "first": "ab", "second": "cd"}, further).limit.startswith("rhyme takes words")
    assert consult({"kind": "rhyme", "first": "cat"}, further).limit == "a check needs second: Field required"


@pytest.mark.usefixtures("parts")
def test_an_oracle_that_fails_as_it_reads_is_named_and_nothing_of_that_text_is_judged() -> None:
    further = further_oracles(["rhyme"])
    alone, beside = judged("stumble rhymes with fumble", further), judged("2 + 2 = 5. stumble over it", further)

    assert (alone.verdict, beside.verdict) == ("not decided", "not decided")
    assert alone.how == beside.how == "the oracle rhyme failed with KeyError as it read this"
    assert judged("2 + 2 = 5", further).verdict == "false"
    assert judged("cat rhymes with hat", further).verdict == "false"


@pytest.mark.usefixtures("parts")
def test_moots_own_oracles_read_first() -> None:
    assert [type(check).__name__ for check in claim_checks("2 + 2 = 4", further_oracles(["rhyme"]))] == ["Arithmetic"]


@pytest.mark.usefixtures("parts")
def test_a_spiral_offers_an_installed_oracle_only_where_its_setting_names_it(home: dict[str, str]) -> None:
    alone, named = spiral(home), spiral(home, oracles="rhyme")

    assert "rhyme" not in prompts_of(alone)
    assert "whether two words rhyme" in prompts_of(named)
    assert named[0].record.header.data["oracle rhyme"] == "moot-parts 1.0"
    assert named[0].record.header.settings["oracles"] == ["rhyme"]
    assert [item["verdict"] for item in findings(named[0]) if item["oracle"] == "rhyme"] == ["false"] * 2


def spiral(home: dict[str, str], **settings: Any) -> tuple[Result, list[Any]]:
    check = {"kind": "rhyme", "first": "cat", "second": "dog"}
    sides = [Member(position(side), checks=[check]) for side in ("They rhyme", "They do not rhyme")]
    answer = panel_of(*sides, judge=lambda _: OPPOSED)
    models = {"scripted:a": scripted(answer), "scripted:b": scripted(answer)}
    result = ask_sync(
        "Do cat and dog rhyme?",
        protocol="spiral",
        members=["scripted:a", "scripted:b"],
        models=models,
        settings=settings,
        environ=home,
    )
    return result, [request for model in models.values() for request in model.requests]


def prompts_of(run: tuple[Result, list[Any]]) -> str:
    return "\n".join(message.content for request in run[1] for message in request.messages if message.role == "system")


def findings(result: Result) -> list[Any]:
    return [item["finding"] for item in result.detail["oracles"]]


def test_an_oracle_that_is_not_installed_is_refused_before_anybody_is_asked(home: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match="no installed package brings an oracle 'rhyme'; installed are none"):
        spiral(home, oracles="rhyme")


# Datasets


@pytest.mark.usefixtures("parts")
def test_an_installed_dataset_is_loaded_by_its_name_and_its_wrong_items_are_named() -> None:
    dataset = load("riddles")

    assert [(item.id, item.answer) for item in dataset.items] == [("r1", "hello"), ("r2", "bye")]
    assert [str(problem) for problem in dataset.problems] == [
        "riddles, item 3: is no object of names and values",
        "riddles, item 4: field 'kind' is missing",
    ]
    assert [item.id for item in load("riddles", limit=1).items] == ["r1"]


def test_a_dataset_that_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {"riddle_package": "def riddles():\n    raise OSError('no disk')"}
    entries = {"moot.datasets": ENTRIES["moot.datasets"]}
    install(write_package(tmp_path, entries=entries, modules=modules), monkeypatch)

    with pytest.raises(PluginBroken, match=r"the dataset 'riddles' of moot-parts 1\.0 .*no disk"):
        load("riddles")
