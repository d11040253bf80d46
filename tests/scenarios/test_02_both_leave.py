"""Scenario 2: both players leave, and the match ends exactly once."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.shared.refusals import Refused
from games.engine.match.permissions import on_turn
from games.engine.sides import Side
from games.models import Action
from games.services.deadlines import settle_due
from stats.models import RatingChange
from stats.services import rating
from tests.games.factories import StakeSitting
from tests.scenarios.books import moved
from tests.wallet.factories import player, total_of
from wallet.models import Transfer

pytestmark = [pytest.mark.django_db, pytest.mark.both]

VERDICTS = ("flag", "leave", "claim", "void", "resign_match")


# Ways for both players to be gone. Each function returns the winner, None if there is none.


def both_connections_break(sitting: StakeSitting) -> Side | None:
    """Close both connections for good; the side on move loses on time."""
    for side in Side:
        sitting.go(side)
    sitting.now += timedelta(hours=1)
    settle_due(sitting.now)
    return on_turn(sitting.before).other


def both_press_the_button(sitting: StakeSitting) -> Side | None:
    """Let both press the button to leave; White, who presses second, has won and is refused."""
    sitting.do("leave", side=Side.BLACK)
    with pytest.raises(Refused, match="finished"):
        sitting.do("leave", side=Side.WHITE)
    return Side.WHITE


def one_presses_while_the_other_is_gone(sitting: StakeSitting) -> Side | None:
    """Let White press the button while Black is absent; White loses, since White did not claim."""
    sitting.go(Side.BLACK)
    sitting.pass_time(10_000)
    sitting.do("leave", side=Side.WHITE)
    return Side.BLACK


def neither_ever_came(sitting: StakeSitting) -> Side | None:
    sitting.pass_time(30_000)
    settle_due(sitting.now)
    return None


@pytest.mark.parametrize(
    ("both_leave", "cause", "is_rated"),
    [
        (both_connections_break, "flag", True),
        (both_press_the_button, "leave", True),
        (one_presses_while_the_other_is_gone, "leave", True),
        (neither_ever_came, "void", False),
    ],
)
def test_02_match_ends_once_and_credits_are_settled_once_when_both_players_leave(
    both_leave: Callable[[StakeSitting], Side | None], cause: str, is_rated: bool
) -> None:
    sitting = StakeSitting(player("white5"), player("black5"), stake=100)
    if both_leave is not neither_ever_came:
        sitting.sit().start_game().both_move()
    sitting.before = sitting.state
    winner = both_leave(sitting)
    for _ in range(3):  # further workers and a reopened page change nothing
        settle_due(sitting.now)
        rating.rate_waiting(sitting.now)
        with pytest.raises(Refused):
            sitting.do("claim", side=Side.WHITE)
    verdicts = Action.objects.filter(match=sitting.match, verb__in=VERDICTS)
    assert [action.verb for action in verdicts] == [cause]
    totals = {side: total_of(user) for side, user in sitting.users.items()}
    if winner is None:
        assert totals == {Side.WHITE: 1000, Side.BLACK: 1000}
    else:
        assert totals == {winner: 1090, winner.other: 900}
    assert Transfer.objects.filter(reference=f"match:{sitting.public_id}").count() == 2
    assert len(moved(f"settle:{sitting.public_id}")) == 3
    assert RatingChange.objects.count() == 2 * is_rated
    assert not sitting.match.seats.filter(is_live_stake=True).exists()
