"""A strict fake of Facebook on loopback: its dialog, tokens and profile data."""

import hashlib
import hmac
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from allauth.socialaccount.providers.facebook import flows
from allauth.socialaccount.providers.facebook.views import FacebookOAuth2Adapter

from tests.support.patience import PATIENCE_S

APP_ID, APP_SECRET = "1234567890", "facebook-app-secret"


class FakeFacebook:
    """`person` confirms the dialog, or cancels it if `refuses`; the request named `breaks` fails.

    `breaks` is "token", "me" or "" for none; `requests` has the path and query of each request.
    """

    def __init__(self):
        self.person = {"id": "1000001", "email": "anna@facebook.example", "name": "Anna Example"}
        self.refuses = False
        self.breaks = ""
        self.requests = []
        self._codes = {}
        self._tokens = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE_S)

    def dialog(self, query):
        """Return the URL that the person's browser is redirected to."""
        assert query["client_id"] == APP_ID
        assert query["response_type"] == "code"
        answer = {"state": query["state"]}
        if self.refuses:
            answer |= {"error": "access_denied", "error_reason": "user_denied"}
        else:
            answer["code"] = secrets.token_hex(8)
            self._codes[answer["code"]] = query["redirect_uri"]
        return f"{query['redirect_uri']}?{urlencode(answer)}"

    def token(self, query):
        """Accept each code once, for the same redirect address and the right secret."""
        is_right = (
            query["client_id"] == APP_ID
            and query["client_secret"] == APP_SECRET
            and self._codes.pop(query["code"], None) == query["redirect_uri"]
        )
        if not is_right or self.breaks == "token":
            return 400, {"error": {"message": "Invalid verification code", "code": 100}}
        token = secrets.token_hex(8)
        self._tokens[token] = self.person
        return 200, {"access_token": token, "token_type": "bearer", "expires_in": 5_000_000}

    def me(self, query):
        """Return only the requested fields; an email only if the person has given it."""
        token = query["access_token"]
        proof = hmac.new(APP_SECRET.encode(), token.encode(), hashlib.sha256).hexdigest()
        if self.breaks == "me" or query["appsecret_proof"] != proof or token not in self._tokens:
            return 400, {"error": {"message": "Invalid OAuth access token.", "code": 190}}
        fields = query["fields"].split(",")
        return 200, {name: self.person[name] for name in fields if name in self.person}

    def _handler(fake):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                fake.requests.append((parts.path, query))
                if parts.path == "/dialog/oauth":
                    self.send_response(302)
                    self.send_header("Location", fake.dialog(query))
                    self.end_headers()
                    return
                answers = {"/oauth/access_token": fake.token, "/me": fake.me}
                status, body = answers[parts.path](query)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, *args):
                pass

        return Handler


@contextmanager
def facebook_with_keys(settings, monkeypatch) -> Iterator[FakeFacebook]:
    """Run the site with Facebook's keys against the fake."""
    fake = FakeFacebook()
    settings.SOCIALACCOUNT_PROVIDERS = {
        "facebook": {
            "APPS": [{"client_id": APP_ID, "secret": APP_SECRET, "key": ""}],
            "METHOD": "oauth2",
            "SCOPE": ["email", "public_profile"],
            "FIELDS": ["id", "email"],
        }
    }
    policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    form_action = [*policy["form-action"], fake.url]
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": {**policy, "form-action": form_action}}
    monkeypatch.setattr(FacebookOAuth2Adapter, "authorize_url", f"{fake.url}/dialog/oauth")
    token_url = f"{fake.url}/oauth/access_token"
    monkeypatch.setattr(FacebookOAuth2Adapter, "access_token_url", token_url)
    monkeypatch.setattr(flows, "GRAPH_API_URL", fake.url)
    try:
        yield fake
    finally:
        fake.close()
