"""The grounded labelling against outside results and long chains (interrogation 3.5)."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from moot.argument.semantics import IN, OUT, UNDECIDED, grounded_labels


def grounded_cases():
    path = Path(os.environ.get("MOOT_DATA", "")) / "dung_grounded.jsonl"
    return path.read_text(encoding="utf-8").splitlines() if os.environ.get("MOOT_DATA") and path.exists() else []


@pytest.mark.clause("argument:3.5.surviving")
@pytest.mark.skipif(not grounded_cases(), reason="MOOT_DATA names no folder with dung_grounded.jsonl")
def test_the_grounded_extensions_of_public_graphs_are_equal():
    for line in grounded_cases():
        case = json.loads(line)
        number = {name: at for at, name in enumerate(case["arguments"])}
        attacks = np.array([[number[a], number[b]] for a, b in case["attacks"]], np.int64).reshape(-1, 2)

        labels = grounded_labels(len(number), attacks[:, 0], attacks[:, 1])

        assert {name for name, at in number.items() if labels[at] == IN} == set(case["grounded"]), case["id"]
        assert (labels == OUT).sum() == case["n_out"] and (labels == UNDECIDED).sum() == case["n_undecided"]


@pytest.mark.clause("argument:3.5.surviving")
def test_a_long_chain_of_attacks_alternates():
    size = 5_000
    chain = np.arange(size - 1)

    labels = grounded_labels(size, chain, chain + 1)

    assert labels.tolist() == [IN, OUT] * (size // 2)


@pytest.mark.clause("argument:3.5.surviving")
def test_a_claim_that_attacks_itself_is_undecided():
    assert grounded_labels(1, np.array([0]), np.array([0])).tolist() == [UNDECIDED]
