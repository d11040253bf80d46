"""Log lines with the ids of their request and their match."""

import json
import logging
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime

request_id: ContextVar[str] = ContextVar("request_id", default="")
match_id: ContextVar[str] = ContextVar("match_id", default="")


class AddIds(logging.Filter):
    """Add `request` and `match` to every record; keep the caller's `extra={"match": ...}`."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        if not hasattr(record, "match"):
            record.match = match_id.get()
        return True


class ClientsFaults(logging.Filter):
    """Log Django's errors about a client's bad request (wrong Host, too large form) as warnings.

    Their traceback is dropped, since it says nothing about this site.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security.") and record.levelno >= logging.ERROR:
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = record.exc_text = None
        return True


class JsonFormatter(logging.Formatter):
    """Write one JSON object a line, for machines that collect them."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": getattr(record, "request_id", ""),
            "match": getattr(record, "match", ""),
        }
        if record.exc_info:
            line["exception"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
