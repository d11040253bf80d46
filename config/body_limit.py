"""Limit the size of a request body.

Daphne reads the whole body before Django sees its first byte, and sets no limit: a client that
sends for long enough fills the disk. Bytes beyond the limit are not kept; the answer is 413.
"""

from typing import Any

from daphne import http_protocol

# Far above what any page accepts, so that the pages refuse too large files in their own words.
MAX_BODY_BYTES = 16 * 1024 * 1024


class BoundedRequest(http_protocol.WebRequest):
    received = 0

    def handleContentChunk(self, data: bytes) -> None:
        self.received += len(data)
        if self.received <= MAX_BODY_BYTES:
            super().handleContentChunk(data)

    def process(self) -> Any:
        if self.received <= MAX_BODY_BYTES:
            return super().process()
        self.content.truncate(0)
        text = "This is too much. Please go back and choose a smaller file."
        return self.basic_error(413, b"Content Too Large", text)


def bound() -> None:
    """Make Daphne use bounded requests from now on; it has no setting for that."""
    http_protocol.WebRequest = BoundedRequest
