"""Races in a running match: command against flag, claim against the absent player's return."""

from datetime import datetime, timedelta
from uuid import uuid4

from django.utils import timezone

from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Seat
from games.models.actor import Actor
from games.models.kind import STAKE as FOR_CREDITS
from games.services import deadlines, seats
from tests.games.factories import some_play
from tests.load.race_setup import (
    Fields,
    actor_of,
    attempt,
    check_match,
    find_match,
    new_match,
    start,
    submit,
)

MS = timedelta(milliseconds=1)


def arrange_flag() -> Fields:
    now = timezone.now()
    fields = start(new_match(now), now)
    match = find_match(fields)
    state = match.state
    assert state.clock is not None
    flag_at_ms, side = state.clock.flag_at_ms(), on_turn(state)
    assert flag_at_ms is not None
    assert side is not None
    is_play = state.phase is Phase.TO_PLAY
    return {
        **fields,
        "flag_at": (match.created_at + flag_at_ms * MS).isoformat(),
        "side": side.value,
        "command": {"t": "play", "d": some_play(state)} if is_play else {"t": "roll"},
    }


def move_in_the_last_millisecond(fields: Fields) -> str:
    now = datetime.fromisoformat(fields["flag_at"]) - MS
    return attempt(submit, fields, Side(fields["side"]), now=now, **fields["command"])


def settle_flag(fields: Fields) -> str:
    deadlines.settle(fields["match"], datetime.fromisoformat(fields["flag_at"]))
    return ""


def judge_flag(fields: Fields, answers: list[str]) -> str:
    if not find_match(fields).is_finished and answers[0]:
        settle_flag(fields)  # a worker skips a locked row and tries again later
    match = check_match(fields)
    verbs = list(match.actions.values_list("verb", flat=True))
    is_flagged = match.is_finished
    assert verbs.count("flag") == int(is_flagged)
    assert verbs.count(fields["command"]["t"]) == int(not is_flagged), verbs
    assert answers[0] in (("finished", "out_of_time", "stale") if is_flagged else ("",))
    if is_flagged:
        assert (match.outcome, match.winner) == ("flag", Side(fields["side"]).other.value)
    return "other" if is_flagged else "one"


def arrange_claim() -> Fields:
    """Let the player who is not on turn be absent until the absence budget is used up."""
    now = timezone.now()
    fields = start(new_match(now), now)
    side = on_turn(find_match(fields).state)
    assert side is not None
    seats.leave(fields["match"], actor_of(fields, side.other), now)
    later = now + FOR_CREDITS.absence_budget_ms * MS
    return {**fields, "side": side.value, "now": later.isoformat()}


def claim(fields: Fields) -> str:
    now = datetime.fromisoformat(fields["now"])
    return attempt(submit, fields, Side(fields["side"]), "claim", now)


def come_back(fields: Fields) -> str:
    actor = Actor(user_id=actor_of(fields, Side(fields["side"]).other).user_id)
    now = datetime.fromisoformat(fields["now"])
    return attempt(seats.take, fields["match"], actor, uuid4(), now)


def judge_claim(fields: Fields, answers: list[str]) -> str:
    match = check_match(fields)
    assert answers[1] == ""  # a player may take the seat even after the end of the match
    assert answers[0] == ("" if match.is_finished else "not_absent")
    if match.is_finished:
        assert (match.outcome, match.winner) == ("claim", fields["side"])
    assert match.actions.filter(verb="claim").count() == int(match.is_finished)
    seat = Seat.objects.get(match=match, side=Side(fields["side"]).other.value)
    assert not seat.is_absent
    return "one" if match.is_finished else "other"
