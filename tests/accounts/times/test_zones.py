"""Moments are shown in the reader's time zone, which the cookie or the account gives."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import Preferences
from accounts.times.texts import iso_of, text_of
from accounts.times.zones import countries_of_zones, find_zone, guess, offset_text, shown_zone
from tests.accounts.factories import PASSWORD, member, sign_in
from tests.accounts.mail.mailbox import last_to, link_in
from tests.config.credits import set_credits

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

AT = datetime(2026, 11, 22, 22, 5, 30, tzinfo=UTC)


@pytest.fixture
def owner():
    return member("owner12345")


def browser_in(zone, user=None):
    browser = Client()
    if user:
        sign_in(browser, user)
    browser.cookies["zone"] = zone
    return browser


def zone_on(browser, address="/whats-new/"):
    """Return the zone of the page's times."""
    text = browser.get(address).content.decode()
    return text.split('data-zone="')[1].split('"')[0]


def preferences_of(user):
    return Preferences.objects.get(user=user)


@pytest.mark.parametrize(
    ("zone", "form", "expected"),
    [
        ("Europe/Istanbul", "moment", "23 Nov 2026, 01:05"),
        ("America/New_York", "time", "17:05"),
        ("Asia/Kolkata", "day", "23 Nov 2026"),
        ("Europe/Istanbul", "month", "November 2026"),
    ],
)
def test_moment_is_written_in_the_readers_zone(zone, form, expected):
    with timezone.override(find_zone(zone)):
        assert text_of(AT, form) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [("ru", "01:05 (UTC+3)"), ("tr", "01:05 (UTC+3)"), ("en", "22:05 (UTC)")],
)
def test_guessed_zone_is_named(language, expected):
    with translation.override(language), timezone.override(guess()):
        assert text_of(AT, "time") == expected
        assert shown_zone() == ""


def test_known_zone_is_not_named_even_if_it_is_utc():
    with timezone.override(find_zone("UTC")):
        assert text_of(AT, "time") == "22:05"
        assert text_of(AT, "time", names_offset=True) == "22:05 (UTC)"


@pytest.mark.parametrize(
    ("zone", "expected"),
    [("America/St_Johns", "UTC\u22123:30"), ("Asia/Kolkata", "UTC+5:30"), ("Africa/Accra", "UTC")],
)
def test_offsets_are_written_in_hours_and_minutes(zone, expected):
    assert offset_text(AT, find_zone(zone)) == expected


def test_page_gives_the_moment_in_utc_too():
    with timezone.override(find_zone("Asia/Tokyo")):
        html = Template('{% load times %}{% moment at "day" "hint" %}').render(Context({"at": AT}))
    assert html == (
        '<time datetime="2026-11-22T22:05:30Z" data-form="day" class="hint">23 Nov 2026</time>'
    )
    assert iso_of(AT) == "2026-11-22T22:05:30Z"


@pytest.mark.parametrize(
    "name", ["", "Nowhere/City", "../../etc/passwd", "/etc/localtime", "europe/istanbul", "x" * 900]
)
def test_unknown_zones_are_ignored(name):
    assert find_zone(name) is None
    assert zone_on(browser_in(name)) == ""


def test_aliases_that_browsers_report_are_known():
    assert all(map(find_zone, ["Asia/Calcutta", "Europe/Kiev", "Asia/Saigon", "US/Eastern"]))
    assert countries_of_zones()["Europe/Istanbul"] == "TR"
    assert "Asia/Calcutta" not in countries_of_zones()


def test_zone_of_the_cookie_is_active_for_its_request_only():
    assert zone_on(browser_in("Asia/Tokyo")) == "Asia/Tokyo"
    assert timezone.get_current_timezone_name() == "UTC"
    assert zone_on(Client()) == ""


def test_cookie_of_the_zone_does_not_prevent_caching():
    answer = browser_in("Asia/Tokyo").get("/jsi18n/?language=en")
    assert "Cookie" not in answer.headers.get("Vary", "")
    assert "zone" not in answer.cookies


def test_zone_of_the_last_device_is_kept_on_the_account(owner):
    zone_on(browser_in("Asia/Tokyo", owner))
    assert preferences_of(owner).time_zone == "Asia/Tokyo"
    without_cookie = sign_in(Client(), owner)
    assert zone_on(without_cookie) == "Asia/Tokyo"
    assert zone_on(browser_in("America/Lima", owner)) == "America/Lima"
    assert preferences_of(owner).time_zone == "America/Lima"


def test_chosen_zone_wins_on_every_device(owner):
    Preferences.objects.filter(user=owner).update(time_zone="Asia/Tokyo", keeps_time_zone=True)
    assert zone_on(browser_in("America/Lima", owner)) == "Asia/Tokyo"
    assert preferences_of(owner).time_zone == "Asia/Tokyo"


