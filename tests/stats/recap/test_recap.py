"""The recap of a year: its figures, and who sees them."""

import io
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from PIL import Image, ImageColor

from accounts.closing import services as closing
from accounts.models import Preferences, Profile, User
from games.archive import fold_slots
from games.archive.fold_slots import Slots
from stats.models import Award, SharedRecap
from stats.recap import picture
from stats.recap.facts import best_streak, recap_of, years_of
from stats.recap.picture import SIZE, percent_text
from tests.accounts.factories import UserFactory, sign_in
from tests.stats.played_matches import played

pytestmark = pytest.mark.django_db

YEAR = 2025  # a past year, so that today's date does not matter


@pytest.fixture
def anna():
    return UserFactory(username="anna5", member=True)


def of_year(year, month=6, day=1):
    return datetime(year, month, day, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("results", "most"),
    [
        ([], 0),
        (["lost"], 0),
        (["won", "won", "lost", "won"], 2),
        (["lost", "won", "drawn", "won", "won", "won"], 3),
    ],
)
def test_a_streak_is_ended_by_a_draw_or_a_loss(results, most):
    assert best_streak(results) == most


def test_figures_are_those_of_the_year(anna):
    boris = UserFactory(member=True)
    for day in (1, 2, 3):
        played(anna, at=of_year(2025, 6, day), opponent=boris, net_credits=90)
    longest = played(anna, "lost", of_year(2025, 7), all_rolls=200, variant="long", net_credits=-50)
    played(anna, "void", of_year(2025, 8))
    computer = {"category": "training", "against": "computer", "level": "club"}
    played(anna, at=of_year(2025, 6, 4), **computer)
    played(anna, at=of_year(2024), all_rolls=900)
    Award.objects.create(
        user=anna, code="first_win", match=longest.match, reached_at=of_year(2025, 7)
    )
    found = recap_of(anna.pk, 2025, UTC)
    assert (found.matches, found.won, found.with_people, found.opponents) == (5, 4, 4, 1)
    assert (found.lost, found.drawn) == (1, 0)
    assert (found.best_streak, found.longest, found.favorite) == (3, longest, "short")
    assert found.busiest_month == datetime(2025, 6, 15, tzinfo=UTC)
    assert found.net_credits == 220
    assert [each.matches for each in found.variants] == [4, 1]
    assert years_of(anna.pk, of_year(2026), UTC) == [2026, 2025, 2024]


def test_a_year_without_matches_is_empty(anna):
    text = sign_in(Client(), anna).get(f"/recap/{YEAR - 1}/").content.decode()
    assert "You have no finished matches for this year." in text
    assert "Make a link" not in text


@pytest.mark.parametrize("year", [3000, 1999])
def test_years_without_a_recap_have_no_page(anna, year):
    browser = sign_in(Client(), anna)
    assert browser.get(f"/recap/{year}/").status_code == 404
    assert browser.post(f"/recap/{year}/share/").status_code == 404


def shared_page(anna, **choice):
    played(anna, at=of_year(YEAR), net_credits=4321, opponent=UserFactory(member=True))
    browser = sign_in(Client(), anna)
    browser.post(reverse("stats:share_recap", args=[YEAR]), choice)
    own = SharedRecap.objects.get(user=anna)
    return Client().get(reverse("stats:shared_recap", args=[own.token])), own


def test_a_shared_year_hides_credits_unless_the_member_shows_them(anna):
    answer, own = shared_page(anna)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "anna5" in text
    assert "4321" not in text
    assert User.objects.exclude(pk=anna.pk).get().username not in text
    assert f'content="http://testserver/recap/shared/{own.token}/picture.png"' in text
    answer, again = shared_page(anna, credits="on")
    assert again.token == own.token
    assert "8642" in answer.content.decode()


def test_a_shared_year_leads_to_no_achievements_that_are_hidden(anna):
    match = played(anna, at=of_year(YEAR)).match
    Award.objects.create(user=anna, code="first_win", match=match, reached_at=of_year(YEAR))
    link = f'href="{reverse("stats:achievements", args=[anna.public_id])}#first_win"'
    answer, own = shared_page(anna)
    assert link in answer.content.decode()
    Profile.objects.filter(user=anna).update(shows_record=False)
    address = reverse("stats:shared_recap", args=[own.token])
    hidden = Client().get(address).content.decode()
    assert "First win" in hidden
    assert link not in hidden
    assert link in sign_in(Client(), anna).get(address).content.decode()


def test_the_picture_is_a_png_of_the_size_for_previews(anna):
    _answer, own = shared_page(anna)
    answer = Client().get(reverse("stats:recap_picture", args=[own.token]))
    assert answer["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(answer.content)).size == SIZE


def test_the_picture_counts_draws_as_neither_won_nor_lost(anna, monkeypatch):
    for day, result in enumerate(["won"] * 5 + ["drawn"] * 4 + ["lost"], 1):
        played(anna, result, of_year(YEAR, 6, day))
    written = []
    monkeypatch.setattr(picture, "_text", lambda *args: written.append(args[4]))
    drawn = Image.open(io.BytesIO(picture.png_of(recap_of(anna.pk, YEAR, UTC))))
    assert "5 : 1" in written
    left, top, right, bottom = picture.BAR
    for share, color in ((0.25, picture.WON), (0.7, picture.DRAWN), (0.95, picture.LOST)):
        at = left + round((right - left) * share), (top + bottom) // 2
        assert drawn.getpixel(at) == ImageColor.getrgb(color)


@pytest.mark.parametrize(("language", "text"), [("en", "54%"), ("ru", "54 %"), ("tr", "%54")])
def test_the_picture_writes_the_percent_as_the_language_does(language, text):
    with override(language):
        assert percent_text(54) == text


def test_the_picture_follows_the_language_of_the_member(anna):
    _answer, own = shared_page(anna)
    address = reverse("stats:recap_picture", args=[own.token])
    pictures = set()
    for language in ("en", "tr"):
        Preferences.objects.filter(user=anna).update(language=language)
        pictures.add(Client().get(address).content)
    assert len(pictures) == 2


def test_a_busy_process_draws_no_further_picture(anna, monkeypatch):
    """Drawing takes some tenths of a second; many new links at once would block the process."""
    _answer, own = shared_page(anna)
    address = reverse("stats:recap_picture", args=[own.token])
    monkeypatch.setattr(fold_slots, "WAIT_S", 0.01)
    monkeypatch.setattr(fold_slots, "_slots", Slots(1, 1))
    with fold_slots.slot():
        assert Client().get(address).status_code == 429
    assert Client().get(address).status_code == 200
    with fold_slots.slot():
        assert Client().get(address).status_code == 200  # the stored picture


@pytest.mark.parametrize("end", ["hide", "close"])
def test_a_link_answers_404_after_the_member_hides_the_recap_or_closes_the_account(anna, end):
    _answer, own = shared_page(anna)
    if end == "hide":
        sign_in(Client(), anna).post(reverse("stats:hide_recap", args=[YEAR]))
    else:
        closing.close(anna.pk, timezone.now())
    for name in ("shared_recap", "recap_picture"):
        assert Client().get(reverse(f"stats:{name}", args=[own.token])).status_code == 404
    assert not SharedRecap.objects.exists()


def test_one_member_cannot_change_what_another_shares(anna):
    _answer, own = shared_page(anna)
    stranger = sign_in(Client(), UserFactory(member=True))
    stranger.post(reverse("stats:hide_recap", args=[YEAR]))
    assert SharedRecap.objects.get() == own
