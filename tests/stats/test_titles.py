"""Titles by rating: their bounds, their names in each language, the pages that show them."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts.models import Profile
from stats.models import Rating
from stats.rating import SETTLED_EXPERIENCE, Standing
from stats.titles import LOWEST, TITLES, title_of
from tests.wallet.factories import player


@pytest.mark.parametrize(
    ("rating", "expected"),
    [
        ("2400", "Grandmaster"), ("1900", "Grandmaster"), ("1899.5", "Grandmaster"),
        ("1899.4999", "Master"), ("1750", "Master"), ("1749.4", "Expert"), ("1650", "Expert"),
        ("1649", "Advanced"), ("1550", "Advanced"), ("1549", "Intermediate"),
        ("1500", "Intermediate"), ("1400", "Intermediate"), ("1399", "Beginner"),
        ("300", "Beginner"),
    ],
)  # fmt: skip
def test_title_goes_by_the_rating_that_is_shown(rating: str, expected: str) -> None:
    assert str(title_of(Standing(Decimal(rating), SETTLED_EXPERIENCE))) == expected


def test_provisional_rating_has_no_title() -> None:
    assert title_of(Standing(Decimal(1900), SETTLED_EXPERIENCE - 1)) is None


@pytest.mark.parametrize("language", ["ru", "tr"])
def test_each_language_has_its_own_six_titles(language: str) -> None:
    english = {str(title) for title in (*[name for _, name in TITLES], LOWEST)}
    with override(language):
        names = {str(title) for title in (*[name for _, name in TITLES], LOWEST)}
    assert len(names) == len(TITLES) + 1
    assert not names & english


@pytest.mark.django_db
def test_member_page_rating_page_and_card_show_the_title() -> None:
    anna = player("anna5")
    Rating.objects.create(user=anna, variant="short", rating=1760, experience=100)
    Rating.objects.create(user=anna, variant="long", rating=1950, experience=1)
    addresses = [
        reverse("people:player", args=[anna.public_id]),
        reverse("people:card", args=[anna.public_id]),
        reverse("stats:rating", args=[anna.public_id]),
    ]
    browser = Client()
    for address in addresses:
        shown = browser.get(address).content.decode()
        assert ">Master<" in shown, address
        assert "Grandmaster" not in shown, "a provisional rating has no title"
    Profile.objects.filter(user=anna).update(shows_record=False)
    for address in addresses:
        assert ">Master<" not in browser.get(address).content.decode()


@pytest.mark.django_db
def test_leaderboard_explains_the_titles() -> None:
    shown = Client().get("/leaders/").content.decode()
    for least, title in TITLES:
        assert str(title) in shown
        assert str(least) in shown
    assert str(LOWEST) in shown
