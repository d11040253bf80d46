"""Achievements are awarded once, shown on pages, exported, and rebuilt from the matches."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from stats import personal_data
from stats.models import Award, CountedSeat, MemberDeeds
from stats.services import counting
from tests.accounts.factories import sign_in
from tests.stats.test_rating_matches import play
from tests.support.races import at_once
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair():
    return [player(login, credits=5000) for login in ("anna5", "boris5")]


def count():
    counting.settle_due(timezone.now())


def codes(user):
    return set(Award.objects.filter(user=user).values_list("code", flat=True))


def page(client, user):
    return client.get(f"/player/{user.public_id}/achievements/").content.decode()


def test_first_match_awards_two_achievements_to_the_winner_and_one_to_the_loser(pair):
    match = play(*pair)
    match.refresh_from_db()
    count()
    assert codes(pair[0]) == {"first_match", "first_win"}
    assert codes(pair[1]) == {"first_match"}
    assert set(Award.objects.values_list("match", "reached_at")) == {(match.pk, match.finished_at)}


def test_a_later_match_awards_nothing_again(pair):
    play(*pair)
    count()
    before = list(Award.objects.order_by("pk").values())
    play(*pair)
    count()
    assert list(Award.objects.order_by("pk").values()) == before
    assert MemberDeeds.objects.get(user=pair[0]).data["matches"] == 2


def test_a_rebuild_keeps_right_awards_and_corrects_wrong_ones(pair):
    play(*pair)
    play(*reversed(pair))
    count()
    before = list(Award.objects.order_by("user", "code").values("user", "code", "match"))
    assert counting.rebuild() == counting.Recounted(0, 0, 0, 0)
    Award.objects.filter(user=pair[0], code="first_win").delete()
    Award.objects.create(
        user=pair[1], code="wins_250", match=CountedSeat.objects.first().seat.match,
        reached_at=timezone.now(),
    )  # fmt: skip
    MemberDeeds.objects.filter(user=pair[1]).update(data={"matches": 7})
    assert counting.rebuild() == counting.Recounted(0, 3, 0, 0)
    after = Award.objects.order_by("user", "code").values("user", "code", "match")
    assert list(after) == before


@pytest.mark.django_db(transaction=True)
def test_many_workers_count_each_seat_once(pair):
    play(*pair)
    play(*pair)
    at_once(lambda _: count() or 0)
    places = CountedSeat.objects.order_by("place").values_list("place", flat=True)
    assert list(places) == [1, 2, 3, 4]
    assert MemberDeeds.objects.get(user=pair[0]).data["won_from_people"] == 2
    assert counting.rebuild() == counting.Recounted(0, 0, 0, 0)


def test_achievements_are_on_the_players_page_and_on_a_page_of_their_own(pair):
    match = play(*pair)
    count()
    annas = sign_in(Client(), pair[0])
    own = page(annas, pair[0])
    assert 'id="first_win"' in own
    assert f'href="/match/{match.public_id}/"' in own
    assert "Not earned yet" in own
    assert "Not earned yet" not in page(annas, pair[1])
    assert "First win" in annas.get(f"/player/{pair[0].public_id}/").content.decode()


def test_a_hidden_record_hides_achievements_from_others(pair):
    play(*pair)
    count()
    profile = User.objects.get(pk=pair[0].pk).profile
    profile.shows_record = False
    profile.save()
    address = f"/player/{pair[0].public_id}/achievements/"
    assert Client().get(address).status_code == 403
    assert sign_in(Client(), pair[0]).get(address).status_code == 200
    assert "First win" not in Client().get(f"/player/{pair[0].public_id}/").content.decode()


def test_the_export_has_achievements(pair):
    play(*pair)
    count()
    exported = personal_data.of(pair[0].pk)["achievements"]
    assert {each["code"] for each in exported} == {"first_match", "first_win"}
