"""The queue of reviews: one open request per person; workers judge no decision twice."""

import asyncio
import os
import signal
import sys
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.shared.database_threads import run_in_db_thread
from accounts.shared.refusals import Refused
from games.bots.process import AiProcess
from games.engine.rules import Rules
from games.models import Review
from games.models.actor import Actor
from games.reviews import queue, worker
from games.reviews.worker import ReviewDriver
from games.services import guests
from stats.models import ReviewedSeat
from tests.accounts.factories import member
from tests.games.factories import Sitting
from tests.games.reviews.reviewing import (
    ScriptedJudge,
    finished,
    one_turn,
    review_of,
    verbs_judged,
    work_through,
)
from tests.support.patience import PATIENCE_S
from tests.support.races import one_after_the_other

pytestmark = pytest.mark.django_db(transaction=True)

State = Review.State


@pytest.fixture(autouse=True)
def _a_turn_is_one_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    """End a worker's turn at a review after one slice of actions."""
    monkeypatch.setattr(worker, "TURN_S", 0.0)


def request_review(sitting: Sitting) -> Review:
    return queue.ask(sitting.public_id, sitting.owner, timezone.now())


def another_of(sitting: Sitting) -> Sitting:
    """Return a second finished match of the same guest."""
    other = finished(turns=1)
    other.match.seats.filter(guest=other.guest).update(guest=sitting.guest)
    other.owner = sitting.owner
    return other


def test_only_rolls_and_decisions_are_judged() -> None:
    sitting = finished()
    review = request_review(sitting)
    assert (review.state, review.done) == (State.ASKED, 0)
    work_through(ScriptedJudge())
    review = review_of(sitting)
    assert (review.state, review.asker, review.holder) == (State.DONE, "", None)
    assert review.done == review.total
    log = sitting.match.actions.filter(verb__in=["roll", "play"])
    assert sorted(verbs_judged(review)) == sorted(log.values_list("verb", flat=True))
    assert review.judge["net"] == "short"
    assert len(review.judge["sha256"]) == 64


def test_review_continues_where_a_killed_worker_stopped() -> None:
    sitting = finished()
    request_review(sitting)
    work_through(ScriptedJudge())
    expected = review_of(sitting).judgments
    Review.objects.all().delete()
    request_review(sitting)
    one_turn(ScriptedJudge())
    before = review_of(sitting)
    assert 0 < before.done < before.total
    now = timezone.now()
    dead = queue.take_lease(now)
    assert dead is not None
    assert dead.at == before.at
    assert queue.take_lease(now + queue.LEASE_FOR / 2) is None
    assert queue.take_lease(now + queue.LEASE_FOR) is not None
    Review.objects.update(leased_until=None)
    work_through(ScriptedJudge())
    after = review_of(sitting)
    assert (after.state, after.done) == (State.DONE, after.total)
    assert after.judgments == expected
    # A late result of the killed worker is ignored.
    late = queue.TurnResult(at=3, done=2, judgments={"3": {}})
    assert not queue.save(dead, late, timezone.now())
    assert review_of(sitting).judgments == expected


def test_stopped_worker_saves_and_releases_its_lease() -> None:
    sitting = finished()
    request_review(sitting)

    ai_process = ScriptedJudge(hangs_at="700")

    async def stop_while_judging() -> None:
        driver = ReviewDriver(ai_process)
        async with asyncio.timeout(PATIENCE_S):
            while ai_process.question_count < 6:
                await driver.drive(timezone.now())
        await driver.stop()

    asyncio.run(stop_while_judging())
    review = review_of(sitting)
    assert (review.state, review.holder, review.leased_until) == (State.RUNNING, None, None)
    assert review.done >= 5
    work_through(ScriptedJudge())
    assert review_of(sitting).done == review.total


def test_two_workers_never_judge_an_action_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SLICE", 3)
    sittings = [finished(turns) for turns in (2, 6, 4)]
    for sitting in sittings:
        request_review(sitting)
    judges = [ScriptedJudge(), ScriptedJudge()]
    work_through(*judges)
    reviews = [review_of(sitting) for sitting in sittings]
    for review in reviews:
        assert (review.state, review.done) == (State.DONE, review.total)
    assert all(judge.question_count for judge in judges)
    assert sum(judge.question_count for judge in judges) == sum(each.total for each in reviews)


def test_two_reviews_advance_alternately() -> None:
    long, short = finished(turns=8), finished(turns=1)
    for sitting in (long, short):
        request_review(sitting)
    now = timezone.now()
    turns = []
    for step in range(4):
        lease = queue.take_lease(now + timedelta(seconds=step))
        assert lease is not None
        turns.append(lease.public_id)
        queue.save(lease, queue.TurnResult(lease.at, 0, {}), now)
    assert turns == [long.public_id, short.public_id] * 2


def test_review_fails_after_two_judge_failures_and_may_be_requested_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sitting = finished()
    request_review(sitting)
    work_through(ScriptedJudge(dies_at="700"))
    review = review_of(sitting)
    assert (review.state, review.asker) == (State.FAILED, "")
    assert 0 < review.done < review.total
    assert "review failed" in caplog.text
    assert request_review(sitting).state == State.ASKED
    assert review_of(sitting).done == review.done
    work_through(ScriptedJudge())
    assert review_of(sitting).done == review.total


def test_action_refused_by_the_judge_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    sitting = finished()
    request_review(sitting)
    ai_process = ScriptedJudge(errs_at="700", error="failed")
    work_through(ai_process)
    review = review_of(sitting)
    refused_action = sitting.match.actions.get(data__at_ms=700)
    assert (review.state, review.done) == (State.DONE, review.total)
    assert ai_process.question_count == review.total
    assert str(refused_action.seq) not in review.judgments
    assert str(refused_action.seq + 1) in review.judgments
    assert "no judgment (refused: failed)" in caplog.text
    assert "starting another" not in caplog.text


