"""The server keeps a bounded amount of data that a client has sent or has not read."""

import sys
from collections.abc import Callable, Iterator

import pytest

from config.sockets.bounds import MAX_FRAGMENTS, MAX_UNSENT_BYTES, MAX_WAITING_FRAMES, UNREAD
from config.sockets.guard import FRAME_BURST, TOO_FAST, TOO_LARGE
from tests.config.server import Process
from tests.config.sockets.bounds_probe import ANSWERED, FRAME, POURED
from tests.load.deaf_socket import PING, TEXT, DeafSocket, close_code, frame_of

pytestmark = pytest.mark.slow

FRAME_BYTES = len(FRAME["text"]) + 4
# Bytes of a connection that the operating systems of both ends buffer, estimated generously.
SYSTEMS_BYTES = 2 * 1024 * 1024
# More frames than the server takes from a client before it cuts the connection off.
MANY = 20_000
PONG = 0x0A
CONTINUATION = 0

Start = Callable[[float], Process]


@pytest.fixture
def start() -> Iterator[Start]:
    """Yield a function that starts the probe with the close timeout of its server, in seconds."""
    started = []

    def begin(close_timeout_s: float) -> Process:
        command = [sys.executable, "-m", "tests.config.sockets.bounds_probe", str(close_timeout_s)]
        started.append(Process(command))
        return started[-1]

    yield begin
    for process in started:
        process.kill_if_alive()


def opened(process: Process, path: str) -> DeafSocket:
    return DeafSocket(process.wait_for_line("http://").strip(), path)


def test_a_socket_that_reads_nothing_is_closed_with_its_reason(start: Start) -> None:
    process = start(3600)
    client = opened(process, "/pour")
    sent = int(process.wait_for_line("sent ").split()[1])
    assert sent < POURED
    assert sent * FRAME_BYTES < MAX_UNSENT_BYTES + SYSTEMS_BYTES
    # A page that was merely slow reads up to the close frame, which tells it the reason.
    assert client.read_to_close() == UNREAD
    client.close()


def test_a_socket_that_never_reads_is_cut_off(start: Start) -> None:
    client = opened(start(0.1), "/pour")
    assert client.is_closed_while_sending(frame_of(TEXT, b"x"), MANY)
    client.close()


def test_a_client_that_reads_what_it_is_sent_is_never_closed(start: Start) -> None:
    client = opened(start(3600), "/answer")
    assert ANSWERED * FRAME_BYTES < MAX_UNSENT_BYTES
    for _ in range(5 * MAX_UNSENT_BYTES // (ANSWERED * FRAME_BYTES)):
        client.send_raw(frame_of(TEXT, b"more"))
        read = client.read(ANSWERED * FRAME_BYTES)
        assert close_code(read) is None
    client.close()


def test_a_socket_that_floods_with_pings_is_closed(start: Start) -> None:
    client = opened(start(3600), "/sleep")
    client.send_raw(frame_of(PING, b"") * (2 * FRAME_BURST))
    assert client.read_to_close() == TOO_FAST
    client.close()


def test_a_socket_that_floods_with_pongs_is_closed(start: Start) -> None:
    client = opened(start(3600), "/sleep")
    client.send_raw(frame_of(PONG, b"") * (2 * FRAME_BURST))
    assert client.read_to_close() == TOO_FAST
    client.close()


def test_frames_that_wait_for_a_busy_consumer_are_bounded(start: Start) -> None:
    client = opened(start(3600), "/sleep")
    client.send_raw(frame_of(TEXT, b"x") * (MAX_WAITING_FRAMES + 1))
    assert client.read_to_close() == TOO_FAST
    client.close()


@pytest.mark.parametrize("size", [0, 4000])
def test_a_message_of_many_fragments_closes_its_socket(start: Start, size: int) -> None:
    """Empty fragments count too: each is kept until the last one comes."""
    client = opened(start(3600), "/sleep")
    client.send_raw(frame_of(TEXT, b"x" * size, is_last=False))
    client.send_raw(frame_of(CONTINUATION, b"x" * size, is_last=False) * MAX_FRAGMENTS)
    assert client.read_to_close() == TOO_LARGE
    client.close()
