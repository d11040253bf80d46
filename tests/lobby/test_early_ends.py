"""A newcomer who gives a match up early may not meet that opponent for credits for a day."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.shared.refusals import Refused
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.services import deadlines, rematches, voiding
from games.services.transaction import MatchTransaction
from games.stakes.early_ends import APART_FOR
from games.stakes.history import LEAST_TURNS
from games.stakes.limits import NEWCOMER_STAKE
from lobby.joinable import joinable_ids
from lobby.models import Seek
from lobby.services import announcing, joining
from tests.accounts.factories import member, sign_in
from tests.games.factories import StakeSitting, command, give_history
from tests.lobby.factories import announcement
from tests.wallet.factories import player, total_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer():
    """Return a second account of the person behind `main`.

    The person wants to pass the account's welcome credits on to `main`.
    """
    return member("sock12345")


@pytest.fixture
def main():
    user = player("main12345")
    give_history(user)
    return user


@pytest.fixture
def stranger():
    return player("stranger5")


def announce(owner, now, access=Seek.Access.OPEN, invited=None):
    wanted = announcement(
        NEWCOMER_STAKE, access=access, invited_id=invited and invited.pk, length=5
    )
    return announcing.announce(owner, wanted, now)


def meet(owner, joiner, now=None):
    """Begin a match for credits as in the lobby: `owner` announces a game, `joiner` joins it."""
    now = now or timezone.now()
    return joining.join(announce(owner, now).public_id, joiner, now)


def begun(white, black, now=None):
    sitting = StakeSitting(white, black, stake=NEWCOMER_STAKE, length=5, now=now)
    return sitting.sit().start_game()


def play(winner, loser, turns=0, now=None, losing_side=Side.BLACK):
    """Let both play `turns` turns; then the loser gives the match up."""
    players = (winner, loser) if losing_side is Side.BLACK else (loser, winner)
    sitting = begun(*players, now)
    while min(sitting.state.turns.white, sitting.state.turns.black) < turns:
        sitting.act_simply()
    sitting.do("resign_match", side=losing_side)
    return sitting


def refusal_of(do, *args, **more):
    with pytest.raises(Refused) as refused:
        do(*args, **more)
    return refused.value


# --- Giving credits away -------------------------------------------------------------------------


def test_a_newcomer_cannot_give_the_welcome_credits_away_game_by_game(newcomer, main):
    play(main, newcomer)
    seek = announce(main, timezone.now())
    for _ in range(3):
        refused = refusal_of(joining.join, seek.public_id, newcomer, timezone.now())
        assert refused.code == "ended_early"
        assert refused.details["wait_s"] == pytest.approx(APART_FOR.total_seconds(), abs=60)
    assert total_of(newcomer) == 100 - NEWCOMER_STAKE


@pytest.mark.parametrize("turns", [1, LEAST_TURNS - 1])
def test_a_few_turns_before_giving_up_do_not_avoid_the_wait(newcomer, main, turns):
    play(main, newcomer, turns)
    assert refusal_of(meet, main, newcomer).code == "ended_early"


@pytest.mark.parametrize("losing_side", Side)
@pytest.mark.parametrize("announces", ["newcomer", "main"])
def test_the_wait_does_not_depend_on_side_and_announcer(newcomer, main, losing_side, announces):
    play(main, newcomer, losing_side=losing_side)
    pair = (newcomer, main) if announces == "newcomer" else (main, newcomer)
    assert refusal_of(meet, *pair).code == "ended_early"


def test_two_newcomers_have_to_wait_after_an_early_end(newcomer, stranger):
    play(stranger, newcomer)
    assert refusal_of(meet, newcomer, stranger).code == "ended_early"


def test_a_private_game_and_a_challenge_are_refused_after_an_early_end(newcomer, main):
    play(main, newcomer)
    now = timezone.now()
    assert refusal_of(announce, main, now, Seek.Access.PERSON, newcomer).code == "ended_early"
    seek = announce(main, now, Seek.Access.LINK)
    assert refusal_of(joining.join, seek.public_id, newcomer, now).code == "ended_early"


def test_a_rematch_is_refused_after_an_early_end(newcomer, main):
    sitting = play(main, newcomer)

    def ask():
        offer = command("rematch_offer", sitting.seq)
        rematches.submit(sitting.public_id, sitting.actors[Side.BLACK], offer, sitting.now)

    assert refusal_of(ask).to_dict() == {
        "code": "ended_early",
        "wait_s": APART_FOR.total_seconds(),
    }


def test_running_out_of_time_counts_as_giving_up(newcomer, main):
    sitting = begun(main, newcomer)
    deadlines.settle_due(sitting.now + timedelta(hours=1))
    assert sitting.state.phase is Phase.FINISHED
    assert refusal_of(meet, main, newcomer, sitting.now + timedelta(hours=1)).code == "ended_early"


# --- No wait needed ------------------------------------------------------------------------------


def test_a_pair_that_played_enough_turns_may_meet_again(newcomer, main):
    play(main, newcomer, LEAST_TURNS)
    assert meet(main, newcomer)


def test_another_opponent_may_be_met(newcomer, main, stranger):
    play(main, newcomer)
    assert meet(stranger, newcomer)


def test_members_with_a_history_may_meet_again(newcomer, main):
    give_history(newcomer)
    play(main, newcomer)
    assert meet(main, newcomer)


def test_the_two_may_meet_again_after_a_day(newcomer, main):
    now = timezone.now()
    play(main, newcomer, now=now)
    seek, end = announce(main, now + APART_FOR - timedelta(minutes=1)), now + APART_FOR
    early = end - timedelta(seconds=9)
    assert refusal_of(joining.join, seek.public_id, newcomer, early).details == {"wait_s": 9}
    assert joining.join(seek.public_id, newcomer, end)


def test_after_a_void_match_nobody_has_to_wait(newcomer, main):
    sitting = begun(main, newcomer)
    tx = MatchTransaction.lock(sitting.public_id, sitting.now)
    voiding.void(tx, voiding.OUTAGE_CAUSE)
    tx.save()
    assert sitting.state.phase is Phase.FINISHED
    assert meet(main, newcomer)


# --- Texts for the player, and the number of queries ---------------------------------------------


def test_the_refusal_names_the_wait_and_suggests_another_opponent(newcomer, main):
    play(main, newcomer)
    seek = announce(main, timezone.now())
    browser = sign_in(Client(), newcomer)
    join = reverse("lobby:join", args=[seek.public_id])
    answer = browser.post(join, {"confirmed": "1"}, follow=True)
    page = answer.content.decode()
    assert "again in 24 hours" in page
    assert "another opponent" in page


def test_the_page_of_credits_names_the_wait_after_an_early_end(newcomer):
    page = sign_in(Client(), newcomer).get("/credits/").content.decode()
    assert "for credits again after 24 hours" in page


def test_the_list_of_joinable_games_leaves_the_opponent_out(newcomer, main, stranger):
    now = timezone.now()
    play(main, newcomer)
    announce(main, now)
    other = announce(stranger, now)
    assert joinable_ids(newcomer, now) == [other.pk]


def count_queries(viewer, now):
    with CaptureQueriesContext(
        connection,
    ) as caught:
        joinable_ids(viewer, now)
    return len(caught)


def test_the_list_needs_as_many_queries_for_many_games_as_for_one(newcomer, main):
    now = timezone.now()
    play(main, newcomer)
    announce(main, now)
    before = count_queries(newcomer, now)
    for number in range(5):
        announce(player(f"owner{number}"), now)
    assert count_queries(newcomer, now) == before