@pytest.mark.parametrize("error", ["compiling", "uncompiled"])
def test_uncompiled_judge_fails_the_review(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "COMPILED_WITHIN_S", 0.0)
    sitting = finished()
    request_review(sitting)
    work_through(ScriptedJudge(errs_at="700", error=error))
    review = review_of(sitting)
    assert review.state == State.FAILED
    assert 0 < review.done < review.total


def test_error_of_the_database_ends_the_turn_but_not_the_review(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "TURN_S", 1000.0)
    sitting = finished()
    request_review(sitting)
    read_log = worker._read_log

    def read_first_rows(match_id: int, after: int, until: int) -> Any:
        if after:
            raise OperationalError("the connection is lost")
        return read_log(match_id, after, until)

    with monkeypatch.context() as patched:
        patched.setattr(worker, "_read_log", read_first_rows)
        with pytest.raises(OperationalError):
            one_turn(ScriptedJudge())
    review = review_of(sitting)
    assert (review.state, review.holder, review.leased_until) == (State.RUNNING, None, None)
    assert 0 < review.done < review.total
    work_through(ScriptedJudge())
    review = review_of(sitting)
    assert (review.state, review.done) == (State.DONE, review.total)


def test_lease_reads_no_judgments_and_one_long_turn_finishes_the_review(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "TURN_S", 1000.0)
    monkeypatch.setattr(worker, "SLICE", 3)
    sitting = finished()
    request_review(sitting)
    with CaptureQueriesContext(connection) as queries:
        assert queue.take_lease(timezone.now()) is not None
    assert queries
    assert not [each["sql"] for each in queries if "judgments" in each["sql"]]
    Review.objects.update(leased_until=None)
    one_turn(ScriptedJudge())
    review = review_of(sitting)
    assert (review.state, review.done) == (State.DONE, review.total)


def test_judge_process_that_is_killed_once_is_replaced() -> None:
    sitting = finished()
    request_review(sitting)

    async def kill_then_review() -> None:
        driver = ReviewDriver(ScriptedJudge())
        await driver.ai_process.start()
        os.kill(driver.ai_process.pid or 0, signal.SIGKILL)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while await run_in_db_thread(lambda: review_of(sitting).is_open):
                    await driver.drive(timezone.now())
        finally:
            await driver.stop()

    asyncio.run(kill_then_review())
    assert review_of(sitting).state == State.DONE


def test_review_starts_over_if_the_judge_has_changed() -> None:
    sitting = finished()
    request_review(sitting)
    one_turn(ScriptedJudge())
    Review.objects.update(judge={"net": "short", "sha256": "older"})
    work_through(ScriptedJudge())
    review = review_of(sitting)
    # Openings count as done but get no judgment; after equal throws there are several.
    openings = sitting.match.actions.filter(verb="opening").count()
    assert (review.done, len(review.judgments)) == (review.total, review.total - openings)
    assert review.judge["sha256"] != "older"


def test_each_person_has_at_most_one_open_review() -> None:
    first = finished()
    second = another_of(first)
    request_review(first)
    with pytest.raises(Refused, match="busy"):
        request_review(second)
    assert request_review(first).pk == review_of(first).pk
    work_through(ScriptedJudge())
    assert request_review(second).is_open


def test_an_idle_review_that_ends_while_a_player_requests_it_is_done() -> None:
    sitting = finished(turns=1)
    now = timezone.now()
    queue.queue(Review(match=sitting.match), Review.IDLE_ASKER, now)
    lease = queue.take_idle_lease(now)
    assert lease is not None
    end = partial(queue.save, lease, queue.TurnResult(lease.last, 0, {}), now)
    assert one_after_the_other(end, partial(request_review, sitting)) == ""
    assert review_of(sitting).is_done


def test_a_guest_who_becomes_a_member_at_the_end_of_a_review_gets_it_counted() -> None:
    sitting, user = finished(turns=1), member("anna5")
    request_review(sitting)
    now = timezone.now()
    lease = queue.take_lease(now)
    assert lease is not None
    end = partial(queue.save, lease, queue.TurnResult(lease.last, 0, {}), now)
    one_after_the_other(partial(guests.adopt, sitting.guest, user.pk), end)
    assert ReviewedSeat.objects.filter(user=user).exists()


def test_constraint_refuses_two_simultaneous_requests() -> None:
    first = finished()
    second = another_of(first)
    review = request_review(first)
    review.pk, review.match = None, second.match
    with pytest.raises(IntegrityError), transaction.atomic():
        review.save()


def test_only_players_can_request_a_review_and_only_after_the_end() -> None:
    sitting = finished(turns=1)
    for stranger in (Actor(), Actor(guest=finished(turns=1).guest), Actor(user_id=1)):
        with pytest.raises(Refused, match="not_seated"):
            queue.ask(sitting.public_id, stranger, timezone.now())
    running = Sitting(Rules.of("short"))
    with pytest.raises(Refused, match="unfinished"):
        request_review(running)
    assert not Review.objects.exists()


def test_match_without_rolls_has_an_empty_review() -> None:
    sitting = Sitting(Rules.of("long")).sit()
    sitting.do("resign_match")
    request_review(sitting)
    work_through(AiProcess((sys.executable, "-c", "")))
    review = review_of(sitting)
    assert (review.state, review.total, review.judgments) == (State.DONE, 0, {})
