"""An absent member gets each notice once, in their language, on every device that asked for it."""

import itertools
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.broadcast import session_group
from accounts.closing import services as closing
from accounts.models import (
    EmailWish,
    Notice,
    NoticeKind,
    OutgoingEmail,
    Preferences,
    PushDelivery,
    PushSubscription,
)
from accounts.notices import choices, delivery, endpoints, services, texts
from accounts.notices.services import ANSWER_TIME, MOST_IN_AN_HOUR, Event
from accounts.sessions import services as sessions
from accounts.shared.database_clock import CLOCK
from config.personal_data import data_of
from tests.accounts.factories import member, sign_in
from tests.accounts.notices.push_service import subscribed

pytestmark = pytest.mark.django_db
KINDS = list(NoticeKind)


@pytest.fixture
def owner():
    return member("owner")


def event(kind=NoticeKind.JOINED, of="a" * 12, lifetime=timedelta(minutes=5), **more):
    return Event(kind, "games:match", of, CLOCK.now() + lifetime, **more)


def go_on(now=None):
    """Settle and send the notices due at `now`, by default when pages have had time to answer."""
    now = now or CLOCK.now() + ANSWER_TIME
    services.settle_due(now)
    delivery.send_due(now)


def tell(user, *args, **options):
    services.tell(user.pk, event(*args, **options), CLOCK.now())


# --- Sent ----------------------------------------------------------------------------------------


# The titles of the kinds of notices, in the order of `NoticeKind`.
TITLES = {
    "en": (
        "Somebody has joined your game",
        "You have been challenged",
        "It is your turn",
        "A game you asked for has appeared",
        "Your tournament starts soon",
        "Your tournament table is open",
        "Your tournament was canceled",
        "You have a new message",
        "Your gift is ready",
    ),
    "ru": (
        "К вашей игре присоединились",
        "Вас вызывают на игру",
        "Ваш ход",
        "Появилась подходящая игра",
        "Скоро начнётся турнир",
        "Ваш матч в турнире начинается",
        "Ваш турнир отменён",
        "Новое сообщение",
        "Подарок ждёт вас",
    ),
    "tr": (
        "Oyununuza biri katıldı",
        "Oyuna davet edildiniz",
        "Sıra sizde",
        "Beklediğiniz gibi bir oyun açıldı",
        "Turnuva birazdan başlıyor",
        "Turnuva masanız açıldı",
        "Turnuvanız iptal edildi",
        "Yeni mesajınız var",
        "Hediyeniz hazır",
    ),
}


@pytest.mark.parametrize("language", TITLES)
def test_each_kind_arrives_once_in_the_language_of_the_member(service, owner, language):
    Preferences.objects.filter(user=owner).update(language=language)
    browser = subscribed(service, owner)
    for number, kind in enumerate(KINDS):
        tell(owner, kind, of=f"match{number:07}")
        tell(owner, kind, of=f"match{number:07}")
    go_on()
    go_on()
    messages = sorted(browser.messages(), key=lambda each: each["path"])
    assert tuple(message["title"] for message in messages) == TITLES[language]
    assert [message["kind"] for message in messages] == [kind.value for kind in KINDS]
    assert {message["lang"] for message in messages} == {language}


def test_a_message_has_kind_tag_path_text_and_language_only(service, owner):
    browser = subscribed(service, owner)
    tell(owner)
    go_on()
    [message] = browser.messages()
    notice = Notice.objects.get()
    assert message == {
        "kind": "JOINED",
        "tag": notice.public_id,
        "path": "/match/aaaaaaaaaaaa/",
        "title": "Somebody has joined your game",
        "body": "Your table is open and your opponent is waiting.",
        "lang": "en",
    }
    assert notice.state == Notice.State.SENT


def test_the_request_has_the_headers_that_push_services_need(service, owner):
    subscribed(service, owner)
    tell(owner, lifetime=timedelta(seconds=60))
    go_on()
    [request] = service.requests
    headers = request.headers
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["Authorization"].startswith("vapid t=")
    assert 0 < int(headers["TTL"]) <= 60
    assert len(headers["Topic"]) == 32
    assert headers["Urgency"] == "high"
    assert owner.username.encode() not in request.body


