"""Addresses, networks and URLs (ruling S7)."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import consult
from moot.oracles.finding import Finding


def found(relation: str, subject: str, claimed: str = "", *, negated: bool = False) -> Finding:
    return consult(
        {"kind": "network", "relation": relation, "subject": subject, "claimed": claimed, "negated": negated}
    )


@pytest.mark.parametrize(
    ("relation", "subject", "claimed", "verdict"),
    [
        ("private", "192.168.0.1", "", "true"),
        ("private", "172.31.255.255", "", "true"),
        ("private", "172.32.0.0", "", "false"),
        ("private", "127.0.0.1", "", "false"),
        ("private", "fd00::1", "", "true"),
        ("loopback", "127.1.2.3", "", "true"),
        ("link_local", "fe80::1", "", "true"),
        ("multicast", "224.0.0.1", "", "true"),
        ("public", "8.8.8.8", "", "true"),
        ("public", "192.0.2.1", "", "false"),
        ("public", "2001:db8::1", "", "false"),
        ("valid", "999.1.1.1", "", "false"),
        ("valid", "::ffff:1.2.3.4", "", "true"),
        ("version", "::1", "IPv6", "true"),
        ("version", "1.2.3.4", "6", "false"),
        ("in_network", "10.1.2.3", "10.0.0.0/8", "true"),
        ("in_network", "10.1.2.3", "::/0", "false"),
        ("addresses", "10.0.0.0/24", "256", "true"),
        ("addresses", "::/0", str(2**128), "true"),
        ("hosts", "10.0.0.0/24", "254", "true"),
        ("hosts", "10.0.0.0/31", "2", "true"),
        ("hosts", "10.0.0.0/31", "0", "not computable"),
        ("private", "100.64.0.1", "", "not computable"),
        ("netmask", "10.0.0.0/20", "255.255.240.0", "true"),
        ("broadcast", "192.168.1.7/25", "192.168.1.127", "true"),
        ("first_address", "192.168.1.7/24", "192.168.1.0", "true"),
        ("scheme", "HTTPS://example.com", "https", "true"),
        ("host", "http://user@Example.com:80/x", "example.com", "true"),
        ("host", "http://[::1]:80/", "::1", "true"),
        ("port", "https://example.com/", "443", "true"),
        ("port", "https://example.com:8443/", "443", "false"),
        ("path", "https://e.com/a/b?x=1#f", "/a/b", "true"),
        ("query", "https://e.com/a/b?x=1#f", "x=1", "true"),
        ("fragment", "https://e.com/a/b?x=1#f", "g", "false"),
    ],
)
def test_a_claim_is_true_or_false(relation: str, subject: str, claimed: str, verdict: str) -> None:
    assert found(relation, subject, claimed).verdict == verdict


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("relation", "subject", "claimed", "limit"),
    [
        ("private", "1" * 10_000_000, "", "at most 1,000 characters"),
        ("private", "999.1.1.1", "", "IPv4 and IPv6 addresses"),
        ("private", "\u0661.2.3.4", "", "IPv4 and IPv6 addresses"),
        ("private", "example.com", "", "IPv4 and IPv6 addresses"),
        ("in_network", "1.2.3.4", "1.2.3.4", "with a prefix"),
        ("in_network", "1.2.3.4", "1.2.3.4/99", "IPv4 and IPv6 networks"),
        ("hosts", "::/64", "1", "of IPv4 networks"),
        ("host", "http://[::1", "x", "valid host and port"),
        ("port", "http://x:99999/", "1", "valid host and port"),
        ("port", "gopher://x/", "70", "written ports"),
        ("host", "http://a@b@c/", "c", "at most one @"),
        ("host", "http:\\\\evil.com\\", "evil.com", "RFC 3986"),
        ("host", "http://exämple.com/", "x", "RFC 3986"),
        ("host", "http://a\tb/", "ab", "RFC 3986"),
        ("host", "example.com/x", "example.com", "with a scheme"),
        ("host", "http://" + "a" * 2_000, "a", "at most 1,000 characters"),
    ],
)
def test_what_is_beyond_it_names_the_limit(relation: str, subject: str, claimed: str, limit: str) -> None:
    finding = found(relation, subject, claimed)

    assert finding.verdict == "not computable"
    assert limit in finding.limit


@given(st.ip_addresses(v=4), st.integers(1, 32))
def test_an_address_lies_in_the_network_around_it_and_not_in_the_next(address, prefix: int) -> None:
    network = ipaddress.ip_network((address, prefix), strict=False)
    beyond = int(network.network_address) ^ (1 << (32 - prefix))

    assert found("in_network", str(address), str(network)).verdict == "true"
    assert found("in_network", str(address), f"{ipaddress.ip_address(beyond)}/{prefix}").verdict == "false"
    assert found("addresses", str(network), str(2 ** (32 - prefix))).verdict == "true"


@given(st.ip_addresses())
def test_an_address_has_exactly_one_kind_or_is_reserved(address) -> None:
    kinds = ("private", "loopback", "link_local", "multicast", "public")
    verdicts = [found(kind, str(address)).verdict for kind in kinds]

    assert verdicts.count("true") == (0 if found("public", str(address)).value == "reserved" else 1)


@given(st.sampled_from(["private", "in_network", "hosts", "host", "port", "path"]), st.text(max_size=30))
def test_any_text_gets_a_verdict(relation: str, text: str) -> None:
    for subject in (text, f"http://{text}", f"1.2.3.4/{text}"):
        assert found(relation, subject, text).verdict in ("true", "false", "not computable")
