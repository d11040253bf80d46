"""The public result of a match: a page with Open Graph tags, and a picture."""

import io
import re

import pytest
from django.conf import settings
from django.core.cache import cache, caches
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.models import User
from games.archive import fold_slots
from games.engine.sides import Side
from games.exports import result_views
from tests.games.factories import StakeSitting
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


def finished(variant="short", **fields):
    sitting = StakeSitting(player("anna5"), player("boris"), variant=variant, length=3, **fields)
    sitting.sit().start_game().both_move(4)
    sitting.do("resign_match", side=Side.BLACK)
    return sitting.match


def page_of(match, name="result", client=None):
    return (client or Client()).get(reverse(f"games:{name}", args=[match.public_id]))


def tags_of(page):
    found = re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]*)"', page.content.decode())
    return dict(found)


@pytest.mark.parametrize("variant", ["short", "long"])
def test_visitor_sees_result_position_and_tags_for_previews(variant):
    match = finished(variant)
    page = page_of(match)
    assert page.status_code == 200
    tags = tags_of(page)
    address = f"http://testserver/match/{match.public_id}/"
    assert tags["title"] == "anna5 0 : 0 boris"  # the match was resigned
    assert "match to 3 points. Winner: anna5." in tags["description"]
    assert (tags["url"], tags["image"]) == (f"{address}result/", f"{address}result.png")
    assert (tags["image:width"], tags["image:height"]) == ("1200", "630")
    assert len(re.findall('class="checker[ "]', page.content.decode())) == 30
    assert "100" not in tags["description"]  # the stake


@pytest.mark.parametrize("variant", ["short", "long"])
def test_picture_is_a_png_that_shows_the_checkers(variant):
    answer = page_of(finished(variant), "result_picture")
    assert answer["Content-Type"] == "image/png"
    image = Image.open(io.BytesIO(answer.content))
    assert image.size == (1200, 630)
    assert len(answer.content) < 200_000  # WhatsApp shows no picture above 300 kB
    colors = {color for _, color in image.getcolors(1 << 20)}
    assert {(0xEF, 0xE3, 0xCF), (0x2B, 0x26, 0x23), (0x1F, 0x4A, 0x3D)} <= colors


def test_picture_is_drawn_once(django_assert_max_num_queries, monkeypatch):
    from games.exports import result_picture

    match, drawn = finished(), []
    draw = result_picture.png_of
    monkeypatch.setattr(result_picture, "png_of", lambda match: drawn.append(match) or draw(match))
    first, second = (page_of(match, "result_picture") for _ in range(2))
    assert first.content == second.content
    assert len(drawn) == 1


@pytest.mark.parametrize("name", ["result", "result_picture"])
def test_private_and_running_matches_have_no_public_result(name):
    private = finished(is_public=False)
    anna = Client()
    anna.force_login(User.objects.get(username="anna5"))
    assert page_of(private, name).status_code == 404
    assert page_of(private, name, anna).status_code == 404
    running = StakeSitting(player("clara"), player("deniz")).sit().start_game().match
    assert page_of(running, name).status_code == 404


def test_pictures_are_drawn_in_a_fold_slot_and_kept_in_a_bounded_cache(monkeypatch):
    match = finished()
    monkeypatch.setattr(fold_slots, "WAIT_S", 0.01)
    monkeypatch.setattr(fold_slots, "_slots", fold_slots.Slots(1, 1))
    with fold_slots.slot():
        assert page_of(match, "result_picture").status_code == 429
    size = len(page_of(match, "result_picture").content)
    with fold_slots.slot():
        assert page_of(match, "result_picture").status_code == 200  # from the cache
    assert size * settings.CACHES["pictures"]["OPTIONS"]["MAX_ENTRIES"] < 40_000_000
    key = f"games:result:{result_views.DRAWN}:{match.public_id}"
    assert caches["pictures"].get(key)
    assert cache.get(key) is None


def test_result_card_of_a_public_match_links_to_its_result_page():
    anna = Client()
    match = finished()
    anna.force_login(User.objects.get(username="anna5"))
    link = reverse("games:result", args=[match.public_id])
    assert link in page_of(match, "match", anna).content.decode()


def test_card_of_a_private_match_has_no_link_to_share():
    anna = Client()
    match = finished(is_public=False)
    anna.force_login(User.objects.get(username="anna5"))
    link = reverse("games:result", args=[match.public_id])
    assert link not in page_of(match, "match", anna).content.decode()
