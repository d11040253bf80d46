"""Members must accept new terms before they go on, but not during a match against a person."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.law import versions
from accounts.law.services import accept
from accounts.law.versions import Version, current_version
from accounts.models import Acceptance
from config.law.middleware import CLOSED, OF_SITES, OPEN, PAGE
from games.models.actor import Actor
from tests.accounts.factories import UserFactory, member, sign_in, staff
from tests.config.access import every_pattern
from tests.games.factories import MatchFactory, StakeSitting
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db
ASKS = "/account/terms/"
NEWER = Version(date(2030, 5, 4), ["A change that matters."])


@pytest.fixture(autouse=True)
def _asks(settings):
    settings.ASK_TO_ACCEPT_TERMS = True


@pytest.fixture
def anna():
    return member("annika")


def leads_to_the_terms(response):
    return response.status_code in (302, 303) and response["Location"].startswith(ASKS)


def publish(monkeypatch, version):
    known = versions.versions_in("en")
    monkeypatch.setattr(versions, "versions_in", lambda language: (version, *known))


def test_member_is_led_to_the_terms_and_back(client, anna):
    sign_in(client, anna)
    asked = client.get("/play/?variant=long")
    assert asked["Location"] == f"{ASKS}?next=%2Fplay%2F%3Fvariant%3Dlong"
    page = client.get(asked["Location"]).content.decode()
    for name in ("terms", "privacy", "fair_play", "responsible_play", "people:close"):
        assert f'href="{reverse(name)}"' in page
    sent = {"accepts": current_version().isoformat(), "next": "/play/?variant=long"}
    assert client.post(ASKS, sent)["Location"] == "/play/?variant=long"
    assert client.get("/play/").status_code == 200
    assert Acceptance.objects.get().user == anna


def test_change_of_the_terms_is_shown_and_must_be_accepted(client, anna, monkeypatch):
    accept(anna.pk, current_version(), timezone.now())
    sign_in(client, anna)
    assert client.get("/en/").status_code == 200
    publish(monkeypatch, NEWER)
    assert leads_to_the_terms(client.get("/en/"))
    page = client.get(ASKS).content.decode()
    assert "Our terms have changed" in page
    assert "A change that matters." in page
    assert "The first version" not in page
    client.post(ASKS, {"accepts": NEWER.day.isoformat()})
    assert client.get("/en/").status_code == 200
    assert Acceptance.objects.filter(user=anna).count() == 2


def test_version_that_was_replaced_meanwhile_is_not_accepted(client, anna, monkeypatch):
    sign_in(client, anna)
    old = current_version().isoformat()
    publish(monkeypatch, NEWER)
    answer = client.post(ASKS, {"accepts": old})
    assert answer.status_code == 422
    assert not Acceptance.objects.exists()


def test_forms_are_refused_until_the_terms_are_accepted(client, anna):
    sign_in(client, anna)
    assert leads_to_the_terms(client.post("/training/start/", {"variant": "short"}))
    answer = client.post("/play/now/", headers={"HX-Request": "true"})
    assert answer.status_code == 204
    assert answer["HX-Redirect"].startswith(ASKS)


@pytest.mark.parametrize(
    "address",
    [
        "/en/terms/", "/en/privacy/", "/en/rules/short/", "/en/about/", "/support/", "/header/",
        "/profile/export/", "/profile/close/", "/account/logout/", "/account/sessions/",
    ],
)  # fmt: skip
def test_pages_of_support_public_texts_data_export_and_ways_out_stay_open(client, anna, address):
    sign_in(client, anna)
    assert client.get(address).status_code == 200


def test_htmx_part_of_a_page_is_answered_without_accepted_terms(client, anna):
    sign_in(client, anna)
    assert client.get("/play/list/", headers={"HX-Request": "true"}).status_code == 200


def test_nothing_interrupts_a_match_against_a_person(client):
    anna = player("annika")
    sitting = StakeSitting(anna, player("boris"))
    sign_in(client, anna)
    assert client.get(f"/match/{sitting.match.public_id}/").status_code == 200
    assert client.get("/play/").status_code == 200
    sign_in(client, UserFactory(member=True))
    assert leads_to_the_terms(client.get("/play/"))


def test_match_against_a_bot_stays_open_and_other_pages_ask(client, anna):
    match = MatchFactory(player=Actor(user_id=anna.pk))
    sign_in(client, anna)
    assert client.get(f"/match/{match.public_id}/").status_code == 200
    assert leads_to_the_terms(client.get("/en/"))


def test_visitors_are_not_asked_and_staff_reach_the_administration(client):
    assert client.get("/en/").status_code == 200
    assert client.get("/play/").status_code == 200
    sign_in(client, staff("keeper"))
    assert client.get("/admin/").status_code == 200
    assert leads_to_the_terms(client.get("/en/"))


def test_site_that_does_not_ask_lets_members_go_on(client, anna, settings):
    settings.ASK_TO_ACCEPT_TERMS = False
    sign_in(client, anna)
    assert client.get("/en/").status_code == 200
    assert "nothing for you to accept" in client.get(ASKS).content.decode()


def test_names_of_open_pages_exist():
    names = {name for name, _ in every_pattern()}
    assert (OPEN | CLOSED | OF_SITES | {PAGE}) - names == set()
