"""The page of notices: plain forms for devices and emails, and the link that ends emails."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.mail import sender
from accounts.models import EmailWish, NoticeKind, OutgoingEmail, PushSubscription
from accounts.notices import choices, emails, services
from accounts.notices.services import ANSWER_TIME, Event
from accounts.shared.database_clock import CLOCK
from tests.accounts.factories import member, sign_in
from tests.accounts.mail import transports
from tests.accounts.notices.push_service import PUBLIC_KEY, PushedBrowser, subscribed
from tests.tournaments.factories import announced, enter

pytestmark = pytest.mark.django_db

PAGE = "people:notices"


@pytest.fixture
def owner():
    return member("owner")


@pytest.fixture
def browser(owner):
    return sign_in(Client(), owner)


def body(browser, name=PAGE, args=()):
    return browser.get(reverse(name, args=args)).content.decode()


def checked(text):
    return re.findall(r'id="([\w-]+)" name="kinds" value="\w+" checked', text)


def test_the_page_offers_notices_on_this_device_and_has_the_sites_key(service, browser):
    page = body(browser)
    assert f'data-key="{PUBLIC_KEY}"' in page
    assert "Turn on for this device" in page


def test_a_subscribed_browser_has_its_switches_and_no_offer(service, browser):
    pushed = PushedBrowser(service, "one")
    answer = browser.post(reverse("people:subscribe"), pushed.fields())
    assert answer.status_code == 201
    page = body(browser)
    assert "Turn on for this device" not in page
    assert len(checked(page)) == len(NoticeKind)


def test_switches_of_a_device_are_saved_without_a_script(service, owner, browser):
    subscribed(service, owner)
    device = PushSubscription.objects.get()
    address = reverse("people:notice_device")
    answer = browser.post(address, {"device": device.public_id, "kinds": ["CHALLENGE"]})
    assert answer["Location"] == reverse(PAGE)
    assert checked(body(browser)) == [f"{device.public_id}-CHALLENGE"]
    for _ in range(2):  # the button was pressed twice
        removed = {"device": device.public_id, "remove": "1", "kinds": ["CHALLENGE"]}
        assert browser.post(address, removed)["Location"] == reverse(PAGE)
    assert not PushSubscription.objects.exists()


def test_a_strangers_device_is_not_found(service, browser):
    subscribed(service, member("stranger"))
    device = PushSubscription.objects.get()
    answer = browser.post(
        reverse("people:notice_device"), {"device": device.public_id, "remove": "1"}
    )
    assert answer.status_code == 404
    assert PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://push.example.net/a"},
        {"endpoint": "https://10.0.0.1/a"},
        {"endpoint": "https://a..notify.windows.com/a"},
        {"endpoint": ""},
        {"p256dh": "AAAA"},
        {"p256dh": "not base64!"},
        {"auth": "AAAA"},
        {"auth": ""},
    ],
)
def test_a_malformed_subscription_is_refused(service, browser, wrong):
    fields = PushedBrowser(service, "one").fields() | wrong
    answer = browser.post(reverse("people:subscribe"), fields)
    assert (answer.status_code, answer.json()) == (422, {"code": "endpoint"})
    assert not PushSubscription.objects.exists()


def test_without_a_key_of_the_site_only_emails_are_offered(browser, settings):
    settings.VAPID_PRIVATE_KEY = ""
    page = body(browser)
    assert "On your devices" not in page
    assert "By email" in page
    answer = browser.post(reverse("people:subscribe"), {"endpoint": "https://push.example.net/a"})
    assert (answer.status_code, answer.json()) == (422, {"code": "push_off"})


def test_kinds_of_notices_by_email_are_chosen_separately(browser, owner):
    assert checked(body(browser)) == []
    browser.post(reverse("people:notice_emails"), {"kinds": ["TOURNAMENT_SOON", "JOINED"]})
    assert checked(body(browser)) == ["email-JOINED", "email-TOURNAMENT_SOON"]
    browser.post(reverse("people:notice_emails"))
    assert checked(body(browser)) == []


def sent_email(owner, settings):
    """Send the owner an email of a notice; return it as the mail server gets it."""
    settings.SENDS_EMAILS = True
    settings.EMAIL_TRANSPORT = "tests.accounts.mail.transports.Recording"
    transports.Recording.sent = []
    choices.choose_emails(owner.pk, ["JOINED"])
    now = CLOCK.now()
    event = Event(NoticeKind.JOINED, "games:match", "a" * 12, now + 20 * ANSWER_TIME)
    services.tell(owner.pk, event, now)
    services.settle_due(now + ANSWER_TIME)
    sender.send_due(now + ANSWER_TIME)
    [message] = transports.Recording.sent
    return message


def test_the_headers_of_an_email_unsubscribe_in_one_step(owner, settings):
    settings.SITE_URL = "https://play.example.org"
    message = sent_email(owner, settings)
    headers = message.message()
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = headers["List-Unsubscribe"].strip("<>")
    path = url.removeprefix("https://play.example.org")
    mail_program = Client(enforce_csrf_checks=True)
    answer = mail_program.post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert not EmailWish.objects.exists()
    assert OutgoingEmail.objects.get().unsubscribe_url == ""


def test_opening_the_unsubscribe_link_asks_and_changes_nothing(owner):
    choices.choose_emails(owner.pk, ["JOINED"])
    page = body(Client(), "people:stop_emails", [emails.token_of(owner)])
    assert "Stop these emails?" in page
    assert owner.username not in page
    assert EmailWish.objects.exists()


def test_a_link_that_the_site_did_not_sign_is_not_found(owner):
    for token in (owner.public_id, f"{owner.public_id}:x", emails.token_of(owner) + "x"):
        address = reverse("people:stop_emails", args=[token])
        assert Client().post(address).status_code == 404


def test_notices_of_a_tournament_are_offered_to_its_entrants(service, owner, browser):
    tournament = announced(fee_credits=0)
    url_parts = ("tournaments:tournament", [tournament.public_id])
    assert "data-notice-offer" not in body(browser, *url_parts)
    enter(tournament, [owner], tournament.created_at)
    page = body(browser, *url_parts)
    assert 'data-kind="TOURNAMENT_SOON TABLE_OPEN TOURNAMENT_NEWS"' in page
    assert f'href="{reverse(PAGE)}" data-notice-ask' in page
    pushed = PushedBrowser(service, "one")
    browser.post(reverse("people:subscribe"), pushed.fields("TOURNAMENT_SOON"))
    assert "data-notice-ask" in body(browser, *url_parts)  # two of the kinds are not on yet
    kinds = "TOURNAMENT_SOON TABLE_OPEN TOURNAMENT_NEWS"
    browser.post(reverse("people:subscribe"), pushed.fields(kinds))
    page = body(browser, *url_parts)
    assert "data-notice-ask" not in page
    assert "We will tell you on this device." in page
