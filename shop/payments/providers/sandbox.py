"""The sandbox, a provider for demonstrations and tests: no money moves.

It behaves like a real provider: it has a page of its own, sends signed webhooks over http to the
site's address, and answers `find`. Its data are the rows of `SandboxCheckout`.
"""

import hashlib
import hmac
import json
import logging
import secrets
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from http.client import HTTPException
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

from django.urls import reverse
from django.utils import timezone

from accounts.shared.transactions import write_transaction
from shop.models import SandboxCheckout
from shop.payments.providers.port import Event, Facts, Forged, Order, Rejected, Started

logger = logging.getLogger(__name__)

SIGNATURE = "Sandbox-Signature"
# A signature older than this is refused.
TOLERANCE_S = 300
TIMEOUT_S = 5
# Delay of a postponed payment. No webhook is sent when it arrives, so the site has to ask.
LATER = timedelta(seconds=15)
State = SandboxCheckout.State
_ENDED = {State.DECLINED: "FAILED", State.CLOSED: "EXPIRED"}


class Gateway:
    code = "sandbox"
    needs_email = False

    def __init__(self, keys: Mapping[str, Any]) -> None:
        self.currencies = frozenset(keys["currencies"])
        self._secret: str = keys["secret"]

    def start(self, order: Order) -> Started:
        with write_transaction():
            found, _ = SandboxCheckout.objects.get_or_create(
                payment_id=order.public_id,
                defaults={
                    "reference": f"sandbox-{secrets.token_urlsafe(16)}",
                    "credits": order.credits,
                    "currency": order.currency,
                    "amount": order.amount,
                    "return_url": order.return_url,
                    "created_at": timezone.now(),
                },
            )
        return Started(found.reference, reverse("shop:sandbox", args=[found.reference]))

    def read(self, body: bytes, headers: Mapping[str, str], address: str) -> Event:
        self._check(body, headers.get(SIGNATURE, ""))
        try:
            message = json.loads(body)
            facts = Facts(**message["facts"])
            return Event(message["id"], message["kind"], facts)
        except (ValueError, KeyError, TypeError) as error:
            raise Forged(type(error).__name__) from error

    def find(self, reference: str) -> Facts:
        found = SandboxCheckout.objects.filter(reference=reference).first()
        if found is None:
            raise Rejected("not found")
        return facts_of(found, timezone.now())

    def refund(self, public_id: str, reference: str, attempt: str, email: str) -> Facts:
        if not self.find(reference).is_paid:
            raise Rejected("The payment was not made.")
        with write_transaction():
            SandboxCheckout.objects.filter(reference=reference).update(state=State.REFUNDED)
        return self.find(reference)

    def sign(self, body: bytes, at: int | None = None) -> str:
        moment = int(time.time()) if at is None else at
        return f"{moment}.{self._digest(moment, body)}"

    def _check(self, body: bytes, signature: str) -> None:
        moment, _, digest = signature.partition(".")
        if not moment.isdecimal() or len(moment) > 12:
            raise Forged("no signature")
        if not hmac.compare_digest(digest.encode(), self._digest(int(moment), body).encode()):
            raise Forged("another signature")
        if abs(time.time() - int(moment)) > TOLERANCE_S:
            raise Forged("an old signature")

    def _digest(self, moment: int, body: bytes) -> str:
        signed = str(moment).encode() + b"." + body
        return hmac.new(self._secret.encode(), signed, hashlib.sha256).hexdigest()

    def tell(self, url: str, kind: str, facts: Facts) -> None:
        """Send the site a webhook; a webhook that does not arrive is lost, as real ones may be."""
        body = message_of(f"event-{secrets.token_urlsafe(12)}", kind, facts)
        try:
            send(url, body, self.sign(body))
        except (OSError, HTTPException) as error:
            logger.warning("the sandbox's webhook did not arrive: %s", error)


def message_of(event_id: str, kind: str, facts: Facts) -> bytes:
    fields = {name: getattr(facts, name) for name in Facts.__dataclass_fields__}
    return json.dumps({"id": event_id, "kind": kind, "facts": fields}).encode()


def send(url: str, body: bytes, signature: str) -> None:
    """Post a webhook; raise OSError or HTTPException if it is not accepted."""
    headers = {"Content-Type": "application/json", SIGNATURE: signature}
    request = Request(url, body, headers)
    with build_opener(ProxyHandler({})).open(request, timeout=TIMEOUT_S):
        pass


def facts_of(found: SandboxCheckout, now: datetime) -> Facts:
    arrived = found.pays_at is not None and found.pays_at <= now
    is_paid = found.state in (State.PAID, State.REFUNDED) or (found.state == State.OPEN and arrived)
    return Facts(
        found.payment_id,
        found.reference,
        is_paid=is_paid,
        amount=found.amount if is_paid else 0,
        currency=found.currency if is_paid else "",
        ended=_ENDED.get(State(found.state), ""),
        refunded=found.amount if found.state == State.REFUNDED else 0,
    )
