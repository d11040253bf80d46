"""Rematches: offers, acceptance, refusals, deadlines and permissions."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from accounts.members import services as members
from accounts.models import Block, User
from accounts.sessions import origins
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games import selectors
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, RematchOffer, Strike
from games.models.actor import Actor
from games.protocol import snapshots
from games.services import rematches, seats
from games.services.actions import Accepted
from games.stakes import terms
from games.stakes.history import LEAST_TURNS
from lobby.models import Search, Seek
from lobby.services import announcing, joining, searching
from tests.accounts.factories import UserFactory, member
from tests.config.credits import set_credits
from tests.games.factories import (
    DELAY_MS,
    FriendlySitting,
    Sitting,
    StakeSitting,
    assert_log_folds,
    command,
    give_history,
)
from tests.lobby.factories import announcement
from tests.wallet.factories import player, total_of
from wallet.limits import services as limits
from wallet.limits.rules import Kind
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import accounts, transfers

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting(white: User, black: User) -> StakeSitting:
    """Return a match for 100 credits that Black has just won; both players have a history."""
    for user in (white, black):
        give_history(user)
    return finish(StakeSitting(white, black, stake=100))


@pytest.fixture
def of_newcomers(white: User, black: User) -> StakeSitting:
    """Return a finished match for credits between newcomers, with enough turns for a rematch."""
    sitting = StakeSitting(white, black, stake=100, length=5).sit().start_game()
    while min(sitting.state.turns.white, sitting.state.turns.black) < LEAST_TURNS:
        sitting.act_simply()
    sitting.do("resign_match")
    return sitting


def finish(sitting: StakeSitting, loser: Side = Side.WHITE) -> StakeSitting:
    sitting.sit().start_game()
    sitting.do("resign_match", side=loser)
    return sitting


def ask(sitting: StakeSitting, t: str, side: Side) -> Accepted:
    return rematches.submit(
        sitting.public_id, sitting.actors[side], command(t, sitting.seq), sitting.now
    )


def refused(code: str, do: Callable[..., Any], *args: Any) -> None:
    with pytest.raises(Refused) as refusal:
        do(*args)
    assert refusal.value.code == code


def shown(sitting: StakeSitting) -> dict[str, Any]:
    """Return the content of the match's `rematch` frame."""
    frame = snapshots.rematch_frame(sitting.public_id, sitting.now)
    assert frame is not None
    return frame["rematch"]


def agreed(sitting: StakeSitting) -> Match:
    ask(sitting, "rematch_offer", Side.WHITE)
    ask(sitting, "rematch_accept", Side.BLACK)
    return Match.objects.get(rematch_of=sitting.match)


def playing(match: Match, old: StakeSitting) -> StakeSitting:
    """Return a sitting of the same two players at their rematch."""
    return StakeSitting.going_on(match, old, swapped=True)


def spend(user: User, credits: int, sitting: StakeSitting) -> None:
    with write_transaction():
        amounts = {
            accounts.of_user(user.pk).id: -credits,
            accounts.house(House.GIFTS).id: credits,
        }
        transfers.post(f"spend:{user.pk}", transfers.Cause("gift"), amounts, sitting.now)


def test_a_rematch_has_the_same_terms_and_swapped_sides(sitting, white, black):
    match = agreed(sitting)
    old = Match.objects.get(pk=sitting.match.pk)
    assert match.rules == old.rules
    assert (match.stake_credits, match.rake_credits, match.is_public) == (100, 10, True)
    assert match.seats.get(side="white").user == black
    assert match.seats.get(side="black").user == white
    assert (total_of(white), total_of(black)) == (800, 990)
    assert funds_of(white.pk).reserved == funds_of(black.pk).reserved == 0
    assert match.commitment != old.commitment
    assert_log_folds(match)


