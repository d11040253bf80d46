"""How much one request may bring.

Daphne takes in the whole body before Django sees the first byte of it, and sets no limit: whoever
sends for long enough fills the disk. What goes beyond the limit is not kept; the answer says so.
"""

from typing import Any

from daphne import http_protocol

# Far more than any page of ours takes, so that pages themselves say what is too large for them.
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
    """From now on Daphne makes its requests bounded ones; it offers no other way to say so."""
    http_protocol.WebRequest = BoundedRequest
