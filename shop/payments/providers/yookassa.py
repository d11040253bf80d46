"""YooKassa: cards, SBP and wallets of Russia, through its official library.

YooKassa's messages are not signed, so they are hints only: after a message from one of YooKassa's
networks the site asks YooKassa with its own key, and trusts that answer alone.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from yookassa import Configuration
from yookassa.client import ApiClient
from yookassa.domain.common import HttpVerb, SecurityHelper
from yookassa.domain.exceptions import (
    ApiError,
    InternalServerError,
    NotFoundError,
    ResponseProcessingError,
    TooManyRequestsError,
)
from yookassa.domain.request import PaymentRequest, RefundRequest

from shop.payments.currencies import amount_of, units
from shop.payments.providers.port import (
    Event,
    Facts,
    Forged,
    Order,
    Rejected,
    Started,
    Unavailable,
)

logger = logging.getLogger(__name__)

TIMEOUT_S = 10
LOCALES = {"ru": "ru_RU"}  # all other languages get English
_TRANSIENT = (InternalServerError, ResponseProcessingError, TooManyRequestsError)
_KEY = "Idempotence-Key"  # the header, and the name of the parameter in errors about it
_REFUNDED = "refund.succeeded"
# Events that change a payment -> the field of their object with the payment's id. Each reports an
# end: after it the payment is no longer open.
_EVENTS = {
    "payment.succeeded": "id",
    "payment.canceled": "id",
    _REFUNDED: "payment_id",
}
_ID = re.compile(r"[0-9a-f-]{36}")
_DESCRIPTION_LENGTH = 128


class _Adapter(HTTPAdapter):
    def send(self, request: Any, **options: Any) -> Any:  # type: ignore[override]
        return super().send(request, **{**options, "timeout": TIMEOUT_S})


class _Client(ApiClient):
    """The library's client with a timeout, which the original does not have."""

    def get_session(self) -> requests.Session:
        session = requests.Session()
        session.trust_env = False
        for scheme in ("https://", "http://"):
            session.mount(scheme, _Adapter())
        return session


class Gateway:
    code = "yookassa"

    def __init__(self, keys: Mapping[str, Any]) -> None:
        self.currencies = frozenset(keys["currencies"])
        self._vat_code: int | None = keys["vat_code"]
        # The law's receipt goes to a customer's address; YooKassa refuses payments without it.
        self.needs_email = self._vat_code is not None
        base = {"api_url": keys["api_base"]} if "api_base" in keys else {}
        Configuration.configure(keys["shop_id"], keys["secret"], **base)

    def start(self, order: Order) -> Started:
        amount = _amount(order.amount, order.currency)
        title = order.title[:_DESCRIPTION_LENGTH]
        data: dict[str, Any] = {
            "amount": amount,
            "capture": True,
            "description": title,
            "metadata": {"payment": order.public_id},
            "confirmation": {
                "type": "redirect",
                "return_url": order.return_url,
                "locale": LOCALES.get(order.language, "en_US"),
            },
        }
        data |= self._receipt(title, order.email, amount)
        made = _post("/payments", PaymentRequest(data), order.public_id)
        return Started(made["id"], made["confirmation"]["confirmation_url"])

    def _receipt(self, title: str, email: str, amount: dict[str, str]) -> dict[str, Any]:
        """Return the field `receipt` as tax law requires it (54-FZ); {} if none can be sent."""
        if not (self._vat_code and email):
            return {}
        item = {
            "description": title,
            "quantity": "1",
            "amount": amount,
            "vat_code": self._vat_code,
            "payment_mode": "full_payment",
            "payment_subject": "service",
        }
        return {"receipt": {"customer": {"email": email}, "items": [item]}}

    def read(self, body: bytes, headers: Mapping[str, str], address: str) -> Event:
        if not is_trusted(address):
            raise Forged("from another network")
        try:
            message = json.loads(body)
            kind, about = message["event"], message["object"]
            payment_id = about[_EVENTS[kind]] if kind in _EVENTS else ""
            event_id = f"{kind}:{about['id']}"
            refunded = amount_of(about["amount"]["value"]) if kind == _REFUNDED else 0
        except (ValueError, KeyError, TypeError) as error:
            raise Forged(type(error).__name__) from error
        if not payment_id:
            return Event(event_id, kind, None)
        try:
            facts = self.find(payment_id)
        except Rejected as error:
            raise Forged(str(error)) from error
        if not (facts.is_paid or facts.ended) or facts.refunded < refunded:
            raise Unavailable("the answer does not show the change yet")
        # The facts are part of the id: after an earlier refund, the answer may not show the next
        # one yet, and a second message with the same id must still count.
        known = f"{facts.is_paid:d}:{facts.ended}:{facts.refunded}"
        return Event(f"{event_id}:{known}", kind, facts)

    def find(self, reference: str) -> Facts:
        return _facts(_payment(reference))

    def refund(self, public_id: str, reference: str, attempt: str, email: str) -> Facts:
        payment = _payment(reference)
        total, given = _hundredths(payment["amount"]["value"]), _refunded(payment)
        if payment["status"] != "succeeded":
            raise Rejected("The payment was not made.")
        if given < total:
            left = _amount(total - given, payment["amount"]["currency"])
            data: dict[str, Any] = {"payment_id": reference, "amount": left}
            if given:  # for a refund of all, YooKassa uses the receipt of the payment
                data |= self._receipt(payment["description"], email, left)
            _give_back(RefundRequest(data), f"refund:{public_id}:{attempt}")
        return _facts(_payment(reference))


