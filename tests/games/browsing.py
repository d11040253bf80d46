"""A guest's browser in a test."""

import json
import re
from typing import Any

from django.test import Client

from tests.games.factories import Sitting


def browser_of(sitting: Sitting) -> Client:
    """The browser whose session is the sitting's guest."""
    browser = Client()
    session = browser.session
    session["guest"] = str(sitting.guest)
    session.save()
    return browser


def data_in(page: str, id: str) -> Any:
    """What a page hands to its script under the id."""
    found = re.search(rf'<script id="{id}" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None, f"the page has no {id}"
    return json.loads(found[1])