def test_exactly_the_members_devices_that_want_the_kind_get_the_notice(service, owner):
    first, second = subscribed(service, owner), subscribed(service, owner, "JOINED")
    other = subscribed(service, owner, "CHALLENGE")
    stranger = subscribed(service, member("stranger"))
    tell(owner)
    go_on()
    assert [len(each.messages()) for each in (first, second, other, stranger)] == [1, 1, 0, 0]


def test_a_notice_of_a_kind_that_no_device_wants_is_not_stored(service, owner):
    subscribed(service, owner, "CHALLENGE")
    tell(owner, NoticeKind.JOINED)
    assert not Notice.objects.exists()


def test_a_planned_notice_names_the_start_in_the_members_time_zone(service, owner):
    Preferences.objects.filter(user=owner).update(
        language="en", time_zone="Europe/Istanbul", keeps_time_zone=True
    )
    browser = subscribed(service, owner)
    starts_at = CLOCK.now().replace(hour=17, minute=0) + timedelta(days=2)
    planned = Event(
        NoticeKind.TOURNAMENT_SOON, "tournaments:tournament", "t" * 12, starts_at, "", starts_at
    )
    at = starts_at - timedelta(minutes=15)
    services.plan(owner.pk, planned, at, CLOCK.now())
    assert services.settle_due(CLOCK.now()) == at
    go_on(at)
    go_on(at + ANSWER_TIME)
    [message] = browser.messages()
    assert message["body"] == "Be on the site at 20:00: your table opens automatically."


# --- Not sent ------------------------------------------------------------------------------------


def test_a_member_whose_page_answers_gets_no_push(service, owner):
    browser = subscribed(service, owner)
    tell(owner)
    services.note_here(owner.pk, Notice.objects.get().public_id)
    go_on()
    assert not browser.messages()
    assert Notice.objects.get().state == Notice.State.SEEN


def test_another_member_cannot_answer_for_the_owner(service, owner):
    browser = subscribed(service, owner)
    tell(owner)
    services.note_here(member("stranger").pk, Notice.objects.get().public_id)
    go_on()
    assert len(browser.messages()) == 1


def test_nothing_is_sent_before_pages_had_time_to_answer(service, owner):
    browser = subscribed(service, owner)
    tell(owner)
    go_on(CLOCK.now())
    assert not browser.messages()


def test_a_member_who_has_opened_the_page_of_a_notice_does_not_get_it(service, owner):
    browser = subscribed(service, owner)
    tell(owner)
    tell(owner, of="b" * 12)
    services.arrive(owner.pk, "games:match", "a" * 12)
    go_on()
    assert [message["path"] for message in browser.messages()] == ["/match/bbbbbbbbbbbb/"]


def test_the_notice_of_a_canceled_event_is_withdrawn(service, owner):
    browser = subscribed(service, owner)
    tell(owner)
    services.withdraw(NoticeKind.JOINED, "a" * 12)
    go_on()
    assert not browser.messages()


def test_a_notice_withdrawn_while_the_push_service_fails_is_not_pushed_again(service, owner):
    subscribed(service, owner)
    service.answers = [(503, {})]
    tell(owner)
    go_on()
    services.withdraw(NoticeKind.JOINED, "a" * 12)
    go_on(PushDelivery.objects.get().notice.expires_at - timedelta(seconds=1))
    assert len(service.requests) == 1


def test_a_notice_seen_during_a_failing_push_is_not_pushed_again(service, owner, monkeypatch):
    subscribed(service, owner)
    tell(owner)

    settle = delivery._settle

    def arrive_first(*given):
        services.arrive(owner.pk, "games:match", "a" * 12)
        settle(*given)

    service.answers = [(503, {})]
    monkeypatch.setattr(delivery, "_settle", arrive_first)
    go_on()
    assert PushDelivery.objects.get().due_at is None


def test_a_notice_that_comes_too_late_is_dropped(service, owner):
    browser = subscribed(service, owner)
    tell(owner, lifetime=timedelta(seconds=30))
    go_on(CLOCK.now() + timedelta(seconds=31))
    assert not browser.messages()
    assert Notice.objects.get().state == Notice.State.DROPPED


def test_notices_of_each_kind_are_limited_per_hour(service, owner):
    browser = subscribed(service, owner)
    for number in range(MOST_IN_AN_HOUR + 2):
        tell(owner, of=f"match{number:07}")
    tell(owner, NoticeKind.CHALLENGE)
    go_on()
    delivery.send_due(CLOCK.now() + ANSWER_TIME)
    kinds = [message["kind"] for message in browser.messages()]
    assert kinds.count("JOINED") == MOST_IN_AN_HOUR
    assert kinds.count("CHALLENGE") == 1


