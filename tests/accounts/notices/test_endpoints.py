"""Nothing is sent to private addresses, whatever endpoint a browser names (SSRF)."""

import socket
import ssl
import threading
import time

import pytest

from accounts.notices import endpoints
from accounts.notices.endpoints import Forbidden, check, is_public, post
from config import settings as site_settings
from tests.accounts.notices.push_service import certificate
from tests.support.patience import PATIENCE_S


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/a",
        "ftp://push.example.net/a",
        "https://push.example.net:8443/a",
        "https://push.example.net:0/a",
        "https://name:word@push.example.net/a",
        "https://localhost/a",
        "https://127.0.0.1/a",
        "https://127.1/a",
        "https://2130706433/a",
        "https://0x7f.0.0.0x1/a",
        "https://[::1]/a",
        "https://[::ffff:127.0.0.1]/a",
        "https://push.example.net/a b",
        "https://push.example.net/a\r\nX: y",
        "https://push.exämple.net/a",
        "https:///a",
        "https://push.example.net/" + 1000 * "a",
        "//push.example.net/a",
        "https://slow.example.org/a",
        "https://fcm.googleapis.com.example.org/a",
        "https://xnotify.windows.com/a",
        "https://notify.windows.com/a",
        "https://a..notify.windows.com/a",
        "https://.notify.windows.com/a",
        "https://a_b.notify.windows.com/a",
        "https://a%2Eb.notify.windows.com/a",
        f"https://{64 * 'a'}.push.apple.com/a",
        f"https://{60 * 'a.a.'}push.apple.com/a",
        "",
    ],
)
def test_a_forbidden_endpoint_is_refused(endpoint):
    with pytest.raises(Forbidden):
        check(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc",
        "https://db5p.notify.windows.com/w/?token=abc",
        f"https://{63 * 'a'}.notify.windows.com/a",
        "https://push.example.net:443/a?b=c",
    ],
)
def test_the_endpoints_of_browsers_are_accepted(endpoint):
    assert check(endpoint).scheme == "https"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1",
        "ff02::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:7f00:1::", "2001:0:4136:e378::",
    ],
)  # fmt: skip
def test_private_addresses_are_not_public(address):
    assert not is_public(address)


def test_public_addresses_are_public():
    assert is_public("142.250.1.1")
    assert is_public("2a00:1450:4001::1")
    assert is_public("64:ff9b::142.250.1.1")


@pytest.mark.parametrize(
    "address",
    [
        "::127.0.0.1",  # IPv4-compatible
        "::ffff:0:10.0.0.1",  # IPv4-translated
        "64:ff9b:1::10.0.0.1",  # NAT64 with a local prefix
        "fec0::1",  # site-local
        "5f00::1",  # segment routing
    ],
)
def test_address_outside_of_global_unicast_is_not_public(address: str) -> None:
    assert not is_public(address)


def resolve_names_to(monkeypatch, *addresses):
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: rows)


def test_a_name_with_one_private_address_is_not_contacted(monkeypatch):
    resolve_names_to(monkeypatch, "142.250.1.1", "10.0.0.1")
    monkeypatch.setattr(socket, "create_connection", lambda *args: pytest.fail("connected"))
    with pytest.raises(Forbidden):
        post("https://push.example.net/a", b"", {})


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch):
    """A plain client would resolve the name again, and could get a loopback address then."""
    resolve_names_to(monkeypatch, "142.250.1.1")
    asked = []

    def connect(address, timeout):
        asked.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(ConnectionRefusedError):
        post("https://push.example.net/a", b"", {})
    assert asked == [("142.250.1.1", 443)]


def test_a_name_that_the_resolver_rejects_as_malformed_is_not_contacted(monkeypatch):
    def fail(*args, **options):
        raise UnicodeError("label empty or too long")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(Forbidden):
        post("https://push.example.net/a", b"", {})


def test_a_redirect_is_not_followed(service):
    service.answers = [(307, {"Location": f"https://{service.place}/inside"})]
    assert post(f"https://{service.place}/a", b"body", {}).status == 307
    assert [request.path for request in service.requests] == ["/a"]


def test_a_certificate_of_another_authority_is_refused(service, settings, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    certificate(other)
    settings.PUSH_TEST_SERVICES = {service.place: str(other / "authority.pem")}
    with pytest.raises(ssl.SSLError):
        post(f"https://{service.place}/a", b"", {})
    assert not service.requests


def test_a_service_that_never_ends_its_answer_is_abandoned(service, monkeypatch):
    """Each byte restarts the timeout of the socket; the whole request has its own limit."""
    monkeypatch.setattr(endpoints, "LONGEST_S", 0.1)
    is_answering, is_abandoned = threading.Event(), threading.Event()
    handler, abort = service.server.RequestHandlerClass, endpoints._Pinned.abort

    def abort_the_answer(connection):
        assert is_answering.wait(PATIENCE_S)  # connecting may take longer than the limit
        abort(connection)

    def drip(self):
        try:
            end = time.monotonic() + PATIENCE_S
            while time.monotonic() < end:
                time.sleep(0.05)
                self.wfile.write(b"H")
                is_answering.set()
        except OSError:
            is_abandoned.set()

    monkeypatch.setattr(endpoints._Pinned, "abort", abort_the_answer)
    monkeypatch.setattr(handler, "do_POST", drip)
    with pytest.raises((OSError, endpoints.http.client.HTTPException)):
        post(f"https://{service.place}/a", b"", {})
    assert is_abandoned.wait(PATIENCE_S)


def test_the_limit_of_a_request_holds_while_it_connects(service, monkeypatch):
    monkeypatch.setattr(endpoints, "LONGEST_S", 0.1)
    connect, abort = socket.create_connection, endpoints._Pinned.abort
    is_aborted = threading.Event()

    def abort_and_tell(connection):
        abort(connection)
        is_aborted.set()

    def connect_late(*given):
        assert is_aborted.wait(PATIENCE_S)
        return connect(*given)

    monkeypatch.setattr(endpoints._Pinned, "abort", abort_and_tell)
    monkeypatch.setattr(socket, "create_connection", connect_late)
    with pytest.raises(OSError):
        post(f"https://{service.place}/a", b"", {})
    assert not service.requests


def test_the_site_itself_trusts_no_test_service():
    assert site_settings.PUSH_TEST_SERVICES == {}
