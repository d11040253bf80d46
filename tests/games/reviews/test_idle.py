"""Idle reviews, which nobody asked for: only for members who want them, after all other work."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Preferences
from accounts.shared.refusals import Refused
from games.models import Match, Review
from games.models.actor import Actor
from games.reviews import idle, queue
from tests.accounts.factories import UserFactory
from tests.games.reviews.reviewing import ScriptedJudge, finished, one_turn, work_through

pytestmark = pytest.mark.django_db


def member(wants=True):
    user = UserFactory(member=True)
    Preferences.objects.filter(user=user).update(reviews_when_idle=wants)
    return user


def played_by(user):
    match = finished().match
    match.seats.filter(bot="").update(user=user, guest=None)
    Match.objects.filter(pk=match.pk).update(created_at=timezone.now())
    return match


def lease(now=None):
    return idle.take_lease(now or timezone.now())


def test_match_of_a_member_who_wants_reviews_is_reviewed():
    user = member()
    match = played_by(user)
    found = lease()
    assert found.public_id == match.public_id
    assert found.is_idle
    review = Review.objects.get()
    assert (review.for_member, review.asker) == (user, Review.IDLE_ASKER)


def test_matches_of_guests_and_of_members_who_want_none_are_not_reviewed():
    played_by(member(wants=False))
    finished()
    assert lease() is None
    assert not Review.objects.exists()


def test_only_one_idle_review_is_open_at_a_time():
    user = member()
    played_by(user)
    played_by(user)
    assert lease() is not None
    assert lease() is None
    assert Review.objects.count() == 1


def test_matches_that_are_old_or_void_or_brief_get_no_idle_review():
    user, now = member(), timezone.now()
    old, void, short = (played_by(user) for _ in range(3))
    Match.objects.filter(pk=old.pk).update(created_at=now - idle.RECENT - timedelta(days=1))
    Match.objects.filter(pk=void.pk).update(outcome="void")
    Match.objects.filter(pk=short.pk).update(seq=idle.LEAST_ACTIONS - 1)
    assert lease() is None


def test_member_gets_a_limited_number_of_idle_reviews_a_day(monkeypatch):
    monkeypatch.setattr(idle, "PER_DAY", 2)
    user, now = member(), timezone.now()
    for _ in range(3):
        played_by(user)
    done = []
    while (found := lease(now)) is not None:
        Review.objects.filter(pk=found.review_id).update(
            state="DONE", asker="", holder=None, leased_until=None, finished_at=now
        )
        done.append(found.review_id)
    assert len(done) == 2
    assert lease(now + timedelta(days=1, minutes=1)) is not None


def test_member_with_the_fewest_reviews_of_the_day_is_next():
    first, second, now = member(), member(), timezone.now()
    played_by(first)
    played_by(first)
    other = played_by(second)
    one = lease(now)
    Review.objects.filter(pk=one.review_id).update(
        state="DONE", asker="", holder=None, leased_until=None, finished_at=now
    )
    assert lease(now).public_id == other.public_id


def test_requested_review_goes_before_an_idle_review():
    user = member()
    played_by(user)
    asked = finished()
    queue.ask(asked.public_id, Actor(guest=asked.guest), timezone.now())
    assert lease() is None
    assert queue.take_lease(timezone.now()).public_id == asked.public_id


def test_turn_of_a_bot_that_is_due_goes_before_an_idle_review():
    played_by(member())
    waiting = finished().match
    now = timezone.now()
    Match.objects.filter(pk=waiting.pk).update(awaits_bot=True, wake_at=now)
    assert lease(now) is None
    assert lease(now - timedelta(seconds=1)) is not None


def test_open_idle_review_is_not_leased_as_a_requested_one():
    played_by(member())
    now = timezone.now()
    held = lease(now)
    assert queue.take_lease(now) is None
    assert not queue.leasable().exists()
    later = now + queue.LEASE_FOR
    assert lease(later).review_id == held.review_id  # as if the worker had died


def test_player_who_asks_for_a_review_takes_over_the_idle_one():
    user = member()
    match = played_by(user)
    lease()
    review = queue.ask(match.public_id, Actor(user_id=user.pk), timezone.now())
    assert review.asker == f"user {user.pk}"
    assert queue.has_requested()
    other = played_by(user)
    with pytest.raises(Refused):
        queue.ask(other.public_id, Actor(user_id=user.pk), timezone.now())


def test_member_with_an_idle_review_can_ask_for_another_review():
    user = member()
    first, second = played_by(user), played_by(user)
    begun = lease().public_id
    other = second if begun == first.public_id else first
    assert queue.ask(other.public_id, Actor(user_id=user.pk), timezone.now()).is_open


def fail(found, now):
    """Save that the judge failed before it judged anything."""
    assert queue.save(found, queue.TurnResult(found.at, 0, {}), now, has_failed=True)


def test_idle_review_that_cannot_be_judged_is_tried_again_later():
    user, now = member(), timezone.now()
    played_by(user)
    played_by(user)
    found = lease(now)
    fail(found, now)
    assert lease(now + queue.RETRY_AFTER / 2) is None
    again = lease(now + queue.RETRY_AFTER)
    assert again.review_id == found.review_id
    assert Review.objects.count() == 1


def test_match_that_can_never_be_judged_does_not_block_idle_reviews_for_ever():
    user, now = member(), timezone.now()
    played_by(user)
    played_by(user)
    found = lease(now)
    fail(found, now + queue.FAILS_AFTER)
    assert Review.objects.get().state == Review.State.FAILED
    assert lease(now + queue.FAILS_AFTER).public_id != found.public_id


def test_idle_review_that_waits_is_judged_at_once_for_a_player_who_requests_it():
    user, now = member(), timezone.now()
    match = played_by(user)
    fail(lease(now), now)
    queue.ask(match.public_id, Actor(user_id=user.pk), now)
    assert queue.leasable().get()["due_at"] == now
    fail(queue.take_lease(now), now)
    assert Review.objects.get().state == Review.State.FAILED


def test_idle_review_that_fails_after_a_player_requested_it_tells_them():
    user, now = member(), timezone.now()
    match = played_by(user)
    found = lease(now)
    queue.ask(match.public_id, Actor(user_id=user.pk), now)
    fail(found, now)
    assert Review.objects.get().state == Review.State.FAILED


@pytest.mark.django_db(transaction=True)
def test_broken_judge_ends_no_idle_reviews():
    user = member()
    played_by(user)
    played_by(user)
    for _ in range(2):
        one_turn(ScriptedJudge(dies_at="700"))
    review = Review.objects.get()
    assert review.is_idle
    assert 0 < review.done < review.total


@pytest.mark.django_db(transaction=True)
def test_worker_interrupts_an_idle_review_for_a_requested_one(monkeypatch):
    user = member()
    match = played_by(user)
    asked = finished(turns=1)
    judge = ScriptedJudge()
    done_once = {}  # not empty once `ask` has requested the other review

    async def ask(question, wanted="command"):
        if judge.question_count == 3 and not done_once:
            from accounts.shared.database_threads import run_in_db_thread

            actor = Actor(guest=asked.guest)
            await run_in_db_thread(queue.ask, asked.public_id, actor, timezone.now())
            done_once["asked"] = True
        return await ScriptedJudge.ask(judge, question, wanted)

    monkeypatch.setattr(judge, "ask", ask)
    lease_of_idle = idle.take_lease(timezone.now())
    Review.objects.filter(pk=lease_of_idle.review_id).update(leased_until=None, holder=None)
    work_through(judge)
    done = list(Review.objects.order_by("finished_at").values_list("match", flat=True))
    assert done == [asked.match.pk, match.pk]
