"""Uploaded avatars are re-encoded as small WebP files."""

import io
import os
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from accounts.closing import services as closing
from accounts.models import Picture, Profile
from accounts.profile import avatars
from tests.accounts.factories import member, sign_in
from tests.accounts.profile import pictures

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

UPLOAD = "people:avatar_upload"


@pytest.fixture
def owner():
    return member("owner")


@pytest.fixture
def browser(client, owner):
    return sign_in(client, owner)


def upload(browser, data, name="me.png", **more):
    return browser.post(reverse(UPLOAD), {"picture": SimpleUploadedFile(name, data)}, **more)


def stored(media):
    return sorted(path for path in media.rglob("*") if path.is_file())


def shown(media):
    """Open the only stored file."""
    (path,) = stored(media)
    return Image.open(io.BytesIO(path.read_bytes()))


def pixel(image, x, y):
    return image.convert("RGBA").getpixel((x, y))


def is_near(color, wanted):
    return all(abs(a - b) < 16 for a, b in zip(color, wanted, strict=False))


def test_a_picture_becomes_a_small_webp_under_a_random_name(browser, owner, media):
    answer = upload(browser, pictures.plain())
    assert answer.status_code == 303
    image = shown(media)
    assert (image.format, image.size) == ("WEBP", (256, 256))
    name = Profile.objects.get(user=owner).avatar_file.name
    assert re.fullmatch(r"avatars/[0-9a-f]{32}\.webp", name)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_each_of_the_three_formats_is_read(browser, media, kind):
    upload(browser, pictures.plain(kind))
    assert is_near(pixel(shown(media), 128, 128), pictures.RED)


def test_the_file_name_is_ignored(browser, media):
    upload(browser, pictures.plain("JPEG"), name="../../etc/passwd.exe")
    assert shown(media).format == "WEBP"
    assert stored(media)[0].parent == media / "avatars"


def test_a_photo_is_rotated_and_loses_its_location(browser, media):
    upload(browser, pictures.with_exif(orientation=3))  # upside down
    image = shown(media)
    assert is_near(pixel(image, 128, 40), pictures.BLUE)
    assert is_near(pixel(image, 128, 216), pictures.RED)
    data = stored(media)[0].read_bytes()
    assert not image.getexif()
    assert not {"exif", "xmp", "icc_profile"} & set(image.info)
    assert b"Secret" not in data
    assert b"EXIF" not in data


def test_text_metadata_is_removed(browser, media):
    upload(browser, pictures.with_text())
    assert b"Secret" not in stored(media)[0].read_bytes()


def test_cmyk_is_converted_to_rgb(browser, media):
    upload(browser, pictures.encoded(Image.new("CMYK", (64, 64), (0, 255, 255, 0)), "JPEG"))
    image = shown(media)
    assert image.mode == "RGB"
    assert is_near(pixel(image, 128, 128), (254, 0, 0))


def test_transparency_is_kept(browser, media):
    upload(browser, pictures.transparent())
    image = shown(media)
    assert pixel(image, 128, 20)[3] == 0
    assert pixel(image, 128, 236)[3] == 255


def test_sixteen_bit_gray_is_converted(browser, media):
    upload(browser, pictures.encoded(Image.new("I;16", (64, 64), 32768)))
    assert is_near(pixel(shown(media), 128, 128), (128, 128, 128))


def test_the_first_frame_of_an_animation_is_used(browser, media):
    upload(browser, pictures.animated())
    image = shown(media)
    assert getattr(image, "n_frames", 1) == 1
    assert is_near(pixel(image, 128, 128), pictures.RED)


def test_a_new_picture_removes_the_old_file(
    browser, owner, media, django_capture_on_commit_callbacks
):
    upload(browser, pictures.plain())
    old = stored(media)
    with django_capture_on_commit_callbacks(execute=True):
        upload(browser, pictures.plain(color=pictures.BLUE))
    assert len(stored(media)) == 1
    assert stored(media) != old


def test_removing_the_picture_deletes_its_file(
    browser, owner, media, django_capture_on_commit_callbacks
):
    upload(browser, pictures.plain())
    with django_capture_on_commit_callbacks(execute=True):
        answer = browser.post(reverse("people:avatar_remove"))
    assert answer.status_code == 303
    assert not stored(media)
    assert not Profile.objects.get(user=owner).avatar_file


