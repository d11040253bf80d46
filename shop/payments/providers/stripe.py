"""Stripe Checkout: a payment page of Stripe's, through its official library.

Cards only, including wallets on phones: with slower methods members would wait for credits for
days. The events to subscribe to are in .env.example.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import stripe

from shop.payments.providers.port import (
    Event,
    Facts,
    Forged,
    Order,
    Rejected,
    Started,
    Unavailable,
)

TIMEOUT_S = 10
RETRIES = 1
# A signature older than this is refused; Stripe signs each attempt again.
TOLERANCE_S = 300
LANGUAGES = ("ru", "en", "tr")
_TRANSIENT = (stripe.APIConnectionError, stripe.RateLimitError, stripe.APIError)
# Results of closed disputes. Inquiries ("warning_...") take no money unless they become disputes.
_CLOSED = {"won": "WON", "lost": "LOST"}
# Prefixes of the kinds of events about a refund. Each event makes the site ask for all refunds of
# the payment: the sum in its charge omits failed refunds, so the order of events would matter.
_REFUNDS = ("refund.", "charge.refund.")
_FAILED = ("failed", "canceled")
_ENDED_REFUND = ("succeeded", *_FAILED)
# Events of checkouts -> how they ended.
_ENDED = {
    "checkout.session.expired": "EXPIRED",
    "checkout.session.async_payment_failed": "FAILED",
}


class Gateway:
    code = "stripe"
    needs_email = False

    def __init__(self, keys: Mapping[str, Any]) -> None:
        self.currencies = frozenset(keys["currencies"])
        self._webhook_secret: str = keys["webhook_secret"]
        base = {"api": keys["api_base"]} if "api_base" in keys else None
        self._client = stripe.StripeClient(
            keys["secret"],
            base_addresses=base,  # type: ignore[arg-type]
            max_network_retries=RETRIES,
            http_client=stripe.RequestsClient(timeout=TIMEOUT_S),
        )

    def start(self, order: Order) -> Started:
        price = {
            "currency": order.currency.lower(),
            "unit_amount": order.amount,
            "product_data": {"name": order.title},
        }
        params: dict[str, Any] = {
            "mode": "payment",
            "payment_method_types": ["card"],
            "line_items": [{"quantity": 1, "price_data": price}],
            "client_reference_id": order.public_id,
            "metadata": {"payment": order.public_id},
            "payment_intent_data": {"metadata": {"payment": order.public_id}},
            "success_url": order.return_url,
            "cancel_url": order.cancel_url,
            "expires_at": int(order.expires_at.timestamp()),
            "locale": order.language if order.language in LANGUAGES else "auto",
        }
        if order.email:
            params["customer_email"] = order.email
        options: Any = {"idempotency_key": f"checkout:{order.public_id}"}
        create = self._client.v1.checkout.sessions.create
        session = _asked(lambda: create(params, options))  # type: ignore[arg-type]
        return Started(session["id"], session["url"])

    def read(self, body: bytes, headers: Mapping[str, str], address: str) -> Event:
        signature = headers.get("Stripe-Signature")
        try:
            stripe.WebhookSignature.verify_header(
                body, signature, self._webhook_secret, TOLERANCE_S
            )
            event = json.loads(body)
            event_id, kind, about = event["id"], event["type"], event["data"]["object"]
            return Event(event_id, kind, self._facts(kind, about))
        except (stripe.SignatureVerificationError, ValueError, KeyError, TypeError) as error:
            raise Forged(type(error).__name__) from error

    def _facts(self, kind: str, about: dict[str, Any]) -> Facts | None:
        """Return the facts of an event; None if it changes no payment of this site."""
        if kind.startswith("checkout.session."):
            public_id = (about.get("metadata") or {}).get("payment")
            return _of_session(about, public_id, _ENDED.get(kind, "")) if public_id else None
        if kind == "charge.refunded" or kind.startswith(_REFUNDS):
            public_id = self._payment_of(about)
            if not public_id:
                return None
            return _of_refunds(public_id, self._refunds(about["payment_intent"]))
        if kind.startswith("charge.dispute.") and (found := _dispute(kind, about["status"])):
            public_id = self._payment_of(about)
            return Facts(public_id, dispute=found) if public_id else None
        return None

    def _payment_of(self, about: dict[str, Any]) -> str:
        """Return the public id of the payment of a refund or dispute, "" if it is not of this site.

        Disputes, and refunds made on Stripe's pages, do not repeat the payment's metadata.
        """
        intent_id = about.get("payment_intent")
        if not intent_id:
            return ""
        found = about.get("metadata") or {}
        if "payment" not in found:
            intent = _asked(lambda: self._client.v1.payment_intents.retrieve(intent_id))
            found = intent.get("metadata") or {}
        return str(found.get("payment") or "")

    def find(self, reference: str) -> Facts:
        session = self._session(reference)
        ended = "EXPIRED" if session["status"] == "expired" else ""
        facts = _of_session(session, session["metadata"]["payment"], ended)
        intent = session["payment_intent"]
        if not intent or not (intent["latest_charge"] or {}).get("amount_refunded"):
            return facts
        given = _of_refunds(facts.public_id, self._refunds(intent["id"]))
        return replace(facts, refunded=given.refunded, failed_refunds=given.failed_refunds)

    def refund(self, public_id: str, reference: str, attempt: str, email: str) -> Facts:
        intent = self._session(reference)["payment_intent"]
        if not intent:
            raise Rejected("The payment was not made.")
        found = self._refunds(intent["id"])
        # Stripe forgets idempotency keys after a day, but a refund may fail weeks later. Then
        # the same attempt must not make another refund.
        is_nothing_left = False
        if not any(_is_of(refund, attempt) for refund in found):
            is_nothing_left = not self._give_back(intent["id"], public_id, attempt)
            found = self._refunds(intent["id"])
        for refund in found:
            _check_refund(refund, is_ours=_is_of(refund, attempt))
        is_known = is_nothing_left or any(_is_of(refund, attempt) for refund in found)
        is_over = is_known and all(refund["status"] in _ENDED_REFUND for refund in found)
        return replace(_of_refunds(public_id, found), is_refund_over=is_over)

    def _give_back(self, intent_id: str, public_id: str, attempt: str) -> bool:
        """Request a refund; return False if Stripe has nothing left to refund."""
        metadata = {"payment": public_id, "attempt": attempt}
        params: Any = {"payment_intent": intent_id, "metadata": metadata}
        options: Any = {"idempotency_key": f"refund:{public_id}:{attempt}"}
        try:
            _asked(lambda: self._client.v1.refunds.create(params, options))
        except Rejected as error:
            if str(error) != "charge_already_refunded":
                raise
            return False
        return True

    def _refunds(self, intent_id: str) -> list[dict[str, Any]]:
        params: Any = {"payment_intent": intent_id, "limit": 100}
        found: list[dict[str, Any]] = _asked(lambda: self._client.v1.refunds.list(params))["data"]
        return found

    def _session(self, reference: str) -> dict[str, Any]:
        params: Any = {"expand": ["payment_intent.latest_charge"]}
        return _asked(lambda: self._client.v1.checkout.sessions.retrieve(reference, params))


def _dispute(kind: str, status: str) -> str:
    """Return OPEN if the money was taken away, WON if it came back, else the final result or ""."""
    if kind == "charge.dispute.funds_withdrawn":
        return "OPEN"
    if kind == "charge.dispute.funds_reinstated":
        return "WON"
    return _CLOSED.get(status, "") if kind == "charge.dispute.closed" else ""


def _check_refund(refund: dict[str, Any], *, is_ours: bool) -> None:
    """Raise Rejected if a refund waits for an action, or if one of this attempt (`is_ours`) failed.

    Failed refunds of earlier attempts are ignored.
    """
    status = refund["status"]
    if status == "requires_action" or (is_ours and status in _FAILED):
        raise Rejected(refund.get("failure_reason") or status)


def _is_of(refund: dict[str, Any], attempt: str) -> bool:
    return (refund.get("metadata") or {}).get("attempt") == attempt


def _of_refunds(public_id: str, refunds: list[dict[str, Any]]) -> Facts:
    """Return the sums of a payment's refunds; a refund that is still under way does not count."""
    failed = sum(refund["amount"] for refund in refunds if refund["status"] in _FAILED)
    given = sum(refund["amount"] for refund in refunds if refund["status"] == "succeeded")
    return Facts(public_id, refunded=given + failed, failed_refunds=failed)


def _of_session(session: dict[str, Any], public_id: str, ended: str) -> Facts:
    is_paid = session["payment_status"] == "paid"
    return Facts(
        public_id,
        session["id"],
        is_paid=is_paid,
        amount=session["amount_total"] if is_paid else 0,
        currency=session["currency"].upper() if is_paid else "",
        ended="" if is_paid else ended,
    )


def _asked(ask: Callable[[], Any]) -> dict[str, Any]:
    """Return Stripe's answer as a plain dict.

    Raises Unavailable for a temporary failure, Rejected for a permanent one.
    """
    try:
        answer: dict[str, Any] = ask().to_dict()
    except _TRANSIENT as error:
        raise Unavailable(type(error).__name__) from error
    except stripe.StripeError as error:
        raise Rejected(error.code or type(error).__name__) from error
    return answer
