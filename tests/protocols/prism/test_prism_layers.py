"""The layer tables: those of the paper and its small sister, and what is wrong with one of a user's own."""

import json

import pytest

from moot.core.errors import BadDataFile
from moot.protocols.prism.layers import PRISM_V1, SOLO, TableFile, table_of, table_text

MINE = """
name = "quick"

[[layers]]
number = 1
name = "Look"
shape = "evidence"
work = { supporter = 1, counter = 1 }
consensus = 1
threshold = 0.6

[[layers]]
number = 2
name = "Decide"
shape = "synthesis"
consensus = 2
threshold = 0.75
"""


def file(text: str, name: str = "mine.toml") -> TableFile:
    return TableFile(path=name, texts={name: text})


def as_json(**changed) -> TableFile:
    layer = {"number": 1, "name": "Decide", "shape": "synthesis", "consensus": 1, "threshold": 0.5}
    return file(json.dumps({"name": "mine", "layers": [layer], **changed}), "mine.json")


@pytest.mark.clause("prism:table")
def test_prism_v1_is_the_table_of_the_paper() -> None:
    rows = [(row.number, row.name, dict(row.work), row.consensus, row.threshold) for row in PRISM_V1.layers]

    assert rows == [
        (1, "Framing", {"contributor": 2}, 2, 0.7),
        (2, "Classification", {"critic": 2}, 2, 0.7),
        (3, "Evidence", {"supporter": 2, "counter": 1}, 2, 0.7),
        (4, "Critique", {"critic": 2, "questioner": 1}, 2, 0.7),
        (5, "Defense", {"defender": 1, "answerer": 1}, 2, 0.7),
        (6, "Deliberation", {"critic": 2, "questioner": 2, "supporter": 1, "counter": 1}, 3, 0.7),
        (7, "Synthesis", {}, 3, 0.7),
    ]
    assert PRISM_V1.layers[5].slots == 9


@pytest.mark.clause("ruling:P7")
def test_prism_v1_solo_has_one_work_and_one_consensus_slot_a_layer() -> None:
    assert [row.name for row in SOLO.layers] == [row.name for row in PRISM_V1.layers]
    assert [(len(row.roles), row.consensus, row.threshold) for row in SOLO.layers] == [(1, 1, 0.5)] * 6 + [(0, 1, 0.5)]


@pytest.mark.clause("ruling:P7")
def test_a_table_of_the_user_s_own_is_read_from_toml_or_json() -> None:
    table = table_of(file(MINE))

    again = table_of(file(table.model_dump_json(), "mine.JSON"))

    assert [layer.roles for layer in table.layers] == [("supporter", "counter"), ()]
    assert again == table
    assert table_text(file(MINE)) == {"mine.toml": MINE}
    assert table_of("prism-v1") is PRISM_V1


@pytest.mark.clause("ruling:P7")
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (MINE.replace("number = 2", "number = 3"), "layers: layer 2 is missing: 3 stands in its place"),
        (MINE.replace("counter = 1", "wizard = 1"), "layers.1.work.wizard: Input should be 'contributor'"),
        (MINE.replace("counter = 1", "counter = 0"), "layers.1.work.counter: "),
        (MINE.replace("0.75", "1.75"), "layers.2.threshold: Input should be less than or equal to 1, not '1.75'"),
        (MINE.replace("0.75", '"high"'), "layers.2.threshold: Input should be a valid number, not 'high'"),
        (MINE.replace("consensus = 2", "consensus = true"), "layers.2.consensus: "),
        (MINE.replace("consensus = 2", ""), "layers.2.consensus: Field required"),
        (MINE.replace('"synthesis"', '"evidence"'), "layers: the last layer, and no other"),
        (MINE.replace('"evidence"', '"synthesis"'), "layers: the last layer, and no other"),
        (MINE.replace('"evidence"', '"guess"'), "layers.1.shape: Input should be 'framing'"),
        (MINE.replace('"quick"', '"prism-v1"'), "name: 'prism-v1' comes with Moot"),
        (MINE.replace('"quick"', '"Not A Slug"'), "name: "),
        (MINE + "\ncolour = 1", "layers.2.colour: Extra inputs are not permitted"),
        ("name = ", "it is no TOML: "),
        ('name = "x"\nlayers = []', "layers: a table has 1 to 20 layers, and this one has 0"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_by_its_field(wrong, said) -> None:
    with pytest.raises(BadDataFile) as raised:
        table_of(file(wrong))

    assert f"mine.toml: {said}" in str(raised.value)
    assert "after validation" not in str(raised.value)


def test_what_is_no_json_or_two_files_is_told_too() -> None:
    for wrong, said in (
        (file("{", "mine.json"), "mine.json: it is no JSON: "),
        (file("[" * 100_000, "mine.json"), "mine.json: it is nested too deeply"),
        (as_json(layers="none"), "mine.json: layers: "),
        (TableFile(path="folder", texts={"a.toml": "", "b.toml": ""}), "folder: it holds 2 tables"),
    ):
        with pytest.raises(BadDataFile) as raised:
            table_of(wrong)

        assert said in str(raised.value)
