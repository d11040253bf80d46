"""The visitor's address behind any number of our own proxies."""

import pytest

from accounts.shared.client_address import (
    WIDE_SHARE,
    address_group,
    address_shares,
    known_address,
    trusted_address,
)


def test_without_proxies_the_header_is_ignored():
    assert trusted_address("203.0.113.9", "198.51.100.1", 0) == "203.0.113.9"


def test_last_header_entry_counts_behind_one_proxy():
    assert trusted_address("10.0.0.1", "198.51.100.1", 1) == "198.51.100.1"


def test_header_entries_of_the_visitor_are_ignored():
    assert trusted_address("10.0.0.1", "1.2.3.4, 198.51.100.1", 1) == "198.51.100.1"


def test_second_last_header_entry_counts_behind_two_proxies():
    forwarded = "1.2.3.4, 198.51.100.1, 10.0.0.7"
    assert trusted_address("10.0.0.1", forwarded, 2) == "198.51.100.1"


def test_request_that_bypasses_the_proxies_has_the_peers_address():
    assert trusted_address("203.0.113.9", "", 1) == "203.0.113.9"
    assert trusted_address("203.0.113.9", "198.51.100.1", 2) == "203.0.113.9"


@pytest.mark.parametrize("nonsense", ["x", "unknown", "1.2.3", "<script>", "1.2.3.4:80"])
def test_invalid_address_is_empty(nonsense):
    assert trusted_address("10.0.0.1", nonsense, 1) == ""


def test_ipv6_addresses_of_one_64_bit_prefix_share_a_group():
    assert address_group("2001:db8:1:2:aaaa::1") == address_group("2001:db8:1:2:bbbb::9")
    assert address_group("2001:db8:1:2::1") != address_group("2001:db8:1:3::1")


def test_ipv4_mapped_address_shares_the_group_of_the_ipv4_address():
    assert address_group("::ffff:192.0.2.1") == address_group("192.0.2.1")


def test_ipv6_address_counts_against_its_wide_network_too():
    found = address_shares("2001:db8:1:2::9")
    assert found == {"2001:db8:1:2::/64": 1, "2001:db8:1::/48": WIDE_SHARE}


@pytest.mark.parametrize("address", ["192.0.2.1", "::ffff:192.0.2.1"])
def test_ipv4_address_counts_alone(address):
    assert address_shares(address) == {"192.0.2.1": 1}


@pytest.mark.parametrize(
    ("peer", "known"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8::1", "2001:db8::1"),
        ("", "0.0.0.0"),
        ("unix:", "0.0.0.0"),
    ],
)
def test_known_address_is_canonical_and_never_empty(rf, peer, known):
    assert known_address(rf.get("/", REMOTE_ADDR=peer)) == known
