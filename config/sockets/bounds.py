"""Limit the memory of one socket in this process: unread frames to and from its client.

Daphne and Autobahn hold both without a limit. The guard's rate (guard.py) counts frames only when a
consumer takes them from its queue; a client that sends without pause would fill the queue.
"""

import socket
import time
from typing import Any

from autobahn.websocket import protocol
from daphne.ws_protocol import WebSocketProtocol

from accounts.shared.rate_limits import TokenBucket
from config.http.body_limit import unsent_bytes
from config.sockets.guard import (
    FRAME_BURST,
    FRAMES_PER_SECOND,
    MAX_FRAME_BYTES,
    TOO_FAST,
    TOO_LARGE,
)

UNREAD = 4012  # close code
# Bytes that wait for the client in our memory. A state frame and the chat's last messages need a
# third of it.
MAX_UNSENT_BYTES = 512 * 1024
# Bytes that wait in the kernel's buffer, which by default grows to some megabytes for a socket.
SYSTEM_BUFFER_BYTES = 64 * 1024
# Frames that wait for the consumer. A client within the guard's rate has fewer.
MAX_WAITING_FRAMES = 2 * FRAME_BURST
# Fragments of one message; no page sends fragmented messages.
MAX_FRAGMENTS = 16
_CLOSE = 8  # opcode of a close frame

# Autobahn formats its settings at each connection, for a debug message. Its own formatter takes
# longer than everything else at the start of a connection.
protocol.pformat = repr  # type: ignore[assignment]


class BoundedWebSocket(WebSocketProtocol):
    """Closes a socket whose client does not read (4012) or sends too much (4008, 4010)."""

    def __init__(self) -> None:
        super().__init__()
        self._control_frames = TokenBucket(FRAME_BURST, FRAMES_PER_SECOND, time.monotonic())
        self._fragments = 0

    def onOpen(self) -> None:
        handle: socket.socket = self.transport.getHandle()
        handle.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BUFFER_BYTES)
        super().onOpen()

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Send the application's close reason too, which Daphne leaves out."""
        is_close = message.get("type") == "websocket.close"
        if is_close and message.get("reason") and self.state == self.STATE_OPEN:
            self.sendClose(code=message["code"], reason=message["reason"])
            return
        super().handle_reply(message)

    # --- what the client has not read -----------------------------------------------------------

    def sendFrame(self, opcode: int, *args: Any, **kwargs: Any) -> None:
        """Send a frame of any kind, including the pong to a websocket ping."""
        if opcode != _CLOSE and unsent_bytes(self.transport) > MAX_UNSENT_BYTES:
            self._refuse(UNREAD)
            return
        super().sendFrame(opcode, *args, **kwargs)

    # --- what the client sends ------------------------------------------------------------------

    def onMessageBegin(self, is_binary: bool) -> None:
        super().onMessageBegin(is_binary)
        self._fragments = 0

    def onMessageFrameBegin(self, length: int) -> None:
        super().onMessageFrameBegin(length)
        self._fragments += 1
        is_large = self.message_data_total_length > MAX_FRAME_BYTES
        if is_large or self._fragments > MAX_FRAGMENTS:
            self._refuse(TOO_LARGE)

    def onMessage(self, payload: bytes, is_binary: bool) -> None:
        if self.state != self.STATE_OPEN:
            return  # the socket is closing: no consumer reads this any more
        if self.application_queue.qsize() >= MAX_WAITING_FRAMES:
            self._refuse(TOO_FAST)
            return
        super().onMessage(payload, is_binary)

    def onPing(self, payload: bytes) -> None:
        if self._may_pass_control_frame():
            super().onPing(payload)

    def onPong(self, payload: bytes) -> None:
        if self._may_pass_control_frame():
            super().onPong(payload)

    def _may_pass_control_frame(self) -> bool:
        """Count a websocket ping or pong, which no consumer sees; close the socket if too many."""
        if self._control_frames.take(time.monotonic()):
            return True
        self._refuse(TOO_FAST)
        return False

    def _refuse(self, code: int) -> None:
        """Close, and discard everything that still arrives before the connection ends."""
        self.sendClose(code=code)
        self.failedByMe = True
