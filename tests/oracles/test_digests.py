"""Digests and encodings (ruling S7)."""

import base64
import hashlib
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import consult
from moot.oracles.finding import Finding


def found(relation: str, text: str, claimed: str) -> Finding:
    return consult({"kind": "digests", "relation": relation, "text": text, "claimed": claimed})


@pytest.mark.parametrize(
    ("relation", "text", "claimed", "verdict"),
    [
        ("md5", "abc", "900150983cd24fb0d6963f7d28e17f72", "true"),
        ("md5", "abc", "900150983CD24FB0D6963F7D28E17F72", "true"),
        ("md5", "abd", "900150983cd24fb0d6963f7d28e17f72", "false"),
        ("sha1", "", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "true"),
        ("sha256", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "true"),
        ("sha256", "abc", "ba7816bf…", "true"),
        ("sha256", "abc", "ba7816be...", "false"),
        ("sha256", "abc", "ba7816bf", "not computable"),
        ("sha256", "abc", "ba7816be", "false"),
        ("base64", "moot", "bW9vdA", "not computable"),
        ("sha512", "abc", "ddaf35a193617abacc417349ae204131...", "true"),
        ("crc32", "123456789", "0xcbf43926", "true"),
        ("hex", "moot", "6d 6f 6f 74", "true"),
        ("base64", "moot", "bW9vdA==", "true"),
        ("base64", "moot", "bw9vdA==", "false"),
        ("url", "a b/é", "a%20b%2f%c3%a9", "true"),
        ("url", "a b", "a+b", "true"),
        ("url", "a b", "a b", "false"),
        ("utf8_length", "é", "2", "true"),
        ("length", "é", "1", "true"),
        ("length", "", "0", "true"),
    ],
)
def test_a_claim_is_true_or_false(relation: str, text: str, claimed: str, verdict: str) -> None:
    assert found(relation, text, claimed).verdict == verdict


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("relation", "text", "claimed", "limit"),
    [
        ("md5", "a" * 10_000_000, "00", "texts of at most 10,000 characters"),
        ("md5", "a", "0" * 10_000_000, "claimed encodings of at most 40,000 characters"),
        ("sha256", "\ud800", "00", "UTF-8 can encode"),
        ("sha256", "abc", "xyz", "hexadecimal digits"),
        ("sha256", "abc", "\u0669\u0669", "hexadecimal digits"),
        ("sha256", "abc", "ba78...", "at least 6 digits"),
    ],
)
def test_what_is_beyond_it_names_the_limit(relation: str, text: str, claimed: str, limit: str) -> None:
    finding = found(relation, text, claimed)

    assert finding.verdict == "not computable"
    assert limit in finding.limit


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=50))
def test_encodings_are_those_of_the_standard_library(text: str) -> None:
    data = text.encode()

    assert found("sha256", text, hashlib.sha256(data).hexdigest()).verdict == "true"
    assert found("base64", text, base64.b64encode(data).decode()).verdict == "true"
    assert found("utf8_length", text, str(len(data) + 1)).verdict == "false"
    assert found("length", text, str(len(text))).verdict == "true"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20))
def test_a_percent_encoding_that_holds_decodes_to_the_text(text: str) -> None:
    shown = found("url", text, "").value

    assert unquote(shown.rstrip("…")) == text or shown.endswith("…")


@given(st.sampled_from(["md5", "hex", "base64", "url", "length"]), st.text(max_size=20), st.text(max_size=20))
def test_any_text_gets_a_verdict(relation: str, text: str, claimed: str) -> None:
    assert found(relation, text, claimed).verdict in ("true", "false", "not computable")
