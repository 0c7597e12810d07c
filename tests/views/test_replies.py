"""What somebody replied, put into rows for people."""

from moot.views.replies import reply_rows


def test_single_values_come_first_and_every_item_of_a_list_has_its_row_in_words() -> None:
    reply = {
        "alternatives": [{"option": "wait", "rejectedBecause": "ships wait"}, {"option": "dredge"}],
        "claims": {"facts": ["a [1]", "b"], "assumptions": []},
        "clear": True,
        "position": "Build it.\nNow.",
        "ranks": [[1, 2], [3]],
        "score": 0.75,
        "why": None,
    }

    assert list(reply_rows(reply)) == [
        ("clear", "yes"),
        ("position", "Build it.\nNow."),
        ("score", "0.75"),
        ("why", "none"),
        ("alternatives", "option: wait, rejectedBecause: ships wait"),
        ("alternatives", "option: dredge"),
        ("claims facts", "a [1]"),
        ("claims facts", "b"),
        ("ranks", "1; 2"),
        ("ranks", "3"),
    ]
