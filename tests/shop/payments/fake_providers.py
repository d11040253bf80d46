"""Fake servers of Stripe and YooKassa on loopback: the parts of their APIs that the site uses.

The fakes follow the providers' documentation and share no code with `shop/payments/providers/`.
"""

import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

STRIPE_SECRET = "whsec_only-for-tests"


class FakeProvider:
    """An HTTP server, which answers 500 while `fails` is set.

    `requests` lists the received requests, each as (method, path, idempotency key, fields).
    """

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, str, dict[str, Any]]] = []
        self.fails = False
        self.by_key: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer({})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                self._answer(fake.fields_of(body))

            def _answer(self, fields: dict[str, Any]) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                key = headers.get("idempotency-key") or headers.get("idempotence-key") or ""
                path = urlsplit(self.path).path
                fake.requests.append((self.command, path, key, fields))
                status, found = fake.answer(self.command, path, key, fields)
                raw = json.dumps(found).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def fields_of(self, body: str) -> dict[str, Any]:
        raise NotImplementedError

    def answer(
        self, method: str, path: str, key: str, fields: dict[str, Any]
    ) -> tuple[int, dict[str, Any]]:
        if self.fails:
            return 500, self.error("down")
        if method == "POST" and key in self.by_key:
            first_fields, first_answer = self.by_key[key]
            if fields == first_fields:
                return 200, first_answer
            return 400, self.error("idempotency_error") | {"parameter": "Idempotence-Key"}
        if code := self.refusal(method, path, fields):
            return 400, self.error(code)
        found = self.found(method, path, fields)
        if found is None:
            return 404, self.error("resource_missing")
        if method == "POST":
            self.by_key[key] = (fields, found)
        return 200, found

    def error(self, code: str) -> dict[str, Any]:
        raise NotImplementedError

    def refusal(self, method: str, path: str, fields: dict[str, Any]) -> str:
        """Return the code of the error of a request that is refused; "" for others."""
        return ""

    def found(self, method: str, path: str, fields: dict[str, Any]) -> dict[str, Any] | None:
        raise NotImplementedError


class FakeStripe(FakeProvider):
    """A fake of Stripe's API; `refunding` is the status of new refunds.

    `pay` acts as a person does at Stripe, `expire` as Stripe does when a session's time is up.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sessions: dict[str, dict[str, Any]] = {}
        self.intents: dict[str, dict[str, Any]] = {}
        self.refunds: dict[str, dict[str, Any]] = {}
        self.refunding = "succeeded"

    def keys(self) -> dict[str, Any]:
        return {
            "secret": "sk_test_only",
            "webhook_secret": STRIPE_SECRET,
            "currencies": ("RUB", "EUR"),
            "api_base": self.base,
        }

    def fields_of(self, body: str) -> dict[str, Any]:
        return {name: values[0] for name, values in parse_qs(body).items()}

    def error(self, code: str) -> dict[str, Any]:
        return {"error": {"type": "invalid_request_error", "code": code, "message": code}}

    def found(self, method: str, path: str, fields: dict[str, Any]) -> dict[str, Any] | None:
        if (method, path) == ("POST", "/v1/checkout/sessions"):
            return self._open(fields)
        if (method, path) == ("POST", "/v1/refunds"):
            attempt = {"attempt": fields["metadata[attempt]"]}
            return dict(self.refund(fields["payment_intent"], attempt))
        if path == "/v1/refunds":
            return {"object": "list", "data": list(self.refunds.values()), "has_more": False}
        if path.startswith("/v1/checkout/sessions/"):
            return self.sessions.get(path.rpartition("/")[2])
        return self.intents.get(path.rpartition("/")[2])

    def _open(self, fields: dict[str, Any]) -> dict[str, Any]:
        name = f"cs_test_{uuid4().hex}"
        self.sessions[name] = {
            "object": "checkout.session",
            "id": name,
            "url": f"https://checkout.stripe.com/c/pay/{name}",
            "status": "open",
            "payment_status": "unpaid",
            "amount_total": int(fields["line_items[0][price_data][unit_amount]"]),
            "currency": fields["line_items[0][price_data][currency]"],
            "metadata": {"payment": fields["metadata[payment]"]},
            "payment_intent": None,
        }
        return self.sessions[name]

    def answer(
        self, method: str, path: str, key: str, fields: dict[str, Any]
    ) -> tuple[int, dict[str, Any]]:
        if (method, path) == ("POST", "/v1/refunds") and key not in self.by_key:
            charge = self.intents[fields["payment_intent"]]["latest_charge"]
            if charge["amount_refunded"] == charge["amount"]:
                return 400, self.error("charge_already_refunded")
        return super().answer(method, path, key, fields)

    def refund(
        self, intent: str, metadata: dict[str, str] | None = None, amount: int | None = None
    ) -> dict[str, Any]:
        """Refund `amount`, by default all that is left, as people also do on Stripe's own pages."""
        charge = self.intents[intent]["latest_charge"]
        given = charge["amount"] - charge["amount_refunded"] if amount is None else amount
        charge["amount_refunded"] += given
        name = f"re_{len(self.refunds)}"
        self.refunds[name] = {
            "object": "refund",
            "id": name,
            "amount": given,
            "payment_intent": intent,
            "metadata": metadata or {},
            "status": self.refunding,
            "failure_reason": None,
        }
        return self.refunds[name]

    def fail_refund(self, name: str, status: str = "failed", reason: str = "") -> dict[str, Any]:
        """Mark a refund as failed, and take its amount off the charge's `amount_refunded`."""
        refund = self.refunds[name]
        refund |= {"status": status, "failure_reason": reason or None}
        charge = self.intents[refund["payment_intent"]]["latest_charge"]
        charge["amount_refunded"] -= refund["amount"]
        return refund

    def pay(self, name: str) -> dict[str, Any]:
        """Pay a session; return it as events contain it, with only the id of the intent."""
        session = self.sessions[name]
        amount, metadata = session["amount_total"], session["metadata"]
        charge = {"object": "charge", "amount": amount, "amount_refunded": 0}
        intent = {"object": "payment_intent", "id": f"pi_{name}", "metadata": metadata}
        intent |= {"amount_received": amount, "latest_charge": {**charge, "id": "ch_1"}}
        self.intents[str(intent["id"])] = intent
        session |= {"status": "complete", "payment_status": "paid", "payment_intent": intent}
        return {**session, "payment_intent": intent["id"]}

    def expire(self, name: str) -> dict[str, Any]:
        self.sessions[name]["status"] = "expired"
        return self.sessions[name]

    def charge(self, name: str, refunded: int) -> dict[str, Any]:
        session = self.sessions[name]
        return {
            "object": "charge",
            "metadata": session["metadata"],
            "payment_intent": f"pi_{name}",
            "amount_refunded": refunded,
        }

    def dispute(self, name: str, status: str) -> dict[str, Any]:
        return {"object": "dispute", "payment_intent": f"pi_{name}", "status": status}

    @staticmethod
    def event(kind: str, about: dict[str, Any], name: str = "") -> bytes:
        event = {"object": "event", "id": name or f"evt_{uuid4().hex}", "type": kind}
        return json.dumps({**event, "data": {"object": about}}).encode()

    @staticmethod
    def signature(body: bytes, secret: str = STRIPE_SECRET, age_s: int = 0) -> str:
        at = int(time.time()) - age_s
        signed = f"{at}.".encode() + body
        return f"t={at},v1={hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()}"


