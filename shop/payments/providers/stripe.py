"""Stripe Checkout: a payment page of Stripe's, through its official library.

Cards only, wallets on phones included: slower methods would let credits wait for days. Events to
subscribe: .env.example.
"""

import json
from collections.abc import Callable, Mapping
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
# What a closed dispute was; inquiries ("warning_") take no money unless they become one.
_CLOSED = {"won": "WON", "lost": "LOST"}
# Events of checkouts -> how they ended.
_ENDED = {
    "checkout.session.expired": "EXPIRED",
    "checkout.session.async_payment_failed": "FAILED",
}


class Gateway:
    code = "stripe"

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
            name, kind, about = event["id"], event["type"], event["data"]["object"]
            return Event(name, kind, self._facts(kind, about))
        except (stripe.SignatureVerificationError, ValueError, KeyError, TypeError) as error:
            raise Forged(type(error).__name__) from error

    def _facts(self, kind: str, about: dict[str, Any]) -> Facts | None:
        """Return what an event says; None for other things sold by the same account."""
        if kind.startswith("checkout.session."):
            public_id = (about.get("metadata") or {}).get("payment")
            return _of_session(about, public_id, _ENDED.get(kind, "")) if public_id else None
        if kind == "charge.refunded":
            public_id = (about.get("metadata") or {}).get("payment")
            return Facts(public_id, refunded=about["amount_refunded"]) if public_id else None
        if kind.startswith("charge.dispute."):
            return self._of_dispute(kind, about)
        return None

    def _of_dispute(self, kind: str, about: dict[str, Any]) -> Facts | None:
        found = _dispute(kind, about["status"])
        intent_id = about.get("payment_intent")
        if not found or not intent_id:
            return None
        # A dispute does not repeat the payment's metadata.
        intent = _asked(lambda: self._client.v1.payment_intents.retrieve(intent_id))
        public_id = (intent.get("metadata") or {}).get("payment")
        return Facts(public_id, dispute=found) if public_id else None

    def find(self, reference: str) -> Facts:
        session = self._session(reference)
        ended = "EXPIRED" if session["status"] == "expired" else ""
        return _of_session(session, session["metadata"]["payment"], ended)

    def refund(self, public_id: str, reference: str, attempt: str) -> Facts:
        intent = self._session(reference)["payment_intent"]
        if not intent:
            raise Rejected("The payment was not made.")
        made = self._give_back(intent["id"], public_id, attempt)
        # A used key brings its first answer again; the list has what became of the refund.
        params: Any = {"payment_intent": intent["id"], "limit": 100}
        found = _asked(lambda: self._client.v1.refunds.list(params))["data"]
        for refund in found:
            _check_refund(refund, is_ours=refund["id"] == made)
        given = sum(refund["amount"] for refund in found if refund["status"] == "succeeded")
        return Facts(public_id, refunded=given)

    def _give_back(self, intent_id: str, public_id: str, attempt: str) -> str:
        """Ask for a refund; return its id, "" if nothing is left to refund."""
        params: Any = {"payment_intent": intent_id, "metadata": {"payment": public_id}}
        options: Any = {"idempotency_key": f"refund:{public_id}:{attempt}"}
        try:
            made = _asked(lambda: self._client.v1.refunds.create(params, options))
        except Rejected as error:
            if str(error) != "charge_already_refunded":
                raise
            return ""
        return str(made["id"])

    def _session(self, reference: str) -> dict[str, Any]:
        params: Any = {"expand": ["payment_intent.latest_charge"]}
        return _asked(lambda: self._client.v1.checkout.sessions.retrieve(reference, params))


def _dispute(kind: str, status: str) -> str:
    """Return what an event says of the money: with us, taken away, or back."""
    if kind == "charge.dispute.funds_withdrawn":
        return "OPEN"
    if kind == "charge.dispute.funds_reinstated":
        return "WON"
    return _CLOSED.get(status, "") if kind == "charge.dispute.closed" else ""


def _check_refund(refund: dict[str, Any], *, is_ours: bool) -> None:
    """Raise Rejected for a refund that is stuck, and for one of this attempt that came to nothing.

    Those of earlier attempts that failed are no part of what was given.
    """
    status = refund["status"]
    if status == "requires_action" or (is_ours and status in ("failed", "canceled")):
        raise Rejected(refund.get("failure_reason") or status)


def _of_session(session: dict[str, Any], public_id: str, ended: str) -> Facts:
    is_paid = session["payment_status"] == "paid"
    intent = session.get("payment_intent")
    charge = intent.get("latest_charge") if isinstance(intent, dict) else None
    return Facts(
        public_id,
        session["id"],
        is_paid=is_paid,
        amount=session["amount_total"] if is_paid else 0,
        currency=session["currency"].upper() if is_paid else "",
        ended="" if is_paid else ended,
        refunded=charge["amount_refunded"] if isinstance(charge, dict) else 0,
    )


def _asked(ask: Callable[[], Any]) -> dict[str, Any]:
    """Return Stripe's answer as a plain dict; raise Unavailable or Rejected."""
    try:
        answer: dict[str, Any] = ask().to_dict()
    except _TRANSIENT as error:
        raise Unavailable(type(error).__name__) from error
    except stripe.StripeError as error:
        raise Rejected(error.code or type(error).__name__) from error
    return answer
