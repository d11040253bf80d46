"""Another match on the same terms: offered, agreed on, refused, too late, and by whom."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.members import services as members
from accounts.models import Block, User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import writing
from games import selectors
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, RematchOffer, Strike
from games.models.actor import Actor
from games.protocol import snapshots
from games.services import rematches
from games.services.actions import Accepted
from games.stakes import terms
from lobby.models import Seek
from lobby.services import announcing, joining
from tests.games.factories import Sitting, assert_log_folds, command
from tests.lobby.factories import StakeSitting, announcement, player, total_of
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import accounts, transfers

pytestmark = pytest.mark.django_db


@pytest.fixture
def white() -> User:
    return player("white5")


@pytest.fixture
def black() -> User:
    return player("black5")


@pytest.fixture
def sitting(white: User, black: User) -> StakeSitting:
    """A match for 100 credits that Black has just won."""
    return over(StakeSitting(white, black, stake=100))


def over(sitting: StakeSitting, loser: Side = Side.WHITE) -> StakeSitting:
    sitting.sit().shake()
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


def told(sitting: StakeSitting) -> dict[str, Any]:
    """What the `rematch` frame of the match says."""
    frame = snapshots.rematch_frame(sitting.public_id, sitting.now)
    assert frame is not None
    return frame["rematch"]


def agreed(sitting: StakeSitting) -> Match:
    ask(sitting, "rematch_offer", Side.WHITE)
    ask(sitting, "rematch_accept", Side.BLACK)
    return Match.objects.get(rematch_of=sitting.match)


def playing(match: Match, old: StakeSitting) -> StakeSitting:
    """The same two at their rematch."""
    return StakeSitting.going_on(match, old, swapped=True)


def spend(user: User, credits: int, sitting: StakeSitting) -> None:
    with writing():
        amounts = {
            accounts.of_user(user.pk).id: -credits,
            accounts.house(House.GIFTS).id: credits,
        }
        transfers.post(f"spend:{user.pk}", transfers.Cause("gift"), amounts, sitting.now)


def test_a_rematch_has_the_same_terms_and_swapped_colors(sitting, white, black):
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


def test_it_is_played_to_its_end_like_any_other(sitting, white, black):
    again = over(playing(agreed(sitting), sitting), Side.BLACK)
    assert again.match.seats.get(side="white").user == black
    assert (total_of(white), total_of(black)) == (800, 1180)


def test_the_rake_is_todays(sitting, monkeypatch):
    monkeypatch.setattr(terms, "RAKE_DIVISOR", 20)
    assert agreed(sitting).rake_credits == 5


def test_a_closed_table_stays_closed(white, black):
    sitting = over(StakeSitting(white, black, is_public=False))
    assert not agreed(sitting).is_public


def test_the_score_of_the_row_is_kept_by_player(sitting, white, black):
    assert told(sitting)["series"] == {"white": 0, "black": 1}
    second = playing(agreed(sitting), sitting)
    assert second.match.series == {"white": 1, "black": 0}
    over(second, Side.WHITE)
    assert told(second)["series"] == {"white": 1, "black": 1}
    third = playing(agreed(second), second)
    assert third.match.series == {"white": 1, "black": 1}
    assert third.users[Side.WHITE] == white
    frame = snapshots.state_frame(third.public_id, None, -1, third.now)
    assert frame["match"]["series"] == {"white": 1, "black": 1}
    assert frame["rematch"] is None


def test_everybody_is_told_how_things_stand(sitting):
    until = told(sitting)["until"]
    nothing = {"offered_by": None, "refused": False, "until": until, "match": None}
    series = {"series": {"white": 0, "black": 1}}
    assert told(sitting) == {**nothing, **series}
    ask(sitting, "rematch_offer", Side.WHITE)
    assert told(sitting) == {**nothing, **series, "offered_by": "white"}
    ask(sitting, "rematch_refuse", Side.BLACK)
    assert told(sitting) == {**nothing, **series, "refused": True}
    ask(sitting, "rematch_offer", Side.BLACK)
    assert told(sitting) == {**nothing, **series, "offered_by": "black"}
    ask(sitting, "rematch_accept", Side.WHITE)
    match = Match.objects.get(rematch_of=sitting.match)
    assert told(sitting) == {**nothing, **series, "match": match.public_id}


def test_either_side_may_offer(sitting):
    ask(sitting, "rematch_offer", Side.BLACK)
    ask(sitting, "rematch_accept", Side.WHITE)
    assert Match.objects.filter(rematch_of=sitting.match).exists()


def test_both_offer_at_once_and_one_match_begins(sitting):
    for _ in range(2):
        for side in Side:
            ask(sitting, "rematch_offer", side)
    assert Match.objects.filter(rematch_of=sitting.match).count() == 1
    assert RematchOffer.objects.count() == 1


def test_what_was_done_is_answered_again(sitting):
    for t, side in [
        ("rematch_offer", Side.WHITE), ("rematch_accept", Side.BLACK),
    ]:  # fmt: skip
        first, again = ask(sitting, t, side), ask(sitting, t, side)
        assert first == again
    assert RematchOffer.objects.count() == 1
    assert Match.objects.count() == 2


def test_a_refusal_sent_twice_counts_once(sitting, white, black):
    ask(sitting, "rematch_offer", Side.WHITE)
    for _ in range(2):
        ask(sitting, "rematch_refuse", Side.BLACK)
    before = sitting.now - timedelta(seconds=1)
    one, other = Actor(user_id=white.pk), Actor(user_id=black.pk)
    assert len(selectors.refusals_of(one, other, before)) == 1


def test_nothing_is_agreed_after_thirty_seconds(sitting):
    sitting.pass_time(29_999)
    ask(sitting, "rematch_offer", Side.WHITE)
    sitting.pass_time(1)
    for t in rematches.COMMANDS:
        refused("too_late", ask, sitting, t, Side.BLACK)
    assert told(sitting)["until"] == (sitting.now - sitting.match.created_at) // timedelta(
        milliseconds=1
    )


def test_nobody_offers_before_the_end(white, black):
    sitting = StakeSitting(white, black).sit().shake()
    refused("wrong_phase", ask, sitting, "rematch_offer", Side.WHITE)
    assert snapshots.rematch_frame(sitting.public_id, sitting.now) is None


@pytest.mark.parametrize("t", ["rematch_accept", "rematch_refuse"])
def test_what_nobody_offered_is_not_answered(sitting, t):
    refused("wrong_phase", ask, sitting, t, Side.WHITE)
    ask(sitting, "rematch_offer", Side.WHITE)
    refused("wrong_phase", ask, sitting, t, Side.WHITE)  # nor by oneself


def test_an_agreed_rematch_cannot_be_refused(sitting):
    agreed(sitting)
    refused("wrong_phase", ask, sitting, "rematch_refuse", Side.BLACK)


def test_a_stranger_and_a_tab_without_the_seat_agree_on_nothing(sitting):
    sitting.users[Side.WHITE], sitting.actors[Side.WHITE] = None, type(sitting.actors[Side.BLACK])()
    refused("not_seated", ask, sitting, "rematch_offer", Side.WHITE)
    old = sitting.actors[Side.BLACK]
    sitting.sit(Side.BLACK)
    sitting.actors[Side.BLACK] = old
    refused("passive", ask, sitting, "rematch_offer", Side.BLACK)


def test_training_knows_no_rematch():
    sitting = Sitting(Rules.of("short", length=1)).sit().shake()
    sitting.do("resign_match")
    with pytest.raises(Refused, match="wrong_phase"):
        rematches.submit(
            sitting.public_id, sitting.owner, command("rematch_offer", sitting.seq), sitting.now
        )
    assert snapshots.rematch_frame(sitting.public_id, sitting.now) is None


def test_who_lacks_the_credits_cannot_offer(sitting, white):
    spend(white, 801, sitting)
    refused("no_credits", ask, sitting, "rematch_offer", Side.WHITE)


def test_who_lacks_the_credits_cannot_accept_and_nothing_changes(sitting, white, black):
    ask(sitting, "rematch_offer", Side.BLACK)
    spend(white, 801, sitting)
    refused("no_credits", ask, sitting, "rematch_accept", Side.WHITE)
    assert (total_of(white), total_of(black)) == (99, 1090)
    assert funds_of(black.pk).reserved == 0
    assert told(sitting)["offered_by"] == "black"


def test_that_the_other_lacks_the_credits_is_said_without_a_number(sitting, white):
    ask(sitting, "rematch_offer", Side.WHITE)
    spend(white, 801, sitting)
    refused("unavailable", ask, sitting, "rematch_accept", Side.BLACK)


def test_what_both_announced_meanwhile_is_taken_back_and_its_stake_is_free(sitting, white, black):
    spend(white, 750, sitting)  # what is left is just enough with the reserved stake
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


def test_who_plays_elsewhere_neither_offers_nor_is_offered(sitting, white, black):
    ask(sitting, "rematch_offer", Side.BLACK)
    seek = announcing.announce(player("third5"), announcement(), sitting.now)
    joining.join(seek.public_id, white, sitting.now)
    refused("busy", ask, sitting, "rematch_accept", Side.WHITE)
    ask(sitting, "rematch_refuse", Side.WHITE)
    refused("busy", ask, sitting, "rematch_offer", Side.WHITE)
    refused("unavailable", ask, sitting, "rematch_offer", Side.BLACK)
    assert not Match.objects.filter(rematch_of=sitting.match).exists()


def test_an_offer_by_one_who_joined_elsewhere_cannot_be_accepted(sitting, white):
    ask(sitting, "rematch_offer", Side.WHITE)
    seek = announcing.announce(player("third5"), announcement(), sitting.now)
    joining.join(seek.public_id, white, sitting.now)
    refused("unavailable", ask, sitting, "rematch_accept", Side.BLACK)


def test_a_block_ends_it(sitting, white, black):
    ask(sitting, "rematch_offer", Side.WHITE)
    Block.objects.create(owner=black, blocked=white, created_at=sitting.now)
    refused("unavailable", ask, sitting, "rematch_accept", Side.BLACK)
    ask(sitting, "rematch_refuse", Side.BLACK)
    refused("unavailable", ask, sitting, "rematch_offer", Side.WHITE)


def test_who_is_kept_from_games_is_kept_from_rematches(sitting, white):
    for match in [sitting.match, *(over_elsewhere(white, number) for number in range(3))]:
        Strike.objects.update_or_create(
            user=white,
            match=match,
            defaults={"kind": Strike.Kind.WALKED_AWAY, "created_at": sitting.now},
        )
    ask(sitting, "rematch_offer", Side.BLACK)
    refused("unavailable", ask, sitting, "rematch_accept", Side.WHITE)


def test_who_was_barred_since_plays_no_rematch(sitting, white):
    ask(sitting, "rematch_offer", Side.WHITE)
    members.ban(white.pk)
    refused("unavailable", ask, sitting, "rematch_accept", Side.BLACK)
    assert Match.objects.count() == 1


def test_who_is_paused_hears_so_when_he_offers_and_the_other_is_asked_nothing(sitting, white):
    faults = [sitting.match, over_elsewhere(white, 1)]
    for match in faults:
        Strike.objects.create(
            user=white, match=match, kind=Strike.Kind.NO_START, created_at=sitting.now
        )
    refused("paused", ask, sitting, "rematch_offer", Side.WHITE)
    assert told(sitting)["offered_by"] is None
    ask(sitting, "rematch_offer", Side.BLACK)
    refused("unavailable", ask, sitting, "rematch_accept", Side.WHITE)


def over_elsewhere(user: User, number: int) -> Match:
    return over(StakeSitting(user, player(f"other{number}"))).match


def refuse_again(sitting: StakeSitting) -> None:
    ask(sitting, "rematch_offer", Side.WHITE)
    sitting.pass_time(1_000)
    ask(sitting, "rematch_refuse", Side.BLACK)


def test_who_was_refused_twice_waits_a_minute(sitting):
    refuse_again(sitting)
    refuse_again(sitting)
    refused("back_off", ask, sitting, "rematch_offer", Side.WHITE)
    ask(sitting, "rematch_offer", Side.BLACK)  # the other may change his mind


def meet_again(sitting: StakeSitting, seconds: int) -> StakeSitting:
    """The two found each other in the lobby and finished a match, so much later."""
    sitting.pass_time(1000 * seconds)
    white, black = sitting.users[Side.WHITE], sitting.users[Side.BLACK]
    seek = announcing.announce(white, announcement(), sitting.now)
    match = joining.join(seek.public_id, black, sitting.now)
    return over(StakeSitting.going_on(match, sitting, swapped=False))


@pytest.mark.parametrize(("refusals", "wait"), [(2, 60), (3, 300), (4, 900), (5, 900)])
def test_the_wait_grows_with_refusals_in_a_row(sitting, refusals, wait):
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


def test_a_rematch_agreed_on_forgives_the_refusals_before_it(sitting, white, black):
    refuse_again(sitting)
    again = meet_again(sitting, 100)
    third = over(playing(agreed(again), again), Side.BLACK)
    refuse_again_as(third, Side.BLACK)
    third.pass_time(1_000)
    ask(third, "rematch_offer", Side.BLACK)


def refuse_again_as(sitting: StakeSitting, side: Side) -> None:
    ask(sitting, "rematch_offer", side)
    ask(sitting, "rematch_refuse", side.other)


def test_both_are_called_to_the_new_table(
    sitting, white, black, django_capture_on_commit_callbacks, monkeypatch
):
    nudges: list[tuple[int, str]] = []
    monkeypatch.setattr(rematches, "nudge", lambda user_id, what: nudges.append((user_id, what)))
    changed: list[str] = []
    monkeypatch.setattr(rematches.broadcast, "rematch_changed", changed.append)
    with django_capture_on_commit_callbacks(execute=True):
        ask(sitting, "rematch_offer", Side.WHITE)
    assert (nudges, changed) == ([], [sitting.public_id])
    with django_capture_on_commit_callbacks(execute=True):
        ask(sitting, "rematch_accept", Side.BLACK)
    assert sorted(nudges) == sorted([(white.pk, "match"), (black.pk, "match")])
    assert changed == [sitting.public_id] * 2