def test_rematch_is_played_and_settled(sitting, white, black):
    again = finish(playing(agreed(sitting), sitting), Side.BLACK)
    assert again.match.seats.get(side="white").user == black
    assert (total_of(white), total_of(black)) == (800, 1180)


def test_rematch_has_the_current_rake(sitting, monkeypatch):
    monkeypatch.setattr(terms, "RAKE_DIVISOR", 20)
    assert agreed(sitting).rake_credits == 5


def test_a_rematch_of_a_private_match_is_private(white, black):
    for user in (white, black):
        give_history(user)
    sitting = finish(StakeSitting(white, black, is_public=False))
    assert not agreed(sitting).is_public


def test_score_of_the_series_belongs_to_the_players_when_sides_swap(sitting, white, black):
    assert shown(sitting)["series"] == {"white": 0, "black": 1}
    second = playing(agreed(sitting), sitting)
    assert second.match.series == {"white": 1, "black": 0}
    finish(second, Side.WHITE)
    assert shown(second)["series"] == {"white": 1, "black": 1}
    over = snapshots.state_frame(second.public_id, None, -1, second.now)
    assert over["match"]["series"] == {"white": 1, "black": 1}
    third = playing(agreed(second), second)
    assert third.match.series == {"white": 1, "black": 1}
    assert third.users[Side.WHITE] == white
    frame = snapshots.state_frame(third.public_id, None, -1, third.now)
    assert frame["match"]["series"] == {"white": 1, "black": 1}
    assert frame["rematch"] is None


def test_rematch_frame_shows_offers_and_answers(sitting):
    until = shown(sitting)["until"]
    nothing = {"offered_by": None, "refused": False, "until": until, "match": None}
    series = {"series": {"white": 0, "black": 1}}
    assert shown(sitting) == {**nothing, **series}
    ask(sitting, "rematch_offer", Side.WHITE)
    assert shown(sitting) == {**nothing, **series, "offered_by": "white"}
    ask(sitting, "rematch_refuse", Side.BLACK)
    assert shown(sitting) == {**nothing, **series, "refused": True}
    ask(sitting, "rematch_offer", Side.BLACK)
    assert shown(sitting) == {**nothing, **series, "offered_by": "black"}
    ask(sitting, "rematch_accept", Side.WHITE)
    match = Match.objects.get(rematch_of=sitting.match)
    assert shown(sitting) == {**nothing, **series, "match": match.public_id}


def test_either_side_may_offer(sitting):
    ask(sitting, "rematch_offer", Side.BLACK)
    ask(sitting, "rematch_accept", Side.WHITE)
    assert Match.objects.filter(rematch_of=sitting.match).exists()


def test_one_match_begins_if_both_offer_a_rematch(sitting):
    for _ in range(2):
        for side in Side:
            ask(sitting, "rematch_offer", side)
    assert Match.objects.filter(rematch_of=sitting.match).count() == 1
    assert RematchOffer.objects.count() == 1


def test_repeated_command_gets_the_first_answer(sitting):
    for t, side in [
        ("rematch_offer", Side.WHITE), ("rematch_accept", Side.BLACK),
    ]:  # fmt: skip
        first, again = ask(sitting, t, side), ask(sitting, t, side)
        assert first == again
    assert RematchOffer.objects.count() == 1
    assert Match.objects.filter(rematch_of=sitting.match).count() == 1


def test_a_refusal_sent_twice_counts_once(sitting, white, black):
    ask(sitting, "rematch_offer", Side.WHITE)
    for _ in range(2):
        ask(sitting, "rematch_refuse", Side.BLACK)
    before = sitting.now - timedelta(seconds=1)
    one, other = Actor(user_id=white.pk), Actor(user_id=black.pk)
    assert len(selectors.rematch_refusals(one, other, before)) == 1


