"""Races of closing an account against entering a tournament, its start and its final."""

import time
from datetime import timedelta

from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import User
from games.models import Seat
from tests.load import race_tournaments
from tests.load.race_setup import CREDITS, Fields, attempt, funds, newcomer, reserved
from tests.tournaments.factories import plan
from tournaments import states
from tournaments.models import Entrant, Tournament
from tournaments.services import announcing, entering, starting


def arrange() -> Fields:
    """Announce a tournament without a fee for two or three entrants; three members enter it."""
    users = [newcomer(role) for role in ("first", "second", "third")]
    now = timezone.now()
    terms = plan(fee_credits=0, min_entrants=2, max_entrants=3)
    tournament = announcing.announce(terms, now + timedelta(hours=1), now)
    for user in users:
        entering.enter(tournament.public_id, user, now)
    return {"tournament": tournament.pk, "users": [user.pk for user in users]}


def close(fields: Fields) -> str:
    return attempt(closing.close, fields["users"][2], timezone.now())


def enter_again(fields: Fields) -> str:
    """Let the third member withdraw and enter again, as a second tab may do."""
    tournament = Tournament.objects.get(pk=fields["tournament"])
    member, now = User.objects.get(pk=fields["users"][2]), timezone.now()
    entering.withdraw(tournament.public_id, member, now)
    return attempt(entering.enter, tournament.public_id, member, now)


def start(fields: Fields) -> str:
    tournament = Tournament.objects.get(pk=fields["tournament"])
    starting.start_or_cancel(tournament.pk, tournament.starts_at)
    return ""


def open_table(fields: Fields) -> str:
    """Open the table of the final; return the time at which it was open."""
    race_tournaments.open_table(fields)
    return f"{time.time()}"


def close_finalist(fields: Fields) -> str:
    refusal = attempt(closing.close, fields["users"][0], timezone.now())
    return f"{refusal} {time.time()}"


def judge_entry(fields: Fields, answers: list[str]) -> str:
    """Check that the account is closed and not in the tournament, whichever call came first."""
    assert answers[1] == "", answers
    assert answers[0] in ("", "not_member"), answers
    _check_closed(fields)
    return "one" if answers[0] == "" else "other"


def judge_start(fields: Fields, answers: list[str]) -> str:
    start(fields)  # the worker skips a row that is locked, and tries again later
    tournament = Tournament.objects.get(pk=fields["tournament"])
    assert tournament.state == states.RUNNING
    if answers[0] == "":
        _check_closed(fields)
        assert len(tournament.entrant_ids) == 2
        return "one"
    assert answers[0] == "playing", answers
    assert User.objects.get(pk=fields["users"][2]).is_member
    assert len(tournament.entrant_ids) == 3
    return "other"


def judge_table(fields: Fields, answers: list[str]) -> str:
    """Check that a finalist cannot close the account, whether their table is open or not."""
    refusal, refused_at = answers[1].split()
    assert refusal == "playing", answers
    assert Seat.objects.filter(user__in=fields["users"]).count() == 2
    return "one" if float(answers[0]) < float(refused_at) else "other"


def _check_closed(fields: Fields) -> None:
    user_id = fields["users"][2]
    assert not User.objects.get(pk=user_id).is_member
    assert not Entrant.objects.filter(user=user_id, state=Entrant.State.ENTERED).exists()
    assert (funds(user_id), reserved(user_id)) == ([CREDITS], 0)
