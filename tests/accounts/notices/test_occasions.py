"""Events on the site reach the devices of members who are away."""

from datetime import timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice, Preferences
from accounts.notices import delivery, services
from accounts.notices.services import ANSWER_TIME
from accounts.shared.database_clock import CLOCK
from chat.direct import services as direct
from games.engine.match.permissions import on_turn
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models.actor import Actor
from lobby.models import Seek
from lobby.services import (
    announcing,
    challenging,
    ending,
    inviting,
    joining,
    pairs,
    searching,
    wish_matching,
    wishing,
)
from lobby.services.searching import Choice
from lobby.services.wishing import Wanted
from shop.services import gifts
from tests.accounts.factories import member
from tests.accounts.notices.push_service import subscribed
from tests.games.factories import DELAY_MS, FriendlySitting, StakeSitting, give_history
from tests.lobby.factories import announcement
from tests.tournaments.factories import WINDOW, TournamentRun, announced, enter, members
from tests.wallet.factories import player
from tournaments.services import entering, staff, starting
from tournaments.services.timeline import Ruling

pytestmark = pytest.mark.django_db

GIFT_WINDOW = timedelta(hours=4)
RULES = Rules.of("short", length=1, delay_ms=DELAY_MS)


@pytest.fixture
def anna():
    return player("anna5")


@pytest.fixture
def boris():
    return player("boris")


def go_on(now):
    """Settle and send the notices after the time that pages have to answer."""
    services.settle_due(now + ANSWER_TIME)
    delivery.send_due(now + ANSWER_TIME)


def paths(browser):
    """Return the kind and the path of each message that was pushed."""
    return [(message["kind"], message["path"]) for message in browser.messages()]


def table_of(match):
    return reverse("games:match", args=[match.public_id])


def by(user):
    return Actor(user_id=user.pk)


# --- Somebody joined -----------------------------------------------------------------------------


def test_the_owner_of_an_open_game_learns_that_somebody_joined(service, anna, boris):
    annas, boriss = subscribed(service, anna), subscribed(service, boris)
    now = timezone.now()
    seek = announcing.announce(anna, announcement(), now)
    match = joining.join(seek.public_id, boris, now)
    go_on(now)
    assert paths(annas) == [("JOINED", table_of(match))]
    assert not boriss.messages()


def test_an_inviter_learns_that_a_guest_accepted_the_invitation(service, anna):
    browser = subscribed(service, anna)
    now = timezone.now()
    invitation = inviting.invite(by(anna), inviting.Offer(RULES), now)
    match = inviting.accept(invitation.public_id, Actor(guest=uuid4()), "Zoe", now)
    go_on(now)
    assert paths(browser) == [("JOINED", table_of(match))]


@pytest.mark.parametrize("stake", [0, 100])
def test_both_searchers_learn_that_they_were_paired(service, anna, boris, stake):
    browsers = [subscribed(service, anna), subscribed(service, boris)]
    now = timezone.now()
    searches = [searching.start(by(user), Choice(RULES, stake, ""), now) for user in (anna, boris)]
    pairs.settle_due(now + pairs.TRY_EVERY)
    searches[0].refresh_from_db()
    go_on(now)
    for browser in browsers:
        assert paths(browser) == [("JOINED", table_of(searches[0].match))]


def test_a_notice_of_a_game_for_credits_expires_with_the_join_window(service, anna, boris):
    browser = subscribed(service, anna)
    now = timezone.now()
    seek = announcing.announce(anna, announcement(), now)
    match = joining.join(seek.public_id, boris, now)
    go_on(now + match.policy.no_start_after)
    assert not browser.messages()


# --- A challenge ---------------------------------------------------------------------------------


def challenge(owner, person, now):
    wanted = announcement(access=Seek.Access.PERSON, invited_id=person.pk)
    return announcing.announce(owner, wanted, now)


def test_a_challenged_member_is_notified(service, anna, boris):
    browser = subscribed(service, boris)
    now = timezone.now()
    seek = challenge(anna, boris, now)
    go_on(now)
    assert paths(browser) == [("CHALLENGE", reverse("lobby:seek", args=[seek.public_id]))]


def test_a_challenge_that_was_canceled_at_once_reaches_no_device(service, anna, boris):
    browser = subscribed(service, boris)
    now = timezone.now()
    ending.cancel(challenge(anna, boris, now).public_id, anna, now)
    go_on(now)
    assert not browser.messages()


