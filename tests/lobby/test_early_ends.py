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
from lobby import selectors
from lobby.models import Seek
from lobby.services import announcing, joining
from tests.accounts.factories import member, sign_in
from tests.games.factories import StakeSitting, command, give_history
from tests.lobby.factories import announcement
from tests.wallet.factories import player, total_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sock():
    """Return a newcomer whose welcome credits are to be lost to `main`."""
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
    """Begin a match for credits as the lobby does: one announces it, the other joins."""
    now = now or timezone.now()
    return joining.join(announce(owner, now).public_id, joiner, now)


def begun(white, black, now=None):
    sitting = StakeSitting(white, black, stake=NEWCOMER_STAKE, length=5, now=now)
    return sitting.sit().start_game()


def play(winner, loser, turns=0, now=None):
    """Let both play this many turns; then the loser gives the match up."""
    sitting = begun(winner, loser, now)
    while min(sitting.state.turns.white, sitting.state.turns.black) < turns:
        sitting.act_simply()
    sitting.do("resign_match", side=Side.BLACK)
    return sitting


def refusal_of(do, *args, **more):
    with pytest.raises(Refused) as refused:
        do(*args, **more)
    return refused.value


# --- Giving credits away -------------------------------------------------------------------------


def test_a_newcomer_cannot_give_the_welcome_credits_away_game_by_game(sock, main):
    play(main, sock)
    seek = announce(main, timezone.now())
    for _ in range(3):
        refused = refusal_of(joining.join, seek.public_id, sock, timezone.now())
        assert refused.code == "ended_early"
        assert refused.details["wait_s"] == pytest.approx(APART_FOR.total_seconds(), abs=60)
    assert total_of(sock) == 100 - NEWCOMER_STAKE


@pytest.mark.parametrize("turns", [1, LEAST_TURNS - 1])
def test_a_few_turns_before_giving_up_do_not_avoid_the_wait(sock, main, turns):
    play(main, sock, turns)
    assert refusal_of(meet, main, sock).code == "ended_early"


def test_the_wait_does_not_depend_on_color_and_announcer(sock, main):
    play(main, sock)
    assert refusal_of(meet, sock, main).code == "ended_early"


def test_two_newcomers_have_to_wait_too(sock, stranger):
    play(stranger, sock)
    assert refusal_of(meet, sock, stranger).code == "ended_early"


def test_a_private_game_and_a_challenge_are_refused_too(sock, main):
    play(main, sock)
    now = timezone.now()
    assert refusal_of(announce, main, now, Seek.Access.PERSON, sock).code == "ended_early"
    seek = announce(main, now, Seek.Access.LINK)
    assert refusal_of(joining.join, seek.public_id, sock, now).code == "ended_early"


def test_a_rematch_is_refused_too(sock, main):
    sitting = play(main, sock)

    def ask():
        offer = command("rematch_offer", sitting.seq)
        rematches.submit(sitting.public_id, sitting.actors[Side.BLACK], offer, sitting.now)

    assert refusal_of(ask).to_dict() == {
        "code": "ended_early",
        "wait_s": APART_FOR.total_seconds(),
    }


def test_running_out_of_time_counts_as_giving_up(sock, main):
    sitting = begun(main, sock)
    deadlines.settle_due(sitting.now + timedelta(hours=1))
    assert sitting.state.phase is Phase.FINISHED
    assert refusal_of(meet, main, sock, sitting.now + timedelta(hours=1)).code == "ended_early"


# --- Who may go on -------------------------------------------------------------------------------


def test_an_honest_pair_may_go_on(sock, main):
    play(main, sock, LEAST_TURNS)
    assert meet(main, sock)


def test_another_opponent_may_be_met(sock, main, stranger):
    play(main, sock)
    assert meet(stranger, sock)


def test_members_with_a_history_may_go_on(sock, main):
    give_history(sock)
    play(main, sock)
    assert meet(main, sock)


def test_after_a_day_they_may_meet(sock, main):
    now = timezone.now()
    play(main, sock, now=now)
    seek, end = announce(main, now + APART_FOR - timedelta(minutes=1)), now + APART_FOR
    early = end - timedelta(seconds=9)
    assert refusal_of(joining.join, seek.public_id, sock, early).details == {"wait_s": 9}
    assert joining.join(seek.public_id, sock, end)


def test_after_a_void_match_nobody_has_to_wait(sock, main):
    sitting = begun(main, sock)
    tx = MatchTransaction.lock(sitting.public_id, sitting.now)
    voiding.void(tx, voiding.OUTAGE_CAUSE)
    tx.save()
    assert sitting.state.phase is Phase.FINISHED
    assert meet(main, sock)


# --- What the player reads, and what it costs ----------------------------------------------------


def test_the_refusal_says_when_and_what_to_do_until_then(sock, main):
    play(main, sock)
    seek = announce(main, timezone.now())
    browser = sign_in(Client(), sock)
    join = reverse("lobby:join", args=[seek.public_id])
    answer = browser.post(join, {"confirmed": "1"}, follow=True)
    page = answer.content.decode()
    assert "again in 24 hours" in page
    assert "another opponent" in page


def test_the_page_of_credits_names_the_rule(sock):
    page = sign_in(Client(), sock).get("/credits/").content.decode()
    assert "for credits again after 24 hours" in page


def test_the_list_of_joinable_games_leaves_the_opponent_out(sock, main, stranger):
    now = timezone.now()
    play(main, sock)
    announce(main, now)
    other = announce(stranger, now)
    assert list(selectors.joinable_seeks(sock, now)) == [other]


def queries_of(viewer, now):
    with CaptureQueriesContext(
        connection,
    ) as caught:
        list(selectors.joinable_seeks(viewer, now))
    return len(caught)


def test_the_list_needs_as_many_queries_for_many_games_as_for_one(sock, main):
    now = timezone.now()
    play(main, sock)
    announce(main, now)
    before = queries_of(sock, now)
    for number in range(5):
        announce(player(f"owner{number}"), now)
    assert queries_of(sock, now) == before
