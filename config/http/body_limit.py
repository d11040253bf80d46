"""Limit the size of a request body, and of the answers that a client has not read.

Daphne reads the whole body before Django sees its first byte, and sets no limit: a client that
sends for long enough fills the disk. Bytes beyond the limit are not kept; the answer is 413.

A client may send its next request before it has read the last answer; if it never reads, the
answers fill the memory. So the next request ends such a connection.
"""

from typing import Any

from daphne import http_protocol

# Far above what any page accepts, so that the pages themselves refuse a file that is too large.
MAX_BODY_BYTES = 16 * 1024 * 1024
# Bytes of unread answers that may wait in our memory when a connection sends its next request.
MAX_UNREAD_BYTES = 512 * 1024


class BoundedRequest(http_protocol.WebRequest):
    received = 0

    def handleContentChunk(self, data: bytes) -> None:
        self.received += len(data)
        if self.received <= MAX_BODY_BYTES:
            super().handleContentChunk(data)

    def process(self) -> Any:
        if unsent_bytes(self.channel.transport) > MAX_UNREAD_BYTES:
            return self.channel.transport.abortConnection()
        if self.received <= MAX_BODY_BYTES:
            return super().process()
        self.content.truncate(0)
        text = "This is too much. Please go back and choose a smaller file."
        return self.basic_error(413, b"Content Too Large", text)


def unsent_bytes(transport: Any) -> int:
    """Return the bytes that Twisted's transport still holds."""
    held: int = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
    return held


def bound() -> None:
    """Make Daphne use bounded requests from now on; it has no setting for that."""
    http_protocol.WebRequest = BoundedRequest