def test_a_challenge_that_was_joined_at_once_reaches_no_device(service, anna, boris):
    browser = subscribed(service, boris)
    now = timezone.now()
    joining.join(challenge(anna, boris, now).public_id, boris, now)
    go_on(now)
    assert not browser.messages()


def test_a_member_challenged_to_a_friendly_match_is_notified(service, anna, boris):
    browser = subscribed(service, boris)
    now = timezone.now()
    made = challenging.challenge(anna, boris, inviting.Offer(RULES), now)
    go_on(now)
    assert paths(browser) == [("CHALLENGE", reverse("lobby:invitation", args=[made.public_id]))]


# --- A game that somebody wishes for, a message --------------------------------------------------


def test_a_member_learns_of_a_game_that_they_wish_for(service, anna, boris):
    browser = subscribed(service, boris)
    now = timezone.now()
    give_history(boris)
    wishing.wish(boris, Wanted(), now)
    seek = announcing.announce(anna, announcement(), now)
    wish_matching.settle_due(now)
    go_on(now)
    assert paths(browser) == [("WISHED_GAME", reverse("lobby:seek", args=[seek.public_id]))]


def test_a_member_learns_of_the_first_unread_message_and_not_of_its_words(service, anna, boris):
    browser = subscribed(service, boris)
    now = timezone.now()
    for number in range(2):
        direct.send(anna, boris, f"Secret word {number}", now)
    go_on(now)
    assert paths(browser) == [("MESSAGE", reverse("chat:conversation", args=[anna.public_id]))]
    assert "Secret" not in str(browser.messages())
    assert "anna5" not in str(browser.messages())


# --- A turn after an absence ---------------------------------------------------------------------


def absent_on_turn(sitting):
    """Let the player who is not on turn leave, and play on until it is their turn.

    Return the absent player's side.
    """
    away = on_turn(sitting.state).other
    sitting.go(away)
    while on_turn(sitting.state) is not away:
        sitting.act_simply()
    return away


def test_an_absent_player_learns_once_that_it_is_their_turn(service, anna, boris):
    sitting = StakeSitting(anna, boris, length=5).sit().start_game()
    browsers = {user: subscribed(service, user) for user in (anna, boris)}
    away = absent_on_turn(sitting)
    go_on(sitting.now)
    absent, present = sitting.users[away], sitting.users[away.other]
    assert paths(browsers[absent]) == [("YOUR_TURN", table_of(sitting.match))]
    assert not browsers[present].messages()


def test_a_player_who_leaves_on_their_turn_learns_that_the_clock_runs(service, anna, boris):
    sitting = StakeSitting(anna, boris).sit().start_game()
    side = on_turn(sitting.state)
    browser = subscribed(service, sitting.users[side])
    sitting.go(side)
    go_on(sitting.now)
    assert [kind for kind, _ in paths(browser)] == ["YOUR_TURN"]


def test_a_player_who_is_back_in_time_is_not_notified(service, anna, boris):
    sitting = StakeSitting(anna, boris).sit().start_game()
    side = on_turn(sitting.state)
    browser = subscribed(service, sitting.users[side])
    sitting.go(side)
    sitting.sit(side)
    go_on(sitting.now)
    assert not browser.messages()
    assert Notice.objects.get().state == Notice.State.SEEN


def test_a_player_at_the_table_is_not_notified_of_each_turn(service, anna, boris):
    sitting = StakeSitting(anna, boris, length=3).sit().start_game()
    subscribed(service, anna)
    subscribed(service, boris)
    sitting.both_move(3)
    assert not Notice.objects.exists()


def test_a_guest_who_leaves_gets_no_notice(service, anna):
    sitting = FriendlySitting(white=by(anna)).sit().start_game()
    subscribed(service, anna)
    sitting.go(Side.BLACK)
    for _ in range(3):
        if on_turn(sitting.state) is Side.WHITE:
            sitting.act_simply()
    assert not Notice.objects.exists()


# --- A tournament --------------------------------------------------------------------------------


@pytest.fixture
def tournament():
    return announced(fee_credits=0)


def at(tournament, minutes_before):
    return tournament.starts_at - timedelta(minutes=minutes_before)


def settle(now):
    """Ask the pages about due notices, then send them."""
    services.settle_due(now)
    go_on(now)