def test_rematch_commands_are_refused_after_thirty_seconds(sitting):
    sitting.pass_time(29_999)
    ask(sitting, "rematch_offer", Side.WHITE)
    sitting.pass_time(1)
    for t in rematches.COMMANDS:
        refused("too_late", ask, sitting, t, Side.BLACK)
    assert shown(sitting)["until"] == (sitting.now - sitting.match.created_at) // timedelta(
        milliseconds=1
    )


def test_offer_before_the_end_is_refused(white, black):
    sitting = StakeSitting(white, black).sit().start_game()
    refused("wrong_phase", ask, sitting, "rematch_offer", Side.WHITE)
    assert snapshots.rematch_frame(sitting.public_id, sitting.now) is None


@pytest.mark.parametrize("t", ["rematch_accept", "rematch_refuse"])
def test_missing_or_own_offer_cannot_be_answered(sitting, t):
    refused("wrong_phase", ask, sitting, t, Side.WHITE)
    ask(sitting, "rematch_offer", Side.WHITE)
    refused("wrong_phase", ask, sitting, t, Side.WHITE)  # the offering side cannot answer either


def test_an_agreed_rematch_cannot_be_refused(sitting):
    agreed(sitting)
    refused("wrong_phase", ask, sitting, "rematch_refuse", Side.BLACK)


def test_stranger_and_tab_without_the_seat_cannot_offer(sitting):
    sitting.users[Side.WHITE], sitting.actors[Side.WHITE] = None, type(sitting.actors[Side.BLACK])()
    refused("not_seated", ask, sitting, "rematch_offer", Side.WHITE)
    old = sitting.actors[Side.BLACK]
    sitting.sit(Side.BLACK)
    sitting.actors[Side.BLACK] = old
    refused("passive", ask, sitting, "rematch_offer", Side.BLACK)


def test_no_rematch_is_offered_while_no_connection_holds_the_seat(sitting):
    white = sitting.actors[Side.WHITE]
    seats.leave(sitting.public_id, white, sitting.now)
    sitting.actors[Side.WHITE] = replace(white, holder=None)
    refused("passive", ask, sitting, "rematch_offer", Side.WHITE)


def test_training_match_has_no_rematch():
    sitting = Sitting(Rules.of("short", length=1)).sit().start_game()
    sitting.do("resign_match")
    with pytest.raises(Refused, match="wrong_phase"):
        rematches.submit(
            sitting.public_id, sitting.owner, command("rematch_offer", sitting.seq), sitting.now
        )
    assert snapshots.rematch_frame(sitting.public_id, sitting.now) is None


def test_offer_without_enough_credits_is_refused(sitting, white):
    spend(white, 801, sitting)
    refused("no_credits", ask, sitting, "rematch_offer", Side.WHITE)


def test_acceptance_without_enough_credits_changes_nothing(sitting, white, black):
    ask(sitting, "rematch_offer", Side.BLACK)
    spend(white, 801, sitting)
    refused("no_credits", ask, sitting, "rematch_accept", Side.WHITE)
    assert (total_of(white), total_of(black)) == (99, 1090)
    assert funds_of(black.pk).reserved == 0
    assert shown(sitting)["offered_by"] == "black"


def test_refusal_does_not_reveal_the_other_players_shortfall(sitting, white):
    ask(sitting, "rematch_offer", Side.WHITE)
    spend(white, 801, sitting)
    refused("unavailable", ask, sitting, "rematch_accept", Side.BLACK)


def test_rematch_cancels_the_announcements_of_both_players(sitting, white, black):
    spend(white, 750, sitting)  # leaves enough only if the announcement is canceled
    ask(sitting, "rematch_offer", Side.BLACK)
    announced = [
        announcing.announce(user, announcement(stake=60), sitting.now) for user in (white, black)
    ]
    ask(sitting, "rematch_accept", Side.WHITE)
    for seek in announced:
        seek.refresh_from_db()
        assert seek.state == Seek.State.CANCELED
    assert funds_of(white.pk).reserved == funds_of(black.pk).reserved == 0
    assert (total_of(white), total_of(black)) == (50, 990)