def test_a_banned_member_gets_nothing(service, owner):
    browser = subscribed(service, owner)
    tell(owner)
    type(owner).objects.filter(pk=owner.pk).update(is_active=False)
    go_on()
    assert not browser.messages()


def test_without_a_key_nothing_is_pushed(service, owner, settings):
    browser = subscribed(service, owner)
    tell(owner)
    settings.VAPID_PRIVATE_KEY = ""
    go_on()
    assert delivery.send_due(CLOCK.now()) is None
    assert not browser.messages()


def test_a_switch_turned_off_meanwhile_stops_the_notice(service, owner):
    browser = subscribed(service, owner)
    tell(owner)
    services.settle_due(CLOCK.now() + ANSWER_TIME)
    choices.choose(owner.pk, PushSubscription.objects.get().public_id, [])
    delivery.send_due(CLOCK.now() + ANSWER_TIME)
    assert not browser.messages()
    assert PushDelivery.objects.get().due_at is None


# --- Failures ------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_the_service_no_longer_knows_is_deleted(service, owner, status):
    browser, other = subscribed(service, owner), subscribed(service, owner)
    service.answers = [(status, {})]
    tell(owner)
    go_on()
    assert PushSubscription.objects.count() == 1
    assert not Notice.objects.filter(due_at__isnull=False).exists()
    assert not PushDelivery.objects.filter(due_at__isnull=False).exists()
    tell(owner, of="b" * 12)
    go_on()
    # The first notice was sent to both browsers, the second to the one that is still subscribed.
    assert len(browser.messages()) + len(other.messages()) == 3


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failing_service_is_tried_again_until_it_answers(service, owner, status):
    browser = subscribed(service, owner)
    service.answers = [(status, {}), (status, {})]
    tell(owner)
    now = CLOCK.now() + ANSWER_TIME
    go_on(now)
    again_at = PushDelivery.objects.get().due_at
    assert again_at == now + delivery.WAITS[0]
    delivery.send_due(again_at)
    delivery.send_due(again_at + delivery.WAITS[1])
    assert PushDelivery.objects.get().sent_at is not None
    assert len({message["tag"] for message in browser.messages()}) == 1
    assert len({request.headers["Topic"] for request in service.requests}) == 1


def test_the_wait_that_a_service_asks_for_is_observed(service, owner):
    subscribed(service, owner)
    service.answers = [(429, {"Retry-After": "120"})]
    tell(owner)
    now = CLOCK.now() + ANSWER_TIME
    go_on(now)
    assert PushDelivery.objects.get().due_at == now + timedelta(seconds=120)


def test_a_notice_that_cannot_arrive_before_it_expires_is_given_up(service, owner):
    subscribed(service, owner)
    service.answers = [(503, {"Retry-After": "999999"})]
    tell(owner)
    go_on()
    given_up = PushDelivery.objects.get()
    assert (given_up.due_at, given_up.sent_at, given_up.error) == (None, None, "status 503")


def test_an_unreachable_service_is_tried_again(service, owner, settings):
    subscribed(service, owner)
    tell(owner)
    service.stop()
    try:
        go_on()
        assert "ConnectionRefusedError" in PushDelivery.objects.get().error
        assert PushDelivery.objects.get().due_at is not None
    finally:
        service.stop = lambda: None  # the fixture stops the service too


def test_a_refused_request_is_not_repeated(service, owner):
    subscribed(service, owner)
    service.answers = [(403, {})]
    tell(owner)
    go_on()
    assert PushDelivery.objects.get().due_at is None
    assert PushSubscription.objects.exists()


def test_an_endpoint_that_may_not_be_contacted_is_dropped(service, owner, settings):
    subscribed(service, owner)
    tell(owner)
    settings.PUSH_TEST_SERVICES = {}
    go_on()
    assert not PushSubscription.objects.exists()
    assert not service.requests


def failing_once(function):
    """Wrap the function so that its first call raises an error instead."""
    numbers = itertools.count()

    def call(*args, **options):
        if next(numbers) == 0:  # atomic, since several threads call
            raise RuntimeError("not foreseen")
        return function(*args, **options)

    return call