class FakeYooKassa(FakeProvider):
    """A fake of YooKassa's API.

    `refunding` is the status of new refunds and, if that is `canceled`, the reason. With a
    `vat_code` the shop sends tax receipts; then a refund of a part is refused without its receipt.
    """

    def __init__(self) -> None:
        super().__init__()
        self.vat_code: int | None = 1
        self.payments: dict[str, dict[str, Any]] = {}
        self.refunds: dict[str, dict[str, Any]] = {}
        self.refunding = ("succeeded", "")

    def keys(self) -> dict[str, Any]:
        return {
            "shop_id": "54401",
            "secret": "test_only",
            "vat_code": self.vat_code,
            "currencies": ("RUB",),
            "api_base": f"{self.base}/v3",
        }

    def fields_of(self, body: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(body)
        return found

    def error(self, code: str) -> dict[str, Any]:
        return {"type": "error", "id": "1", "code": code, "description": code}

    def refusal(self, method: str, path: str, fields: dict[str, Any]) -> str:
        is_refund = (method, path) == ("POST", "/v3/refunds")
        return "invalid_request" if is_refund and not self._has_receipt(fields) else ""

    def _has_receipt(self, refund: dict[str, Any]) -> bool:
        """Return whether a refund has the receipt that it needs, with the refunded amount."""
        is_whole = refund["amount"] == self.payments[refund["payment_id"]]["amount"]
        if is_whole or self.vat_code is None:
            return True
        items = refund.get("receipt", {}).get("items", [])
        return [item["amount"] for item in items] == [refund["amount"]]

    def found(self, method: str, path: str, fields: dict[str, Any]) -> dict[str, Any] | None:
        if (method, path) == ("POST", "/v3/payments"):
            return self._open(fields)
        if (method, path) == ("POST", "/v3/refunds"):
            name = str(uuid4())
            self.refunds[name] = {"id": name, "status": "pending", **fields}
            return dict(self.end_refund(name, *self.refunding))
        known = self.refunds if path.startswith("/v3/refunds/") else self.payments
        return known.get(path.rpartition("/")[2])

    def _open(self, fields: dict[str, Any]) -> dict[str, Any]:
        name = str(uuid4())
        self.payments[name] = {
            "id": name,
            "status": "pending",
            "amount": fields["amount"],
            "description": fields["description"],
            "metadata": fields["metadata"],
            "confirmation": {"confirmation_url": f"https://yoomoney.ru/checkout?orderId={name}"},
        }
        return self.payments[name]

    def pay(self, name: str) -> None:
        self.payments[name]["status"] = "succeeded"

    def end_refund(self, name: str, status: str, reason: str = "") -> dict[str, Any]:
        refund = self.refunds[name]
        refund["status"] = status
        if status == "canceled":
            refund["cancellation_details"] = {"party": "yoo_money", "reason": reason}
        if status == "succeeded":
            payment = self.payments[refund["payment_id"]]
            before = float(payment.get("refunded_amount", {}).get("value", 0))
            total = before + float(refund["amount"]["value"])
            payment["refunded_amount"] = {"value": f"{total:.2f}", "currency": "RUB"}
        return refund

    def cancel(self, name: str, reason: str) -> None:
        details = {"party": "yoo_money", "reason": reason}
        self.payments[name] |= {"status": "canceled", "cancellation_details": details}

    @staticmethod
    def message(kind: str, about: dict[str, Any]) -> bytes:
        return json.dumps({"type": "notification", "event": kind, "object": about}).encode()
