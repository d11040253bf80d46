"""The pages of responsible play, and explanations of limits on other pages."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from lobby.models import Seek
from lobby.services import announcing
from tests.accounts.factories import PASSWORD, member, sign_in, sign_in_now
from tests.config.credits import set_credits
from tests.games.factories import give_history
from tests.lobby.factories import announcement
from tests.tournaments.factories import announced
from wallet.limits import exclusions, services
from wallet.limits.guards import guard_of
from wallet.limits.rules import Kind
from wallet.models import Exclusion, Limit, PlayChoices

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

PAGE = "wallet:limits"


@pytest.fixture
def anna(client):
    user = member("anna5")
    set_credits(user, 1000)
    give_history(user)
    sign_in(client, user)
    return user


@pytest.fixture
def seek(db):
    owner = member("boris5")
    set_credits(owner, 1000)
    give_history(owner)
    return announcing.announce(owner, announcement(100), timezone.now())


def text(response) -> str:
    return response.content.decode()


def save(client, **fields):
    return client.post(reverse(PAGE), {"reminder": "60", **fields}, follow=True)


def amounts(user):
    return guard_of(user.pk, timezone.now()).amounts


def test_limits_are_saved_and_a_looser_one_is_planned_and_canceled(client, anna):
    save(client, stake="50", loss_day="500", session="60", reminder="30")
    assert amounts(anna) == {Kind.STAKE: 50, Kind.LOSS_DAY: 500, Kind.SESSION: 60}
    assert PlayChoices.objects.get().reminder_minutes == 30
    page = text(save(client, stake="", loss_day="500", session="60", reminder="30"))
    assert "looser ones in 7 days" in page
    assert "no limit." in page
    page = text(client.post(reverse("wallet:keep_limit"), {"kind": "stake"}, follow=True))
    assert "The limit stays as it is." in page
    assert amounts(anna)[Kind.STAKE] == 50


def test_saving_another_field_keeps_a_planned_change(client, anna):
    save(client, stake="50")
    save(client, stake="80")
    page = client.get(reverse(PAGE))
    assert page.context["form"]["stake"].value() == 80
    save(client, stake="80", loss_day="10")
    assert "Keep 50" in text(client.get(reverse(PAGE)))


def test_an_older_tab_leaves_the_limits_that_a_newer_one_has_set(client, anna):
    page = text(client.get(reverse(PAGE)))
    shown = {f"initial-{kind.value}": "" for kind in Kind} | {"initial-reminder": "60"}
    assert all(f'name="{name}"' in page for name in shown)
    save(client, **shown, loss_day="50", session="60", reminder="0")
    save(client, **shown, stake="80", reminder="60")
    assert amounts(anna) == {Kind.LOSS_DAY: 50, Kind.SESSION: 60, Kind.STAKE: 80}
    assert not Limit.objects.filter(next_at__isnull=False).exists()
    assert PlayChoices.objects.get().reminder_minutes == 0


def test_enter_key_saves_the_limits_although_a_planned_change_can_be_canceled(client, anna):
    """On Enter a browser presses the first button of the form.

    Buttons elsewhere on the page count too if their attribute `form` names the form.
    """
    save(client, stake="50")
    save(client, stake="80")
    page = text(client.get(reverse(PAGE)))
    form = page.partition('<form method="post" novalidate>')[2].partition("</form>")[0]
    others = re.findall(r'<button[^>]* form="keep-limit"[^>]*>Keep 50<', form)
    assert len(others) == 1
    assert form.count("<button") == 2
    keeping = page.partition('<form id="keep-limit"')[2].partition("</form>")[0]
    assert f'action="{reverse("wallet:keep_limit")}"' in keeping
    assert "csrfmiddlewaretoken" in keeping


@pytest.mark.parametrize("wrong", ["-1", "1.5", "1.000", "1,000", "x", "99999999999"])
def test_a_wrong_amount_saves_nothing(client, anna, wrong):
    answer = save(client, stake=wrong, loss_day="5")
    assert answer.status_code == 422
    assert answer.headers["Refusal"] == "invalid"
    assert amounts(anna) == {}


def test_a_break_needs_the_checkbox_and_the_password(client, anna):
    url = reverse("wallet:take_break", args=["month"])
    assert "Nobody can end the break early" in text(client.get(url))
    for data in ({"password": PASSWORD}, {"understood": "on", "password": "wrong"}):
        assert client.post(url, data).status_code == 422
    assert not Exclusion.objects.exists()
    page = client.post(url, {"understood": "on", "password": PASSWORD}, follow=True)
    assert "Your break has begun" in text(page)
    assert "You are taking a break until " in text(page)


def test_a_member_without_a_password_confirms_who_they_are(client, anna):
    anna.set_unusable_password()
    anna.save()
    sign_in(client, anna)
    url = reverse("wallet:take_break", args=["day"])
    answer = client.post(url, {"understood": "on"})
    assert answer.url.startswith(reverse("account_reauthenticate"))
    sign_in_now(client, anna)
    client.post(url, {"understood": "on"})
    assert Exclusion.objects.exists()


def test_the_page_of_an_unknown_break_does_not_exist(client, anna):
    assert client.get(reverse("wallet:take_break", args=["forever"])).status_code == 404


def test_during_a_break_only_longer_ones_are_offered(client, anna):
    exclusions.begin(anna.pk, "month", timezone.now())
    page = text(client.get(reverse(PAGE)))
    assert reverse("wallet:take_break", args=["week"]) not in page
    assert reverse("wallet:take_break", args=["half_year"]) in page


def test_page_of_a_game_explains_the_members_own_limit_and_offers_no_joining(client, anna, seek):
    services.set_limits(anna.pk, {Kind.STAKE: 50}, timezone.now())
    url = reverse("lobby:seek", args=[seek.public_id])
    page = text(client.get(url))
    assert "above the limit that you have set for yourself: 50 credits" in page
    assert reverse("lobby:join", args=[seek.public_id]) not in page
    answer = client.post(reverse("lobby:join", args=[seek.public_id]), {"confirmed": "1"})
    assert (answer.url, answer.headers["Refusal"]) == (url, "own_stake")
    assert Seek.objects.get().state == Seek.State.OPEN


@pytest.mark.parametrize("fee", [0, 100])
def test_entering_a_tournament_during_a_break_is_refused_with_an_explanation(client, anna, fee):
    tournament = announced(timezone.now(), fee_credits=fee)
    exclusions.begin(anna.pk, "week", timezone.now())
    page = text(client.post(reverse("tournaments:enter", args=[tournament.public_id])))
    assert "You are taking a time-out until" in page
    assert "Take part" not in page
    answer = client.post(
        reverse("tournaments:enter", args=[tournament.public_id]), {"confirmed": "1"}
    )
    assert answer.headers["Refusal"] == "excluded"


def test_play_now_during_an_exclusion_is_refused_with_an_explanation(client, anna):
    exclusions.begin(anna.pk, "half_year", timezone.now())
    data = {"variant": "short", "length": "1", "mode": "stake", "stake": "25"}
    page = text(client.post(reverse("lobby:play_now"), data))
    assert "You have excluded yourself until" in page
    answer = client.post(reverse("lobby:play_now"), {**data, "confirmed": "1"})
    assert (answer.status_code, answer.headers["Refusal"]) == (409, "excluded")


def test_the_form_of_a_game_says_that_the_member_takes_a_break(client, anna):
    assert "You are taking a time-out" not in text(client.get(reverse("lobby:announce")))
    exclusions.begin(anna.pk, "week", timezone.now())
    assert "You are taking a time-out until" in text(client.get(reverse("lobby:announce")))


def test_announcing_during_an_exclusion_is_refused_with_an_explanation(client, anna):
    exclusions.begin(anna.pk, "half_year", timezone.now())
    data = {"variant": "short", "length": "1", "seconds": "30", "stake": "25", "access": "OPEN"}
    page = text(client.post(reverse("lobby:announce"), data))
    assert "You have excluded yourself until" in page
    answer = client.post(reverse("lobby:announce"), {**data, "confirmed": "1"}, follow=True)
    assert "You have excluded yourself until" in text(answer)


def test_the_age_is_asked_once_and_the_answer_leads_back(client, anna, seek, settings):
    settings.MINIMUM_AGE = 18
    url = reverse("lobby:seek", args=[seek.public_id])
    assert "Please confirm your age first" in text(client.get(url))
    age = reverse("wallet:age")
    assert "I am 18 or older" in text(client.get(age, {"next": url}))
    assert client.post(age, {"next": url}).url == url
    assert reverse("lobby:join", args=[seek.public_id]) in text(client.get(url))
    assert "There is nothing to confirm" in text(client.get(age))


def test_the_form_of_the_age_never_leads_to_another_site(client, anna, settings):
    settings.MINIMUM_AGE = 18
    answer = client.post(reverse("wallet:age"), {"next": "https://evil.example/"})
    assert answer.url == reverse(PAGE)


@pytest.mark.parametrize(("language", "names"), [("en", "GamCare"), ("ru", "112"), ("tr", "YEDAM")])
def test_help_is_written_for_the_readers_of_each_language(client, language, names):
    client.cookies["django_language"] = language
    page = client.get(reverse("wallet:help"), headers={"Accept-Language": language})
    assert names in text(page)


@pytest.mark.parametrize("page", ["wallet:statement", "shop:gifts", "shop:totals"])
def test_pages_of_credits_lead_to_limits_and_help(client, anna, page):
    found = text(client.get(reverse(page)))
    assert found.count(reverse(PAGE)) >= 2  # in the menu, and at the foot
    assert reverse("wallet:help") in found
