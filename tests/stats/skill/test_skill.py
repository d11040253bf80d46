"""Error rate and luck by month, which the worker counts from reviews."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Match
from games.reviews.totals import sides_of
from games.signals import match_reviewed
from stats.models import ReviewedSeat
from stats.services import reviewed as counting
from stats.skill.months import skill_of
from tests.accounts.factories import UserFactory, sign_in
from tests.games.factories import StakeMatchFactory
from tests.games.played_out import play_out
from tests.games.reviews.reviewing import reviewed
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    anna, boris = player("anna5", credits=1000), player("boris5", credits=1000)
    return play_out(StakeMatchFactory(white=anna, black=boris))


def review(match):
    made = reviewed(SimpleNamespace(match=match))
    match_reviewed.send(None, match_id=match.pk)
    return made


def count():
    counting.settle_due(timezone.now())


def member(match, side="white"):
    return match.seats.get(side=side).user


def test_a_review_is_counted_once_for_each_member(match):
    sides = sides_of(review(match).judgments.values())
    match_reviewed.send(None, match_id=match.pk)
    count()
    count()
    rows = {row.seat.side: row for row in ReviewedSeat.objects.select_related("seat")}
    assert set(rows) == {"white", "black"}
    assert rows["white"].decisions == sides["white"].decisions > 0
    assert rows["white"].loss == pytest.approx(sides["white"].loss, abs=1e-3)
    assert rows["white"].luck == pytest.approx(-rows["black"].luck)


def test_months_are_those_of_the_readers_zone(match):
    review(match)
    count()
    at = datetime(2026, 10, 31, 22, 0, tzinfo=UTC)
    ReviewedSeat.objects.update(finished_at=at)
    for zone, month in ((ZoneInfo("UTC"), 10), (ZoneInfo("Europe/Istanbul"), 11)):
        with timezone.override(zone):
            (found,) = skill_of(member(match).pk, match.variant).months
            assert (found.begins_at.month, found.matches) == (month, 1)


def test_the_error_rate_of_a_month_is_a_mean_of_decisions_and_not_of_matches(match):
    review(match)
    count()
    row = ReviewedSeat.objects.get(user=member(match))
    ReviewedSeat.objects.filter(pk=row.pk).update(decisions=10, loss=1.0, luck=0.5)
    ReviewedSeat.objects.exclude(pk=row.pk).update(
        user=row.user, decisions=30, loss=0.6, luck=-0.1, finished_at=row.finished_at
    )
    (month,) = skill_of(row.user_id, match.variant).months
    assert month.pr == pytest.approx(500 * 1.6 / 40)
    assert month.luck == pytest.approx(0.2)


def test_a_rebuild_counts_the_reviews_again_and_corrects_wrong_rows(match, capsys):
    review(match)
    count()
    before = list(ReviewedSeat.objects.order_by("seat").values("seat", "decisions", "loss", "luck"))
    assert counting.rebuild() == 0
    ReviewedSeat.objects.filter(user=member(match)).update(loss=99.0)
    ReviewedSeat.objects.filter(user=member(match, "black")).update(is_counted=False)
    call_command("rebuildstats")
    assert "2 of reviews differ" in capsys.readouterr().out
    ReviewedSeat.objects.filter(user=member(match)).delete()
    assert counting.rebuild() == 1
    ReviewedSeat.objects.all().delete()
    assert counting.rebuild() == 2
    after = list(ReviewedSeat.objects.order_by("seat").values("seat", "decisions", "loss", "luck"))
    assert after == before


def test_the_page_shows_graphs_with_their_table(match):
    review(match)
    count()
    browser = sign_in(Client(), member(match))
    browser.get("/skill/")
    with CaptureQueriesContext(connection) as few:
        text = browser.get("/skill/").content.decode()
    assert text.count('preserveAspectRatio="none" role="img"') == 2
    assert text.count('<th scope="row">') == 1
    assert "All figures are in the table below." in text
    other_month = timezone.now() - timedelta(days=70)
    ReviewedSeat.objects.exclude(user=member(match)).update(
        user=member(match), finished_at=other_month
    )
    with CaptureQueriesContext(connection) as many:
        text = browser.get("/skill/").content.decode()
    assert text.count('<th scope="row">') == 2
    assert len(many) == len(few)


def test_the_page_of_a_member_without_a_review_links_to_the_matches():
    newcomer = UserFactory(member=True)
    text = sign_in(Client(), newcomer).get("/skill/").content.decode()
    assert "No match of yours has been reviewed yet" in text
    assert f"/player/{newcomer.public_id}/matches/" in text


def test_only_finished_reviews_count(match):
    made = review(match)
    ReviewedSeat.objects.all().delete()
    type(made).objects.filter(pk=made.pk).update(state="ASKED", asker="user 1", finished_at=None)
    match_reviewed.send(None, match_id=match.pk)
    assert not ReviewedSeat.objects.exists()
    assert Match.objects.filter(review__isnull=False).exists()