@pytest.mark.parametrize(("module", "name"), [(endpoints, "post"), (texts, "payload")])
def test_an_unforeseen_error_puts_off_one_delivery_alone(
    service, owner, monkeypatch, caplog, module, name
):
    for _ in range(3):
        subscribed(service, owner)
    tell(owner)
    monkeypatch.setattr(module, name, failing_once(getattr(module, name)))
    now = CLOCK.now() + ANSWER_TIME
    go_on(now)
    assert len(service.requests) == 2
    [put_off] = PushDelivery.objects.filter(due_at__isnull=False)
    assert put_off.due_at == now + delivery.WAITS[0]
    assert put_off.error == "RuntimeError: not foreseen"
    assert caplog.text.count("push failed") == 1
    delivery.send_due(put_off.due_at)
    assert PushDelivery.objects.filter(sent_at__isnull=False).count() == 3


def test_a_delivery_that_cannot_be_marked_leaves_the_others_marked(
    service, owner, monkeypatch, caplog
):
    for _ in range(3):
        subscribed(service, owner)
    tell(owner)
    monkeypatch.setattr(delivery, "_mark", failing_once(delivery._mark))
    now = CLOCK.now() + ANSWER_TIME
    go_on(now)
    [leased] = PushDelivery.objects.filter(due_at__isnull=False)
    assert leased.due_at == now + delivery.LEASE
    assert caplog.text.count("push not settled") == 1


def test_a_stored_endpoint_without_a_valid_name_is_dropped_alone(service, owner):
    browser, other = subscribed(service, owner), subscribed(service, owner)
    bad = "https://a..notify.windows.com/a"
    PushSubscription.objects.filter(endpoint=other.endpoint).update(endpoint=bad)
    tell(owner)
    go_on()
    assert len(browser.messages()) == 1
    assert [each.endpoint for each in PushSubscription.objects.all()] == [browser.endpoint]


def test_a_lease_of_a_dead_worker_runs_out(service, owner):
    browser = subscribed(service, owner)
    tell(owner)
    now = CLOCK.now() + ANSWER_TIME
    services.settle_due(now)
    delivery._lease(now)
    delivery.send_due(now)
    assert not browser.messages()
    delivery.send_due(now + delivery.LEASE)
    assert len(browser.messages()) == 1


# --- By email ------------------------------------------------------------------------------------


def test_a_wanted_email_is_written_once_with_the_header_to_unsubscribe(owner, settings):
    settings.SITE_URL = "https://play.example.org"
    Preferences.objects.filter(user=owner).update(language="ru")
    choices.choose_emails(owner.pk, ["JOINED"])
    tell(owner)
    tell(owner, NoticeKind.CHALLENGE)
    go_on()
    go_on()
    email = OutgoingEmail.objects.get(user=owner)
    assert email.subject == TITLES["ru"][0]
    assert "https://play.example.org/match/aaaaaaaaaaaa/" in email.text
    assert email.unsubscribe_url.startswith("https://play.example.org/profile/notices/stop/")
    assert email.unsubscribe_url in email.text


def test_an_email_names_the_offset_of_its_times(owner):
    Preferences.objects.filter(user=owner).update(language="en", time_zone="Europe/Istanbul")
    choices.choose_emails(owner.pk, ["TABLE_OPEN"])
    join_by = CLOCK.now().replace(hour=17, minute=5) + timedelta(days=1)
    services.tell(
        owner.pk,
        Event(NoticeKind.TABLE_OPEN, "games:match", "a" * 12, join_by, "", join_by),
        CLOCK.now(),
    )
    services.settle_due(CLOCK.now() + ANSWER_TIME)
    text = OutgoingEmail.objects.get(user=owner).text
    assert "Be at the table by 20:05 (UTC+3), or you forfeit the match." in text


def test_a_member_without_an_email_gets_none(owner):
    choices.choose_emails(owner.pk, ["JOINED"])
    type(owner).objects.filter(pk=owner.pk).update(email="")
    tell(owner)
    go_on()
    assert not OutgoingEmail.objects.filter(user=owner).exists()


# --- Devices and stored data -----------------------------------------------------------------


def test_a_member_has_a_bounded_number_of_devices(service, owner, monkeypatch):
    monkeypatch.setattr(choices, "MOST_DEVICES", 2)
    first = subscribed(service, owner)
    for _ in range(2):
        subscribed(service, owner)
    kept = PushSubscription.objects.values_list("endpoint", flat=True)
    assert len(kept) == 2
    assert first.endpoint not in kept


