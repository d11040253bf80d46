"""Strikes: what causes them, the suspensions, how strikes fade, and how staff lift them."""

import hashlib
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.shared.refusals import Refused
from games.conduct.penalties import WeightedStrike, suspended_until
from games.conduct.record import report_of, suspension_of
from games.engine.match.permissions import on_turn
from games.engine.sides import Side
from games.models import Strike
from games.services.deadlines import settle_due
from lobby.services import announcing, joining
from tests.accounts.factories import sign_in, staff
from tests.games.factories import StakeSitting
from tests.lobby.factories import announcement
from tests.wallet.factories import player

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
CONDUCT, STRIKES = "/play/conduct/", "/admin/games/strike/"
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def strikes(*ages: timedelta, weight: float = 1.0) -> list[WeightedStrike]:
    return [WeightedStrike(NOON - age, weight) for age in ages]


def test_first_strike_is_a_warning():
    assert suspended_until(strikes(MINUTE), NOON) is None


def test_strike_given_since_the_request_began_is_a_warning_or_suspends_as_any_other():
    assert suspended_until(strikes(-MINUTE), NOON) is None
    assert suspended_until(strikes(-MINUTE, -MINUTE), NOON) == NOON + 16 * MINUTE


@pytest.mark.parametrize(
    ("count", "suspension"), [(2, 15 * MINUTE), (3, HOUR), (4, 4 * HOUR), (5, 24 * HOUR)]
)
def test_each_further_strike_suspends_longer(count, suspension):
    assert suspended_until(strikes(*[0 * MINUTE] * count), NOON) == NOON + suspension


def test_strikes_lose_weight_within_days():
    old = [timedelta(days=3)] * 3
    assert suspended_until(strikes(0 * MINUTE, *old), NOON) is None


def test_running_out_of_time_at_the_table_weighs_half():
    assert suspended_until(strikes(0 * MINUTE, 0 * MINUTE, weight=0.5), NOON) is None
    assert suspended_until(strikes(*[0 * MINUTE] * 3, weight=0.5), NOON) == NOON + 15 * MINUTE


def kinds(user: User) -> list[str]:
    return [strike.kind for strike in Strike.objects.filter(user=user)]


@pytest.mark.django_db
def test_only_the_player_who_did_not_start_gets_a_strike():
    white, black = player("white5"), player("black5")
    sitting = StakeSitting(white, black).sit(Side.WHITE)
    sitting.do("entropy_hash", side=Side.WHITE, hash="0" * 64)
    sitting.pass_time(30_000)
    settle_due(sitting.now)
    assert (kinds(white), kinds(black)) == ([], ["NO_START"])


@pytest.mark.django_db
def test_hash_at_the_last_moment_gives_the_opponent_no_strike():
    white, black = player("white5"), player("black5")
    sitting, entropy = StakeSitting(white, black).sit(), b"x" * 16
    digest = hashlib.sha256(entropy).hexdigest()
    sitting.do("entropy_hash", side=Side.WHITE, hash=digest)
    sitting.pass_time(29_900)
    sitting.do("entropy_hash", side=Side.BLACK, hash=digest)
    sitting.do("entropy", side=Side.BLACK, entropy=entropy.hex())
    sitting.pass_time(9_900)
    settle_due(sitting.now)
    sitting.do("entropy", side=Side.WHITE, entropy=entropy.hex())
    sitting.match.refresh_from_db()
    assert sitting.match.started_at is not None
    assert not Strike.objects.exists()


@pytest.mark.django_db
def test_both_players_who_keep_their_entropy_back_get_a_strike():
    white, black = player("white5"), player("black5")
    sitting = StakeSitting(white, black).sit()
    for side in Side:
        sitting.do("entropy_hash", side=side, hash="0" * 64)
    sitting.pass_time(25_000)
    settle_due(sitting.now)
    sitting.pass_time(5_000)
    settle_due(sitting.now)
    assert sorted(kinds(white) + kinds(black)) == ["NO_START", "NO_START"]


@pytest.mark.django_db
def test_loser_by_a_claim_gets_a_strike_for_walking_away():
    white, black = player("white5"), player("black5")
    sitting = StakeSitting(white, black).sit().start_game()
    sitting.go(Side.BLACK)
    sitting.pass_time(90_000)
    sitting.do("claim", side=Side.WHITE)
    assert (kinds(white), kinds(black)) == ([], ["WALKED_AWAY"])


@pytest.mark.django_db
@pytest.mark.parametrize(("is_there", "kind"), [(True, "STALLED"), (False, "WALKED_AWAY")])
def test_flag_of_a_present_player_is_stalling_and_of_an_absent_one_walking_away(is_there, kind):
    users = {Side.WHITE: player("white5"), Side.BLACK: player("black5")}
    sitting = StakeSitting(users[Side.WHITE], users[Side.BLACK]).sit().start_game()
    side = on_turn(sitting.state)
    if not is_there:
        sitting.go(side)
    sitting.pass_time(10 * 60_000)
    settle_due(sitting.now)
    assert (kinds(users[side]), kinds(users[side.other])) == ([kind], [])


