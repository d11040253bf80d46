"""Store unusual records of members for the tests of fair play."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Origin, User
from accounts.sessions import origins
from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Action, Review
from stats.models import ReviewedSeat
from stats.services import counting
from tests.games.factories import StakeMatchFactory, StakeSitting
from tests.stats.played_matches import played


def lose(loser: User, winner: User, times: int = 1, **fields: Any) -> None:
    """Play matches that the loser, white and black in turn, resigns after the opening roll."""
    for number in range(times):
        players = (winner, loser) if number % 2 else (loser, winner)
        sitting = StakeSitting(*players, stake=100, **fields).sit().start_game()
        sitting.do("resign_match", side=Side.BLACK if number % 2 else Side.WHITE)


def resign_games(loser: User, winner: User, times: int = 1, length: int = 1) -> None:
    """Play and count matches of which the loser resigns each game on their first turn."""
    for _ in range(times):
        sitting = StakeSitting(loser, winner, stake=100, length=length).sit().start_game()
        while (state := sitting.state).phase is not Phase.FINISHED:
            if state.phase is Phase.BETWEEN_GAMES:
                for side in Side:
                    sitting.do("next", side=side)
            elif on_turn(state) is Side.WHITE:
                sitting.do("resign", factor=1)
            else:
                sitting.act_simply()
    counting.settle_due(timezone.now())


def share(kind: Origin.Kind, *users: User, now: datetime | None = None) -> None:
    for user in users:
        origins.note(user.pk, kind, f"one {kind}", now or timezone.now())


def paired(one: User, other: User, **fields: Any) -> None:
    """Store the rows of both players of a match for credits that `other` won.

    For simplicity each row has a `Match` of its own.
    """
    for user, opponent, result in ((one, other, "lost"), (other, one, "won")):
        played(user, result, opponent=opponent, **fields)


def give_up(loser: User, winner: User, times: int, rolls: int = 2) -> None:
    """Store matches for credits that the loser resigned after `rolls` rolls of their own."""
    for _ in range(times):
        row = played(loser, "lost", opponent=winner, rolls=rolls)
        type(row.match)._default_manager.filter(pk=row.match_id).update(outcome="resign_match")


def reviewed(user: User, rival: User, rate: float, decisions: int, is_staked: bool) -> None:
    """Store a counted review with this error rate, of a match for credits or a training match."""
    now = timezone.now()
    match = StakeMatchFactory(white=user, black=rival) if is_staked else played(user).match
    review = Review.objects.create(
        match=match, state=Review.State.DONE, plies=0, turn_at=now, asked_at=now, finished_at=now
    )
    seat = match.seats.get(user=user)
    match.seats.update(is_live_stake=False)
    ReviewedSeat.objects.create(
        seat=seat, review=review, user=user, variant="short", finished_at=now, reviewed_at=now,
        is_counted=True, decisions=decisions, loss=rate * decisions / 500,
    )  # fmt: skip


def timed(user: User, rival: User, times_ms: list[int]) -> None:
    """Store a match for credits in which the member's plays took these times."""
    row = played(user, "won", at=timezone.now() - timedelta(hours=1), opponent=rival)
    side, at_ms, seq = row.seat.side, 1000, 100
    for time_ms in times_ms:
        for verb, took in (("roll", 500), ("play", time_ms)):
            at_ms, seq = at_ms + took, seq + 1
            Action.objects.create(
                match=row.match, seq=seq, verb=verb, side=side, created_at=timezone.now(),
                data={"kind": verb, "at_ms": at_ms, "side": side},
            )  # fmt: skip
