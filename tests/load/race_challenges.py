"""Races over one friendly challenge: its maker, the challenged member, an account that closes."""

from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import User
from games.engine.rules import Rules
from games.models import Match
from games.models.actor import Actor
from lobby.models import Invitation
from lobby.services import challenging, inviting
from tests.load.race_setup import Fields, attempt, newcomer


def arrange() -> Fields:
    maker, person = newcomer("maker"), newcomer("asked")
    wish = inviting.Wish(Rules.of("short", length=1, delay_ms=30_000))
    made = challenging.challenge(maker, person, wish, timezone.now())
    return {"invitation": made.public_id, "users": [maker.pk, person.pk]}


def _actor(fields: Fields, number: int) -> Actor:
    return Actor(user_id=fields["users"][number])


def accept(fields: Fields) -> str:
    return attempt(inviting.accept, fields["invitation"], _actor(fields, 1), "", timezone.now())


def accept_in_a_tab(fields: Fields) -> str:
    """Accept; return the moment of this press, which the match carries if it began by it."""
    now = timezone.now()
    inviting.accept(fields["invitation"], _actor(fields, 1), "", now)
    return now.isoformat()


def decline(fields: Fields) -> str:
    person = User.objects.get(pk=fields["users"][1])
    return attempt(inviting.decline, fields["invitation"], person, timezone.now())


def cancel(fields: Fields) -> str:
    return attempt(inviting.cancel, fields["invitation"], _actor(fields, 0), timezone.now())


def close_maker(fields: Fields) -> str:
    return attempt(closing.close, fields["users"][0], timezone.now())


def close_challenged(fields: Fields) -> str:
    return attempt(closing.close, fields["users"][1], timezone.now())


def _outcome(fields: Fields) -> tuple[Invitation, bool]:
    """Return the challenge and whether it led to its match, the only one of these two."""
    invitation = Invitation.objects.get(public_id=fields["invitation"])
    matches = list(Match.objects.filter(seats__user__in=fields["users"]).distinct())
    assert len(matches) <= 1
    is_accepted = invitation.state == Invitation.State.ACCEPTED
    assert matches == ([invitation.match] if is_accepted else [])
    return invitation, is_accepted


def judge_accepts(fields: Fields, answers: list[str]) -> str:
    """Check that two tabs of the challenged member led to one match."""
    invitation, is_accepted = _outcome(fields)
    assert is_accepted
    assert invitation.closed_at is not None
    return ("one", "other")[answers.index(invitation.closed_at.isoformat())]


def judge_end(fields: Fields, answers: list[str]) -> str:
    """Check accepting against canceling: one of them is refused."""
    invitation, is_accepted = _outcome(fields)
    assert answers == (["", "gone"] if is_accepted else ["gone", ""]), answers
    assert invitation.closed_at is not None
    return "one" if is_accepted else "other"


def judge_decline(fields: Fields, answers: list[str]) -> str:
    """Check that the first to commit counts; canceling what was declined changes nothing."""
    invitation, is_accepted = _outcome(fields)
    assert not is_accepted
    is_declined = invitation.state == Invitation.State.DECLINED
    assert answers == (["", ""] if is_declined else ["gone", ""]), answers
    return "one" if is_declined else "other"


def judge_closing(fields: Fields, answers: list[str]) -> str:
    """Check that nobody with a closed account is led to a match begun after that."""
    invitation, is_accepted = _outcome(fields)
    assert answers == ([""] * 2 if is_accepted else ["gone", ""]), answers
    assert invitation.state != Invitation.State.OPEN
    return "one" if is_accepted else "other"
