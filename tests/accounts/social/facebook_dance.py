"""The steps of a sign-in through Facebook, from the button to the chosen login."""

import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.support.patience import PATIENCE_S
from tests.support.redirects import NoRedirect

BEGIN = "/account/social/facebook/login/"
CALLBACK = "/account/social/facebook/login/callback/"
SIGN_UP = "/account/social/signup/"
CONNECTIONS = "/account/social/"


def at_facebook(address: str) -> str:
    """Confirm the dialog; return the URL to which it redirects."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)
    with pytest.raises(urllib.error.HTTPError) as answer:
        opener.open(address, timeout=PATIENCE_S)
    with answer.value as response:
        return str(response.headers["Location"])


def dance(client: Client, **query: str) -> HttpResponse:
    """Go from the button to Facebook and back."""
    begun = client.post(BEGIN, query_params={"process": "login", **query})
    assert begun.status_code == 302, begun.content
    back = urlsplit(at_facebook(begun["Location"]))
    assert (back.scheme, back.netloc, back.path) == ("http", "testserver", CALLBACK)
    return client.get(f"{back.path}?{back.query}")


def choose(client: Client, login: str = "annika", **more: str) -> HttpResponse:
    return client.post(SIGN_UP, {"username": login, **more})
