"""The profile page: one button saves all fields; page and site show the saved values."""

import re
from itertools import pairwise

import pytest
from django.conf import settings as django_settings
from django.urls import reverse
from django.utils import timezone
from django_countries import countries

from accounts import broadcast
from accounts.closing import services as closing
from accounts.models import Preferences, Profile, User
from accounts.profile import avatars, services
from accounts.profile import countries as own_countries
from accounts.profile.views import masked
from tests.accounts.factories import member, sign_in
from tests.accounts.profile import pictures

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


@pytest.fixture
def owner():
    return member("owner")


@pytest.fixture
def browser(client, owner):
    return sign_in(client, owner)


def page_of(browser):
    return browser.get(reverse("people:profile"))


def filled(browser, **changes):
    """Return the form data of the page with these changes; None unchecks a box."""
    page = page_of(browser)
    data = dict(re.findall(r'name="(shown-\w+)" value="([^"]*)"', page.content.decode()))
    for form in (page.context["form"], page.context["table_form"]):
        for field in form:
            if field.value() not in (False, None):
                data[field.name] = "on" if field.value() is True else field.value()
    data |= changes
    return {name: value for name, value in data.items() if value is not None}


def save(browser, **changes):
    return browser.post(reverse("people:profile"), filled(browser, **changes))


def test_everything_is_saved_at_once_and_shown_again(browser, owner):
    answer = save(
        browser,
        crest="teal",
        avatar="owl",
        country="DE",
        theme="light",
        dice="manual",
        speed="fast",
        numbers=None,
        mirror_long="on",
        shows_online=None,
    )
    assert answer.status_code == 303
    assert answer["Location"] == reverse("people:profile")
    profile = Profile.objects.get(user=owner)
    assert (profile.crest, profile.avatar, str(profile.country)) == ("teal", "owl", "DE")
    assert (profile.shows_online, profile.shows_country) == (False, True)
    preferences = Preferences.objects.get(user=owner)
    assert (preferences.theme, preferences.dice, preferences.speed) == ("light", "manual", "fast")
    assert (preferences.numbers, preferences.mirror_long) == (False, True)
    page = browser.get(answer["Location"])
    assert "Your profile is saved." in page.content.decode()
    assert page.context["form"]["crest"].value() == "teal"
    assert page.context["table_form"]["dice"].value() == "manual"


def test_every_choice_of_the_table_is_on_the_page(browser):
    """A box missing from the page would be unchecked by every Save."""
    page = page_of(browser).content.decode()
    missing = [name for name in Preferences.TABLE_FIELDS if f'name="{name}"' not in page]
    assert not missing


def test_saving_without_a_change_changes_nothing(browser, owner):
    Preferences.objects.filter(user=owner).update(language="en")
    before = Preferences.objects.filter(user=owner).values().get()
    assert save(browser).status_code == 303
    assert Preferences.objects.filter(user=owner).values().get() == before


def test_a_save_does_not_undo_what_was_changed_elsewhere_meanwhile(browser, owner, media):
    stale = filled(browser, theme="dark", speed="fast")
    Profile.objects.filter(user=owner).update(shows_online=False, country="DE")
    elsewhere = {"language": "tr", "time_zone": "Asia/Tokyo", "keeps_time_zone": True}
    Preferences.objects.filter(user=owner).update(**elsewhere, numbers=False, dice="manual")
    avatars.replace(owner.pk, pictures.file())
    answer = browser.post(reverse("people:profile"), stale)
    assert answer.status_code == 303
    assert django_settings.LANGUAGE_COOKIE_NAME not in answer.cookies
    profile = Profile.objects.get(user=owner)
    assert (profile.shows_online, str(profile.country)) == (False, "DE")
    assert profile.avatar_file
    assert len(list(media.rglob("*.webp"))) == 1
    preferences = Preferences.objects.get(user=owner)
    assert (preferences.theme, preferences.speed) == ("dark", "fast")
    assert {name: getattr(preferences, name) for name in elsewhere} == elsewhere
    assert (preferences.numbers, preferences.dice) == (False, "manual")


def test_a_save_keeps_the_theme_chosen_in_the_header_of_another_tab(browser, owner):
    stale = filled(browser, crest="teal")
    browser.post(reverse("set_theme"), {"theme": "light"})
    answer = browser.post(reverse("people:profile"), stale)
    assert "theme" not in answer.cookies
    assert Preferences.objects.get(user=owner).theme == "light"
    assert Profile.objects.get(user=owner).crest == "teal"


