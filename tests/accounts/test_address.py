"""Which address a visitor has, behind any number of our own proxies."""

import pytest

from accounts.address import address_group, known_address, trusted_address


def test_without_proxies_the_peer_is_the_visitor_whatever_he_claims():
    assert trusted_address("203.0.113.9", "198.51.100.1", 0) == "203.0.113.9"


def test_one_proxy_of_ours_is_believed_about_the_address_it_saw():
    assert trusted_address("10.0.0.1", "198.51.100.1", 1) == "198.51.100.1"


def test_what_the_visitor_put_into_the_header_himself_is_not_believed():
    assert trusted_address("10.0.0.1", "1.2.3.4, 198.51.100.1", 1) == "198.51.100.1"


def test_two_proxies_count_back_two_entries():
    forwarded = "1.2.3.4, 198.51.100.1, 10.0.0.7"
    assert trusted_address("10.0.0.1", forwarded, 2) == "198.51.100.1"


def test_who_comes_past_the_proxies_has_the_peers_address():
    assert trusted_address("203.0.113.9", "", 1) == "203.0.113.9"
    assert trusted_address("203.0.113.9", "198.51.100.1", 2) == "203.0.113.9"


@pytest.mark.parametrize("nonsense", ["", "unknown", "1.2.3", "<script>", "1.2.3.4:80"])
def test_what_is_no_address_is_none(nonsense):
    assert trusted_address("10.0.0.1", nonsense or "x", 1) == ""


def test_an_ipv6_household_counts_as_one_place():
    assert address_group("2001:db8:1:2:aaaa::1") == address_group("2001:db8:1:2:bbbb::9")
    assert address_group("2001:db8:1:2::1") != address_group("2001:db8:1:3::1")


def test_ipv4_in_ipv6_clothes_is_the_same_place():
    assert address_group("::ffff:192.0.2.1") == address_group("192.0.2.1")


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
def test_address_that_is_counted_and_kept_is_one_even_where_there_is_none(rf, peer, known):
    assert known_address(rf.get("/", REMOTE_ADDR=peer)) == known