def test_member_chooses_a_zone_and_returns_to_that_of_the_device(owner):
    browser = browser_in("America/Lima", owner)
    page = browser.get(reverse("people:profile"))
    assert page.context["form"]["time_zone"].value() == ""
    assert "Same as my device (UTC\u22125)" in page.content.decode()
    data = {name: field for form in ("form", "table_form") for name, field in _values(page, form)}
    browser.post(reverse("people:profile"), data | {"time_zone": "Asia/Tokyo"})
    preferences = preferences_of(owner)
    assert (preferences.time_zone, preferences.keeps_time_zone) == ("Asia/Tokyo", True)
    assert zone_on(browser) == "Asia/Tokyo"
    refused = browser.post(reverse("people:profile"), data | {"time_zone": "Mars/Base"})
    assert refused.status_code == 422
    browser.post(reverse("people:profile"), data | {"time_zone": ""})
    assert zone_on(browser) == "America/Lima"
    assert preferences_of(owner).keeps_time_zone is False


def test_zones_to_choose_are_grouped_by_offset_and_show_their_country(owner):
    by_offset = {label: places for label, places in _zone_options(owner) if label[:3] == "UTC"}
    assert ("America/Lima", "Lima, Peru") in by_offset["UTC\u22125"]
    assert ("Europe/Istanbul", "Istanbul, Türkiye") in by_offset["UTC+3"]
    offsets = list(by_offset)
    assert offsets.index("UTC\u22125") < offsets.index("UTC") < offsets.index("UTC+3")


def test_an_alias_that_the_member_chose_stays_chosen(owner):
    Preferences.objects.filter(user=owner).update(time_zone="Asia/Calcutta", keeps_time_zone=True)
    page = sign_in(Client(), owner).get(reverse("people:profile"))
    assert '<option value="Asia/Calcutta" selected>Asia/Calcutta</option>' in page.content.decode()


def test_a_chosen_zone_that_the_data_no_longer_know_stays_chosen(owner):
    Preferences.objects.filter(user=owner).update(time_zone="Mars/Old_Base", keeps_time_zone=True)
    browser = browser_in("America/Lima", owner)
    page = browser.get(reverse("people:profile"))
    option = '<option value="Mars/Old_Base" selected>Mars/Old Base</option>'
    assert option in page.content.decode()
    data = {name: field for form in ("form", "table_form") for name, field in _values(page, form)}
    assert browser.post(reverse("people:profile"), data).status_code == 303
    preferences = preferences_of(owner)
    assert (preferences.time_zone, preferences.keeps_time_zone) == ("Mars/Old_Base", True)


def _zone_options(user):
    page = sign_in(Client(), user).get(reverse("people:profile"))
    return page.context["form"].fields["time_zone"].choices


def _values(page, form):
    for field in page.context[form]:
        if field.value() not in (False, None):
            yield field.name, "on" if field.value() is True else field.value()


def test_closed_account_keeps_no_zone(owner):
    browser = browser_in("Asia/Tokyo", owner)
    zone_on(browser)
    answer = browser.post(reverse("people:close"), {"password": PASSWORD})
    assert answer.status_code == 303
    assert preferences_of(owner).time_zone == ""


def test_email_is_in_the_zone_of_its_receiver_and_names_it(owner):
    Preferences.objects.filter(user=owner).update(time_zone="Asia/Tokyo")
    browser = browser_in("America/Lima")
    browser.post(reverse("account_reset_password"), {"email": owner.email})
    page = browser.get(link_in(last_to(owner.email)), follow=True)
    browser.post(page.request["PATH_INFO"], {"password1": "Another9-secret"})
    text = last_to(owner.email).text
    with timezone.override(find_zone("Asia/Tokyo")):
        today = text_of(timezone.now(), "day")
    assert f"This happened on {today}, " in text
    assert "(UTC+9)" in text


def test_moments_of_the_list_of_sessions_are_in_time_elements(owner):
    text = browser_in("Asia/Tokyo", owner).get(reverse("account_sessions")).content.decode()
    assert text.count("<time ") == 1
    assert "UTC" not in text


@pytest.mark.parametrize(
    ("zone", "bound", "label"),
    [("Pacific/Kiritimati", "since", "(UTC+14)"), ("Etc/GMT+12", "until", "(UTC\u221212)")],
)
def test_days_of_the_statements_filter_are_those_of_the_readers_zone(owner, zone, bound, label):
    """At any hour one of the two zones has a date that differs from UTC."""
    set_credits(owner, 50)
    with timezone.override(find_zone(zone)):
        today = timezone.localdate()
    text = browser_in(zone, owner).get(f"/credits/?{bound}={today}").content.decode()
    assert f"{zone} {label}" in text
    assert "No transactions match." not in text
