"""Access to the pages of matches for credits, while they run and afterwards."""

import json
import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine.sides import Side
from games.services.deadlines import settle_due
from tests.games.browsing import data_in
from tests.games.factories import StakeSitting
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

FILES = ("export_json", "export_mat")
PAGES = ("match", "review", *FILES)


@pytest.fixture
def sitting() -> StakeSitting:
    """Return a running public match."""
    return StakeSitting(player("white5"), player("black5")).sit().start_game()


def finish(sitting: StakeSitting) -> StakeSitting:
    for _ in range(8):
        sitting.act_simply()
    sitting.do("resign_match", side=Side.WHITE)
    return sitting


def browser_of(user: User | None) -> Client:
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def address(sitting: StakeSitting, page: str) -> str:
    return reverse(f"games:{page}", args=[sitting.public_id])


def test_visitor_of_a_running_match_gets_a_cookie_for_the_socket(
    sitting: StakeSitting,
) -> None:
    browser = browser_of(None)
    answer = browser.get(address(sitting, "match"))
    assert answer.status_code == 200
    assert data_in(answer.content.decode(), "match-boot")["side"] is None
    assert browser.cookies[settings.VISITOR_COOKIE_NAME].value
    assert settings.SESSION_COOKIE_NAME not in browser.cookies


def test_neither_player_is_called_you_on_the_page_of_a_spectator(sitting: StakeSitting) -> None:
    def labels(someone: User | None) -> list[str]:
        answer = browser_of(someone).get(address(sitting, "match")).content.decode()
        return re.findall(r'data-part="strip-\w+" aria-label="(\w+)"', answer)

    assert labels(sitting.users[Side.BLACK]) == ["Opponent", "You"]
    assert labels(None) == []


def test_screen_readers_do_not_read_the_seconds_left_for_a_rematch(sitting: StakeSitting) -> None:
    answer = browser_of(sitting.users[Side.BLACK]).get(address(sitting, "match"))
    assert 'data-part="rematch-left" aria-live="off"' in answer.content.decode()


@pytest.mark.parametrize("page", FILES)
def test_only_players_can_export_a_running_match(sitting: StakeSitting, page: str) -> None:
    stranger = player("other5")
    for someone in (None, stranger):
        assert browser_of(someone).get(address(sitting, page)).status_code == 404
    answer = browser_of(sitting.users[Side.BLACK]).get(address(sitting, page))
    assert answer.status_code == 200


def test_export_of_a_running_match_has_no_secret(sitting: StakeSitting) -> None:
    answer = browser_of(sitting.users[Side.BLACK]).get(address(sitting, "export_json"))
    exported = json.loads(answer.content)
    assert exported["dice"]["secret"] is None
    assert "reveal" not in {action["kind"] for action in exported["actions"]}


def test_review_of_a_running_match_redirects_spectators_to_the_table(sitting: StakeSitting) -> None:
    answer = browser_of(None).get(address(sitting, "review"))
    assert (answer.status_code, answer["Location"]) == (302, address(sitting, "match"))
    assert browser_of(sitting.users[Side.WHITE]).get(address(sitting, "review")).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_everybody_sees_a_finished_public_match(sitting: StakeSitting, page: str) -> None:
    finish(sitting)
    assert browser_of(None).get(address(sitting, page)).status_code == 200
    assert browser_of(player("other5")).get(address(sitting, page)).status_code == 200


def test_everybody_can_check_the_dice_of_a_finished_public_match(
    sitting: StakeSitting, tmp_path, capsys
) -> None:
    finish(sitting)
    browser = browser_of(None)
    page = browser.get(address(sitting, "review")).content.decode()
    assert 'data-part="check"' in page
    export = browser.get(address(sitting, "export_json")).content
    file = tmp_path / "match.json"
    file.write_bytes(export)
    call_command("verifydice", str(file))
    assert "are what was promised" in capsys.readouterr().out


def test_review_for_spectators_names_neither_you_nor_an_opponent(sitting: StakeSitting) -> None:
    finish(sitting)
    seen = browser_of(None).get(address(sitting, "review")).content.decode()
    own = browser_of(sitting.users[Side.WHITE]).get(address(sitting, "review")).content.decode()
    assert "· you" in own
    assert "· you" not in seen
    assert "opponent <b" not in seen


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("is_over", [False, True])
def test_private_match_is_found_only_by_its_players_on_every_page(page: str, is_over: bool) -> None:
    sitting = StakeSitting(player("white5"), player("black5"), is_public=False).sit().start_game()
    if is_over:
        finish(sitting)
    for someone in (None, player("other5")):
        assert browser_of(someone).get(address(sitting, page)).status_code == 404
    assert browser_of(sitting.users[Side.WHITE]).get(address(sitting, page)).status_code == 200


def test_review_page_calls_a_void_match_void() -> None:
    unstarted = StakeSitting(player("third"), player("fourth"))
    settle_due(unstarted.now + timedelta(seconds=30))
    page = browser_of(None).get(address(unstarted, "review")).content.decode()
    assert "does not count" in page
    assert "drawn" not in page