def test_a_refused_page_still_knows_what_was_shown_at_first(browser, owner):
    stale = filled(browser, crest="pink")
    Profile.objects.filter(user=owner).update(shows_online=False)
    refused = browser.post(reverse("people:profile"), stale)
    assert refused.status_code == 422
    assert 'name="shown-shows_online" value="True"' in refused.content.decode()


def test_a_page_that_posts_no_shown_values_saves_all_fields(browser, owner):
    """Such a page was opened before an upgrade of the site."""
    sent = filled(browser, shows_online=None, theme="light").items()
    old = {name: value for name, value in sent if not name.startswith("shown-")}
    assert browser.post(reverse("people:profile"), old).status_code == 303
    assert Profile.objects.get(user=owner).shows_online is False
    assert Preferences.objects.get(user=owner).theme == "light"


def test_after_an_upload_the_ready_made_avatar_can_be_chosen_again(browser, owner, media):
    own = Profile.objects.get(user=owner).avatar
    upload = {"picture": pictures.file()}
    part = browser.post(reverse("people:avatar_upload"), upload, headers={"HX-Request": "true"})
    assert 'name="shown-avatar" value="photo"' in part.content.decode()
    save(browser, avatar=own)
    assert not Profile.objects.get(user=owner).avatar_file


def test_a_save_while_the_account_is_closed_leads_to_the_sign_in(browser, owner, monkeypatch):
    data, save_fields = filled(browser, crest="teal"), services.save

    def close_first(*args):
        closing.close(owner.pk, timezone.now())
        save_fields(*args)

    monkeypatch.setattr(services, "save", close_first)
    answer = browser.post(reverse("people:profile"), data, follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))
    assert "Your profile is saved." not in answer.content.decode()
    assert Profile.objects.get(user=owner).crest == "gold"


def test_a_new_language_applies_at_once_and_is_stored(browser):
    answer = save(browser, language="tr")
    assert answer.cookies[django_settings.LANGUAGE_COOKIE_NAME].value == "tr"
    assert page_of(browser).context["form"]["language"].value() == "tr"
    assert 'lang="tr"' in page_of(browser).content.decode()


def test_a_new_theme_applies_to_the_next_page_and_sets_the_cookie(browser):
    answer = save(browser, theme="contrast")
    assert 'data-theme="contrast"' in page_of(browser).content.decode()
    assert answer.cookies["theme"].value == "contrast"
    assert save(browser, theme="").cookies["theme"].value == ""


def test_other_pages_are_nudged_after_the_commit(
    browser, owner, monkeypatch, django_capture_on_commit_callbacks
):
    nudges = []
    monkeypatch.setattr(broadcast, "nudge", lambda *nudge: nudges.append(nudge))
    with django_capture_on_commit_callbacks(execute=True):
        save(browser, crest="blue")
        assert not nudges
    assert (owner.pk, "profile") in nudges


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("crest", "pink"),
        ("avatar", "dragon"),
        ("avatar", "photo"),  # no picture was uploaded
        ("country", "XX"),
        ("language", "de"),
        ("theme", "neon"),
        ("dice", "loaded"),
    ],
)
def test_unknown_values_are_refused_and_nothing_is_saved(browser, owner, field, value):
    answer = save(browser, **{"shows_record": None, field: value})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Please check the marked fields." in page
    assert f'id="id_{field}_error"' in page
    assert Profile.objects.get(user=owner).shows_record


def test_choosing_a_ready_made_avatar_removes_the_picture(
    browser, owner, media, django_capture_on_commit_callbacks
):
    avatars.replace(owner.pk, pictures.file())
    with django_capture_on_commit_callbacks(execute=True):
        save(browser, avatar="ship")
    profile = Profile.objects.get(user=owner)
    assert (profile.avatar, bool(profile.avatar_file)) == ("ship", False)
    assert not list(media.rglob("*.webp"))


def test_a_picture_stays_when_something_else_is_saved(browser, owner, media):
    own = Profile.objects.get(user=owner).avatar
    avatars.replace(owner.pk, pictures.file())
    assert filled(browser)["avatar"] == "photo"
    save(browser, crest="red")
    profile = Profile.objects.get(user=owner)
    assert (profile.avatar, bool(profile.avatar_file)) == (own, True)
    assert len(list(media.rglob("*.webp"))) == 1


