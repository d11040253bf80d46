"""A websocket client that sends but does not read, so that the server has to buffer its output."""

import base64
import json
import os
import socket
import struct
import time
from typing import Any
from urllib.parse import urlsplit

PATIENCE_S = 120
# Bytes; as few as the system allows, so that the client itself buffers little.
RECEIVE_BUFFER = 2048
# Seconds between two frames of `is_closed_while_sending`.
PAUSE_S = 0.005
_MASK = b"\0\0\0\0"  # masking with zeros changes nothing
TEXT, CLOSE, PING = 1, 8, 9


class DeafSocket:
    """A connection that reads the handshake, and nothing after it unless a test calls `read`."""

    def __init__(self, base: str, path: str, cookies: str = "") -> None:
        address = urlsplit(base)
        assert address.hostname is not None
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE_S)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        self.socket.connect((address.hostname, address.port or 80))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {address.netloc}",
            f"Origin: {base}",
            f"Cookie: {cookies}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self.socket.recv(1)
        assert b" 101 " in answer.splitlines()[0], answer

    def send(self, **frame: Any) -> None:
        self.send_raw(frame_of(TEXT, json.dumps(frame).encode()))

    def send_raw(self, data: bytes) -> None:
        self.socket.sendall(data)

    def is_closed_while_sending(self, data: bytes, times: int) -> bool:
        """Send again and again; return whether the server ended the connection meanwhile."""
        try:
            for _ in range(times):
                self.socket.sendall(data)
                time.sleep(PAUSE_S)
        except ConnectionError:
            return True
        return False

    def read(self, size: int) -> bytes:
        """Read `size` bytes; fewer if the connection ends."""
        data = b""
        while len(data) < size and (more := self.socket.recv(size - len(data))):
            data += more
        return data

    def read_to_close(self) -> int | None:
        """Read up to the server's close frame; return its code, None if there is no such frame."""
        data = b""
        while (code := close_code(data)) is None:
            more = self.socket.recv(65536)
            if not more:
                break
            data += more
        return code

    def close(self) -> None:
        self.socket.close()


def frame_of(opcode: int, payload: bytes, *, is_last: bool = True) -> bytes:
    """Return a client's frame, masked as the protocol demands."""
    first = opcode | (0x80 if is_last else 0)
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    else:
        head = struct.pack("!BBH", first, 0x80 | 126, size)
    return head + _MASK + payload


def close_code(data: bytes) -> int | None:
    """Return the code of the close frame among a server's frames; None if there is none."""
    at = 0
    while at + 2 <= len(data):
        opcode, size = data[at] & 0x0F, data[at + 1]
        at += 2
        if size == 126:
            size, at = struct.unpack_from("!H", data, at)[0], at + 2
        elif size == 127:
            size, at = struct.unpack_from("!Q", data, at)[0], at + 8
        if opcode == CLOSE and at + 2 <= len(data):
            return int(struct.unpack_from("!H", data, at)[0])
        at += size
    return None
