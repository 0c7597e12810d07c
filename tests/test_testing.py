"""The public test kit."""

import socket

import pytest

from moot.testing import NetworkForbidden, no_network


def test_the_guard_names_where_somebody_wanted_to_go() -> None:
    with no_network(), pytest.raises(NetworkForbidden, match=r"192\.0\.2\.1"), socket.socket() as outgoing:
        outgoing.connect(("192.0.2.1", 80))


def test_the_guard_forbids_looking_a_name_up() -> None:
    with no_network(), pytest.raises(NetworkForbidden, match="example"):
        socket.getaddrinfo("model.example", 443)


def test_the_guard_can_forbid_this_machine_too() -> None:
    with no_network(loopback=False), pytest.raises(NetworkForbidden), socket.socket() as outgoing:
        outgoing.connect(("127.0.0.1", 80))


def test_what_the_guard_changed_is_as_it_was_after_it() -> None:
    before = socket.socket.connect

    with no_network():
        assert socket.socket.connect is not before

    assert socket.socket.connect is before