# --- From strikes to a suspension, and its end --------------------------------------------------


def not_started(white: User, black: User, now: datetime) -> datetime:
    """Play a match to which White does not come; return the time of its end."""
    sitting = StakeSitting(white, black, now=now).sit(Side.BLACK)
    sitting.do("entropy_hash", side=Side.BLACK, hash="0" * 64)
    return over_after(sitting, 30_000)


def stalled(white: User, black: User, now: datetime) -> datetime:
    """Play a match in which White stays but runs out of time; return the time of its end."""
    sitting = StakeSitting(white, black, now=now).sit().start_game()
    while on_turn(sitting.state) is Side.BLACK:
        sitting.act_simply()
    return over_after(sitting, 10 * 60_000)


def walked_away(white: User, black: User, now: datetime) -> datetime:
    sitting = StakeSitting(white, black, now=now).sit().start_game()
    sitting.go(Side.WHITE)
    sitting.pass_time(90_000)
    sitting.do("claim", side=Side.BLACK)
    return sitting.now


def left_early(white: User, black: User, now: datetime) -> datetime:
    sitting = StakeSitting(white, black, now=now).sit()
    sitting.do("resign_match", side=Side.WHITE)
    return sitting.now


def over_after(sitting: StakeSitting, ms: int) -> datetime:
    sitting.pass_time(ms)
    settle_due(sitting.now)
    return sitting.now


def suspension_at(user: User, now: datetime) -> timedelta | None:
    until = suspension_of(user.pk, now)
    return until and until - now


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("spoil", "kind", "times"),
    [
        (not_started, "NO_START", 2),
        (left_early, "LEFT_EARLY", 2),
        (walked_away, "WALKED_AWAY", 2),
        (stalled, "STALLED", 3),
    ],
)
def test_each_kind_of_strike_leads_to_a_suspension(spoil, kind, times):
    white, black, now = player("white5"), player("black5"), NOON
    for _ in range(times):
        assert suspension_at(white, now) is None
        now = spoil(white, black, now)
    assert (kinds(white), kinds(black)) == ([kind] * times, [])
    assert suspension_at(white, now) == 15 * MINUTE
    for do in (announcing.announce, lambda user, _terms, at: joining.join("any", user, at)):
        with pytest.raises(Refused, match="paused"):
            do(white, announcement(), now)


@pytest.mark.django_db
def test_suspensions_grow_with_each_strike_and_shrink_within_days():
    white, black, now = player("white5"), player("black5"), NOON
    suspensions, predicted = [], []
    for _ in range(5):
        now = not_started(white, black, now)
        suspensions.append(suspension_at(white, now) or timedelta(0))
        predicted.append(report_of(white.pk, now).next_suspension)
        now += suspensions[-1]
        assert suspension_at(white, now) is None
    assert suspensions == [0 * HOUR, 15 * MINUTE, HOUR, 4 * HOUR, 24 * HOUR]
    # The weight of all strikes halves during the 24 hours, so the next suspension is shorter.
    assert predicted == [*suspensions[1:], HOUR]
    clean_at = report_of(white.pk, now).warning_only_from
    assert report_of(white.pk, clean_at - MINUTE).next_suspension
    assert report_of(white.pk, clean_at + MINUTE).is_clean
    now = not_started(white, black, clean_at + MINUTE)
    assert suspension_at(white, now) is None


@pytest.mark.django_db
def test_page_shows_reasons_the_next_suspension_and_lifted_strikes(client):
    white, black = player("white5"), player("black5")
    browser, now = Client(), timezone.now() - 3 * MINUTE
    browser.force_login(white)
    assert "Nothing counts against you" in browser.get(CONDUCT).content.decode()
    now = not_started(white, black, now)
    assert "you cannot play for credits for 15 minutes" in page_of(browser, "/play/")
    now = walked_away(white, black, now)
    page = page_of(browser, CONDUCT)
    for text in (
        "Did not start",
        "Stayed away from the match",
        "against black5",
        "for credits for 1 hour",
    ):
        assert text in page
    assert re.search("cannot play for credits for another 1[0-5] minutes", page)
    for strike in Strike.objects.all():
        assert f"/match/{strike.match.public_id}/" in page
    assert CONDUCT in page_of(browser, "/play/")
    sign_in(client, staff("staff5"))
    latest = Strike.objects.first()
    shown = page_of(client, f"{STRIKES}{latest.pk}/change/")
    assert f"/admin/games/match/{latest.match_id}/change/" in shown
    chosen = {"action": "lift", "_selected_action": [latest.pk], "confirmed": "yes"}
    for _ in range(2):
        client.post(STRIKES, {**chosen, "reason": "Our fault"})
    assert [entry.change_message for entry in LogEntry.objects.all()] == ["Lifted: Our fault"]
    assert "Lifted by our team" in page_of(browser, CONDUCT)
    assert announcing.announce(white, announcement(), timezone.now())


def page_of(browser: Client, address: str) -> str:
    return browser.get(address).content.decode()
