"""Push waiting notices to devices: lease, send outside any transaction, mark.

Any number of workers may call `send_due`. Delivery is at least once: after a crash between sending
and marking, the lease expires and the notice is sent again, under the same topic and tag, so that
the device shows it once. A subscription that its push service no longer knows is deleted. A
delivery that fails in any way stops no other.
"""

import hashlib
import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from http.client import HTTPException
from typing import TypeVar

from django.db import connection
from django.db.models import F
from prometheus_client import Counter

from accounts.models import PushDelivery, PushSubscription
from accounts.notices import encryption, endpoints, texts, vapid
from accounts.notices.endpoints import Answer, Forbidden
from accounts.shared.transactions import write_transaction

Result = TypeVar("Result")

logger = logging.getLogger(__name__)
OUTCOMES = Counter("gammon_pushes", "Attempts to push a notice, by outcome", ["outcome"])

# The kind of the deadlines of pushes, for which the push thread listens.
PUSHES = "pushes"
BATCH = 16  # deliveries sent at the same time
# Must be longer than a request takes; else another worker sends the same notice.
LEASE = timedelta(minutes=2)
# Delays after the first failure, the second, ...; the last one repeats until the notice expires.
WAITS = tuple(timedelta(seconds=seconds) for seconds in (5, 15, 60, 300))
# A longer delay that a push service asks for (Retry-After) is cut to this.
LONGEST_WAIT = timedelta(minutes=30)
LONGEST_ERROR = 200  # characters: max_length of PushDelivery.error
DEAD = (404, 410)  # statuses: the push service no longer knows the browser
LATER = (408, 425, 429)  # statuses: the push service may take the same message later
# Errors of a push service or of the connection to it. Any other error is a fault of ours.
FAILURES = (OSError, HTTPException)


def send_due(now: datetime) -> datetime | None:
    """Push the due notices; return when the next is due, None if none waits or push is off."""
    if not vapid.is_push_on():
        return None
    moments = PushDelivery.objects.filter(due_at__isnull=False).order_by("due_at")
    first = moments.values_list("due_at", flat=True).first()
    if first is None or first > now:
        return first
    leased = _lease(now)
    # Requests are prepared here and sent by the pool, whose threads need no database connection.
    requests = [_outcome(partial(_request, delivery, now)) for delivery in leased]
    with ThreadPoolExecutor(max_workers=BATCH) as pool:
        answers = list(pool.map(_send, requests))
    for delivery, answer in zip(leased, answers, strict=True):
        try:
            _settle(delivery, answer, now)
        except Exception:  # it is sent again when its lease ends
            logger.exception("push not settled", extra={"delivery": delivery.pk})
    return moments.values_list("due_at", flat=True).first()


def _lease(now: datetime) -> list[PushDelivery]:
    """Lease the deliveries that wait longest; other workers skip them while the lease lasts."""
    with write_transaction():
        due = PushDelivery.objects.filter(due_at__lte=now).order_by("due_at", "pk")
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True, of=("self",))
        related = ("subscription", "notice__user__preferences")
        found = list(due.select_related(*related)[:BATCH])
        ids = [each.pk for each in found]
        PushDelivery.objects.filter(pk__in=ids).update(
            due_at=now + LEASE, attempts=F("attempts") + 1
        )
    for delivery in found:
        delivery.attempts += 1
    return found


def _request(delivery: PushDelivery, now: datetime) -> "partial[Answer] | str":
    """Return a function that sends the request, or the reason why there is none."""
    notice, device = delivery.notice, delivery.subscription
    if notice.expires_at <= now:
        return "too late"
    if notice.kind not in device.kinds:
        return "no longer wanted"
    try:
        body = encryption.encrypt(
            json.dumps(texts.payload(notice), ensure_ascii=False).encode(),
            vapid.from_text(device.p256dh),
            vapid.from_text(device.auth),
        )
    except ValueError as error:
        return f"not encrypted: {error}"
    headers = {
        "Authorization": vapid.authorization(device.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, int((notice.expires_at - now).total_seconds()))),
        "Topic": hashlib.sha256(notice.public_id.encode()).hexdigest()[:32],
        "Urgency": "high",
    }
    return partial(endpoints.post, device.endpoint, body, headers)


def _send(request: "partial[Answer] | Exception | str") -> "Answer | Exception | str":
    """Return the answer, the error, or what was given in place of a request."""
    return _outcome(request) if isinstance(request, partial) else request


def _outcome(step: Callable[[], Result]) -> Result | Exception:
    try:
        return step()
    except Exception as error:
        return error


def _settle(delivery: PushDelivery, answer: "Answer | Exception | str", now: datetime) -> None:
    if isinstance(answer, str):
        _mark(delivery, error=answer)
    elif isinstance(answer, Forbidden):
        _drop(delivery.subscription_id, str(answer))
    elif isinstance(answer, Exception):
        if not isinstance(answer, FAILURES):
            logger.error("push failed", exc_info=answer, extra={"delivery": delivery.pk})
        _retry(delivery, f"{type(answer).__name__}: {answer}", now)
    elif answer.status in DEAD:
        _drop(delivery.subscription_id, f"status {answer.status}")
    elif 200 <= answer.status < 300:
        _mark(delivery, sent_at=now)
    elif answer.status in LATER or answer.status >= 500:
        _retry(delivery, f"status {answer.status}", now, answer.retry_after)
    else:
        logger.error("push refused with status %d", answer.status)
        _mark(delivery, error=f"status {answer.status}")


def _retry(delivery: PushDelivery, reason: str, now: datetime, retry_after: str = "") -> None:
    """Schedule another attempt, or give up if the notice expires before it."""
    wait = WAITS[min(delivery.attempts, len(WAITS)) - 1]
    if retry_after.isascii() and retry_after.isdigit():
        asked = min(int(retry_after[:6]), int(LONGEST_WAIT.total_seconds()))
        wait = max(wait, timedelta(seconds=asked))
    again_at = now + wait
    if again_at >= delivery.notice.expires_at:
        logger.warning("push given up after %d attempts: %s", delivery.attempts, reason)
        _mark(delivery, error=reason)
        return
    _mark(delivery, due_at=again_at, error=reason)


def _drop(subscription_id: int, reason: str) -> None:
    OUTCOMES.labels("subscription dropped").inc()
    with write_transaction():
        PushSubscription.objects.filter(pk=subscription_id).delete()
    logger.info("push subscription dropped: %s", reason)


def _mark(
    delivery: PushDelivery,
    *,
    due_at: datetime | None = None,
    sent_at: datetime | None = None,
    error: str = "",
) -> None:
    OUTCOMES.labels("sent" if sent_at else "put off" if due_at else "given up").inc()
    with write_transaction():
        rows = PushDelivery.objects.filter(pk=delivery.pk)
        if due_at is not None:  # the notice may have been seen or withdrawn during the attempt
            rows = rows.filter(due_at__isnull=False)
        rows.update(due_at=due_at, sent_at=sent_at, error=error[:LONGEST_ERROR])
