"""Hostile uploads are refused at little cost, with a message that names the cause."""

import io
import random
import resource
import sys
import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse
from PIL import Image

from accounts.models import Profile
from accounts.profile import avatar_images, avatars
from accounts.profile.avatar_images import (
    ADMITTED,
    MAX_BYTES,
    MOST_WAITING,
    BadPicture,
    Fault,
    to_avatar,
)
from tests.accounts.factories import member, sign_in
from tests.accounts.profile import pictures

TOO_LARGE = "This file is larger than 2 MB. Please choose a smaller one."
TOO_MANY_PIXELS = "This picture is more than 4096 pixels wide or high. Please choose a smaller one."
UNKNOWN = "We cannot read this picture. Please choose a JPEG, PNG or WebP file."
DAMAGED = "This picture is damaged. Please choose another one."

CASES = {
    "a decompression bomb": (pictures.bomb, TOO_MANY_PIXELS),
    "a header of 20,000 x 20,000": (lambda: pictures.png_of(20_000, 20_000), TOO_MANY_PIXELS),
    "a side of one pixel too many": (lambda: pictures.plain(size=(4097, 2)), TOO_MANY_PIXELS),
    "a WebP of 16,384 x 16,384": (lambda: pictures.webp_of(16_384, 16_384), TOO_MANY_PIXELS),
    "a text that unpacks to 100 MB": (pictures.text_bomb, DAMAGED),
    "a JPEG with a hundred scans": (pictures.scan_bomb, DAMAGED),
    "an SVG": (pictures.svg, UNKNOWN),
    "a GIF that is a script": (pictures.gif_and_script, UNKNOWN),
    "a page": (lambda: b"<!doctype html><script>alert(1)</script>", UNKNOWN),
    "a single zero byte": (lambda: b"\x00", UNKNOWN),
    "a truncated JPEG": (lambda: pictures.plain("JPEG", size=(600, 600))[:-400], DAMAGED),
    "a truncated PNG": (lambda: pictures.noise((200, 200))[:-30_000], DAMAGED),
    "a truncated WebP": (lambda: pictures.plain("WEBP", lossless=True)[:-20], DAMAGED),
    "a header and no picture": (lambda: pictures.png_of(64, 64), DAMAGED),
    "a WebP header and no picture": (lambda: pictures.webp_of(64, 64), DAMAGED),
    "a file beyond 2 MB": (lambda: pictures.plain() + bytes(MAX_BYTES), TOO_LARGE),
}


@pytest.mark.portable
@pytest.mark.django_db
@pytest.mark.parametrize("case", CASES)
def test_hostile_file_is_refused_and_not_stored(client, media, case):
    owner = member("owner")
    browser = sign_in(client, owner)
    make, text = CASES[case]
    file = SimpleUploadedFile("me.jpg", make(), content_type="image/jpeg")
    answer = browser.post(reverse("people:avatar_upload"), {"picture": file})
    assert answer.status_code == 422
    assert text in answer.content.decode()
    assert not Profile.objects.get(user=owner).avatar_file
    assert not list(media.rglob("*.webp"))


@pytest.mark.parametrize("make", [pictures.bomb, lambda: pictures.webp_of(16_384, 16_384)])
def test_a_bomb_is_refused_by_its_header(make):
    """Decoding the picture would take seconds and at least 768 MB."""
    data = make()
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(BadPicture) as error:
        to_avatar(io.BytesIO(data))
    assert error.value.fault == Fault.TOO_MANY_PIXELS
    assert time.process_time() - started < 0.5
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown * (1 if sys.platform == "darwin" else 1024) < 64 * 1024 * 1024


def test_a_progressive_jpeg_is_accepted():
    """The scan bomb with few scans is a valid progressive JPEG too."""
    noise = Image.effect_noise((400, 300), 90).convert("RGB")
    for data in (pictures.encoded(noise, "JPEG", progressive=True), pictures.scan_bomb(scans=9)):
        assert to_avatar(io.BytesIO(data)).startswith(b"RIFF")


def test_reading_stops_at_the_size_limit():
    class Endless(io.RawIOBase):
        given = 0

        def read(self, size=-1):
            assert size >= 0
            self.given += size
            return b"\xff" * size

    file = Endless()
    with pytest.raises(BadPicture) as error:
        to_avatar(file)
    assert error.value.fault == Fault.TOO_LARGE
    assert file.given <= MAX_BYTES + 1


@pytest.mark.parametrize("make", [pictures.jpeg_and_zip, pictures.jpeg_with_script])
def test_a_polyglot_keeps_only_its_picture(make):
    data = make()
    assert b"<script>" in data
    made = to_avatar(io.BytesIO(data))
    assert b"script" not in made
    assert b"PK" not in made[:4]
    assert made[:4] == b"RIFF"
    assert len(made) == int.from_bytes(made[4:8], "little") + 8  # nothing follows the picture


def test_a_picture_with_a_megabyte_of_metadata_is_accepted():
    made = to_avatar(io.BytesIO(pictures.with_huge_exif()))
    assert len(made) < 10_000


def test_randomly_changed_bytes_are_accepted_or_refused_as_bad_pictures():
    rng = random.Random(20261121)
    honest = [pictures.plain(kind, size=(60, 40)) for kind in ("PNG", "JPEG", "WEBP")]
    honest += [pictures.with_exif(6, size=(60, 40)), pictures.transparent(), pictures.animated()]
    outcomes = set()
    for _ in range(600):
        data = bytearray(rng.choice(honest))
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            assert to_avatar(io.BytesIO(bytes(data)))[:4] == b"RIFF"
            outcomes.add("accepted")
        except BadPicture as error:
            outcomes.add(error.fault)
    assert {"accepted", Fault.DAMAGED, Fault.UNKNOWN_FORMAT} <= outcomes


@pytest.mark.portable
@pytest.mark.django_db
def test_flood_of_uploads_does_not_fill_the_threads(client, media):
    """Uploads beyond those that may wait for the decoder are refused at once."""
    browser = sign_in(client, member("owner"))
    for _ in range(1 + MOST_WAITING):
        ADMITTED.acquire()
    try:
        file = SimpleUploadedFile("me.png", pictures.plain())
        answer = browser.post(reverse("people:avatar_upload"), {"picture": file})
    finally:
        ADMITTED.release(1 + MOST_WAITING)
    assert answer.status_code == 422
    assert "Many pictures are being uploaded at the moment." in answer.content.decode()
    file = SimpleUploadedFile("me.png", pictures.plain())
    assert browser.post(reverse("people:avatar_upload"), {"picture": file}).status_code == 303


@pytest.mark.django_db(transaction=True)
def test_upload_that_waits_keeps_no_database_connection(media, monkeypatch):
    """Twelve waiting uploads once took the whole pool, so that no page of the site answered."""
    owner = member("owner")
    connections = []

    class Turn:
        """A stand-in for the decoder's lock, at which an upload waits for its turn."""

        def __enter__(self):
            connections.append(connection.connection)

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(avatar_images, "_DECODER_LOCK", Turn())
    Profile.objects.get(user=owner)  # opens a connection, as the request of an upload does
    avatars.replace(owner.pk, io.BytesIO(pictures.plain()))
    assert connections == [None]