def test_player_in_another_match_can_neither_offer_nor_be_offered_a_rematch(sitting, white, black):
    ask(sitting, "rematch_offer", Side.BLACK)
    seek = announcing.announce(player("third5"), announcement(), sitting.now)
    joining.join(seek.public_id, white, sitting.now)
    refused("busy", ask, sitting, "rematch_accept", Side.WHITE)
    ask(sitting, "rematch_refuse", Side.WHITE)
    refused("busy", ask, sitting, "rematch_offer", Side.WHITE)
    refused("unavailable", ask, sitting, "rematch_offer", Side.BLACK)
    assert not Match.objects.filter(rematch_of=sitting.match).exists()


def test_offer_of_a_player_who_joined_elsewhere_cannot_be_accepted(sitting, white):
    ask(sitting, "rematch_offer", Side.WHITE)
    seek = announcing.announce(player("third5"), announcement(), sitting.now)
    joining.join(seek.public_id, white, sitting.now)
    refused("unavailable", ask, sitting, "rematch_accept", Side.BLACK)


def test_block_prevents_a_rematch(sitting, white, black):
    ask(sitting, "rematch_offer", Side.WHITE)
    Block.objects.create(owner=black, blocked=white, created_at=sitting.now)
    refused("unavailable", ask, sitting, "rematch_accept", Side.BLACK)
    ask(sitting, "rematch_refuse", Side.BLACK)
    refused("unavailable", ask, sitting, "rematch_offer", Side.WHITE)


def test_player_suspended_for_walking_away_cannot_accept_a_rematch(sitting, white):
    for match in [sitting.match, *(finish_elsewhere(white, number) for number in range(3))]:
        Strike.objects.update_or_create(
            user=white,
            match=match,
            defaults={"kind": Strike.Kind.WALKED_AWAY, "created_at": sitting.now},
        )
    ask(sitting, "rematch_offer", Side.BLACK)
    refused("unavailable", ask, sitting, "rematch_accept", Side.WHITE)


def test_offer_of_a_banned_player_cannot_be_accepted(sitting, white):
    ask(sitting, "rematch_offer", Side.WHITE)
    members.ban(white.pk)
    refused("unavailable", ask, sitting, "rematch_accept", Side.BLACK)
    assert not Match.objects.filter(rematch_of=sitting.match).exists()


def test_player_suspended_for_not_starting_cannot_offer_or_accept_a_rematch(sitting, white):
    for match in [sitting.match, finish_elsewhere(white, 1)]:
        Strike.objects.create(
            user=white, match=match, kind=Strike.Kind.NO_START, created_at=sitting.now
        )
    refused("paused", ask, sitting, "rematch_offer", Side.WHITE)
    assert shown(sitting)["offered_by"] is None
    ask(sitting, "rematch_offer", Side.BLACK)
    refused("unavailable", ask, sitting, "rematch_accept", Side.WHITE)


def finish_elsewhere(user: User, number: int) -> Match:
    return finish(StakeSitting(user, player(f"other{number}"))).match


def refuse_whites_offer(sitting: StakeSitting) -> None:
    ask(sitting, "rematch_offer", Side.WHITE)
    sitting.pass_time(1_000)
    ask(sitting, "rematch_refuse", Side.BLACK)


def test_two_refusals_block_further_offers_of_the_refused_side(sitting):
    refuse_whites_offer(sitting)
    refuse_whites_offer(sitting)
    refused("back_off", ask, sitting, "rematch_offer", Side.WHITE)
    ask(sitting, "rematch_offer", Side.BLACK)  # the side that has refused may offer


def meet_again(sitting: StakeSitting, seconds: int) -> StakeSitting:
    """Let both players finish another match from the lobby, `seconds` later."""
    sitting.pass_time(1000 * seconds)
    white, black = sitting.users[Side.WHITE], sitting.users[Side.BLACK]
    seek = announcing.announce(white, announcement(), sitting.now)
    match = joining.join(seek.public_id, black, sitting.now)
    return finish(StakeSitting.going_on(match, sitting, swapped=False))


