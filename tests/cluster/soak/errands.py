"""Fill in forms of the site as members do: write to somebody, buy a look, enter a tournament."""

import http.client
import random
import re
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any

from tests.support.redirects import NoRedirect

TIMEOUT_S = 30
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_GOOD = re.compile(r'href="(/shop/(?:boards|checkers)/[\w-]+/)"')
_PRICE = re.compile(r'name="price" value="(\d+)"')
SHOP_PAGES = ("/shop/", "/shop/checkers/")


@dataclass(frozen=True)
class Member:
    session: str
    public_id: str


class NoAnswer(Exception):
    """No answer of the site, as happens during a fault."""


class NoForm(Exception):
    """A page without a form for this member; the argument is the page's status."""


class Browser:
    """One member's requests to the site, without pictures and scripts."""

    def __init__(self, base: str, session: str) -> None:
        self._base, self._cookies = base, {"sessionid": session}
        self._opener = urllib.request.build_opener(NoRedirect)

    def open(self, path: str, fields: dict[str, str] | None = None) -> tuple[int, str]:
        """Return the status and text of the page; with `fields` send them as its form.

        Raise NoAnswer if there is no answer.
        """
        data = None if fields is None else urllib.parse.urlencode(fields).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Cookie": cookies, "Referer": self._base + path}
        request = urllib.request.Request(self._base + path, data, headers)
        try:
            return self._read(self._answer(request))
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer from error

    def _answer(self, request: urllib.request.Request) -> Any:
        try:
            return self._opener.open(request, timeout=TIMEOUT_S)
        except urllib.error.HTTPError as error:
            return error

    def _read(self, answer: Any) -> tuple[int, str]:
        with answer:
            for cookie in answer.headers.get_all("Set-Cookie") or []:
                name, value = cookie.partition(";")[0].split("=", 1)
                self._cookies[name] = value
            return answer.status, answer.read().decode(errors="replace")

    def submit(self, page: str, action: str, fields: dict[str, str]) -> int:
        """Open the page and send a form of it to `action`; return the status.

        Raise NoForm if the page has no form.
        """
        status, text = self.open(page)
        return self.send(status, text, action, fields)

    def send(self, status: int, text: str, action: str, fields: dict[str, str]) -> int:
        """Send a form of the page with this status and text.

        Raise NoForm if the page has no form.
        """
        token = _TOKEN.search(text)
        if token is None:
            raise NoForm(status)
        return self.open(action, {"csrfmiddlewaretoken": token[1]} | fields)[0]


def write_to(browser: Browser, other: Member) -> int:
    page = f"/chat/with/{other.public_id}/"
    text = f"Good game, number {random.randrange(10**6)}!"
    return browser.submit(page, page, {"text": text})


def buy(browser: Browser) -> int:
    """Buy a random look that is on sale; raise NoForm if the member cannot buy it."""
    status, text = browser.open(random.choice(SHOP_PAGES))
    goods = _GOOD.findall(text)
    if not goods:
        raise NoForm(status)
    page = random.choice(goods)
    status, text = browser.open(f"{page}?confirm=1")
    price = _PRICE.search(text)
    if price is None:
        raise NoForm(status)
    return browser.send(status, text, f"{page}buy/", {"price": price[1]})


def enter(browser: Browser, tournament: str) -> int:
    page = f"/tournaments/{tournament}/"
    return browser.submit(page, f"{page}enter/", {"confirmed": "1"})