def test_an_entrant_is_reminded_a_quarter_of_an_hour_before_the_start(service, tournament):
    [entrant, other] = members(2)
    browser, other_browser = subscribed(service, entrant), subscribed(service, other)
    enter(tournament, [entrant], tournament.created_at)
    settle(at(tournament, 16))
    assert not browser.messages()
    settle(at(tournament, 15))
    settle(at(tournament, 5))
    page = reverse("tournaments:tournament", args=[tournament.public_id])
    assert paths(browser) == [("TOURNAMENT_SOON", page)]
    assert not other_browser.messages()


def test_a_device_that_was_added_after_the_entry_is_reminded_too(service, tournament):
    [entrant] = members(1)
    enter(tournament, [entrant], tournament.created_at)
    browser = subscribed(service, entrant)
    settle(at(tournament, 15))
    assert len(browser.messages()) == 1


def test_an_entrant_who_withdrew_is_not_reminded(service, tournament):
    [entrant] = members(1)
    browser = subscribed(service, entrant)
    enter(tournament, [entrant], tournament.created_at)
    entering.withdraw(tournament.public_id, entrant, tournament.created_at)
    settle(at(tournament, 15))
    assert not browser.messages()


def test_a_reminder_moves_with_the_start(service, tournament):
    [entrant], boss = members(1), member("boss12345")
    browser = subscribed(service, entrant, "TOURNAMENT_SOON")
    enter(tournament, [entrant], tournament.created_at)
    old = at(tournament, 15)
    later = tournament.starts_at + timedelta(hours=2)
    assert staff.postpone(tournament.pk, later, Ruling("Rain", boss.pk), tournament.created_at)
    settle(old)
    assert not browser.messages()
    settle(later - timedelta(minutes=15))
    assert len(browser.messages()) == 1


@pytest.mark.parametrize("by_staff", [True, False])
def test_every_entrant_is_reminded_of_the_moved_start(service, by_staff):
    tournament, boss = announced(fee_credits=0, extend_minutes=60), member("boss12345")
    people = members(3)
    browsers = [subscribed(service, each, "TOURNAMENT_SOON") for each in people]
    early, leaver, late = people
    enter(tournament, [early, leaver], tournament.created_at)
    settle(at(tournament, 15))
    entering.withdraw(tournament.public_id, leaver, at(tournament, 12))
    enter(tournament, [late], at(tournament, 10))
    assert [len(each.messages()) for each in browsers] == [1, 1, 0]
    now, later = tournament.starts_at, tournament.starts_at + timedelta(minutes=60)
    if by_staff:
        now = at(tournament, 5)
        assert staff.postpone(tournament.pk, later, Ruling("Rain", boss.pk), now)
    else:
        starting.start_or_cancel(tournament.pk, now)
    enter(tournament, [leaver], now)
    settle(later - timedelta(minutes=15))
    assert [len(each.messages()) for each in browsers] == [2, 2, 1]


def test_an_entrant_who_left_before_the_start_moved_gets_no_second_reminder(service):
    tournament, boss = announced(fee_credits=0), member("boss12345")
    [leaver] = members(1)
    browser = subscribed(service, leaver, "TOURNAMENT_SOON")
    enter(tournament, [leaver], tournament.created_at)
    settle(at(tournament, 15))
    entering.withdraw(tournament.public_id, leaver, at(tournament, 12))
    later = tournament.starts_at + timedelta(minutes=60)
    assert staff.postpone(tournament.pk, later, Ruling("Rain", boss.pk), at(tournament, 5))
    settle(later - timedelta(minutes=15))
    assert len(browser.messages()) == 1


def test_nobody_is_reminded_of_a_canceled_tournament(service, tournament):
    [entrant], boss = members(1), member("boss12345")
    browser = subscribed(service, entrant, "TOURNAMENT_SOON")
    enter(tournament, [entrant], tournament.created_at)
    staff.void(tournament.pk, Ruling("Rain", boss.pk), tournament.created_at)
    settle(at(tournament, 15))
    assert not browser.messages()


@pytest.mark.parametrize("times", [1, 2])
def test_entrants_who_are_away_learn_once_that_too_few_entered(service, times):
    tournament = announced(fee_credits=0, min_entrants=4)
    [entrant, other] = members(2)
    browser, other_browser = (
        subscribed(service, user, "TOURNAMENT_NEWS") for user in (entrant, other)
    )
    Preferences.objects.filter(user=entrant).update(language="ru")
    enter(tournament, [entrant], tournament.created_at)
    for _ in range(times):
        starting.start_or_cancel(tournament.pk, tournament.starts_at)
        go_on(tournament.starts_at)
    [message] = browser.messages()
    page = reverse("tournaments:tournament", args=[tournament.public_id])
    assert (message["kind"], message["path"]) == ("TOURNAMENT_NEWS", page)
    assert (message["lang"], message["title"]) == ("ru", "Ваш турнир отменён")
    assert not other_browser.messages()