@pytest.mark.parametrize(("refusals", "wait"), [(2, 60), (3, 300), (4, 900), (5, 900)])
def test_wait_grows_with_consecutive_refusals(sitting, refusals, wait):
    for _ in range(refusals):
        RematchOffer.objects.create(
            match=sitting.match,
            side="white",
            state=RematchOffer.State.REFUSED,
            created_at=sitting.now,
            answered_at=sitting.now,
        )
    early = meet_again(sitting, wait - 1)
    refused("back_off", ask, early, "rematch_offer", Side.WHITE)
    early.pass_time(1_000)
    ask(early, "rematch_offer", Side.WHITE)


def test_agreed_rematch_resets_the_refusals(sitting, white, black):
    refuse_whites_offer(sitting)
    again = meet_again(sitting, 100)
    third = finish(playing(agreed(again), again), Side.BLACK)
    refuse_offer_of(third, Side.BLACK)
    third.pass_time(1_000)
    ask(third, "rematch_offer", Side.BLACK)


def refuse_offer_of(sitting: StakeSitting, side: Side) -> None:
    ask(sitting, "rematch_offer", side)
    ask(sitting, "rematch_refuse", side.other)


def test_both_players_get_a_nudge_to_the_new_table(
    sitting, white, black, django_capture_on_commit_callbacks, monkeypatch
):
    nudges: list[tuple[int, str, str]] = []
    monkeypatch.setattr(rematches.broadcast, "nudge", lambda *nudge: nudges.append(nudge))
    changed: list[str] = []
    monkeypatch.setattr(rematches.broadcast, "rematch_changed", changed.append)
    with django_capture_on_commit_callbacks(execute=True):
        ask(sitting, "rematch_offer", Side.WHITE)
    assert (nudges, changed) == ([], [sitting.public_id])
    with django_capture_on_commit_callbacks(execute=True):
        ask(sitting, "rematch_accept", Side.BLACK)
    made = Match.objects.get(rematch_of=sitting.match).public_id
    assert sorted(nudges) == sorted([(white.pk, "match", made), (black.pk, "match", made)])
    assert changed == [sitting.public_id] * 2


def test_stake_that_a_rematch_frees_does_not_count_against_a_members_limit(sitting, white):
    limits.set_limits(white.pk, {Kind.LOSS_DAY: 200}, sitting.now)
    announcing.announce(white, announcement(stake=100), sitting.now)
    ask(sitting, "rematch_offer", Side.WHITE)
    ask(sitting, "rematch_accept", Side.BLACK)
    assert Match.objects.filter(rematch_of=sitting.match).exists()


def test_newcomer_cannot_stake_the_welcome_gift_in_a_rematch():
    one, other = member("one123456"), player("other12345")
    set_credits(one, 200)
    sitting = finish(StakeSitting(one, other, stake=100))
    refused("stake_limit", ask, sitting, "rematch_offer", Side.WHITE)
    refused("unavailable", ask, sitting, "rematch_offer", Side.BLACK)


def test_newcomers_of_one_network_cannot_play_a_rematch(of_newcomers, white, black):
    sitting = of_newcomers
    for user in (white, black):
        origins.note(user.pk, "NETWORK", "5.6.7.8", sitting.now)
    refused("newcomers", ask, sitting, "rematch_offer", Side.BLACK)
    give_history(white)
    give_history(black)
    assert agreed(sitting)


def test_a_shared_network_seen_after_the_offer_refuses_the_acceptance(of_newcomers, white, black):
    sitting = of_newcomers
    ask(sitting, "rematch_offer", Side.BLACK)
    for user in (white, black):
        origins.note(user.pk, "NETWORK", "5.6.7.8", sitting.now)
    refused("newcomers", ask, sitting, "rematch_accept", Side.WHITE)
    assert not Match.objects.filter(rematch_of=sitting.match).exists()
    assert funds_of(white.pk).reserved == 0


