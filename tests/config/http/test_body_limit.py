"""An endless request does not fill the disk, and unread answers do not fill the memory."""

import http.client
import os
import re
import socket
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from config.http.body_limit import MAX_BODY_BYTES
from tests.config.server import Process
from tests.support.migrated import migrated_file
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="/proc")]

PIECE = b"x" * 65536
# Bytes of an answer that Django sends at once.
DJANGOS_PIECE = 64 * 1024
# Number of requests whose answers together are far more than a client may leave unread.
MANY = 400
# Seconds; after a minute of silence Twisted would cut the connection off anyway.
SOON_S = 30


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Run a site; yield its process, and its host with the port."""
    folder = tmp_path_factory.mktemp("site")
    url = migrated_file(folder / "db.sqlite3")
    env = {"DATABASE_URL": url, "REDIS_URL": "", "DEMO": "1"}
    process = Process([sys.executable, "manage.py", "serve", "--port", "0"], env)
    url = re.search(r"http://127\.0\.0\.1:\d+", process.wait_for_line("is ready"))[0]
    yield process, urlsplit(url).netloc
    process.kill_if_alive()


def largest_file_of(pid):
    """Return the size, in bytes, of the largest unnamed temporary file of the process."""
    sizes = [0]
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            if "(deleted)" in os.readlink(link):  # noqa: PTH115
                sizes.append(link.stat().st_size)
        except OSError:
            continue
    return max(sizes)


def kept_by(pid):
    """Return `largest_file_of` once it is not 0: the first piece may still be in the socket."""
    end = time.monotonic() + PATIENCE_S
    while not (size := largest_file_of(pid)):
        assert time.monotonic() < end
        time.sleep(0.01)
    return size


def send(server, size, chunked):
    """Send a body; return the status and the most bytes that the server kept meanwhile."""
    process, place = server
    connection = http.client.HTTPConnection(place, timeout=PATIENCE_S)
    kept = []

    def body():
        for start in range(0, size, len(PIECE)):
            if start:
                kept.append(kept_by(process.pid))
            yield PIECE[: size - start]

    headers = {} if chunked else {"Content-Length": str(size)}
    connection.request("POST", "/settings/theme/", body(), headers, encode_chunked=chunked)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, max(kept)


@pytest.mark.parametrize("chunked", [False, True])
def test_body_over_the_limit_is_answered_413_and_not_kept(server, chunked):
    status, kept = send(server, 2 * MAX_BODY_BYTES, chunked)
    assert status == 413
    assert kept <= MAX_BODY_BYTES


def test_body_within_the_limit_reaches_the_page(server):
    status, kept = send(server, MAX_BODY_BYTES // 2, chunked=False)
    assert status == 403  # without a CSRF token
    assert kept > 0


def test_a_client_that_sends_requests_and_never_reads_is_cut_off(server):
    host, _, port = server[1].partition(":")
    request = f"GET /jsi18n/?language=ru HTTP/1.1\r\nHost: {server[1]}\r\n\r\n".encode()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((host, int(port)))
        client.sendall(request * MANY)
        end = time.monotonic() + SOON_S
        while not client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_head_request_leaves_no_body_before_the_next_answer(server):
    """The page is sent in several pieces, of which Daphne drops only the first."""
    connection = http.client.HTTPConnection(server[1], timeout=PATIENCE_S)
    connection.request("HEAD", "/ru/rules/long/?try=head")
    answer = connection.getresponse()
    assert int(answer.headers["Content-Length"]) > DJANGOS_PIECE
    assert answer.read() == b""
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()


def test_socket_of_the_origin_null_is_refused_like_any_foreign_one(server):
    """Sandboxed pages and local files send this origin."""
    for origin in ("null", "http://evil.example"):
        connection = http.client.HTTPConnection(server[1], timeout=PATIENCE_S)
        headers = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
            "Origin": origin,
        }
        connection.request("GET", "/ws/site/", headers=headers)
        assert connection.getresponse().status == 403, origin
        connection.close()
