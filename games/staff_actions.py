"""Staff actions on matches, strikes and interruptions."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import ReadyReason, User
from accounts.shared.staff.actions import Answers, PublicReasonForm, StaffAction
from games.conduct import strikes
from games.models import Interruption, Match, Strike
from games.services import interruptions, voiding
from games.stakes.escrow import PotShort, Ruling


def _may_void(request: HttpRequest, match: Match) -> bool:
    return match.policy.is_staked and not match.is_finished


@contextmanager
def _refusing_a_short_pot() -> Iterator[None]:
    """Turn `PotShort` into the refusal that staff read."""
    try:
        yield
    except PotShort as error:
        text = _(
            "The pot does not hold both stakes: first reverse the transfer that took them out, "
            "on its own page."
        )
        raise ValidationError(text) from error


def _void(match: Match, staff: User, answers: Answers, now: datetime) -> bool:
    ruling = Ruling(answers["reason"], staff.pk)
    with _refusing_a_short_pot():
        return voiding.void_by_staff(match.public_id, ruling, now)


def _label(match: Match) -> str:
    logins = [seat.user.username for seat in match.seats.select_related("user") if seat.user]
    return f"{match.public_id}: {' – '.join(logins)}, {match.stake_credits}"


def _players(match: Match) -> list[int | None]:
    return [seat.user_id for seat in match.seats.all()]


def _lift(strike: Strike, staff: User, answers: Answers, now: datetime) -> bool:
    return strikes.lift(strike.pk, staff, now)


def _is_open(request: HttpRequest, interruption: Interruption) -> bool:
    return not interruption.match.is_finished


def _confirm(interruption: Interruption, staff: User, answers: Answers, now: datetime) -> bool:
    with _refusing_a_short_pot():
        return interruptions.confirm(interruption, staff, now)


VOID = StaffAction(
    "void",
    "games.change_match",
    _void,
    button=_("Void"),
    title=_("Void these matches?"),
    warning=_(
        "They end at once and do not count. Both players get their stakes back and are told. "
        "This cannot be undone."
    ),
    log="Voided: {reason}",
    form=PublicReasonForm,
    applies_to=_may_void,
    refusal=_("Only a match for credits that is still in progress can be voided."),
    label=_label,
    concerns=_players,
    occasion=ReadyReason.Occasion.VOID,
)
LIFT = StaffAction(
    "lift",
    "games.change_strike",
    _lift,
    button=_("Lift"),
    title=_("Lift these strikes?"),
    warning=_(
        "They stop counting at once, and a suspension they caused ends. This cannot be undone."
    ),
    log="Lifted: {reason}",
    concerns=lambda strike: [strike.user_id],
)
CONFIRM_VOID = StaffAction(
    "confirm_void",
    "games.change_interruption",
    _confirm,
    button=_("Void the match"),
    title=_("Void these interrupted matches?"),
    warning=_(
        "They end at once and do not count. In matches for credits both players get their stakes "
        "back; matches of a tournament are played again. This cannot be undone."
    ),
    log="Voided after an outage: {reason}",
    applies_to=_is_open,
    refusal=_("These matches are already over."),
    concerns=lambda interruption: _players(interruption.match),
)
