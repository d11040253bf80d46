"""Staff check uploaded avatars; a member whose picture is removed reads why."""

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import personal_data
from accounts.closing import services as closing
from accounts.models import Picture, Preferences, Profile
from accounts.profile import avatars, picture_checks, services
from tests.accounts.factories import member, sign_in, staff
from tests.accounts.mail.mailbox import emails_to, last_to
from tests.accounts.profile import pictures

pytestmark = pytest.mark.django_db
QUEUE = "/admin/accounts/picture/"


@pytest.fixture
def owner():
    return member("owner12345")


@pytest.fixture
def boss():
    return staff("person1")


@pytest.fixture
def boss_browser(boss):
    return sign_in(Client(), boss)


@pytest.fixture
def picture(owner):
    avatars.replace(owner.pk, pictures.file())
    return Picture.objects.get()


def act(boss_browser, action, picture, reason="Not a portrait"):
    chosen = {"action": action, "_selected_action": [picture.pk], "confirmed": "yes"}
    return boss_browser.post(QUEUE, {**chosen, "reason": reason}, follow=True)


def profile_page(owner):
    return sign_in(Client(), owner).get(reverse("people:profile")).content.decode()


def test_upload_waits_in_the_queue_with_its_picture(boss_browser, picture, owner):
    text = boss_browser.get(QUEUE, {"state": "waiting"}).content.decode()
    assert reverse("people:avatar", args=[picture.file[8:40]]) in text  # avatars/<name>.webp
    assert owner.username in text
    assert "Not checked" in boss_browser.get(f"{QUEUE}{picture.pk}/change/").content.decode()


def test_kept_picture_leaves_the_queue_and_stays_shown(boss_browser, picture, owner, media):
    act(boss_browser, "keep", picture, reason="")
    text = boss_browser.get(QUEUE, {"state": "waiting"}).content.decode()
    assert owner.username not in text
    assert "Kept by person1" in boss_browser.get(QUEUE).content.decode()
    assert Profile.objects.get(user=owner).avatar_file
    assert len(list(media.rglob("*.webp"))) == 1
    assert not emails_to(owner.email)


def test_picture_is_taken_away_with_its_file(
    boss_browser, picture, owner, media, django_capture_on_commit_callbacks
):
    Preferences.objects.filter(user=owner).update(language="ru")
    with django_capture_on_commit_callbacks(execute=True):
        act(boss_browser, "take", picture)
    assert not Profile.objects.get(user=owner).avatar_file
    assert not list(media.rglob("*.webp"))
    assert LogEntry.objects.get().change_message == "Picture removed: Not a portrait"
    email = last_to(owner.email)
    assert email.language == "ru"
    assert "Not a portrait" in email.text
    picture.refresh_from_db()
    assert (picture.file, picture.reason) == ("", "Not a portrait")
    assert "Removed by person1" in boss_browser.get(QUEUE, {"state": "taken"}).content.decode()


def test_member_reads_why_until_they_acknowledge_it(boss_browser, picture, owner):
    act(boss_browser, "take", picture)
    text = profile_page(owner)
    assert "Our team removed your picture on <time" in text
    assert "Reason: Not a portrait" in text
    sign_in(Client(), owner).post(reverse("people:avatar_seen"))
    assert "removed your picture" not in profile_page(owner)


def test_reason_is_needed_to_take_a_picture_away(boss_browser, picture, owner):
    assert act(boss_browser, "take", picture, reason="").status_code == 422
    assert Profile.objects.get(user=owner).avatar_file


def test_replaced_picture_cannot_be_taken_away_and_the_new_one_waits(boss, picture, owner):
    avatars.replace(owner.pk, pictures.file())
    assert not picture_checks.take_away(picture, boss, "Late", timezone.now())
    assert Profile.objects.get(user=owner).avatar_file
    (waiting,) = Picture.objects.all()
    assert waiting.pk != picture.pk
    assert waiting.checked_at is None
    avatars.remove(owner.pk)
    assert not Picture.objects.exists()


def test_taken_pictures_of_a_member_are_counted(boss_browser, picture, owner):
    act(boss_browser, "take", picture)
    avatars.replace(owner.pk, pictures.file())
    waiting = Picture.objects.get(taken_at__isnull=True)
    assert act(boss_browser, "take", picture).status_code == 200  # a second time changes nothing
    assert Profile.objects.get(user=owner).avatar_file
    page = boss_browser.get(f"{QUEUE}{waiting.pk}/change/").content.decode()
    assert "Removed before" in page
    counts = {row.pk: row.taken_earlier for row in boss_browser.get(QUEUE).context["cl"].queryset}
    assert counts == {picture.pk: 0, waiting.pk: 1}
    (row, _waiting) = personal_data.of(owner)["pictures"]
    assert row["reason"] == "Not a portrait"


def test_choosing_a_ready_made_avatar_removes_the_picture_from_the_queue(picture, owner):
    services.save(owner.pk, {"avatar": "owl"}, {}, keeps_picture=False)
    assert not Picture.objects.exists()


def test_closed_account_leaves_no_picture(boss_browser, picture, owner):
    act(boss_browser, "take", picture)
    avatars.replace(owner.pk, pictures.file())
    closing.close(owner.pk, timezone.now())
    assert not Picture.objects.exists()