def test_a_browser_belongs_to_the_member_who_subscribed_it_last(service, owner):
    browser, stranger = subscribed(service, owner, "JOINED"), member("stranger")
    tell(owner)
    services.settle_due(CLOCK.now() + ANSWER_TIME)
    client = sign_in(Client(), stranger)
    assert client.post(reverse("people:subscribe"), browser.fields("CHALLENGE")).status_code == 201
    delivery.send_due(CLOCK.now() + ANSWER_TIME)
    assert not browser.messages()
    [device] = PushSubscription.objects.all()
    assert (device.user, device.kinds) == (stranger, ["CHALLENGE"])


def test_signing_out_ends_the_pushes_to_that_browser_alone(service, owner):
    first, second = subscribed(service, owner), subscribed(service, owner)
    group = PushSubscription.objects.get(endpoint=first.endpoint).session
    keys = Session.objects.values_list("session_key", flat=True)
    [key] = [each for each in keys if session_group(each) == group]
    sessions.end(key)
    assert [each.endpoint for each in PushSubscription.objects.all()] == [second.endpoint]
    sessions.end_all(owner.pk)
    assert not PushSubscription.objects.exists()


def test_a_session_that_runs_out_ends_the_pushes_to_that_browser_alone(service, owner):
    first, second = subscribed(service, owner), subscribed(service, owner)
    group = PushSubscription.objects.get(endpoint=first.endpoint).session
    keys = Session.objects.values_list("session_key", flat=True)
    [key] = [each for each in keys if session_group(each) == group]
    ended_at = timezone.now() - timedelta(minutes=1)
    Session.objects.filter(session_key=key).update(expire_date=ended_at)
    call_command("forgetguests")
    assert [each.endpoint for each in PushSubscription.objects.all()] == [second.endpoint]


def test_pushes_to_a_browser_end_with_its_session_even_if_no_device_is_noted(service, owner):
    first, second = subscribed(service, owner), subscribed(service, owner)
    group = PushSubscription.objects.get(endpoint=first.endpoint).session
    keys = Session.objects.values_list("session_key", flat=True)
    [key] = [each for each in keys if session_group(each) == group]
    Session.objects.filter(session_key=key).delete()
    UserSession.objects.all().delete()
    assert sessions.forget_ended() == 0
    assert [each.endpoint for each in PushSubscription.objects.all()] == [second.endpoint]


def test_the_export_names_devices_and_notices_without_their_secrets(service, owner):
    browser = subscribed(service, owner)
    choices.choose_emails(owner.pk, ["JOINED"])
    tell(owner)
    account = data_of(owner)["account"]
    assert [each["kind"] for each in account["notices"]] == ["JOINED"]
    assert account["notices_by_email"] == ["JOINED"]
    assert account["push_devices"][0]["kinds"] == [kind.value for kind in KINDS]
    assert browser.endpoint not in str(account)


def test_closing_the_account_deletes_devices_and_notices(service, owner):
    browser = subscribed(service, owner)
    choices.choose_emails(owner.pk, ["JOINED"])
    tell(owner)
    services.settle_due(CLOCK.now() + ANSWER_TIME)
    assert PushDelivery.objects.exists()
    closing.close(owner.pk, CLOCK.now())
    delivery.send_due(CLOCK.now() + ANSWER_TIME)
    assert not browser.messages()
    for model in (Notice, PushDelivery, PushSubscription, EmailWish):
        assert not model.objects.exists()


def test_old_records_are_forgotten_and_waiting_ones_kept(service, owner, capsys):
    subscribed(service, owner)
    tell(owner)
    tell(owner, of="b" * 12)
    services.arrive(owner.pk, "games:match", "a" * 12)
    Notice.objects.update(created_at=timezone.now() - timedelta(days=31))
    call_command("forgetnotices")
    assert Notice.objects.get().key == "b" * 12
    assert capsys.readouterr().out == "1 notices forgotten\n"


def test_an_unknown_kind_is_not_stored(owner):
    choices.choose_emails(owner.pk, ["JOINED", "NONSENSE", "JOINED"])
    assert list(EmailWish.objects.values_list("kind", flat=True)) == ["JOINED"]


def test_a_member_who_wants_nothing_costs_two_queries(service, owner, django_assert_num_queries):
    with django_assert_num_queries(2):
        tell(owner)