@pytest.mark.parametrize(
    ("bound", "is_member"), [("MOST_OF_MEMBER", True), ("MOST_OF_GUEST", False)]
)
def test_daily_rematches_without_a_stake_are_limited(bound, is_member, white, black, monkeypatch):
    monkeypatch.setattr(rematches, bound, 1)
    actors = [
        Actor(user_id=user.pk) if is_member else Actor(guest=uuid4()) for user in (white, black)
    ]
    made = agreed(finish(FriendlySitting(*actors)))
    sitting = finish(FriendlySitting(*actors))
    refused("many_rematches", ask, sitting, "rematch_offer", Side.WHITE)
    refused("many_rematches", ask, sitting, "rematch_offer", Side.BLACK)
    Match.objects.filter(pk=made.pk).update(created_at=sitting.now - rematches.DAY)
    ask(sitting, "rematch_offer", Side.WHITE)


def test_rematches_for_credits_are_not_in_the_daily_limit(sitting, white, black, monkeypatch):
    monkeypatch.setattr(rematches, "MOST_OF_MEMBER", 1)
    finish(playing(agreed(sitting), sitting))
    ask(friendly(white, black), "rematch_offer", Side.WHITE)


def friendly(white: User, black: User) -> Any:
    """Return a finished friendly match of two accounts."""
    return finish(FriendlySitting(Actor(user_id=white.pk), Actor(user_id=black.pk)))


def test_friendly_rematch_cancels_the_announcements_of_both_players(white, black):
    sitting = friendly(white, black)
    ask(sitting, "rematch_offer", Side.WHITE)
    announced = [announcing.announce(user, announcement(), sitting.now) for user in (white, black)]
    ask(sitting, "rematch_accept", Side.BLACK)
    for seek in announced:
        seek.refresh_from_db()
        assert seek.state == Seek.State.CANCELED
    assert funds_of(white.pk).reserved == funds_of(black.pk).reserved == 0


def test_friendly_rematch_ends_the_searches_of_members_and_guests(white):
    sitting = finish(FriendlySitting(Actor(user_id=white.pk)))
    for actor in sitting.actors.values():
        name = "Anna" if actor.guest else ""
        rules = Rules.of("short", length=1 if actor.guest else 3, delay_ms=DELAY_MS)
        searching.start(actor, searching.Choice(rules, 0, name), sitting.now)
    agreed(sitting)
    assert set(Search.objects.values_list("state", flat=True)) == {Search.State.CANCELED}


def test_player_in_a_match_for_credits_can_neither_offer_nor_be_offered_a_friendly_rematch(
    white, black
):
    sitting = friendly(white, black)
    ask(sitting, "rematch_offer", Side.BLACK)
    seek = announcing.announce(player("third5"), announcement(), sitting.now)
    joining.join(seek.public_id, white, sitting.now)
    refused("busy", ask, sitting, "rematch_accept", Side.WHITE)
    ask(sitting, "rematch_refuse", Side.WHITE)
    refused("busy", ask, sitting, "rematch_offer", Side.WHITE)
    refused("unavailable", ask, sitting, "rematch_offer", Side.BLACK)
    assert not Match.objects.filter(rematch_of=sitting.match).exists()


def test_an_account_that_is_not_activated_may_play_a_friendly_rematch(white):
    newcomer = UserFactory(activated_at=None)
    assert agreed(friendly(white, newcomer)).seats.get(side="white").user == newcomer


def test_a_banned_player_cannot_play_a_friendly_rematch(white, black):
    sitting = friendly(white, black)
    ask(sitting, "rematch_offer", Side.WHITE)
    members.ban(white.pk)
    refused("unavailable", ask, sitting, "rematch_accept", Side.BLACK)
