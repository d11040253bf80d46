"""Functions of scenario 10, which tests/load/racer.py calls by name in each of two processes."""

from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from accounts.models import User
from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Match, Seat
from games.protocol.incoming import Command
from games.services import actions
from lobby.services import announcing, joining
from stats.models import RatedMatch, RatingChange
from stats.services import rating
from tests.games.factories import assert_log_folds, give_history, some_play
from tests.load.race_setup import (
    STAKE,
    Fields,
    actor_of,
    attempt,
    faults_of_books,
    funds,
    newcomer,
    start,
    submit,
)
from tests.lobby.factories import announcement

__all__ = ["faults_of_books"]


def people(count: int) -> list[int]:
    """Return new members with a history, who may meet again after any match."""
    made = [newcomer("member") for _ in range(count)]
    for user in made:
        give_history(user)
    return [user.pk for user in made]


def announce(user: int) -> str:
    """Announce a game; return its public id, or the code of the refusal."""
    made: list[str] = []

    def do() -> None:
        owner = User.objects.get(pk=user)
        made.append(announcing.announce(owner, announcement(stake=STAKE), timezone.now()).public_id)

    return attempt(do) or made[0]


def join(seek: str, user: int) -> str:
    """Join a game; return the match's public id, or the code of the refusal."""
    made: list[str] = []

    def do() -> None:
        joiner = User.objects.get(pk=user)
        made.append(joining.join(seek, joiner, timezone.now()).public_id)

    return attempt(do) or made[0]


def sit_down(match: str) -> Fields:
    seats = Seat.objects.filter(match__public_id=match)
    users = [seats.get(side=side.value).user_id for side in Side]
    fields: Fields = {"match": match, "users": users, "holders": [str(uuid4()) for _ in Side]}
    return start(fields, timezone.now())


def step(fields: Fields) -> str:
    """Let the side on turn roll or play; return "finished" if the match is over, "" before that."""
    state = Match.objects.get(public_id=fields["match"]).state
    if state.phase is Phase.FINISHED:
        return "finished"
    side = on_turn(state)
    assert side is not None
    if state.phase is Phase.TO_ROLL:
        submit(fields, side, "roll", timezone.now())
    else:
        submit(fields, side, "play", timezone.now(), d=some_play(state))
    return ""


def submit_play(fields: Fields, id: str, seq: int, play: str) -> Any:
    """Submit a play of `fields["side"]` under this id; return its seq, or the refusal's code."""
    done: list[int] = []

    def do() -> None:
        command = Command("play", UUID(id), seq, {"d": play})
        actor = actor_of(fields, Side(fields["side"]))
        done.append(actions.submit(fields["match"], actor, command, timezone.now()).seq)

    return attempt(do) or done[0]


def to_play(fields: Fields) -> Fields:
    """Roll if needed; return the fields with the side on turn, the seq and a legal play."""
    while (state := Match.objects.get(public_id=fields["match"]).state).phase is not Phase.TO_PLAY:
        step(fields)
    match = Match.objects.get(public_id=fields["match"])
    assert state.turn is not None
    return {**fields, "side": state.turn.value, "seq": match.seq, "play": some_play(state)}


def rate() -> int:
    return rating.rate_waiting(timezone.now())


def judge(matches: list[str], users: list[int]) -> dict[str, Any]:
    """Check that each match's log folds; return figures for the test to compare."""
    for public_id in matches:
        assert_log_folds(Match.objects.get(public_id=public_id))
    return {
        "funds": sum(funds(*users)),
        "live": Seat.objects.filter(is_live_stake=True).count(),
        "places": list(RatedMatch.objects.order_by("place").values_list("place", flat=True)),
        "changes": RatingChange.objects.count(),
    }