def is_trusted(address: str) -> bool:
    """Return whether YooKassa sends from the address, by the list of its library."""
    return bool(address) and SecurityHelper().is_ip_trusted(address)


def _amount(hundredths: int, currency: str) -> dict[str, str]:
    return {"value": f"{units(hundredths):.2f}", "currency": currency}


def _payment(reference: str) -> dict[str, Any]:
    if not _ID.fullmatch(str(reference)):
        raise Rejected("no id of a payment")
    return _asked(lambda: _Client().request(HttpVerb.GET, f"/payments/{reference}"))


def _post(path: str, data: Any, key: str) -> dict[str, Any]:
    headers = {_KEY: key}
    return _asked(lambda: _Client().request(HttpVerb.POST, path, None, headers, data))


def _give_back(data: RefundRequest, key: str) -> None:
    """Request a refund; raise Rejected if it is canceled."""
    made = _post("/refunds", data, key)
    if made["status"] == "pending":  # YooKassa may have repeated its first answer to this key
        made = _asked(lambda: _Client().request(HttpVerb.GET, f"/refunds/{made['id']}"))
    if made["status"] == "canceled":
        details = made.get("cancellation_details") or {}
        raise Rejected(str(details.get("reason") or "canceled"))


def _refunded(payment: dict[str, Any]) -> int:
    return _hundredths((payment.get("refunded_amount") or {}).get("value", "0"))


def _hundredths(value: Any) -> int:
    """Return an amount of an answer in hundredths; raise Unavailable if it cannot be read.

    Money may have been paid, so the payment must not expire: YooKassa is asked again later.
    """
    try:
        return amount_of(value)
    except (TypeError, ValueError) as error:
        logger.exception("YooKassa: %r is no amount", value)
        raise Unavailable(f"{value!r} is no amount") from error


def _facts(payment: dict[str, Any]) -> Facts:
    try:
        status, reason = payment["status"], payment.get("cancellation_details") or {}
        is_paid = status == "succeeded"
        is_expired = reason.get("reason") == "expired_on_confirmation"
        ended = ("EXPIRED" if is_expired else "FAILED") if status == "canceled" else ""
        return Facts(
            payment["metadata"]["payment"],
            payment["id"],
            is_paid=is_paid,
            amount=_hundredths(payment["amount"]["value"]) if is_paid else 0,
            currency=payment["amount"]["currency"] if is_paid else "",
            ended=ended,
            refunded=_refunded(payment),
        )
    except KeyError as error:
        raise Rejected(f"{error} is missing: not a payment of this site") from error


def _asked(ask: Callable[[], Any]) -> dict[str, Any]:
    """Return YooKassa's answer.

    Raises Unavailable for a temporary failure, Rejected for a permanent one. The library parses
    the body of every failure: it raises AttributeError for an empty body and ValueError for a body
    that is not JSON.
    """
    try:
        answer: dict[str, Any] = ask()
    except (*_TRANSIENT, requests.RequestException, AttributeError, ValueError) as error:
        raise Unavailable(type(error).__name__) from error
    except NotFoundError as error:
        raise Rejected("not found") from error
    except ApiError as error:
        content = error.content or {}
        if content.get("parameter") == _KEY:
            # An earlier request under this key, with another email, may be under way.
            raise Unavailable("the key belongs to a request with another content") from error
        raise Rejected(str(content.get("code") or type(error).__name__)) from error
    return answer
