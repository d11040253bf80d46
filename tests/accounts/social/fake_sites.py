"""Strict fakes, on loopback, of the sites through which people sign in."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from allauth.socialaccount.providers.apple.views import AppleOAuth2Adapter
from allauth.socialaccount.providers.facebook import flows
from allauth.socialaccount.providers.facebook.views import FacebookOAuth2Adapter
from allauth.socialaccount.providers.google.views import GoogleOAuth2Adapter
from allauth.socialaccount.providers.vk.views import VKOAuth2Adapter
from allauth.socialaccount.providers.yandex.views import YandexOAuth2Adapter
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from accounts.social import telegram
from config import sign_in_sites
from config.environment import Env
from tests.support.patience import PATIENCE_S

APPLE_KEY = ec.generate_private_key(ec.SECP256R1())
APPLE_SIGNER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
APP_ID, APP_SECRET = "1234567890", "facebook-app-secret"
BOT_TOKEN = "424242:AAbot-token"
KEYS = {
    "facebook": {"FACEBOOK_APP_ID": APP_ID, "FACEBOOK_APP_SECRET": APP_SECRET},
    "google": {"GOOGLE_CLIENT_ID": "google-id", "GOOGLE_CLIENT_SECRET": "google-secret"},
    "apple": {
        "APPLE_CLIENT_ID": "org.example.play",
        "APPLE_TEAM_ID": "TEAM123456",
        "APPLE_KEY_ID": "KEY1234567",
        "APPLE_PRIVATE_KEY": APPLE_KEY.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        .decode()
        .strip(),
    },
    "vk": {"VK_CLIENT_ID": "5151", "VK_CLIENT_SECRET": "vk-secret"},
    "yandex": {"YANDEX_CLIENT_ID": "yandex-id", "YANDEX_CLIENT_SECRET": "yandex-secret"},
    "telegram": {"TELEGRAM_BOT_TOKEN": BOT_TOKEN},
}


class Rejected(Exception):
    """A wrong request, which the fake site refuses."""


def check(is_right: bool) -> None:
    if not is_right:
        raise Rejected


class FakeSite:
    """A site whose `person` consents unless `refuses` is set.

    If `breaks` is True, our server's requests fail; if `breaks` is a path, only requests of this
    path fail. `requests` lists the path of every request. With `is_form`, for tests in a real
    browser, the dialog answers with a form and not with a redirect.
    """

    SECRET = ""
    CLIENT = ""
    CANCEL = "access_denied"

    def __init__(self) -> None:
        self.person = {"id": "1000001", "email": "anna@site.example"}
        self.refuses = self.is_form = False
        self.breaks: bool | str = False
        self.requests: list[str] = []
        self.codes: dict[str, dict[str, str]] = {}  # code to the query of its dialog
        self.tokens: dict[str, dict[str, str]] = {}  # token to the person
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        serve = self._server.serve_forever
        self._thread = threading.Thread(target=serve, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE_S)

    def dialog(self, query: dict[str, str]) -> str:
        """Return the URL to which the browser is sent back."""
        check(query["client_id"] == self.CLIENT and query["response_type"].startswith("code"))
        return f"{query['redirect_uri']}?{urlencode(self.consent(query))}"

    def consent(self, query: dict[str, str]) -> dict[str, str]:
        if self.refuses:
            return {"state": query["state"], "error": self.CANCEL}
        code = secrets.token_hex(8)
        self.codes[code] = query
        return {"state": query["state"], "code": code}

    def token(self, form: dict[str, str], headers: Any) -> dict[str, Any]:
        """Accept each code once, for the same redirect URI, with the right secret and verifier."""
        asked = self.codes.pop(form["code"], None)
        check(asked is not None and form["redirect_uri"] == asked["redirect_uri"])
        check(form["client_id"] == self.CLIENT and self.knows(form["client_secret"]))
        if asked and "code_challenge" in asked:
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            check(challenge == asked["code_challenge"])
        token = secrets.token_hex(8)
        self.tokens[token] = self.person
        return {"access_token": token, "token_type": "bearer", "expires_in": 3600}

    def knows(self, secret: str) -> bool:
        return secret == self.SECRET

    def who(self, token: str, names: dict[str, str]) -> dict[str, str]:
        """Return the person of a token, with the fields named as the site names them."""
        check(token in self.tokens)
        person = self.tokens[token]
        return {theirs: person[ours] for ours, theirs in names.items() if ours in person}

    def routes(self) -> dict[str, Callable[[dict[str, str], Any], dict[str, Any]]]:
        """Return the handler of each path that our server requests."""
        return {"/token": self.token}


class Facebook(FakeSite):
    CLIENT, SECRET = APP_ID, APP_SECRET

    def me(self, query: dict[str, str], headers: Any) -> dict[str, Any]:
        token = query["access_token"]
        proof = hmac.new(APP_SECRET.encode(), token.encode(), hashlib.sha256).hexdigest()
        check(query["appsecret_proof"] == proof and query["fields"] == "id,email")
        return self.who(token, {"id": "id", "email": "email"})

    def routes(self) -> Any:
        return super().routes() | {"/me": self.me}

    def patch_urls(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(FacebookOAuth2Adapter, "authorize_url", f"{self.url}/dialog")
        monkeypatch.setattr(FacebookOAuth2Adapter, "access_token_url", f"{self.url}/token")
        monkeypatch.setattr(flows, "GRAPH_API_URL", self.url)


class Google(FakeSite):
    CLIENT, SECRET = "google-id", "google-secret"

    def token(self, form: dict[str, str], headers: Any) -> dict[str, Any]:
        answer = super().token(form, headers)
        claims = self.who(answer["access_token"], {"id": "sub", "email": "email"})
        now = int(time.time())
        claims |= {"iss": "https://accounts.google.com", "aud": self.CLIENT}  # type: ignore[operator]
        claims |= {"iat": now, "exp": now + 3600, "email_verified": True}  # type: ignore[dict-item]
        return answer | {"id_token": jwt.encode(claims, "not checked" * 4, algorithm="HS256")}

    def dialog(self, query: dict[str, str]) -> str:
        check(set(query["scope"].split()) == {"openid", "email"} and "code_challenge" in query)
        return super().dialog(query)

    def patch_urls(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(GoogleOAuth2Adapter, "authorize_url", f"{self.url}/dialog")
        monkeypatch.setattr(GoogleOAuth2Adapter, "access_token_url", f"{self.url}/token")


class Apple(FakeSite):
    """Our server must ask for the answer as a form (POST), which Apple's page would send.

    This fake redirects like the others; with `is_form` its page sends the form.
    """

    CLIENT = "org.example.play"
    CANCEL = "user_cancelled_authorize"

    def dialog(self, query: dict[str, str]) -> str:
        check(query["response_mode"] == "form_post")
        return super().dialog(query)

    def knows(self, secret: str) -> bool:
        claims = jwt.decode(
            secret, APPLE_KEY.public_key(), ["ES256"], audience="https://appleid.apple.com"
        )
        header = jwt.get_unverified_header(secret)
        return (claims["iss"], claims["sub"], header["kid"]) == (
            "TEAM123456",
            self.CLIENT,
            "KEY1234567",
        )

    def token(self, form: dict[str, str], headers: Any) -> dict[str, Any]:
        answer = super().token(form, headers)
        claims: dict[str, Any] = self.who(answer["access_token"], {"id": "sub", "email": "email"})
        now = int(time.time())
        claims |= {"iss": "https://appleid.apple.com", "aud": self.CLIENT}
        claims |= {"iat": now, "exp": now + 600}
        token = jwt.encode(claims, APPLE_SIGNER, algorithm="RS256", headers={"kid": "k1"})
        return answer | {"id_token": token}

    def keys(self, query: dict[str, str], headers: Any) -> dict[str, Any]:
        key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(APPLE_SIGNER.public_key()))
        return {"keys": [key | {"kid": "k1", "alg": "RS256"}]}

    def routes(self) -> Any:
        return super().routes() | {"/keys": self.keys}

    def patch_urls(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(AppleOAuth2Adapter, "authorize_url", f"{self.url}/dialog")
        monkeypatch.setattr(AppleOAuth2Adapter, "access_token_url", f"{self.url}/token")
        monkeypatch.setattr(AppleOAuth2Adapter, "public_key_url", f"{self.url}/keys")


class Vk(FakeSite):
    CLIENT, SECRET = "5151", "vk-secret"

    def consent(self, query: dict[str, str]) -> dict[str, str]:
        check("code_challenge" in query)
        return super().consent(query) | {"device_id": "device-1"}

    def token(self, form: dict[str, str], headers: Any) -> dict[str, Any]:
        check(form["device_id"] == "device-1")
        return super().token(form, headers)

    def info(self, form: dict[str, str], headers: Any) -> dict[str, Any]:
        check(form["client_id"] == self.CLIENT)
        return {"user": self.who(form["access_token"], {"id": "user_id", "email": "email"})}

    def routes(self) -> Any:
        return super().routes() | {"/info": self.info}

    def patch_urls(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(VKOAuth2Adapter, "authorize_url", f"{self.url}/dialog")
        monkeypatch.setattr(VKOAuth2Adapter, "access_token_url", f"{self.url}/token")
        monkeypatch.setattr(VKOAuth2Adapter, "profile_url", f"{self.url}/info")


class Yandex(FakeSite):
    CLIENT, SECRET = "yandex-id", "yandex-secret"

    def info(self, query: dict[str, str], headers: Any) -> dict[str, Any]:
        token = headers["Authorization"].removeprefix("OAuth ")
        return self.who(token, {"id": "id", "email": "default_email"}) | {"login": "vasya"}

    def routes(self) -> Any:
        return super().routes() | {"/info": self.info}

    def patch_urls(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(YandexOAuth2Adapter, "authorize_url", f"{self.url}/dialog")
        monkeypatch.setattr(YandexOAuth2Adapter, "access_token_url", f"{self.url}/token")
        monkeypatch.setattr(YandexOAuth2Adapter, "profile_url", f"{self.url}/info")


class Telegram(FakeSite):
    """The site answers in the URL's fragment; our server sends no request to the site."""

    def dialog(self, query: dict[str, str]) -> str:
        check(query["bot_id"] == "424242" and query["return_to"].startswith(query["origin"]))
        answer = "false" if self.refuses else signed(self.person["id"])
        return f"{query['return_to']}#tgAuthResult={'x' if self.breaks else answer}"

    def patch_urls(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(telegram, "AUTHORIZE_URL", f"{self.url}/dialog")


def signed(uid: str, token: str = BOT_TOKEN, age_s: int = 0, **more: Any) -> str:
    """Return Telegram's answer, signed with the token of a bot."""
    data = {"id": int(uid), "first_name": "Anna", "auth_date": int(time.time()) - age_s, **more}
    lines = "\n".join(sorted(f"{name}={value}" for name, value in data.items()))
    key = hashlib.sha256(token.encode()).digest()
    data["hash"] = hmac.new(key, lines.encode(), hashlib.sha256).hexdigest()
    return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")


def handler_of(fake: FakeSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            self._answer(parts.path, parts.query)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer(self.path, body)

        def _answer(self, path: str, text: str) -> None:
            values = {name: found[0] for name, found in parse_qs(text).items()}
            fake.requests.append(path)
            if path == "/favicon.ico":
                self.send_response(204)
                self.end_headers()
                return
            try:
                if path == "/dialog" and fake.is_form:
                    self._send_form(fake.dialog(values))
                    return
                if path == "/dialog":
                    self.send_response(302)
                    self.send_header("Location", fake.dialog(values))
                    self.end_headers()
                    return
                check(fake.breaks not in (True, path))
                status, body = 200, fake.routes()[path](values, self.headers)
            except (Rejected, KeyError, jwt.PyJWTError):
                status, body = 400, {"error": "invalid_request"}
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def _send_form(self, back: str) -> None:
            address, _, query = back.partition("?")
            fields = (
                f'<input name="{name}" value="{values[0]}">'
                for name, values in parse_qs(query).items()
            )
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            form = f'<form method="post" action="{address}">{"".join(fields)}<button>Go'
            self.wfile.write(f"<!doctype html><title>Consent</title>{form}".encode())

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


SITES: dict[str, type[FakeSite]] = {
    "apple": Apple,
    "facebook": Facebook,
    "google": Google,
    "telegram": Telegram,
    "vk": Vk,
    "yandex": Yandex,
}


def settings_with(*codes: str) -> dict[str, dict[str, object]]:
    """Return the settings of these sites, read from an environment with their keys."""
    return sign_in_sites.providers(env_with(*(KEYS[code] for code in codes)))


def env_with(*keys: dict[str, str]) -> Env:
    env = Env()
    env.ENVIRON = {name: value for each in keys for name, value in each.items()}
    return env


@contextmanager
def site_with_keys(code: str, settings: Any, monkeypatch: Any) -> Iterator[FakeSite]:
    """Run our site with the keys of the site `code`, against the fake of that site."""
    fake = SITES[code]()
    settings.SOCIALACCOUNT_PROVIDERS = settings_with(code)
    fake.patch_urls(monkeypatch)  # type: ignore[attr-defined]
    try:
        yield fake
    finally:
        fake.close()
