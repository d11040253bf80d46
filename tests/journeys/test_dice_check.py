"""The dice check in the browser refuses files that differ from the match."""

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.visitors import DESK, come_as_guest, finished_match

Change = Callable[[dict[str, Any]], Any]


@pytest.fixture
def finished(transactional_db):
    """Return a finished match. Request it before `live`, so that no worker runs yet."""
    return finished_match()


def turn_a_die(match: dict[str, Any]) -> None:
    roll = next(action for action in match["actions"] if action["kind"] == "roll")
    roll["d1"] = roll["d1"] % 6 + 1


def another_secret(match: dict[str, Any]) -> None:
    match["dice"]["secret"] = match["actions"][-1]["secret"] = "00" * 32


def another_winner(match: dict[str, Any]) -> None:
    winner = match["result"]["winner"]
    match["result"]["winner"] = "black" if winner == "white" else "white"


# Successive checks have different texts, so that the old text is not taken for the new one.
REFUSED: list[tuple[Change, str]] = [
    (turn_a_die, "does not match the secret"),
    (another_secret, "does not match the seal"),
    (lambda match: match["rules"].update(parity=True), "what this page knows"),
    (lambda match: match["dice"].update(commitment="00" * 32), "does not match the seal"),
    (another_winner, "what this page knows"),
    (lambda match: match.update(id="AbCdEf123456"), "does not match the secret"),
]


@pytest.mark.parametrize("where", ["", "review/"])
def test_manipulated_file_is_refused(finished, open_context, live, where):
    context = open_context(viewport=DESK)
    come_as_guest(context, live, finished.guest)
    page = context.new_page()
    address = f"/match/{finished.public_id}/"
    if where:
        page.goto(address + where)
    else:  # the table reads its list of moves from the same file: serve the true one
        with page.expect_response(f"**{address}export.json"):
            page.goto(address)
    file = context.request.get(f"{address}export.json").json()
    verdict = page.get_by_test_id("dice-verdict")
    for change, words in REFUSED:
        match = copy.deepcopy(file)
        change(match)
        serve(page, address, match)
        page.get_by_test_id("dice-check").click()
        expect(verdict).to_have_text(re.compile(words))
        expect(verdict).to_have_attribute("data-ok", "false")
    serve(page, address, file)
    page.get_by_test_id("dice-check").click()
    expect(verdict).to_have_attribute("data-ok", "true")


def serve(page: Page, address: str, match: dict[str, Any]) -> None:
    """Serve this file for the match from now on."""
    page.route(f"**{address}export.json", lambda route: route.fulfill(json=match))