def test_entrants_who_are_away_learn_that_the_tournament_was_stopped(service):
    run, boss = TournamentRun(2), member("boss12345")
    browser = subscribed(service, run.users[0], "TOURNAMENT_NEWS")
    run.start()
    staff.void(run.tournament.pk, Ruling("Rain", boss.pk), run.now)
    go_on(run.now)
    [message] = browser.messages()
    assert message["title"] == "Your tournament was canceled"


@pytest.mark.parametrize("by_staff", [True, False])
def test_entrants_who_are_away_learn_of_a_new_start(service, by_staff):
    tournament, boss = announced(fee_credits=0, extend_minutes=30), member("boss12345")
    [entrant] = members(1)
    browser = subscribed(service, entrant, "TOURNAMENT_NEWS")
    Preferences.objects.filter(user=entrant).update(time_zone="Europe/Istanbul")
    enter(tournament, [entrant], tournament.created_at)
    now = tournament.created_at if by_staff else tournament.starts_at
    later = tournament.starts_at + timedelta(minutes=30)
    if by_staff:
        staff.postpone(tournament.pk, later, Ruling("Rain", boss.pk), now)
    else:
        starting.start_or_cancel(tournament.pk, now)
    go_on(now)
    [message] = browser.messages()
    assert message["title"] == "Your tournament was moved"
    assert f"{later.astimezone(ZoneInfo('Europe/Istanbul')):%H:%M}" in message["body"]


def test_an_entry_in_the_last_minutes_needs_no_reminder(service, tournament):
    [entrant] = members(1)
    subscribed(service, entrant)
    enter(tournament, [entrant], at(tournament, 10))
    assert not Notice.objects.exists()


def test_both_players_of_a_later_round_learn_that_their_table_is_open(service):
    run = TournamentRun(4).start()
    browsers = {user: subscribed(service, user) for user in run.users}
    go_on(run.now)
    # The tables of the first round opened before the players subscribed.
    assert not any(browser.messages() for browser in browsers.values())
    run.play_round()
    [final] = run.tables()
    go_on(run.now)
    for user, browser in browsers.items():
        expected = [("TABLE_OPEN", table_of(final.match))] if user in final.users.values() else []
        assert paths(browser) == expected


def test_the_notice_of_a_table_names_the_end_of_the_join_window(service):
    run = TournamentRun(2)
    browser = subscribed(service, run.users[0], "TABLE_OPEN")
    Preferences.objects.filter(user=run.users[0]).update(time_zone="Europe/Istanbul")
    run.start()
    go_on(run.now)
    [message] = browser.messages()
    ends_at = (run.now + WINDOW).astimezone(ZoneInfo("Europe/Istanbul"))
    assert message["path"] == table_of(run.tables()[0].match)
    assert f"{ends_at:%H:%M}" in message["body"]


def test_a_player_who_comes_to_the_table_gets_no_notice_of_it(service):
    run = TournamentRun(2)
    browser = subscribed(service, run.users[0], "TABLE_OPEN")
    run.start()
    [table] = run.tables()
    table.sit(table.side_of(run.users[0]))
    go_on(run.now)
    assert not browser.messages()


# --- Gifts ---------------------------------------------------------------------------------------


def test_the_notice_of_the_next_gift_is_sent_when_it_is_ready(service):
    poor = player("poor5", credits=0)
    browser = subscribed(service, poor)
    now = CLOCK.now()
    gifts.take(poor, now)
    go_on(now + GIFT_WINDOW - timedelta(minutes=1))
    assert paths(browser) == []
    go_on(now + GIFT_WINDOW)
    go_on(now + GIFT_WINDOW + ANSWER_TIME)
    assert paths(browser) == [("GIFT", reverse("shop:gifts"))]


def test_a_member_with_enough_credits_gets_no_notice_of_a_gift(service, settings):
    poor = player("poor5", credits=0)
    browser = subscribed(service, poor)
    now = CLOCK.now()
    given = gifts.take(poor, now)
    settings.GIFT_BELOW = given
    go_on(now + GIFT_WINDOW)
    go_on(now + GIFT_WINDOW + ANSWER_TIME)
    assert paths(browser) == []