def test_a_guest_is_redirected_to_sign_in(client):
    answer = page_of(client)
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))


def test_a_form_cannot_change_another_member(browser, owner):
    stranger = member("stranger")
    before = Profile.objects.filter(user=stranger).values().get()
    save(browser, crest="blue", user=str(stranger.pk), id=str(stranger.profile.pk), pk="1")
    assert Profile.objects.filter(user=stranger).values().get() == before
    assert Profile.objects.get(user=owner).crest == "blue"


def test_member_without_an_email_finds_the_way_to_add_one(browser, owner):
    assert 'href="/account/email/add/"' not in page_of(browser).content.decode()
    User.objects.filter(pk=owner.pk).update(email="")
    page = page_of(browser).content.decode()
    assert 'href="/account/email/add/"' in page
    assert "/account/password/change/" not in page


def test_the_email_is_on_the_page_masked(browser):
    page = page_of(browser).content.decode()
    assert "o•••@example.org" in page
    assert "owner@example.org" not in page


@pytest.mark.parametrize(
    ("email", "shown"),
    [("anna@example.org", "a•••@example.org"), ("a@b.org", "a•••@b.org"), ("", "")],
)
def test_a_masked_email_hides_most_of_the_name(email, shown):
    assert masked(email) == shown


def test_facebook_is_offered_only_if_configured(browser, settings):
    assert "Facebook" not in page_of(browser).content.decode()
    settings.SOCIALACCOUNT_PROVIDERS = {"facebook": {}}
    assert reverse("socialaccount_connections") in page_of(browser).content.decode()


@pytest.mark.parametrize(
    ("language", "first", "neighbors"),
    [
        ("en", "Afghanistan", ("Finland", "France")),
        ("ru", "Австралия", ("Италия", "Йемен", "Кабо-Верде")),
        ("tr", "ABD Küçük Harici Adaları", ("Curaçao", "Çad", "Çekya", "Çin", "Danimarka")),
    ],
)
def test_countries_are_in_alphabetical_order(browser, language, first, neighbors):
    browser.cookies[django_settings.LANGUAGE_COOKIE_NAME] = language
    names = [str(name) for code, name in page_of(browser).context["form"]["country"].field.choices]
    assert names[1] == first  # after "Not set"
    index = names.index(neighbors[0])
    assert tuple(names[index : index + len(neighbors)]) == neighbors


def test_every_country_has_a_name_in_every_language_and_a_flag():
    codes = {code for code, _ in countries}
    for language, _ in django_settings.LANGUAGES:
        assert set(own_countries._names()[language]) == codes
        assert all(own_countries._names()[language].values())
    flags = django_settings.BASE_DIR / "static/img/flags"
    assert codes == {path.stem.upper() for path in flags.glob("*.svg")}


def test_every_avatar_has_its_drawing():
    drawing = (django_settings.BASE_DIR / "static/img/avatars.svg").read_text()
    assert set(re.findall(r'<view id="(\w+)"', drawing)) == set(Profile.Avatar.values)
    # Some browsers take the aspect ratio of an image from the root element, not from the view.
    assert 'width="64" height="64"' in drawing.partition(">")[0]


def test_new_members_differ_in_animal_and_color():
    looks = [
        (profile.avatar, profile.crest) for profile in (Profile.for_new(id) for id in range(48, 96))
    ]
    assert len(set(looks)) == 48
    for (animal, color), (next_animal, next_color) in pairwise(looks):
        assert animal != next_animal
        assert color != next_color


def test_a_new_member_has_the_avatar_and_crest_that_follow_from_their_id(owner):
    profile = Profile.objects.get(user=owner)
    expected = Profile.for_new(owner.pk)
    assert (profile.avatar, profile.crest) == (expected.avatar, expected.crest)


def test_a_refused_form_names_no_flag_that_does_not_exist(browser):
    """Static files have hashed names; looking up the name of a missing file raises an error."""
    answer = browser.post(reverse("people:profile"), filled(browser, country="zz"))
    assert answer.status_code == 422
    assert "img/flags/zz.svg" not in answer.content.decode()
