"""Decide which network address a visitor has."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest


def trusted_address(peer: str, forwarded_for: str, proxies: int) -> str:
    """Return the visitor's address in canonical text, or "" when there is none.

    `peer` opened the connection; `forwarded_for` is the X-Forwarded-For header, to which every
    proxy appends the address that it saw. Only the last `proxies` entries were written by our
    own proxies: the visitor is the first of those. Earlier entries can be forged. If there are
    fewer entries, the visitor is `peer`.
    """
    if proxies:
        entries = [entry.strip() for entry in forwarded_for.split(",") if entry.strip()]
        if len(entries) >= proxies:
            peer = entries[-proxies]
    try:
        return str(ip_address(peer))
    except ValueError:
        return ""


def address_group(address: str) -> str:
    """Return the unit by which limits count: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(IPv6Network((parsed, 64), strict=False))
    return str(parsed)


# The limit of a /48 divided by that of a /64. Anyone can get a /48 from a tunnel or a provider and
# change between its 65,536 groups; but the phones of one mobile network share a /48, too.
WIDE_SHARE = 8


def address_shares(address: str) -> dict[str, int]:
    """Return the groups whose limits an address counts against, with the factor of each."""
    try:
        parsed = ip_address(address)
    except ValueError:
        parsed = None
    shares = {address_group(address): 1}
    if isinstance(parsed, IPv6Address) and not parsed.ipv4_mapped:
        shares[str(IPv6Network((parsed, 48), strict=False))] = WIDE_SHARE
    return shares


def request_address(request: HttpRequest) -> str:
    return trusted_address(
        request.META.get("REMOTE_ADDR") or "",
        request.headers.get("X-Forwarded-For", ""),
        settings.PROXY_COUNT,
    )


NOWHERE = "0.0.0.0"


def known_address(request: HttpRequest) -> str:
    """Return the address to count and store; NOWHERE for a request without one (local socket)."""
    address = request_address(request)
    if not address:
        return NOWHERE
    parsed = ip_address(address)
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return str(mapped or parsed)