def test_a_failed_write_leaves_no_file(owner, media, monkeypatch):
    def fail(*args):
        raise RuntimeError

    monkeypatch.setattr(avatars, "_change", fail)
    with pytest.raises(RuntimeError):
        avatars.replace(owner.pk, io.BytesIO(pictures.plain()))
    assert not stored(media)


def sweep(*options):
    """Run the nightly command; return the lines that it prints."""
    said = io.StringIO()
    call_command("sweepavatars", *options, stdout=said)
    return said.getvalue().splitlines()


def test_old_files_of_no_account_are_deleted_at_night(browser, media):
    upload(browser, pictures.plain())
    (kept,) = stored(media)
    old, new = (kept.with_name(f"{digit * 32}.webp") for digit in "01")
    for path in (old, new):
        path.write_bytes(b"RIFF")
    long_ago_s = (timezone.now() - avatars.STRAY_FOR - timedelta(minutes=1)).timestamp()
    for path in (kept, old):
        os.utime(path, (long_ago_s, long_ago_s))
    assert sweep("--dry-run") == [f"avatars/{old.name}", "Avatar files to delete: 1"]
    assert old.exists()
    assert sweep() == ["1 avatar files deleted"]
    assert stored(media) == sorted([kept, new])


def test_nothing_is_deleted_at_night_before_the_first_upload(media):
    assert sweep() == ["0 avatar files deleted"]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_an_upload_is_refused_if_the_account_is_closed_while_it_waits(
    browser, owner, media, monkeypatch, headers
):
    decode = avatars.to_avatar

    def close_meanwhile(file):
        closing.close(owner.pk, timezone.now())
        return decode(file)

    monkeypatch.setattr(avatars, "to_avatar", close_meanwhile)
    answer = upload(browser, pictures.plain(), headers=headers)
    assert answer.status_code == 422
    assert "This account is closed." in answer.content.decode()
    assert not stored(media)
    assert not Picture.objects.exists()


def test_the_file_is_served_as_webp_and_cached_for_a_year(browser, owner, client):
    upload(browser, pictures.plain())
    name = Path(Profile.objects.get(user=owner).avatar_file.name).stem
    answer = client.get(reverse("people:avatar", args=[name]))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/webp"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer["Cache-Control"]
    assert "max-age=31536000" in answer["Cache-Control"]
    assert answer.content.startswith(b"RIFF")


@pytest.mark.parametrize(
    "path",
    [
        f"/avatar/{'0' * 32}.webp",
        "/avatar/short.webp",
        f"/avatar/{'A' * 32}.webp",
        "/avatar/..%2f..%2fdb.sqlite3.webp",
        f"/avatar/{'0' * 32}.webp%0a",
        f"/avatar/{'0' * 32}.svg",
    ],
)
def test_unknown_and_malformed_names_of_avatars_are_not_found(client, path):
    assert client.get(path).status_code == 404


def test_an_htmx_upload_returns_the_picker(browser):
    file = SimpleUploadedFile("me.png", pictures.plain())
    answer = browser.post(reverse(UPLOAD), {"picture": file}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert answer.content.decode().strip().startswith('<div class="field" id="avatar-picker"')


def test_without_a_file_the_page_asks_for_one(browser):
    answer = browser.post(reverse(UPLOAD))
    assert answer.status_code == 422
    assert "Choose a picture first." in answer.content.decode()


def test_a_guest_uploads_nothing(client, media):
    answer = upload(client, pictures.plain())
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))
    assert not stored(media)


def test_an_upload_without_the_csrf_token_is_refused(owner, media):
    browser = sign_in(Client(enforce_csrf_checks=True), owner)
    assert upload(browser, pictures.plain()).status_code == 403
    assert not stored(media)


def test_an_upload_with_the_csrf_token_is_accepted(owner, media):
    browser = sign_in(Client(enforce_csrf_checks=True), owner)
    page = browser.get(reverse("people:profile")).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page).group(1)
    body = {"csrfmiddlewaretoken": token, "picture": SimpleUploadedFile("a.png", pictures.plain())}
    assert browser.post(reverse(UPLOAD), body).status_code == 303
    assert len(stored(media)) == 1


def test_get_is_refused(browser):
    assert browser.get(reverse(UPLOAD)).status_code == 405


def test_too_many_uploads_are_refused_for_a_while(browser, settings, media):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"avatar_upload": "2/h/user"}
    for _ in range(2):
        assert upload(browser, pictures.plain()).status_code == 303
    before = stored(media)
    answer = upload(browser, pictures.plain())
    assert answer.status_code == 422
    assert "Please try again later." in answer.content.decode()
    assert stored(media) == before
