"""Send to an address that a browser named, and to nothing inside our own network (SSRF).

Only https on port 443 of a push service in `PUSH_SERVICES` is accepted: a member's own server could
answer slowly on purpose and delay everybody's notices. The host name is resolved once; every
address must be public, and the connection goes to a checked address, so that a second DNS answer
cannot lead elsewhere. Redirects are not followed, and proxies of the environment are not used.
"""

import http.client
import ipaddress
import re
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

TIMEOUT_S = 5  # for connecting, and for each wait for data
# Seconds for a whole request: a service that sends a byte now and then would never time out.
LONGEST_S = 8
PORT = 443
MOST_CHARACTERS = 1000  # max_length of PushSubscription.endpoint
# At least two labels, of 1 to 63 characters each: for others the resolver raises UnicodeError.
_NAME = re.compile(r"[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+")
LONGEST_NAME = 253  # characters
# The IPv6 network whose addresses carry an IPv4 address (RFC 6052).
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# All public IPv6 addresses. `is_global` is also true for other addresses, some of which carry an
# IPv4 address or lead into the network of the server: ::/96, ::ffff:0:0:0/96, 64:ff9b:1::/48,
# fec0::/10.
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")


class Forbidden(ValueError):
    """The endpoint may not be contacted."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a push service; `retry_after` is the header Retry-After, "" if missing."""

    status: int
    retry_after: str = ""


def check(endpoint: str) -> SplitResult:
    """Return the parts of an endpoint of a known push service; raise Forbidden for any other.

    The host name is not resolved here.
    """
    if len(endpoint) > MOST_CHARACTERS or not endpoint.isascii() or not endpoint.isprintable():
        raise Forbidden("not an address")
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise Forbidden("not an address") from None
    host = parts.hostname or ""
    if parts.scheme != "https" or "@" in parts.netloc or " " in endpoint:
        raise Forbidden("not https")
    if parts.netloc in settings.PUSH_TEST_SERVICES:
        return parts
    if port not in (None, PORT):
        raise Forbidden("another port")
    if not _is_name(host) or _is_address(host):
        raise Forbidden("not a public name")
    if not _is_push_service(host):
        raise Forbidden("not a known push service")
    return parts


def post(endpoint: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send one request; raise Forbidden if the endpoint may not be contacted.

    Raises OSError or HTTPException if the request fails.
    """
    parts = check(endpoint)
    ca_file = settings.PUSH_TEST_SERVICES.get(parts.netloc)
    host, port = parts.hostname or "", parts.port or PORT
    address = _resolve(host, port, is_trusted=ca_file is not None)
    context = ssl.create_default_context(cafile=ca_file)
    connection = _Pinned(host, port, address, context)
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    timer = threading.Timer(LONGEST_S, connection.abort)
    timer.start()
    try:
        connection.request("POST", path, body, dict(headers))
        response = connection.getresponse()
        return Answer(response.status, response.getheader("Retry-After") or "")
    finally:
        timer.cancel()
        connection.close()


class _Pinned(http.client.HTTPSConnection):
    """Connect to a checked address; the certificate and `Host` are still those of the name."""

    def __init__(self, host: str, port: int, address: str, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=TIMEOUT_S, context=context)
        self._address = address
        self._tls = context
        self._is_aborted = False

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), TIMEOUT_S)
        # `abort` can end the handshake only if it finds the socket of TLS here.
        self.sock = self._tls.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        if self._is_aborted:
            raise TimeoutError
        self.sock.do_handshake()

    def abort(self) -> None:
        """End the request from another thread, also one that is still connecting."""
        self._is_aborted = True
        sock = self.sock
        if sock is not None:
            with suppress(OSError):
                # SSLSocket's own `shutdown` would first drop the encryption.
                socket.socket.shutdown(sock, socket.SHUT_RDWR)


def _resolve(host: str, port: int, is_trusted: bool) -> str:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError:
        raise Forbidden("not a public name") from None
    addresses = [str(row[4][0]) for row in found]
    if not is_trusted and not all(map(is_public, addresses)):
        raise Forbidden("not a public address")
    return addresses[0]


def is_public(text: str) -> bool:
    """Return whether an address is on the public internet.

    A mapped, 6to4 or NAT64 address is judged by the IPv4 address in it; no address of Teredo is
    public.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if address.teredo is not None or address not in _GLOBAL_UNICAST:
            return False
    return address.is_global and not address.is_multicast


def _is_push_service(host: str) -> bool:
    known = settings.PUSH_SERVICES
    return host in known or any(host.endswith(each[1:]) for each in known if each.startswith("*."))


def _is_name(host: str) -> bool:
    return len(host) <= LONGEST_NAME and _NAME.fullmatch(host) is not None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        # "127.1" and "0x7f.1" are addresses to the system; no public name ends in a number.
        return host.rstrip(".").rpartition(".")[2][:1].isdigit()
    return True
