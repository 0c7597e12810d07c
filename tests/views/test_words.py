"""Figures and states in words."""

from moot.views.words import note_words


def test_a_note_is_told_in_words_and_its_lists_are_counted() -> None:
    note = {"after": "1", "harmony": 0.5, "pairs": [{"first": "m1"}, {"first": "m2"}], "accepted_by": ["m1", "m3"]}

    assert note_words({**note, "moved": []}) == "after 1, harmony 0.5, pairs (2), accepted by m1; m3"
    assert note_words("nothing\nmore") == "nothing more"
