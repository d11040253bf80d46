"""Achievements are awarded once, shown on pages, exported, and rebuilt from the matches."""

from threading import Thread
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.sides import Side
from games.models.actor import Actor
from games.services import guests
from stats import personal_data
from stats.achievements.facts import GameFacts
from stats.models import Award, CountedSeat, MemberDeeds, OpponentRecord
from stats.services import achievements, counting
from tests.accounts.factories import UserFactory, sign_in
from tests.games.factories import FriendlySitting
from tests.stats.test_rating_matches import play
from tests.support.races import LOCK_WAIT_S, at_once
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
    corrected = counting.Recounted(dice=0, achievements=3, matches=0, opponents=0)
    assert counting.rebuild() == corrected
    after = Award.objects.order_by("user", "code").values("user", "code", "match")
    assert list(after) == before


def win_against_guest(user, guest):
    """Play a match that is long enough to count, and that the guest gives up."""
    sitting = FriendlySitting(Actor(user_id=user.pk), Actor(guest=guest)).sit().start_game()
    sitting.both_move().do("resign_match", side=Side.BLACK)
    return sitting.match


def test_an_opponent_who_signs_up_is_counted_as_a_rebuild_counts_them(pair, monkeypatch):
    anna, boris = pair
    guest = uuid4()

    def two_opponents(deeds, match):
        return ["opponents_5"] if len(deeds.opponents) >= 2 else []

    monkeypatch.setattr(achievements, "reached_by", two_opponents)
    for _ in range(2):
        win_against_guest(anna, guest)
    last = play(anna, boris)
    count()
    assert not codes(anna)
    newcomer = UserFactory(guest=guest, member=True)
    guests.adopt(guest, newcomer.pk)
    count()
    assert MemberDeeds.objects.get(user=anna).data["opponents"] == [newcomer.pk, boris.pk]
    assert Award.objects.get(user=anna).match == last
    assert counting.rebuild() == counting.Recounted(0, 0, 0, 0)


def test_an_opponent_who_signs_up_during_a_rebuild_counts(pair):
    anna, guest = pair[0], uuid4()
    win_against_guest(anna, guest)
    count()
    newcomers = []

    def sign_up(done, total):
        if not newcomers:
            newcomers.append(UserFactory(guest=guest, member=True))
            guests.adopt(guest, newcomers[0].pk)
            count()

    counting.rebuild(sign_up)
    count()
    assert MemberDeeds.objects.get(user=anna).data["opponents"] == [newcomers[0].pk]
    assert OpponentRecord.objects.get(user=anna, opponent=newcomers[0]).won == 1
    assert counting.rebuild() == counting.Recounted(0, 0, 0, 0)


@pytest.mark.django_db(transaction=True)
def test_an_opponent_who_signs_up_during_the_counting_of_a_match_counts(pair, monkeypatch):
    anna, guest = pair[0], uuid4()
    newcomer = UserFactory(guest=guest, member=True)
    win_against_guest(anna, guest)
    write_match = counting._write_match

    def adopt():
        guests.adopt(guest, newcomer.pk)
        connections.close_all()

    sign_up = Thread(target=adopt)

    def write_after_sign_up(row, log):
        if sign_up.ident is None:
            sign_up.start()
            sign_up.join(LOCK_WAIT_S)
        write_match(row, log)

    monkeypatch.setattr(counting, "_write_match", write_after_sign_up)
    count()
    sign_up.join()
    count()
    assert MemberDeeds.objects.get(user=anna).data["opponents"] == [newcomer.pk]


def test_a_match_resigned_before_the_first_turn_leaves_nothing_for_a_rebuild_to_mend(pair):
    play(*pair, turns=0)
    count()
    assert not MemberDeeds.objects.exists()
    assert counting.rebuild() == counting.Recounted(0, 0, 0, 0)


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


def test_a_drawn_game_is_no_win_and_a_running_one_does_not_count(pair):
    match = play(*pair)
    match.refresh_from_db()
    match.games.update(winner="", points=1)
    match.games.create(number=2, started_at=timezone.now())
    facts = achievements.facts_of(match.seats.get(side="white"))
    assert facts.games == (GameFacts(0, is_mars=False, cube=1, is_drawn=True),)


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
