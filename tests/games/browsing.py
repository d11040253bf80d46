"""Helpers for tests with a guest's browser."""

import json
import re
from typing import Any

from django.test import Client

from tests.games.factories import Sitting


def browser_of(sitting: Sitting) -> Client:
    """Return a browser whose session belongs to the sitting's guest."""
    browser = Client()
    session = browser.session
    session["guest"] = str(sitting.guest)
    session.save()
    return browser


def data_in(page: str, id: str) -> Any:
    """Return the JSON in the page's script element with this id."""
    found = re.search(rf'<script id="{id}" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None, f"the page has no {id}"
    return json.loads(found[1])
