"""A push service on loopback, over https, and browsers that decrypt its messages (RFC 8291).

The decryption is written from the RFCs and shares no code with `accounts/notices/encryption.py`.
"""

import base64
import hashlib
import hmac
import json
import os
import ssl
import struct
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.factories import sign_in

KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"  # the site's key, from RFC 8291, appendix A
PUBLIC_KEY = (
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
)


def text_of(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def raw_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def _hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    first = hmac.new(salt, secret, hashlib.sha256).digest()
    return hmac.new(first, info + b"\x01", hashlib.sha256).digest()[:length]


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """A push service that gives each request the next of `answers`, and 201 after the last one."""

    def __init__(self, folder: Any) -> None:
        self.requests: list[Request] = []
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.authority = str(folder / "authority.pem")
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.requests.append(Request(self.path, dict(self.headers), body))
                status, headers = service.answers.pop(0) if service.answers else (201, {})
                self.send_response(status)
                for name, value in {**headers, "Content-Length": "0"}.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate(folder))
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.place = f"127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def certificate(folder: Any) -> str:
    """Write authority.pem, a self-signed certificate for 127.0.0.1.

    Return the path of another file, which holds the certificate and its key.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "push on loopback")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    (folder / "authority.pem").write_bytes(pem)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    both = folder / "both.pem"
    both.write_bytes(pem + private)
    return str(both)


@dataclass
class PushedBrowser:
    """A browser that is subscribed at the push service."""

    service: PushService
    name: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def endpoint(self) -> str:
        return f"https://{self.service.place}/push/{self.name}"

    def fields(self, kind: str = "") -> dict[str, str]:
        """Return the fields that the page's script posts.

        `kind` has the kinds of notices, separated by spaces; "" means all.
        """
        p256dh, auth = text_of(point_of(self.key)), text_of(self.auth)
        return {"endpoint": self.endpoint, "p256dh": p256dh, "auth": auth, "kind": kind}

    def messages(self) -> list[dict[str, Any]]:
        path = f"/push/{self.name}"
        found = [request for request in self.service.requests if request.path == path]
        return [json.loads(self.decrypt(request.body)) for request in found]

    def decrypt(self, body: bytes) -> bytes:
        salt, (size, id_length) = body[:16], struct.unpack("!LB", body[16:21])
        sender, record = body[21 : 21 + id_length], body[21 + id_length :]
        assert len(record) <= size
        other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), other)
        info = b"WebPush: info\0" + point_of(self.key) + sender
        secret = _hkdf(self.auth, shared, info, 32)
        key = _hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _hkdf(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert padded.endswith(b"\x02")
        return padded[:-1]


def subscribed(service: PushService, user: User, kind: str = "") -> PushedBrowser:
    """Subscribe a browser of a member through the page's URL, to these kinds or to all."""
    client = sign_in(Client(), user)
    browser = PushedBrowser(service, f"{user.username}-{os.urandom(4).hex()}")
    answer = client.post(reverse("people:subscribe"), browser.fields(kind))
    assert answer.status_code == 201, answer.content
    return browser
